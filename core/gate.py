"""How many requests are worked on at once; the others wait their turn outside.

Work in Python takes turns on one core anyway: with many at once each is late. Here few are at
work, a thread that waits costs nothing, and what core.front answers passes by all of them.
"""

from collections import deque
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Any, TypeAlias

Environ: TypeAlias = dict[str, Any]
Application: TypeAlias = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

LOOKS = ("GET", "HEAD", "OPTIONS")
ONE_LOOK_IN = 4
"""Of so many places that become free while both wait, one goes to who only looks."""


class Gate:
    """So many `places`; who writes comes in before who looks, both in the order they came."""

    def __init__(self, places: int) -> None:
        self._guard = Lock()
        self._free, self._given = places, 0
        self._writers: deque[Lock] = deque()
        self._lookers: deque[Lock] = deque()

    def enter(self, *, writes: bool) -> None:
        """Wait for a place."""
        with self._guard:
            if self._free:
                self._free -= 1
                return
            call = Lock()
            call.acquire()
            (self._writers if writes else self._lookers).append(call)
        call.acquire()

    def leave(self) -> None:
        """The place is the next one's."""
        with self._guard:
            self._given += 1
            lines = [self._writers, self._lookers]
            if self._given % ONE_LOOK_IN == 0:
                lines.reverse()
            for line in lines:
                if line:
                    line.popleft().release()
                    return
            self._free += 1


def gated(application: Application, places: int) -> Application:
    """The application, asked by at most so many threads at once."""
    gate = Gate(places)

    def at_work(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        gate.enter(writes=environ["REQUEST_METHOD"] not in LOOKS)
        try:
            return application(environ, start_response)
        finally:
            gate.leave()

    return at_work
