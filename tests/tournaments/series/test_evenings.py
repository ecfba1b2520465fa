from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.series.rules import (
    EveningSchedule,
    due_evenings,
    evening_days,
    evening_starts_at,
    name_of_copy,
    next_week,
    registration_opens_at,
    upcoming_evenings,
)

BERLIN = ZoneInfo("Europe/Berlin")


def plan(**fields: Any) -> EveningSchedule:
    usual: dict[str, Any] = {
        "first": date(2026, 3, 17),
        "rhythm": "weekly",
        "starts_at": time(19),
        "zone": "Europe/Berlin",
        "days_before": 5,
        "opens_at": time(12),
    }
    return EveningSchedule(**{**usual, **fields})


@pytest.mark.parametrize(
    ("rhythm", "first", "days"),
    [
        ("weekly", date(2026, 3, 17), ["2026-03-17", "2026-03-24", "2026-03-31"]),
        ("fortnightly", date(2026, 3, 17), ["2026-03-17", "2026-03-31", "2026-04-14"]),
        # Second Tuesday of each month; last Thursday of each month, also in a month with five.
        ("monthly", date(2026, 3, 10), ["2026-03-10", "2026-04-14", "2026-05-12"]),
        ("monthly", date(2026, 1, 29), ["2026-01-29", "2026-02-26", "2026-03-26"]),
    ],
)
def test_events_of_a_plan_are_on_the_same_weekday(rhythm: str, first: date, days: list[str]):
    first_days = islice(evening_days(plan(rhythm=rhythm, first=first)), 3)

    assert [day.isoformat() for day in first_days] == days


@given(st.dates(date(2000, 1, 1), date(2100, 1, 1)))
def test_monthly_event_is_once_per_month_on_its_weekday(first: date):
    days = list(islice(evening_days(plan(rhythm="monthly", first=first)), 30))

    assert days[0] == first
    assert {day.weekday() for day in days} == {first.weekday()}
    months = [day.year * 12 + day.month for day in days]
    assert months == list(range(months[0], months[0] + 30))


def test_local_hour_is_constant_when_the_clocks_change():
    # The clocks of Berlin go forward on 29 March 2026.
    before, after = (evening_starts_at(plan(), date(2026, 3, day)) for day in (24, 31))

    assert [moment.astimezone(BERLIN).hour for moment in (before, after)] == [19, 19]
    assert after - before == timedelta(days=7) - timedelta(hours=1)


def test_skipped_hour_moves_forward():
    skipped = registration_opens_at(plan(days_before=2, opens_at=time(2, 30)), date(2026, 3, 31))

    assert skipped.astimezone(BERLIN).time() == time(3, 30)


def test_repeated_hour_counts_as_the_first():
    twice = registration_opens_at(
        plan(first=date(2026, 10, 27), days_before=2, opens_at=time(2, 30)), date(2026, 10, 27)
    )

    assert twice == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "days"),
    [
        ("2026-03-12T10:59", []),
        ("2026-03-12T11:00", [17]),
        # After downtime events open late, unless they have begun.
        ("2026-03-17T17:59", [17]),
        ("2026-03-17T18:00", []),
        ("2026-03-19T11:00", [24]),
    ],
)
def test_event_is_due_until_its_start(now: str, days: list[int]):
    moment = datetime.fromisoformat(now).replace(tzinfo=UTC)

    assert [day.day for day in due_evenings(plan(), moment)] == days


def test_plan_ends_with_its_last_day():
    ending = plan(last=date(2026, 3, 30))

    assert [day.day for day in evening_days(ending)] == [17, 24]
    assert upcoming_evenings(ending, datetime(2026, 3, 18, tzinfo=UTC), 5) == [date(2026, 3, 24)]


@given(st.dates(date(2020, 1, 1), date(2030, 1, 1)), st.integers(0, 2_000))
def test_copy_is_on_the_next_possible_weekday(day: date, days: int):
    today = day + timedelta(days=days)
    copy = next_week(day, today)

    assert copy.weekday() == day.weekday()
    assert copy >= max(today, day + timedelta(days=7))
    assert copy - timedelta(days=7) < max(today, day + timedelta(days=7))


@pytest.mark.parametrize(
    ("name", "copy"),
    [
        ("Spring Evening 2", "Spring Evening 3"),
        ("Evening #9", "Evening #10"),
        ("League 2026-05-05", "League 2026-05-12"),
        # A year, and a name without a number.
        ("Circuit 2026", "Circuit 2026"),
        ("Tuesday Netrunner", "Tuesday Netrunner"),
        # The maximum length of a name.
        (f"{'N' * 118} 9", f"{'N' * 117} 10"),
    ],
)
def test_copy_has_the_next_number(name: str, copy: str):
    assert name_of_copy(name, date(2026, 5, 5), date(2026, 5, 12)) == copy
