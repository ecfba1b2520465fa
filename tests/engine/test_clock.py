"""The round clock as plain arithmetic."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.timing import Clock, ClockState, paused_clock, reopened_clock, resumed_clock

NOON = datetime(2026, 5, 2, 12, tzinfo=UTC)
SPANS = st.integers(0, 7200)


def after(minutes: float) -> datetime:
    return NOON + timedelta(minutes=minutes)


def minutes_left(clock: Clock, minutes: float) -> float:
    """Minutes left, this many minutes after noon."""
    return clock.left(after(minutes)).total_seconds() / 60


def test_clock_has_its_full_time_before_the_start():
    clock = Clock(65)

    assert clock.state is ClockState.WAITING
    assert clock.ends_at is None
    assert minutes_left(clock, 500) == 65


def test_running_clock_goes_through_zero():
    clock = Clock(65, NOON)

    assert clock.ends_at == after(65)
    assert [minutes_left(clock, minutes) for minutes in (0, 60, 65, 70)] == [65, 5, 0, -5]


def test_overtime_begins_at_zero():
    clock = Clock(65, NOON, overtime_minutes=5)

    assert [clock.is_over(after(minutes)) for minutes in (64, 66, 69.9, 70)] == [
        False,
        False,
        False,
        True,
    ]


def test_reopened_round_without_a_start_is_unchanged():
    assert reopened_clock(Clock(65, stopped_at=NOON), after(5)).state is ClockState.WAITING


def test_table_has_its_extra_minutes():
    assert minutes_left(Clock(65, NOON).with_extra(3), 60) == 8


@given(st.lists(st.tuples(SPANS, SPANS), max_size=8), SPANS)
@pytest.mark.check(39)
def test_pauses_do_not_use_time(turns: list[tuple[int, int]], last: int):
    clock, time, ran = Clock(65, NOON), NOON, 0
    for running, standing in turns:
        time += timedelta(seconds=running)
        clock = paused_clock(clock, time)
        time += timedelta(seconds=standing)
        clock = resumed_clock(clock, time)
        ran += running
    time += timedelta(seconds=last)

    assert clock.left(time) == timedelta(minutes=65) - timedelta(seconds=ran + last)
    assert clock.ends_at == time + clock.left(time)


@given(SPANS, SPANS, SPANS, st.integers(-60, 60))
def test_added_minutes_change_the_time_left(
    played: int, pause: int, running_seconds: int, minutes: int
):
    clock = paused_clock(Clock(65, NOON), NOON + timedelta(seconds=played))
    extended = clock.with_extra(minutes)
    resumed = NOON + timedelta(seconds=played + pause)
    end_time = resumed + timedelta(seconds=running_seconds)

    assert resumed_clock(extended, resumed).left(end_time) - resumed_clock(clock, resumed).left(
        end_time
    ) == timedelta(minutes=minutes)
