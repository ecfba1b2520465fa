"""When a round and an event will end, from rounds that were played; nothing here asks the time.

A round takes its clock and what comes after zero: the `overrun`, below zero where all tables are
done before. Then comes a `gap` until the next round starts. Both are measured, so that a round of
40 minutes can be told from rounds of 65.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from engine.clock import Clock

NOTHING = timedelta()
SHORTEST_ROUND = timedelta(minutes=5)
LEAST_SHARE = 3
"""A round closed before a third of its clock, or five minutes, was not played: it was a rehearsal
or an import. Neither it nor the gap after it is measured."""
LONGEST_ROUND = timedelta(hours=8)
"""A round that was open for longer was left open, and says nothing of a round."""
LONGEST_GAP = timedelta(hours=2)
"""A longer one is a night or a meal."""
ENOUGH = 3
"""From so many rounds on an event is measured by its own; before that earlier events help."""
USUAL_GAP = timedelta(minutes=10)


@dataclass(frozen=True)
class PlayedRound:
    """A closed round: the `minutes` of its clock, from its start to its close without pauses.

    `gap` is the time until the next one started, None where none did.
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
    """What is usual, and from where to where most lie; `count` are those it was measured on."""

    low: timedelta
    typical: timedelta
    high: timedelta
    count: int = 0


@dataclass(frozen=True)
class Pace:
    """How long rounds take beyond their clock, and the time between them."""

    overrun: Spread
    cut_overrun: Spread
    gap: Spread

    @property
    def is_measured(self) -> bool:
        """Whether any round was there to measure; else it is the clock alone."""
        return self.overrun.count > 0 or self.cut_overrun.count > 0


@dataclass(frozen=True)
class Expected:
    """A moment to come, and from when to when it is likely."""

    low: datetime
    typical: datetime
    high: datetime


def spread(times: Iterable[timedelta]) -> Spread | None:
    """The median, and the range without the tenth at each end; None of nothing.

    The range goes by nearest rank, so of up to ten values it is the least and the greatest.
    """
    ordered = sorted(times)
    if not ordered:
        return None
    cut_off = ceil(len(ordered) / 10) - 1
    middle = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
    return Spread(ordered[cut_off], middle, ordered[-1 - cut_off], len(ordered))


def pace_of(here: Sequence[PlayedRound], before: Sequence[PlayedRound] = ()) -> Pace:
    """Measured on the rounds of this event, and with too few of them on earlier ones as well."""
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
    """How long a round with such a clock takes from its start to its close."""
    overrun = pace.cut_overrun if is_cut else pace.overrun
    return _moved(overrun, timedelta(minutes=minutes))


def _moved(spread: Spread, by: timedelta) -> Spread:
    """All of it so much later, and never before it begins."""
    parts = (spread.low, spread.typical, spread.high)
    low, typical, high = (max(NOTHING, part + by) for part in parts)
    return Spread(low, typical, high, spread.count)


def running_round(
    clock: Clock, pace: Pace, now: datetime, *, open_tables: int, is_cut: bool = False
) -> Spread:
    """How much longer a started round takes: its clock, and what is usual after zero.

    With no table open it can be closed now. A pause moves the end with every minute it lasts.
    """
    if not open_tables:
        return Spread(NOTHING, NOTHING, NOTHING)
    return _moved(pace.cut_overrun if is_cut else pace.overrun, clock.left(now))


def in_a_row(parts: Iterable[Spread]) -> Spread:
    """One after the other: what is usual adds up, and deviations as those of independent times.

    That is by the root of the sum of their squares: all long at once is unlikely.
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
    """How much longer until the next round starts; nothing before the first one."""
    if closed_at is None:
        return Spread(NOTHING, NOTHING, NOTHING)
    return _moved(pace.gap, closed_at - now)


def expected(now: datetime, parts: Iterable[Spread]) -> Expected:
    """The moment after all these, as seen at `now`: never before it."""
    whole = _moved(in_a_row(parts), NOTHING)
    return Expected(now + whole.low, now + whole.typical, now + whole.high)
