"""Hands at one lock in an order that is forced: each comes while the one before it holds the lock.

The first one is held after it has its lock, inside its transaction, until the second waits for it:
PostgreSQL says so; on SQLite whoever begins a transaction waits. Then the first may end, and the
second is held for the third.
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
PATIENCE = 60.0
LOOK_AGAIN = 0.002
"""Seconds: the first is how long a test waits for what must come, before it fails."""
EVENT_LOCK = "tournaments.event.history.lock"
WAITS_FOR_ME = """
    SELECT EXISTS (
        SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))
    )
"""


def in_order(
    acts: Sequence[Callable[[], Answer]], locks: Sequence[str] = ()
) -> list[Answer | Refusal]:
    """What each gets; a refusal is an answer. All of them have read before the first one writes.

    `locks` has the path of a function for each: at the end of its first call the lock is held.
    """
    return _Line(locks or [EVENT_LOCK] * len(acts)).serve(acts)


class _Line:
    """Who is let in, who holds the lock, who is done."""

    def __init__(self, locks: Sequence[str]) -> None:
        self.locks, size = locks, len(locks)
        # One more of each: behind the last one comes nobody, and that one is done.
        self.let_in = [Event() for _ in range(size + 1)]
        self.done = [Event() for _ in range(size + 1)]
        self.done[size].set()
        self.begun = [Event() for _ in range(size + 1)]
        self.held: list[int] = []
        self.mine = local()

    def serve(self, acts: Sequence[Callable[[], Answer]]) -> list[Answer | Refusal]:
        self.let_in[0].set()
        with ExitStack() as stack:
            for lock in set(self.locks):
                stack.enter_context(after(lock, partial(self._hold, lock)))
            hands = stack.enter_context(ThreadPoolExecutor(len(acts)))
            answers = list(hands.map(self._hand, range(len(acts)), acts))
        assert self.held == list(range(len(acts))), "every hand had the lock, one after the other"
        return answers

    def _hand(self, place: int, act: Callable[[], Answer]) -> Answer | Refusal:
        self.mine.place = place
        assert self.let_in[place].wait(PATIENCE)
        try:
            with connection.execute_wrapper(self._note_begin):
                return act()
        except Refusal as refusal:
            return refusal
        finally:
            self.done[place].set()
            self.let_in[place + 1].set()
            connection.close()

    def _note_begin(self, execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith("BEGIN"):
            self.begun[self.mine.place].set()
        return execute(sql, *rest)

    def _somebody_waits(self, place: int) -> bool:
        """Whether this hand is known to wait for the lock of the transaction that asks."""
        if connection.vendor == "sqlite":
            return self.begun[place].is_set()
        with connection.cursor() as cursor:
            cursor.execute(WAITS_FOR_ME)
            return bool(cursor.fetchone()[0])

    def _hold(self, lock: str) -> None:
        place: int | None = getattr(self.mine, "place", None)
        if place is None or self.locks[place] != lock or place in self.held:
            return
        self.held.append(place)
        self.let_in[place + 1].set()
        tries = int(PATIENCE / LOOK_AGAIN)
        while not self.done[place + 1].wait(LOOK_AGAIN) and not self._somebody_waits(place + 1):
            tries -= 1
            assert tries, f"nobody came while hand {place + 1} was held after {lock}"
