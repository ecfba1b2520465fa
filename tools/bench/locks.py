"""W11: the processor time for which a write to a large event holds SQLite's write lock.

python -m tools.bench.locks
"""

import gc
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
"""The largest event that a file may contain."""
LONGEST = 0.3


def figures(largest: bool = True) -> Iterator[Figure]:
    """A correction in round 1 and its job; then the import of the largest event."""
    if connection.vendor != "sqlite":
        return
    # As in config/wsgi.py: a collection within a transaction skips the objects of the program.
    gc.collect()
    gc.freeze()
    for players, rounds in [(64, 6), (PLAYERS, ROUNDS), *([LARGEST] if largest else [])]:
        size = f"{players} players x {rounds} rounds"
        event, times, total = _imported(players, rounds)
        yield _figure(f"import of {size}", times, total)
        (times, total), (job_times, job_total) = _corrected(event)
        yield _figure(f"a correction in round 1 of {size}", times, total)
        yield _figure(f"its standings, in the job, {size}", job_times, job_total)


def _figure(name: str, times: list[float], total: float) -> Figure:
    longest = max(times)
    return Figure(
        "W11",
        f"longest hold of the write lock, {name}",
        f"{shown(longest)} (of {len(times)} transactions, {shown(sum(times))}, in {shown(total)})",
        f"<= {shown(LONGEST)}",
        longest <= LONGEST,
    )


def _imported(players: int, rounds: int) -> tuple[Any, list[float], float]:
    from tests.factories.large_events import large_file
    from tests.factories.tournaments import make_user
    from tournaments.files.services import import_file

    data, owner = large_file(players, rounds), make_user()
    with holds() as times:
        start = time.process_time()
        imported = import_file(data, owner=owner, file_name="large.json", trusted=True)
        total = time.process_time() - start
    return imported.tournament, times, total


def _corrected(event: Any) -> list[tuple[list[float], float]]:
    """Enter another result at table 1 of round 1; then run the job it queues."""
    from tests.factories.tournaments import enter_result, get_round, sweep, table, work_off

    pairing = table(get_round(event, 1), 1)
    # No task runs here after the commit, because the job is measured separately.
    with patch("core.jobs._enqueue_now"):
        return [
            _measured(lambda: enter_result(pairing, sweep(2, 5))),
            _measured(lambda: work_off(event)),
        ]


def _measured(do: Callable[[], object]) -> tuple[list[float], float]:
    with holds() as times:
        start = time.process_time()
        do()
        return times, time.process_time() - start


@contextmanager
def holds() -> Iterator[list[float]]:
    """Processor seconds of each transaction of this connection within the block."""
    times: list[float] = []
    starts: list[float] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        answer = execute(sql, params, many, context)
        if sql.startswith("BEGIN"):
            starts.append(time.process_time())
        return answer

    def ending(end: Callable[[], None]) -> Callable[[], None]:
        def ended() -> None:
            end()
            if starts:
                times.append(time.process_time() - starts.pop())

        return ended

    with (
        connection.execute_wrapper(note),
        patch.object(connection, "commit", ending(connection.commit)),
        patch.object(connection, "rollback", ending(connection.rollback)),
    ):
        yield times


def main() -> None:
    print_measured(partial(figures, largest="--quick" not in sys.argv))


if __name__ == "__main__":
    main()
