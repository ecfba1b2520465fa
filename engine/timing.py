"""Estimates for the end of rounds and events. Callers pass in the current time.

A round takes its clock plus an `overrun`, which is negative if all tables finish early. Then there
is a `gap` until the next round starts. Both are measured separately, so that rounds of 65 minutes
can be used to estimate rounds of 40.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from engine.clock import Clock

NOTHING = timedelta()
SHORTEST_ROUND = timedelta(minutes=5)
# A round closed before a third of its clock, or five minutes, was a rehearsal or an import. Neither
# it nor the gap after it is measured.
LEAST_SHARE = 3
# A round that was open for longer was left open by mistake.
LONGEST_ROUND = timedelta(hours=8)
# A longer gap is a night or a meal.
LONGEST_GAP = timedelta(hours=2)
# From this many rounds on, only the event's own rounds count; before that also earlier events.
ENOUGH = 3
USUAL_GAP = timedelta(minutes=10)


@dataclass(frozen=True)
class PlayedRound:
    """A closed round: the `minutes` of its clock, and the time from start to close without pauses.

    `gap` is the time until the next round started, or None.
    """

    minutes: int
    played: timedelta
    gap: timedelta | None = None
    is_cut: bool = False

    @property
    def was_played(self) -> bool:
        """True if the round took long enough to have been played."""
        return self.played >= max(SHORTEST_ROUND, timedelta(minutes=self.minutes) / LEAST_SHARE)


@dataclass(frozen=True)
class Spread:
    """The median, and the range of most values; `count` is the number of measurements."""

    low: timedelta
    typical: timedelta
    high: timedelta
    count: int = 0


@dataclass(frozen=True)
class Pace:
    """The overrun of rounds beyond their clock, and the gap between rounds."""

    overrun: Spread
    cut_overrun: Spread
    gap: Spread

    @property
    def is_measured(self) -> bool:
        """True if any round was measured; otherwise only the clock counts."""
        return self.overrun.count > 0 or self.cut_overrun.count > 0


@dataclass(frozen=True)
class Expected:
    low: datetime
    typical: datetime
    high: datetime


def spread(times: Iterable[timedelta]) -> Spread | None:
    """Return the median and the range without a tenth at each end; None for no values.

    The range uses nearest rank, so up to ten values give the minimum and the maximum.
    """
    ordered = sorted(times)
    if not ordered:
        return None
    cut_off = ceil(len(ordered) / 10) - 1
    middle = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
    return Spread(ordered[cut_off], middle, ordered[-1 - cut_off], len(ordered))


def pace_of(here: Sequence[PlayedRound], before: Sequence[PlayedRound] = ()) -> Pace:
    """Measure the rounds of this event; if there are too few, include earlier events."""
    no_overrun = Spread(NOTHING, NOTHING, NOTHING)
    usual_gap = Spread(USUAL_GAP, USUAL_GAP, USUAL_GAP)
    swiss = _measured(here, before, is_cut=False)
    cut = _measured(here, before, is_cut=True)
    overrun = spread(swiss) or spread(cut) or no_overrun
    return Pace(
        overrun=overrun,
        cut_overrun=spread(cut) or overrun,
        gap=spread(_chosen(_gaps(here), _gaps(before))) or usual_gap,
    )


def _measured(
    here: Sequence[PlayedRound], before: Sequence[PlayedRound], *, is_cut: bool
) -> list[timedelta]:
    return _chosen(_overruns(here, is_cut=is_cut), _overruns(before, is_cut=is_cut))


def _chosen(here: list[timedelta], before: list[timedelta]) -> list[timedelta]:
    return here if len(here) >= ENOUGH else [*here, *before]


def _overruns(rounds: Iterable[PlayedRound], *, is_cut: bool) -> list[timedelta]:
    return [
        one.played - timedelta(minutes=one.minutes)
        for one in rounds
        if one.is_cut is is_cut and one.was_played and one.played <= LONGEST_ROUND
    ]


def _gaps(rounds: Iterable[PlayedRound]) -> list[timedelta]:
    gaps = (one.gap for one in rounds if one.gap is not None and one.was_played)
    return [gap for gap in gaps if NOTHING <= gap <= LONGEST_GAP]


def round_time(pace: Pace, minutes: int, *, is_cut: bool) -> Spread:
    """Return the duration of a round with such a clock, from its start to its close."""
    overrun = pace.cut_overrun if is_cut else pace.overrun
    return _moved(overrun, timedelta(minutes=minutes))


def _moved(spread: Spread, by: timedelta) -> Spread:
    """Shift all values by a duration; none is negative."""
    parts = (spread.low, spread.typical, spread.high)
    low, typical, high = (max(NOTHING, part + by) for part in parts)
    return Spread(low, typical, high, spread.count)


def running_round(
    clock: Clock, pace: Pace, now: datetime, *, open_tables: int, is_cut: bool = False
) -> Spread:
    """Return the remaining time of a started round: its clock plus the usual overrun.

    With no open tables it can be closed now. A pause moves the end by its duration.
    """
    if not open_tables:
        return Spread(NOTHING, NOTHING, NOTHING)
    return _moved(pace.cut_overrun if is_cut else pace.overrun, clock.left(now))


def in_a_row(parts: Iterable[Spread]) -> Spread:
    """Add up consecutive parts: medians add, and deviations combine as for independent times.

    The total deviation is the root of the sum of squares: it is unlikely that all parts are long.
    """
    parts = list(parts)
    typical = sum((part.typical for part in parts), NOTHING)
    below = _together(part.typical - part.low for part in parts)
    above = _together(part.high - part.typical for part in parts)
    return Spread(typical - below, typical, typical + above, sum(part.count for part in parts))


def _together(deviations: Iterable[timedelta]) -> timedelta:
    squares = sum(deviation.total_seconds() ** 2 for deviation in deviations)
    return timedelta(seconds=squares**0.5)


def rest_of_gap(pace: Pace, closed_at: datetime | None, now: datetime) -> Spread:
    """Return the time until the next round starts; zero before the first round."""
    if closed_at is None:
        return Spread(NOTHING, NOTHING, NOTHING)
    return _moved(pace.gap, closed_at - now)


def expected(now: datetime, parts: Iterable[Spread]) -> Expected:
    """Return the moment after all these parts, seen from `now` and never before it."""
    whole = _moved(in_a_row(parts), NOTHING)
    return Expected(now + whole.low, now + whole.typical, now + whole.high)
