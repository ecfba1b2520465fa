"""Results come as fast as a full event reports them, and the site is killed again and again.

Eight hands enter results, each at a table of its own, together at most 50 a second. Each result has
a word of its own in its note, and the log of the event keeps it. What was answered with 200 must
be there after the next start.
"""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from tests.api.clients import make_token
from tests.crashes.databases import copy_of_the_database, files_are_whole, state_of
from tests.crashes.served import PATIENCE, Served, served
from tests.factories.tournaments import make_event, owner_of, start_round
from tournaments.models import Tournament

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.check(32),
    pytest.mark.goal("G5"),
]

HANDS, A_SECOND = 8, 50
SEEN = 5
"""Results each hand wants to have acknowledged before the next kill, at least."""
BUSY = 503
"""Nothing is promised: the hand reads its table again, as a phone does."""
PARTS, KILLS = 4, 25
"""Of the long version, and kills in each part: a hundred together."""


@dataclass
class Hand:
    """One who enters results at one table, and remembers what was acknowledged."""

    site: Served
    path: str
    number: int
    headers: dict[str, str]
    reported: int = 0
    acknowledged: list[str] = field(default_factory=list)
    refused: list[Any] = field(default_factory=list)

    def report_until(self, stopped: Event) -> None:
        """One result after the other, as fast as this hand may."""
        table = None
        while not stopped.wait(HANDS / A_SECOND):
            if table is None:
                table = self._asked("GET")
                continue
            self.reported += 1
            word = f"hand {self.number}, result {self.reported}"
            body = {"result": self._result(table), "version": table["version"], "note": word}
            table = self._asked("PUT", body)
            if table is not None:
                self.acknowledged.append(word)

    def _asked(self, method: str, body: Any = None) -> Any:
        """The table as it is answered; None where the site was killed or busy, or refuses."""
        status, answer = self.site.status_and_body(method, self.path, body, self.headers)
        if status not in (200, BUSY, None):
            self.refused.append((status, answer))
        return answer if status == 200 else None

    def _result(self, table: Any) -> dict[str, Any]:
        """The Corp wins both games, with other points each time."""
        players = [seat["player"]["number"] for seat in table["seats"]]
        games = [
            {
                "number": number,
                "corp": corp,
                "winner": "corp",
                "end": "agenda",
                "corp_agenda_points": 7,
                "runner_agenda_points": self.reported % 7,
            }
            for number, corp in enumerate(players, start=1)
        ]
        return {"games": games}


def acknowledged_through(kills: int, folder: Path, seed: int = 31) -> tuple[int, float]:
    """Kill the site so often; how many results were acknowledged, and how many a second."""
    event = make_event(players=2 * HANDS)
    start_round(event)
    headers = {"Authorization": f"Token {make_token(owner_of(event).user)}"}
    lots = random.Random(seed)
    seconds = 0.0
    with copy_of_the_database(folder) as name, served(folder, name, with_worker=False) as site:
        hands = hands_of(site, event, headers)
        for number in range(kills):
            wanted = sum(len(hand.acknowledged) for hand in hands) + HANDS * SEEN
            began = time.monotonic()
            with at_work(hands):
                while sum(len(hand.acknowledged) for hand in hands) < wanted:
                    assert time.monotonic() - began < PATIENCE * 2
                    assert not refused(hands)
                    time.sleep(lots.uniform(0.01, 0.1))
                seconds += time.monotonic() - began
                site.kill()
            assert files_are_whole(name, folder)
            missing = words(hands) - kept(name)
            assert not missing, f"after kill {number + 1}"
            site.start()
    assert not refused(hands)
    return len(words(hands)), len(words(hands)) / seconds


def hands_of(site: Served, event: Tournament, headers: dict[str, str]) -> list[Hand]:
    """A hand at each table."""
    below = f"/api/v1/events/{event.slug}/rounds/1/tables"
    return [Hand(site, f"{below}/{n}/result/", n, headers) for n in range(1, HANDS + 1)]


@contextmanager
def at_work(hands: list[Hand]) -> Iterator[None]:
    """All hands enter results until the end of the block."""
    stopped = Event()
    threads = [Thread(target=hand.report_until, args=(stopped,)) for hand in hands]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stopped.set()
        for thread in threads:
            thread.join()


def refused(hands: list[Hand]) -> list[Any]:
    """Every answer that was neither a success nor asked for again."""
    return [answer for hand in hands for answer in hand.refused]


def words(hands: list[Hand]) -> set[str]:
    """The notes of all results that were acknowledged."""
    return {word for hand in hands for word in hand.acknowledged}


def kept(name: str) -> set[str]:
    """The notes that the log of the event has."""
    return {row["reason"] for row in state_of(name)["tournaments_logentry"]}


def test_what_was_acknowledged_outlives_three_kills(tmp_path: Path, figure: Callable[[str], None]):
    acknowledged, a_second = acknowledged_through(3, tmp_path)

    assert acknowledged >= 3 * HANDS * SEEN
    figure(f"3 kills, {acknowledged} results acknowledged, {a_second:.0f} a second: 0 missing")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(1, PARTS + 1))
def test_what_was_acknowledged_outlives_a_hundred_kills(
    part: int, tmp_path: Path, figure: Callable[[str], None]
):
    acknowledged, a_second = acknowledged_through(KILLS, tmp_path, seed=part)

    assert acknowledged >= KILLS * HANDS * SEEN
    summary = f"{acknowledged} results acknowledged, {a_second:.0f} a second: 0 missing"
    figure(f"Part {part} of {PARTS}: {KILLS} kills, {summary}")
