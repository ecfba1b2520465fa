"""Dates of recurring evenings, their opening times, and names of copies."""

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
# A fifth weekday means the last in the month, because most months have four.
LAST_OF_MONTH = 5
# Maximum length of an event's name.
LONGEST_NAME = 120
# The number at the end of a name; four digits are a year.
NUMBERED = re.compile(r"(?<=[ #])([0-9]{1,3})$")


@dataclass(frozen=True)
class Plan:
    """Evenings on the weekday of `first`, at a time in the zone, until the `last` day.

    Registration opens `days_before` days before, at `opens_at`. Monthly is the same weekday of the
    month: the second Tuesday, or the last.
    """

    first: date
    rhythm: str
    starts_at: time
    zone: str
    days_before: int
    opens_at: time
    last: date | None = None


def days_of(plan: Plan) -> Iterator[date]:
    """Yield its days in order, endlessly without a last day."""
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
    """Return the nth of this weekday in the month; the last if there is no fifth."""
    day = month.replace(day=1 + (weekday - month.weekday()) % 7) + (nth - 1) * WEEK
    last = monthrange(month.year, month.month)[1]
    return day if day.month == month.month and day.day <= last else day - WEEK


def opening(plan: Plan, day: date) -> datetime:
    """Return the opening time of registration for this evening, in local time of the zone."""
    return _moment(day - timedelta(days=plan.days_before), plan.opens_at, plan.zone)


def start(plan: Plan, day: date) -> datetime:
    return _moment(day, plan.starts_at, plan.zone)


def _moment(day: date, hour: time, zone: str) -> datetime:
    """Convert to UTC. A skipped hour moves forward; of a repeated hour the first counts."""
    return datetime.combine(day, hour, ZoneInfo(zone)).astimezone(ZoneInfo("UTC"))


def due(plan: Plan, now: datetime) -> list[date]:
    """Return the evenings that are open but have not begun.

    After downtime a site therefore opens them late.
    """
    opened = takewhile(lambda day: opening(plan, day) <= now, days_of(plan))
    return [day for day in opened if start(plan, day) > now]


def upcoming(plan: Plan, now: datetime, most: int) -> list[date]:
    """Return the next evenings that have not begun."""
    found: list[date] = []
    for day in days_of(plan):
        if start(plan, day) > now:
            found.append(day)
        if len(found) == most:
            break
    return found


def next_week(day: date, today: date) -> date:
    """Return the same weekday a week later, or the first that is not in the past."""
    weeks = max(1, -((day - today).days // 7))
    later = day + weeks * WEEK
    return later if later >= today else later + WEEK


def next_name(name: str, day: date, later: date) -> str:
    """Return the name of a copy: with the next number, or with its own date.

    If a longer number leaves no room, the words before it are cut.
    """
    if day.isoformat() in name:
        return name.replace(day.isoformat(), later.isoformat())
    found = NUMBERED.search(name)
    if found is None:
        return name
    number, mark = str(int(found[1]) + 1), name[found.start() - 1]
    return name[: found.start() - 1][: LONGEST_NAME - len(number) - 1] + mark + number
