"""The clock of a round, and of one table in it; nothing here asks what time it is.

A clock runs from `started_at` for `minutes`. While it is paused it stands still; what earlier
pauses took and what was added moves its end. After zero `overtime_minutes` may follow.
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
    """What is known of a clock. `minutes` are all it was given: the round's and those added.

    `paused_seconds` are those of pauses that are over; `paused_at` is set in a pause and
    `stopped_at` once the round is closed. A clock that was closed in a pause keeps both.
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
        """When it is at zero; None unless it runs."""
        if self.started_at is None or self.state is not ClockState.RUNNING:
            return None
        return self.started_at + timedelta(minutes=self.minutes, seconds=self.paused_seconds)

    def left(self, now: datetime) -> timedelta:
        """Time left at `now`, below zero once it is over; all of it before the start."""
        whole = timedelta(minutes=self.minutes)
        if self.started_at is None:
            return whole
        until = self.paused_at or self.stopped_at or now
        played = until - self.started_at - timedelta(seconds=self.paused_seconds)
        return whole - played

    def is_over(self, now: datetime) -> bool:
        """Whether zero and the overtime behind it are past."""
        return self.left(now) + timedelta(minutes=self.overtime_minutes) <= timedelta()

    def with_extra(self, minutes: int) -> "Clock":
        """The clock of a table that was given `minutes` more."""
        return replace(self, minutes=self.minutes + minutes)


def paused(clock: Clock, now: datetime) -> Clock:
    """The clock standing still from `now` on; unchanged unless it runs."""
    return replace(clock, paused_at=now) if clock.state is ClockState.RUNNING else clock


def resumed(clock: Clock, now: datetime) -> Clock:
    """The clock going on at `now`; unchanged unless it is paused. Part of a second is rounded."""
    if clock.state is not ClockState.PAUSED or clock.paused_at is None:
        return clock
    return replace(clock, paused_at=None, paused_seconds=_more(clock, clock.paused_at, now))


def reopened(clock: Clock, now: datetime) -> Clock:
    """The clock of a round that is open again: what it had left at the close it has left now.

    The time it was closed counts as a pause; one that was paused before stays paused.
    """
    if clock.stopped_at is None:
        return clock
    if clock.started_at is None or clock.paused_at is not None:
        return replace(clock, stopped_at=None)
    return replace(clock, stopped_at=None, paused_seconds=_more(clock, clock.stopped_at, now))


def _more(clock: Clock, since: datetime, now: datetime) -> int:
    """All the seconds it has stood still, with those since a moment."""
    return clock.paused_seconds + max(0, round((now - since).total_seconds()))
