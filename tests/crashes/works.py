"""Steps of an event that are killed in the middle, and the named moments of each."""

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
    """A request, its moments, and the number of changes it makes to the event.

    Each change is a transaction: the request itself, and the work of its job. If `is_hidden`, the
    work takes several transactions, the event is hidden until the last, and it is deleted after
    being abandoned for `abandoned_after`.
    """

    path: str
    body: Any
    moments: tuple[str, ...]
    changes: int = 1
    headers: Mapping[str, str] = field(default_factory=dict)
    is_hidden: bool = False

    @property
    def abandoned_after(self) -> timedelta:
        """Time until the sweeper removes what a dead process left."""
        return ABANDONED_AFTER + timedelta(minutes=1) if self.is_hidden else timedelta()

    def send(self, method: str = "POST") -> int:
        """Send the request through the WSGI application of this process; return the status."""
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
    """The site. Send it a request before forking, so that children need not load it."""
    return WSGIHandler()


def job_moments(kind: str, *moments: str) -> tuple[str, ...]:
    """Moments of a job that is queued and done during the request."""
    own_moments = (f"{kind}:leased", *moments, f"{kind}:worked", f"{kind}:left")
    return ("job:committed", *own_moments)


def pair() -> Work:
    """Request round 2, which a job drafts."""
    event = _event_after_round_1("pair")
    return Work(
        f"{_address(event)}rounds/",
        {"number": 2},
        (
            *("ask:locked", "ask:recorded"),
            *job_moments(
                "pair_round",
                *("pair:locked", "pair:drafted", "pair:begun", "pair:written"),
                "pair:recorded",
            ),
        ),
        changes=2,
        headers=_headers(event),
    )


def publish() -> Work:
    event = _event_after_round_1("publish")
    draft_round(event)
    return Work(
        f"{_address(event)}rounds/2/publish/",
        {},
        _moments("publish", "locked", "saved", "recorded", "done", "done+"),
        headers=_headers(event),
    )


def close() -> Work:
    """Close round 2, which has all results; a job computes the standings."""
    event = _event_after_round_1("close")
    for pairing in tables_of(start_round(event)):
        enter_result(pairing, games_for(pairing))
    return Work(
        f"{_address(event)}rounds/2/close/",
        {},
        (
            *_moments("close", "locked", "saved", "recorded", "done"),
            *job_moments("recompute_standings", "standings:locked", "standings:written"),
        ),
        changes=2,
        headers=_headers(event),
    )


def cut() -> Work:
    """Make a cut of the four best players."""
    event = _event_after_round_1("cut")
    return Work(
        f"{_address(event)}cut/",
        {"players": [1, 2, 3, 4], "system": "double_elimination", "reason": "As they wished"},
        _moments("cut", "locked", "made", "seeded", "recorded", "recorded+"),
        headers=_headers(event),
    )


def import_() -> Work:
    """Import a whole event from a file."""
    return Work(
        "/api/v1/imports/",
        files.cobra(files.played(7, cut=4)),
        _moments("import", "read", "players", "rounds", "standings", "stored", "stored+"),
        headers=_headers(make_event(PLAYERS, name="import")),
        is_hidden=True,
    )


WORKS = {"pair": pair, "publish": publish, "close": close, "cut": cut, "import": import_}
WITH_JOBS = ("pair", "close")
"""Steps whose work is partly done by a job."""


def _event_after_round_1(name: str) -> Tournament:
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
