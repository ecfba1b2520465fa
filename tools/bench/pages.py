"""W3, W5, W6: cost of a page when it is new, when it is cached, and when the event is full."""

import gzip
import re
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from django.contrib.staticfiles import finders
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories.tournaments import (
    fresh,
    get_round,
    make_event,
    owner_of,
    play_round,
    start_round,
)
from tests.queries import queries_of
from tools.bench.clock import shown, side_by_side
from tools.bench.figures import Figure
from tournaments.models import Tournament

PUBLIC, STAFF = ("pairings", "standings"), ("desk", "results", "roster")
FEW, MANY, WATCHED = 8, 500, 256
RUNS = 6


def figures() -> Iterator[Figure]:
    """Measured in one process without a server: the cost of the page itself."""
    events = {players: _at_play(players) for players in (FEW, 64, WATCHED, MANY)}
    for page in PUBLIC:
        yield from _new_and_kept(events, page)
    for page in STAFF:
        yield from _behind_the_desk(events[FEW], events[MANY], page)
        yield _size(events[WATCHED], page)
    yield _weight(events[WATCHED])


def _at_play(players: int) -> Tournament:
    """Round 1 is closed, round 2 is running."""
    event = make_event(players, name=f"With {players}")
    play_round(event)
    start_round(event)
    return fresh(event)


def _new_and_kept(events: dict[int, Tournament], page: str) -> Iterator[Figure]:
    stranger = Client(headers={"Accept-Encoding": "gzip"})
    numbers = {
        players: _queries(stranger, _address(event, page), event)
        for players, event in events.items()
    }
    event = events[WATCHED]
    address = _address(event, page)

    def load_cached() -> None:
        stranger.get(address)

    def load_new() -> None:
        event.bump_version()
        stranger.get(address)

    load_cached()
    rendered, answered = side_by_side(load_new, load_cached, RUNS)
    yield Figure(
        "W3",
        f"{page} of {WATCHED} players, first view after a change, against the kept page",
        f"{rendered / answered:.0f} times ({shown(rendered)}, {shown(answered)})",
        "<= 100 times",
        rendered / answered <= 100,
    )
    measured = ", ".join(f"{number} with {players}" for players, number in numbers.items())
    yield Figure("W3", f"queries of {page}, new", measured, "<= 12", max(numbers.values()) <= 12)


def _behind_the_desk(
    small_event: Tournament, large_event: Tournament, page: str
) -> Iterator[Figure]:
    asks = {event.pk: _asks(event, page) for event in (small_event, large_event)}
    for ask in asks.values():
        ask()  # Load what is loaded only once.
    small, large = side_by_side(asks[small_event.pk], asks[large_event.pk], RUNS)
    with CaptureQueriesContext(connection) as queries:
        asks[large_event.pk]()
    yield Figure(
        "W5",
        f"{page} with {MANY} players against {FEW}",
        f"{large / small:.1f} times ({shown(large)}, {shown(small)})",
        "<= 10 times",
        large / small <= 10,
    )
    yield Figure(
        "W5",
        f"queries of {page} with {MANY} players",
        str(len(queries)),
        "<= 15",
        len(queries) <= 15,
    )


def _size(event: Tournament, page: str) -> Figure:
    size = len(_staff(event).get(_address(event, page)).content) / 1024
    name = f"HTML of {page} with {WATCHED} players"
    return Figure("W5", name, f"{size:.0f} KB", "<= 150 KB", size <= 150)


def _staff(event: Tournament, **headers: str) -> Client:
    user = owner_of(event).user
    if user is None:
        raise RuntimeError("The event has no owner.")
    owner = Client(headers=headers)
    owner.force_login(user)
    return owner


def _asks(event: Tournament, page: str) -> Callable[[], None]:
    owner = _staff(event, **{"Accept-Encoding": "gzip"})
    address = _address(event, page)
    unique_number = count()

    def ask() -> None:
        answer = owner.get(address, {"once": next(unique_number)})
        if answer.status_code != 200:
            raise RuntimeError(f"{address} answers {answer.status_code}.")

    return ask


def _address(event: Tournament, page: str) -> str:
    if page == "results":
        return reverse("tournaments:results", args=[event.slug, get_round(event, 2).number])
    return reverse(f"tournaments:{page}", args=[event.slug])


def _queries(client: Client, address: str, event: Tournament) -> int:
    caches["pages"].clear()
    event.bump_version()
    return queries_of(client.get, address)


def _weight(event: Tournament) -> Figure:
    """Everything that a browser fetches for the page, compressed as sent."""
    address = _address(event, "pairings")
    answer = Client(headers={"Accept-Encoding": "gzip"}).get(address)
    page = gzip.decompress(answer.content).decode()
    names = sorted(set(re.findall(r'(?:src|href)="/?static/([^"]+)"', page)))
    files = [Path(path_found) for name in names if (path_found := finders.find(name))]
    packed = sum(len(gzip.compress(file.read_bytes())) for file in files)
    kilobytes = (len(answer.content) + packed) / 1024
    etag = answer["ETag"]
    repeated = Client().get(address, headers={"If-None-Match": etag})
    head = sum(len(f"{name}: {value}\r\n") for name, value in repeated.items()) + len(
        repeated.content
    )
    return Figure(
        "W6",
        f"pairings of {WATCHED} players with {len(names)} files, first load, and an unchanged poll",
        f"{kilobytes:.0f} KB and {head / 1024:.2f} KB",
        "<= 70 KB, <= 0.4 KB",
        kilobytes <= 70 and head / 1024 <= 0.4,
    )
