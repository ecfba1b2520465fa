"""Results arrive at the rate of a full event, and the site is killed repeatedly.

Eight clients enter results, each at its own table, together at most 50 per second. The note of each
result is unique and is stored in the event's log. Results that were acknowledged with 200 must
exist after the restart.
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
from tests.crashes.databases import are_files_intact, copy_of_the_database, state_of
from tests.crashes.served import PATIENCE, ServedSite, serve_site
from tests.factories.tournaments import make_event, owner_of, start_round
from tournaments.models import Tournament

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.check(32),
    pytest.mark.goal("G5"),
]

HANDS, RATE = 8, 50
MIN_ACKNOWLEDGED = 5
"""Minimum number of acknowledged results per client between two kills."""
BUSY = 503
"""Not acknowledged: the client reads its table again, as a phone does."""
PARTS, KILLS = 4, 25
"""Parts of the long run, and kills per part: one hundred in total."""


@dataclass
class Hand:
    """A client that enters results at a table and remembers which were acknowledged."""

    site: ServedSite
    path: str
    number: int
    headers: dict[str, str]
    reported: int = 0
    acknowledged: list[str] = field(default_factory=list)
    refused_responses: list[Any] = field(default_factory=list)

    def report_until(self, stopped: Event) -> None:
        """Enter one result after another at the allowed rate."""
        table = None
        while not stopped.wait(HANDS / RATE):
            if table is None:
                table = self._request("GET")
                continue
            self.reported += 1
            note = f"hand {self.number}, result {self.reported}"
            body = {"result": self._result(table), "version": table["version"], "note": note}
            table = self._request("PUT", body)
            if table is not None:
                self.acknowledged.append(note)

    def _request(self, method: str, body: Any = None) -> Any:
        """Return the table; None if the site was killed or busy, or refused the request."""
        status, answer = self.site.status_and_body(method, self.path, body, self.headers)
        if status not in (200, BUSY, None):
            self.refused_responses.append((status, answer))
        return answer if status == 200 else None

    def _result(self, table: Any) -> dict[str, Any]:
        """The Corp wins both games, with different points each time."""
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
    """Kill the site this many times; return the acknowledged results, and their rate a second."""
    event = make_event(players=2 * HANDS)
    start_round(event)
    headers = {"Authorization": f"Token {make_token(owner_of(event).user)}"}
    rng = random.Random(seed)
    seconds = 0.0
    with copy_of_the_database(folder) as name, serve_site(folder, name, with_worker=False) as site:
        hands = make_hands(site, event, headers)
        for number in range(kills):
            target = sum(len(hand.acknowledged) for hand in hands) + HANDS * MIN_ACKNOWLEDGED
            started_at = time.monotonic()
            with hands_at_work(hands):
                while sum(len(hand.acknowledged) for hand in hands) < target:
                    assert time.monotonic() - started_at < PATIENCE * 2
                    assert not refused_responses(hands)
                    time.sleep(rng.uniform(0.01, 0.1))
                seconds += time.monotonic() - started_at
                site.kill()
            assert are_files_intact(name, folder)
            missing = acknowledged_notes(hands) - notes_in_log(name)
            assert not missing, f"after kill {number + 1}"
            site.start()
    assert not refused_responses(hands)
    return len(acknowledged_notes(hands)), len(acknowledged_notes(hands)) / seconds


def make_hands(site: ServedSite, event: Tournament, headers: dict[str, str]) -> list[Hand]:
    """Return a client for each table."""
    tables_path = f"/api/v1/events/{event.slug}/rounds/1/tables"
    return [Hand(site, f"{tables_path}/{n}/result/", n, headers) for n in range(1, HANDS + 1)]


@contextmanager
def hands_at_work(hands: list[Hand]) -> Iterator[None]:
    """Let all clients enter results until the end of the block."""
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


def refused_responses(hands: list[Hand]) -> list[Any]:
    """Unexpected responses: neither a success nor a reason to retry."""
    return [answer for hand in hands for answer in hand.refused_responses]


def acknowledged_notes(hands: list[Hand]) -> set[str]:
    return {note for hand in hands for note in hand.acknowledged}


def notes_in_log(name: str) -> set[str]:
    return {row["reason"] for row in state_of(name)["tournaments_logentry"]}


def test_acknowledged_results_survive_three_kills(tmp_path: Path, figure: Callable[[str], None]):
    acknowledged, a_second = acknowledged_through(3, tmp_path)

    assert acknowledged >= 3 * HANDS * MIN_ACKNOWLEDGED
    figure(f"3 kills, {acknowledged} results acknowledged, {a_second:.0f} a second: 0 missing")


@pytest.mark.slow
@pytest.mark.parametrize("part_number", range(1, PARTS + 1))
def test_acknowledged_results_survive_a_hundred_kills(
    part_number: int, tmp_path: Path, figure: Callable[[str], None]
):
    acknowledged, a_second = acknowledged_through(KILLS, tmp_path, seed=part_number)

    assert acknowledged >= KILLS * HANDS * MIN_ACKNOWLEDGED
    summary = f"{acknowledged} results acknowledged, {a_second:.0f} a second: 0 missing"
    figure(f"Part {part_number} of {PARTS}: {KILLS} kills, {summary}")
