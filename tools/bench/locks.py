"""W11: the processor time for which a write to a large event holds SQLite's write lock.

Alone: python -m tools.bench.locks
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch

from django.db import connection

from tools.bench.clock import shown
from tools.bench.database import print_measured
from tools.bench.figures import Figure

PLAYERS, ROUNDS = 500, 12
LARGEST = (400, 50)
"""The largest event that a file may hold."""
LONGEST = 0.3


def figures(largest: bool = True) -> Iterator[Figure]:
    """A correction in round 1 and its job; then the import of the largest event."""
    if connection.vendor != "sqlite":
        return
    for players, rounds in [(64, 6), (PLAYERS, ROUNDS), *([LARGEST] if largest else [])]:
        size = f"{players} players x {rounds} rounds"
        event, held, taken = _imported(players, rounds)
        yield _figure(f"import of {size}", held, taken)
        (held, taken), (held_by_job, taken_by_job) = _corrected(event)
        yield _figure(f"a correction in round 1 of {size}", held, taken)
        yield _figure(f"its standings, in the job, {size}", held_by_job, taken_by_job)


def _figure(words: str, held: list[float], taken: float) -> Figure:
    longest = max(held)
    return Figure(
        "W11",
        f"longest hold of the write lock, {words}",
        f"{shown(longest)} (of {len(held)} transactions, {shown(sum(held))}, in {shown(taken)})",
        f"<= {shown(LONGEST)}",
        longest <= LONGEST,
    )


def _imported(players: int, rounds: int) -> tuple[Any, list[float], float]:
    from tests.factories.large_events import large_file
    from tests.factories.tournaments import make_user
    from tournaments.files.services import import_file

    data, owner = large_file(players, rounds), make_user()
    with holds() as held:
        begun = time.process_time()
        imported = import_file(data, owner=owner, file_name="large.json", trusted=True)
        taken = time.process_time() - begun
    return imported.tournament, held, taken


def _corrected(event: Any) -> list[tuple[list[float], float]]:
    """Enter another result at table 1 of round 1; then work off the job it leaves."""
    from tests.factories.tournaments import enter_result, get_round, sweep, table, work_off

    pairing = table(get_round(event, 1), 1)
    # No task runs here after the commit: the job is measured by itself.
    with patch("core.jobs._enqueue_now"):
        return [
            _measured(lambda: enter_result(pairing, sweep(2, 5))),
            _measured(lambda: work_off(event)),
        ]


def _measured(do: Callable[[], object]) -> tuple[list[float], float]:
    with holds() as held:
        begun = time.process_time()
        do()
        return held, time.process_time() - begun


@contextmanager
def holds() -> Iterator[list[float]]:
    """Seconds of processor time of each transaction of this connection within the block."""
    held: list[float] = []
    begun: list[float] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        answer = execute(sql, params, many, context)
        if sql.startswith("BEGIN"):
            begun.append(time.process_time())
        return answer

    def ending(end: Callable[[], None]) -> Callable[[], None]:
        def ended() -> None:
            end()
            if begun:
                held.append(time.process_time() - begun.pop())

        return ended

    with (
        connection.execute_wrapper(note),
        patch.object(connection, "commit", ending(connection.commit)),
        patch.object(connection, "rollback", ending(connection.rollback)),
    ):
        yield held


def main() -> None:
    """Measure on a database of its own."""
    print_measured(partial(figures, largest="--quick" not in sys.argv))


if __name__ == "__main__":
    main()
