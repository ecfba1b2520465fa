"""The steps of an evening that are killed in the middle, and the moments named in each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from typing import Any

from django.core.handlers.wsgi import WSGIHandler
from django.test import RequestFactory

from tests.api.clients import make_token
from tests.factories import files
from tests.factories.tournaments import (
    draft_round,
    enter_result,
    games_for,
    make_event,
    owner_of,
    play_round,
    start_round,
    tables_of,
)
from tournaments.files.services import ABANDONED_AFTER
from tournaments.models import Tournament

PLAYERS = 9


@dataclass(frozen=True)
class Work:
    """One request, the moments within it, and how many changes of the event come of it.

    Each change is a transaction of its own: what is asked for, and what a job makes of it.
    With `is_hidden` it takes several: the event is hidden until the last one, and deleted once it
    has been left alone for `left_after`.
    """

    path: str
    body: Any
    moments: tuple[str, ...]
    changes: int = 1
    headers: Mapping[str, str] = field(default_factory=dict)
    is_hidden: bool = False

    @property
    def left_after(self) -> timedelta:
        """Time until the sweeper looks after what a dead process left."""
        return ABANDONED_AFTER + timedelta(minutes=1) if self.is_hidden else timedelta()

    def ask(self, method: str = "POST") -> int:
        """Send it through the WSGI application of this process; the status of the answer."""
        content = self.body if isinstance(self.body, bytes) else files.as_bytes(self.body)
        request = RequestFactory().generic(
            method, self.path, content, "application/json", headers=dict(self.headers)
        )
        statuses: list[str] = []
        written: list[bytes] = []

        def start(status: str, _headers: Any, _failure: Any = None) -> Callable[[bytes], object]:
            statuses.append(status)
            return written.append

        answer = application()(request.environ, start)
        written.extend(answer)
        answer.close()
        return int(statuses[0].split()[0])


@cache
def application() -> WSGIHandler:
    """The site. Whoever forks asks it something first: then no child has to load it anew."""
    return WSGIHandler()


def of_job(kind: str, *moments: str) -> tuple[str, ...]:
    """The moments of a job that is queued and done within the request."""
    inside = (f"{kind}:leased", *moments, f"{kind}:worked", f"{kind}:left")
    return ("job:committed", *inside)


def pair() -> Work:
    """Round 2 is asked for, and a job makes it."""
    event = _ready("pair")
    return Work(
        f"{_address(event)}rounds/",
        {"number": 2},
        (
            *("ask:locked", "ask:recorded"),
            *of_job(
                "pair_round",
                *("pair:locked", "pair:drafted", "pair:begun", "pair:written"),
                "pair:recorded",
            ),
        ),
        changes=2,
        headers=_headers(event),
    )


def publish() -> Work:
    """Round 2 lies drafted."""
    event = _ready("publish")
    draft_round(event)
    return Work(
        f"{_address(event)}rounds/2/publish/",
        {},
        _moments("publish", "locked", "saved", "recorded", "done", "done+"),
        headers=_headers(event),
    )


def close() -> Work:
    """Round 2 has all its results, and a job counts the standings."""
    event = _ready("close")
    for pairing in tables_of(start_round(event)):
        enter_result(pairing, games_for(pairing))
    return Work(
        f"{_address(event)}rounds/2/close/",
        {},
        (
            *_moments("close", "locked", "saved", "recorded", "done"),
            *of_job("recompute_standings", "standings:locked", "standings:written"),
        ),
        changes=2,
        headers=_headers(event),
    )


def cut() -> Work:
    """The best four go on."""
    event = _ready("cut")
    return Work(
        f"{_address(event)}cut/",
        {"players": [1, 2, 3, 4], "system": "double_elimination", "reason": "As they wished"},
        _moments("cut", "locked", "made", "seeded", "recorded", "recorded+"),
        headers=_headers(event),
    )


def import_() -> Work:
    """A whole event comes in from a file."""
    return Work(
        "/api/v1/imports/",
        files.cobra(files.played(7, cut=4)),
        _moments("import", "read", "players", "rounds", "standings", "stored", "stored+"),
        headers=_headers(make_event(PLAYERS, name="import")),
        is_hidden=True,
    )


WORKS = {"pair": pair, "publish": publish, "close": close, "cut": cut, "import": import_}
WITH_JOBS = ("pair", "close")
"""Steps of which a job does the rest."""


def _ready(name: str) -> Tournament:
    """An event whose first round is over."""
    event = make_event(PLAYERS, name=name)
    play_round(event)
    return event


def _address(event: Tournament) -> str:
    return f"/api/v1/events/{event.slug}/"


def _moments(work: str, *moments: str) -> tuple[str, ...]:
    return tuple(f"{work}:{moment}" for moment in moments)


def _headers(event: Tournament) -> dict[str, str]:
    token = make_token(owner_of(event).user)
    return {"Authorization": f"Token {token}", "Idempotency-Key": f"of-{event.slug}"}
