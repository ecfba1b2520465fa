"""Calls that compete for a lock in a fixed order.

The first call stops after it has acquired its lock, inside its transaction, until the second call
waits for the lock. PostgreSQL reports the wait; on SQLite a call waits as soon as it begins a
transaction. Then the first call continues, and the second waits for the third.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from threading import Event, local
from typing import Any, TypeVar

from django.db import connection

from core.errors import Refusal
from tests.moments import after

Answer = TypeVar("Answer")
TIMEOUT_SECONDS = 60.0
POLL_SECONDS = 0.002
"""Seconds until a test fails, and between two looks at the waiting call."""
EVENT_LOCK = "tournaments.event.history.lock"
BLOCKED_QUERY = """
    SELECT EXISTS (
        SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))
    )
"""


def run_in_order(
    functions: Sequence[Callable[[], Answer]], locks: Sequence[str] = ()
) -> list[Answer | Refusal]:
    """Run the functions in threads; return a Refusal instead of raising it.

    Every function has read its rows before the first one writes. `locks` has the path of a function
    for each: it holds the lock when its first call returns.
    """
    return LockQueue(locks or [EVENT_LOCK] * len(functions)).serve(functions)


class LockQueue:
    """Calls that may begin, that hold the lock and that are done."""

    def __init__(self, locks: Sequence[str]) -> None:
        self.locks, size = locks, len(locks)
        # One more than calls: no call follows the last one, so its successor counts as done.
        self.let_in = [Event() for _ in range(size + 1)]
        self.done = [Event() for _ in range(size + 1)]
        self.done[size].set()
        self.started = [Event() for _ in range(size + 1)]
        self.holders: list[int] = []
        self.current = local()

    def serve(self, functions: Sequence[Callable[[], Answer]]) -> list[Answer | Refusal]:
        self.let_in[0].set()
        with ExitStack() as stack:
            for lock in set(self.locks):
                stack.enter_context(after(lock, partial(self._hold, lock)))
            pool = stack.enter_context(ThreadPoolExecutor(len(functions)))
            answers = list(pool.map(self._run, range(len(functions)), functions))
        assert self.holders == list(range(len(functions))), "every call must get the lock, in order"
        return answers

    def _run(self, place: int, function: Callable[[], Answer]) -> Answer | Refusal:
        self.current.place = place
        assert self.let_in[place].wait(TIMEOUT_SECONDS)
        try:
            with connection.execute_wrapper(self._note_begin):
                return function()
        except Refusal as refusal:
            return refusal
        finally:
            self.done[place].set()
            self.let_in[place + 1].set()
            connection.close()

    def _note_begin(self, execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith("BEGIN"):
            self.started[self.current.place].set()
        return execute(sql, *rest)

    def _is_waiting(self, place: int) -> bool:
        """True if this call waits for the lock of the current transaction."""
        if connection.vendor == "sqlite":
            return self.started[place].is_set()
        with connection.cursor() as cursor:
            cursor.execute(BLOCKED_QUERY)
            return bool(cursor.fetchone()[0])

    def _hold(self, lock: str) -> None:
        place: int | None = getattr(self.current, "place", None)
        if place is None or self.locks[place] != lock or place in self.holders:
            return
        self.holders.append(place)
        self.let_in[place + 1].set()
        tries = int(TIMEOUT_SECONDS / POLL_SECONDS)
        while not self.done[place + 1].wait(POLL_SECONDS) and not self._is_waiting(place + 1):
            tries -= 1
            assert tries, f"no call waited for call {place + 1} at {lock}"
