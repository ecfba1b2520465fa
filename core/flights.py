"""What many ask for in the same moment is made once, for all of them.

Nobody gets what may be older than their question. A maker that is asked again and again rests in
between, each time longer: so a thing that changes all the time does not keep a processor busy, and
the more wait the more are served at once. What changes now and then is made at once.
"""

from collections.abc import Callable
from threading import Event, Lock
from time import monotonic, sleep
from typing import Generic, TypeVar

REST = 3
"""How many times longer than it has worked the maker rests, when it is asked all the time."""
LONGEST_REST = 0.25
"""Seconds: a phone that waits for a rest and a making still has its answer while somebody looks."""
PATIENCE = 10.0  # seconds

Answer = TypeVar("Answer")


class _Flight(Generic[Answer]):
    """One making, and what came of it; None until then, and where it is not for others."""

    def __init__(self) -> None:
        self.over = Event()
        self.answer: Answer | None = None


class Flights(Generic[Answer]):
    """The makings of one thing, one after the other."""

    def __init__(self) -> None:
        self._guard, self._maker = Lock(), Lock()
        self._next: _Flight[Answer] | None = None
        self._tired, self._rested_at = 0, 0.0

    def join(
        self, make: Callable[[], Answer | None], known: Callable[[], Answer | None]
    ) -> Answer | None:
        """What was `known` to be right, or made, after this call; by whom does not matter.

        None where `make` says None, raised, or took longer than PATIENCE: then each caller does
        without the others. What `make` raises its own caller gets.
        """
        flight, is_mine = self._boarded()
        if not is_mine:
            flight.over.wait(PATIENCE)
            return flight.answer
        try:
            with self._maker:
                if known() is None:
                    sleep(max(0.0, self._rested_at - monotonic()))
                self._depart(flight)
                flight.answer = known() or self._timed(make)
        finally:
            self._depart(flight)
            flight.over.set()
        return flight.answer

    def _boarded(self) -> tuple[_Flight[Answer], bool]:
        with self._guard:
            if self._next is not None:
                return self._next, False
            self._next = _Flight()
            return self._next, True

    def _depart(self, flight: _Flight[Answer]) -> None:
        """Whoever asks from now on waits for the next one."""
        with self._guard:
            if self._next is flight:
                self._next = None

    def _timed(self, make: Callable[[], Answer | None]) -> Answer | None:
        began = monotonic()
        try:
            return make()
        finally:
            now = monotonic()
            worked = now - began
            was_asked_at_once = began - self._rested_at <= worked
            self._tired = min(self._tired + 1, REST) if was_asked_at_once else 0
            self._rested_at = now + min(self._tired * worked, LONGEST_REST)
