"""Whether a server that may be gone is asked: one try in a while, and nobody else waits for it."""

from collections.abc import Callable
from threading import Lock
from time import monotonic

REST = 5.0
"""Seconds in which nobody asks a server that has just not answered."""


class Breaker:
    """Open after a failure: for REST seconds nobody asks, then one does and tells the others.

    `now` counts seconds and never goes back.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now, self._lock = now, Lock()
        self._rests_until: float | None = None

    def may_ask(self) -> bool:
        """Whether this one asks the server; when it does, it tells what came of it."""
        if self._rests_until is None:
            return True
        with self._lock:
            if self._rests_until is not None and self._now() < self._rests_until:
                return False
            # The others rest on while this one tries.
            self._rests_until = self._now() + REST
            return True

    def failed(self) -> bool:
        """The server did not answer; whether that is news."""
        with self._lock:
            was_closed = self._rests_until is None
            self._rests_until = self._now() + REST
            return was_closed

    def answered(self) -> bool:
        """The server answered; whether that is news."""
        if self._rests_until is None:
            return False
        with self._lock:
            self._rests_until = None
            return True


_breakers: dict[str, Breaker] = {}


def breaker_of(server: str) -> Breaker:
    """The one breaker of this process for a server; threads share it."""
    return _breakers.setdefault(server, Breaker())
