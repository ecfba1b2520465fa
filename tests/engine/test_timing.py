"""Expected ends of rounds and events: the median of past durations, with its range."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.timing import (
    Clock,
    RoundTiming,
    TimeSpread,
    expected_end,
    measure_pace,
    round_duration,
    spread,
    sum_of_spreads,
    time_left_in_gap,
    time_left_in_round,
)

NOON = datetime(2026, 5, 2, 12, tzinfo=UTC)
SPANS = st.lists(st.integers(-3_600, 20_000).map(lambda s: timedelta(seconds=s)), min_size=1)


def minutes(number: float) -> timedelta:
    return timedelta(minutes=number)


def closed_round(overrun: float, gap: float | None = None, *, clock: int = 65, cut: bool = False):
    """A round closed this many minutes after zero."""
    between = None if gap is None else minutes(gap)
    return RoundTiming(clock, minutes(clock + overrun), between, cut)


def test_pace_without_rounds_is_the_clock_and_a_ten_minute_gap():
    pace = measure_pace(())

    assert pace.overrun.count == pace.cut_overrun.count == 0
    durations = [pace.gap, round_duration(pace, 65, is_cut=False)] * 2
    assert expected_end(NOON, durations).typical == NOON + minutes(150)


def test_overrun_is_independent_of_the_clock_length():
    pace = measure_pace(
        [], [closed_round(8, 12, clock=40), closed_round(6, 10), closed_round(10, 14)]
    )

    assert round_duration(pace, 30, is_cut=False) == TimeSpread(
        minutes(36), minutes(38), minutes(40), 3
    )
    assert pace.gap.typical == minutes(12)


def test_three_own_rounds_replace_earlier_events():
    before = [closed_round(30, 40)] * 9

    assert measure_pace([closed_round(5, 5)] * 3, before).overrun.typical == minutes(5)
    assert measure_pace([closed_round(5, 5)] * 2, before).overrun.typical == minutes(30)


@pytest.mark.parametrize(("clock", "took"), [(65, 3), (65, 20), (40, 13), (5, 4)])
def test_round_closed_before_a_third_of_its_clock_is_not_measured(clock: int, took: float):
    pace = measure_pace([RoundTiming(clock, minutes(took), minutes(1))] * 3)

    assert pace.overrun.count == pace.cut_overrun.count == 0
    assert pace.gap.typical == minutes(10)
    assert round_duration(pace, clock, is_cut=False).typical == minutes(clock)


def test_duration_of_a_cut_is_measured_on_cuts_or_else_on_all_rounds():
    swiss, cut = [closed_round(5)] * 3, [closed_round(25, cut=True)] * 3

    assert measure_pace([*swiss, *cut]).cut_overrun.typical == minutes(25)
    assert measure_pace(swiss).cut_overrun.typical == minutes(5)
    assert measure_pace(cut).overrun.typical == minutes(25)


def test_rehearsed_and_overnight_rounds_do_not_count():
    pace = measure_pace(
        [closed_round(5, 10), closed_round(900, 700), closed_round(-64), closed_round(7, 12)]
    )

    assert (pace.overrun.count, pace.gap.count) == (2, 2)
    assert (pace.overrun.typical, pace.gap.typical) == (minutes(6), minutes(11))


@pytest.mark.parametrize(
    ("clock", "open_tables", "ends_after"),
    [
        (Clock(65, NOON), 4, 65 + 5),
        (Clock(65, NOON, paused_seconds=600), 4, 75 + 5),
        (Clock(65, NOON, paused_at=NOON + minutes(20)), 4, 30 + 45 + 5),
        (Clock(65, NOON), 0, 30),
        (Clock(10, NOON), 4, 30),
    ],
    ids=["clock", "after a pause", "in a pause", "no table open", "long over"],
)
def test_running_round_ends_after_clock_and_usual_overrun(
    clock: Clock, open_tables: int, ends_after: int
):
    current_time, pace = NOON + minutes(30), measure_pace([closed_round(5)] * 3)

    time_left = time_left_in_round(clock, pace, current_time, open_tables=open_tables)

    assert expected_end(current_time, [time_left]).typical == NOON + minutes(ends_after)


def test_next_round_starts_after_the_usual_gap():
    pace = measure_pace([closed_round(5, 12)] * 3)

    assert time_left_in_gap(pace, NOON, NOON + minutes(5)).typical == minutes(7)
    assert time_left_in_gap(pace, NOON, NOON + minutes(50)).typical == minutes(0)
    assert time_left_in_gap(pace, None, NOON).typical == minutes(0)


def test_independent_rounds_are_not_all_late_together():
    round_ = TimeSpread(minutes(60), minutes(70), minutes(90))

    assert sum_of_spreads([round_] * 4) == TimeSpread(minutes(260), minutes(280), minutes(320))


@given(SPANS)
def test_range_holds_the_median_and_eight_of_ten_values(times: list[timedelta]):
    typical_range = spread(times)

    assert typical_range is not None
    in_range = [time for time in times if typical_range.low <= time <= typical_range.high]
    # The median computed a second way: as many values below as above it.
    below_median = sum(time < typical_range.typical for time in times)
    above_median = sum(time > typical_range.typical for time in times)
    assert typical_range.low <= typical_range.typical <= typical_range.high
    assert len(in_range) * 10 >= len(times) * 8
    assert max(below_median, above_median) * 2 <= len(times)


@given(SPANS, st.integers(0, 9), st.integers(5, 120))
def test_expected_end_is_never_in_the_past(overruns: list[timedelta], rounds: int, clock: int):
    pace = measure_pace([RoundTiming(clock, minutes(clock) + overrun) for overrun in overruns])

    end = expected_end(NOON, [pace.gap, round_duration(pace, clock, is_cut=False)] * rounds)

    assert NOON <= end.low <= end.typical <= end.high
