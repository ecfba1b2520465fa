"""Whether somebody has set the clock of this computer: told by one that nobody can set."""

import time
from collections.abc import Callable
from datetime import timedelta

JUMP = timedelta(seconds=2)
"""What is less is the slow adjustment by which a clock is kept right."""


def seconds_since_start() -> float:
    """Seconds since the computer was started, those in which it slept among them."""
    try:
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    except (AttributeError, OSError):
        # Not on every system; there a sleep looks like a clock that was set forward.
        return time.monotonic()


class WallClock:
    """The clock on the wall, watched by the steady one. Nothing is known of the time before.

    `steady` counts seconds and cannot be set.
    """

    def __init__(self, steady: Callable[[], float] = seconds_since_start) -> None:
        self._steady = steady
        self._seen = self._look()

    def jump(self) -> timedelta:
        """By how much the clock was set since this was asked last; less than zero is back."""
        wall, steady = self._look()
        passed = (wall - self._seen[0]) - (steady - self._seen[1])
        self._seen = (wall, steady)
        moved = timedelta(seconds=passed)
        return moved if abs(moved) >= JUMP else timedelta()

    def _look(self) -> tuple[float, float]:
        return time.time(), self._steady()
