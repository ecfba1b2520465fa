"""When recurring evenings are, when they open, and what a copy of an event is called."""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import takewhile
from zoneinfo import ZoneInfo

WEEKLY, FORTNIGHTLY, MONTHLY = "weekly", "fortnightly", "monthly"
STEPS = {WEEKLY: timedelta(days=7), FORTNIGHTLY: timedelta(days=14)}
WEEK = timedelta(days=7)
LAST_OF_MONTH = 5
"""A fifth Tuesday stands for the last one: most months have four."""
LONGEST_NAME = 120
"""Letters of an event's name."""
NUMBERED = re.compile(r"(?<=[ #])([0-9]{1,3})$")
"""The number at the end of a name; one of four digits is a year."""


@dataclass(frozen=True)
class Plan:
    """Evenings on the weekday of the `first` one, at this hour of the zone, until the last day.

    Registration opens so many days before, at `opens_at`. Monthly is the same weekday of the
    month: the second Tuesday, or the last one.
    """

    first: date
    rhythm: str
    starts_at: time
    zone: str
    days_before: int
    opens_at: time
    last: date | None = None


def days_of(plan: Plan) -> Iterator[date]:
    """Its days in order, without an end where it has no last one."""
    days = _monthly(plan.first) if plan.rhythm == MONTHLY else _stepped(plan)
    return takewhile(lambda day: plan.last is None or day <= plan.last, days)


def _stepped(plan: Plan) -> Iterator[date]:
    day, step = plan.first, STEPS[plan.rhythm]
    while day <= date.max - step:
        yield day
        day += step


def _monthly(first: date) -> Iterator[date]:
    nth, month = (first.day - 1) // 7 + 1, first.replace(day=1)
    while month.year < date.max.year:
        yield _nth(month, first.weekday(), nth)
        month = (month + timedelta(days=31)).replace(day=1)


def _nth(month: date, weekday: int, nth: int) -> date:
    """The nth of this weekday in the month of the day; the last one where there is no fifth."""
    day = month.replace(day=1 + (weekday - month.weekday()) % 7) + (nth - 1) * WEEK
    last = monthrange(month.year, month.month)[1]
    return day if day.month == month.month and day.day <= last else day - WEEK


def opening(plan: Plan, day: date) -> datetime:
    """When registration opens for the evening of this day, by the clocks of the zone."""
    return _moment(day - timedelta(days=plan.days_before), plan.opens_at, plan.zone)


def start(plan: Plan, day: date) -> datetime:
    """When the evening of this day begins."""
    return _moment(day, plan.starts_at, plan.zone)


def _moment(day: date, hour: time, zone: str) -> datetime:
    """An hour that the clocks skip is the one they show instead; of one shown twice the first."""
    return datetime.combine(day, hour, ZoneInfo(zone)).astimezone(ZoneInfo("UTC"))


def due(plan: Plan, now: datetime) -> list[date]:
    """The evenings that are open by now and have not begun: a site that was down opens late."""
    opened = takewhile(lambda day: opening(plan, day) <= now, days_of(plan))
    return [day for day in opened if start(plan, day) > now]


def upcoming(plan: Plan, now: datetime, most: int) -> list[date]:
    """The next evenings that have not begun."""
    found: list[date] = []
    for day in days_of(plan):
        if start(plan, day) > now:
            found.append(day)
        if len(found) == most:
            break
    return found


def next_week(day: date, today: date) -> date:
    """The same weekday a week later; for an event long ago the first one that is still to come."""
    weeks = max(1, -((day - today).days // 7))
    later = day + weeks * WEEK
    return later if later >= today else later + WEEK


def next_name(name: str, day: date, later: date) -> str:
    """What the copy of an event is called: one number on, or with its own day.

    Where a longer number leaves no room, the words before it are cut.
    """
    if day.isoformat() in name:
        return name.replace(day.isoformat(), later.isoformat())
    found = NUMBERED.search(name)
    if found is None:
        return name
    number, mark = str(int(found[1]) + 1), name[found.start() - 1]
    return name[: found.start() - 1][: LONGEST_NAME - len(number) - 1] + mark + number
