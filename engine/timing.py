"""Clocks of rounds and tables, and estimates for the end of rounds and events.

A clock runs from `started_at` for `minutes`. Pauses and added minutes move its end. After zero,
`overtime_minutes` may follow. Callers pass in the current time.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from math import ceil


class ClockState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPED = "stopped"


@dataclass(frozen=True)
class Clock:
    """State of a clock. A clock that was closed during a pause has `paused_at` and `stopped_at`."""

    # The round's and the added minutes.
    minutes: int
    started_at: datetime | None = None
    # Set during a pause.
    paused_at: datetime | None = None
    # Sum of the finished pauses.
    paused_seconds: int = 0
    overtime_minutes: int = 0
    # Set once the round is closed.
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
        """Return the time left, negative after zero; before the start the full time."""
        whole = timedelta(minutes=self.minutes)
        if self.started_at is None:
            return whole
        until = self.paused_at or self.stopped_at or now
        played = until - self.started_at - timedelta(seconds=self.paused_seconds)
        return whole - played

    def is_over(self, now: datetime) -> bool:
        return self.left(now) + timedelta(minutes=self.overtime_minutes) <= timedelta()

    def with_extra(self, minutes: int) -> "Clock":
        return replace(self, minutes=self.minutes + minutes)


def paused_clock(clock: Clock, now: datetime) -> Clock:
    """Return the clock unchanged if it is not running."""
    return replace(clock, paused_at=now) if clock.state is ClockState.RUNNING else clock


def resumed_clock(clock: Clock, now: datetime) -> Clock:
    """Return the clock unchanged if it is not paused. Rounds to seconds."""
    if clock.state is not ClockState.PAUSED or clock.paused_at is None:
        return clock
    return replace(
        clock, paused_at=None, paused_seconds=_total_paused_seconds(clock, clock.paused_at, now)
    )


def reopened_clock(clock: Clock, now: datetime) -> Clock:
    """Return the clock of a reopened round with the time it had left at the close.

    The closed time counts as a pause. A clock that was paused at the close stays paused.
    """
    if clock.stopped_at is None:
        return clock
    if clock.started_at is None or clock.paused_at is not None:
        return replace(clock, stopped_at=None)
    return replace(
        clock, stopped_at=None, paused_seconds=_total_paused_seconds(clock, clock.stopped_at, now)
    )


def _total_paused_seconds(clock: Clock, since: datetime, now: datetime) -> int:
    """Include the pause that began at `since`."""
    return clock.paused_seconds + max(0, round((now - since).total_seconds()))


# Estimates


ZERO = timedelta()
SHORTEST_ROUND = timedelta(minutes=5)
# A round closed before a third of its clock, or five minutes, was a rehearsal or an import. Neither
# it nor the gap after it is measured.
MIN_SHARE = 3
# A round that was open for longer was left open by mistake.
LONGEST_ROUND = timedelta(hours=8)
# A longer gap is a night or a meal.
LONGEST_GAP = timedelta(hours=2)
# From this many rounds on, only the event's own rounds count; before that also earlier events.
ENOUGH_ROUNDS = 3
USUAL_GAP = timedelta(minutes=10)


@dataclass(frozen=True)
class RoundTiming:
    # Minutes of its clock.
    minutes: int
    # Time from start to close without pauses.
    played: timedelta
    # Time until the next round started.
    gap: timedelta | None = None
    is_cut: bool = False

    @property
    def was_played(self) -> bool:
        return self.played >= max(SHORTEST_ROUND, timedelta(minutes=self.minutes) / MIN_SHARE)


@dataclass(frozen=True)
class TimeSpread:
    # Range of most values, around the median.
    low: timedelta
    typical: timedelta
    high: timedelta
    # Number of measurements.
    count: int = 0


@dataclass(frozen=True)
class Pace:
    # Time of rounds beyond their clock.
    overrun: TimeSpread
    cut_overrun: TimeSpread
    # Time between rounds.
    gap: TimeSpread


@dataclass(frozen=True)
class ExpectedEnd:
    low: datetime
    typical: datetime
    high: datetime


def spread(times: Iterable[timedelta]) -> TimeSpread | None:
    """Return the median and the range without a tenth at each end; None for no values.

    The range uses nearest rank, so up to ten values give the minimum and the maximum.
    """
    ordered = sorted(times)
    if not ordered:
        return None
    cut_off = ceil(len(ordered) / 10) - 1
    middle = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
    return TimeSpread(ordered[cut_off], middle, ordered[-1 - cut_off], len(ordered))


def measure_pace(own: Sequence[RoundTiming], earlier: Sequence[RoundTiming] = ()) -> Pace:
    """Measure the rounds of this event; if there are too few, include earlier events."""
    no_overrun = TimeSpread(ZERO, ZERO, ZERO)
    usual_gap = TimeSpread(USUAL_GAP, USUAL_GAP, USUAL_GAP)
    swiss = _measured_overruns(own, earlier, is_cut=False)
    cut = _measured_overruns(own, earlier, is_cut=True)
    overrun = spread(swiss) or spread(cut) or no_overrun
    return Pace(
        overrun=overrun,
        cut_overrun=spread(cut) or overrun,
        gap=spread(_enough_times(_gaps(own), _gaps(earlier))) or usual_gap,
    )


def _measured_overruns(
    own: Sequence[RoundTiming], earlier: Sequence[RoundTiming], *, is_cut: bool
) -> list[timedelta]:
    return _enough_times(_overruns(own, is_cut=is_cut), _overruns(earlier, is_cut=is_cut))


def _enough_times(own: list[timedelta], earlier: list[timedelta]) -> list[timedelta]:
    return own if len(own) >= ENOUGH_ROUNDS else [*own, *earlier]


def _overruns(rounds: Iterable[RoundTiming], *, is_cut: bool) -> list[timedelta]:
    return [
        round_.played - timedelta(minutes=round_.minutes)
        for round_ in rounds
        if round_.is_cut is is_cut and round_.was_played and round_.played <= LONGEST_ROUND
    ]


def _gaps(rounds: Iterable[RoundTiming]) -> list[timedelta]:
    gaps = (round_.gap for round_ in rounds if round_.gap is not None and round_.was_played)
    return [gap for gap in gaps if ZERO <= gap <= LONGEST_GAP]


def round_duration(pace: Pace, minutes: int, *, is_cut: bool) -> TimeSpread:
    overrun = pace.cut_overrun if is_cut else pace.overrun
    return _shifted(overrun, timedelta(minutes=minutes))


def _shifted(spread: TimeSpread, by: timedelta) -> TimeSpread:
    parts = (spread.low, spread.typical, spread.high)
    low, typical, high = (max(ZERO, part + by) for part in parts)
    return TimeSpread(low, typical, high, spread.count)


def time_left_in_round(
    clock: Clock, pace: Pace, now: datetime, *, open_tables: int, is_cut: bool = False
) -> TimeSpread:
    """Return the remaining time of a started round: its clock plus the usual overrun.

    With no open tables it can be closed now. A pause moves the end by its duration.
    """
    if not open_tables:
        return TimeSpread(ZERO, ZERO, ZERO)
    return _shifted(pace.cut_overrun if is_cut else pace.overrun, clock.left(now))


def sum_of_spreads(parts: Iterable[TimeSpread]) -> TimeSpread:
    """Add up consecutive parts: medians add, and deviations combine as for independent times.

    The total deviation is the root of the sum of squares: it is unlikely that all parts are long.
    """
    parts = list(parts)
    typical = sum((part.typical for part in parts), ZERO)
    below = _combined_deviation(part.typical - part.low for part in parts)
    above = _combined_deviation(part.high - part.typical for part in parts)
    return TimeSpread(typical - below, typical, typical + above, sum(part.count for part in parts))


def _combined_deviation(deviations: Iterable[timedelta]) -> timedelta:
    squares = sum(deviation.total_seconds() ** 2 for deviation in deviations)
    return timedelta(seconds=squares**0.5)


def time_left_in_gap(pace: Pace, closed_at: datetime | None, now: datetime) -> TimeSpread:
    """Before the first round it is zero."""
    if closed_at is None:
        return TimeSpread(ZERO, ZERO, ZERO)
    return _shifted(pace.gap, closed_at - now)


def expected_end(now: datetime, parts: Iterable[TimeSpread]) -> ExpectedEnd:
    """Return the moment after all these parts, seen from `now` and never before it."""
    whole = _shifted(sum_of_spreads(parts), ZERO)
    return ExpectedEnd(now + whole.low, now + whole.typical, now + whole.high)
