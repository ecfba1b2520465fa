"""The clock of a round or of a table. Callers pass in the current time.

A clock runs from `started_at` for `minutes`. Pauses and added minutes move its end. After zero,
`overtime_minutes` may follow.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum


class ClockState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPED = "stopped"


@dataclass(frozen=True)
class Clock:
    """State of a clock.

    `minutes` is the total of the round's and the added minutes. `paused_seconds` sums the finished
    pauses. `paused_at` is set during a pause, `stopped_at` once the round is closed. A clock that
    was closed during a pause has both.
    """

    minutes: int
    started_at: datetime | None = None
    paused_at: datetime | None = None
    paused_seconds: int = 0
    overtime_minutes: int = 0
    stopped_at: datetime | None = None

    @property
    def state(self) -> ClockState:
        if self.started_at is None:
            return ClockState.WAITING
        if self.stopped_at is not None:
            return ClockState.STOPPED
        return ClockState.RUNNING if self.paused_at is None else ClockState.PAUSED

    @property
    def ends_at(self) -> datetime | None:
        """The time of zero; None unless the clock runs."""
        if self.started_at is None or self.state is not ClockState.RUNNING:
            return None
        return self.started_at + timedelta(minutes=self.minutes, seconds=self.paused_seconds)

    def left(self, now: datetime) -> timedelta:
        """Return the time left, negative after zero. Before the start it is the full time."""
        whole = timedelta(minutes=self.minutes)
        if self.started_at is None:
            return whole
        until = self.paused_at or self.stopped_at or now
        played = until - self.started_at - timedelta(seconds=self.paused_seconds)
        return whole - played

    def is_over(self, now: datetime) -> bool:
        """Return True if the time and the overtime are over."""
        return self.left(now) + timedelta(minutes=self.overtime_minutes) <= timedelta()

    def with_extra(self, minutes: int) -> "Clock":
        """Return the clock of a table with `minutes` of extra time."""
        return replace(self, minutes=self.minutes + minutes)


def paused(clock: Clock, now: datetime) -> Clock:
    """Return the clock paused at `now`, or unchanged if it is not running."""
    return replace(clock, paused_at=now) if clock.state is ClockState.RUNNING else clock


def resumed(clock: Clock, now: datetime) -> Clock:
    """Return the clock resumed at `now`, or unchanged if it is not paused. Rounds to seconds."""
    if clock.state is not ClockState.PAUSED or clock.paused_at is None:
        return clock
    return replace(clock, paused_at=None, paused_seconds=_more(clock, clock.paused_at, now))


def reopened(clock: Clock, now: datetime) -> Clock:
    """Return the clock of a reopened round with the time it had left at the close.

    The closed time counts as a pause. A clock that was paused at the close stays paused.
    """
    if clock.stopped_at is None:
        return clock
    if clock.started_at is None or clock.paused_at is not None:
        return replace(clock, stopped_at=None)
    return replace(clock, stopped_at=None, paused_seconds=_more(clock, clock.stopped_at, now))


def _more(clock: Clock, since: datetime, now: datetime) -> int:
    """Return the total paused seconds, including those since `since`."""
    return clock.paused_seconds + max(0, round((now - since).total_seconds()))
