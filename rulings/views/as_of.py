"""Rulings as in force on a given day: `?as_of=1997-05-12` on all pages of rulings."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils import timezone

from rulings import queries
from rulings.models import Ruling, RulingVersion

PARAMETER = "as_of"
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
LEFT_BEHIND = (PARAMETER, "page")
LONGEST_SHOWN = 30  # characters of an invalid day


class Reading(NamedTuple):
    """A ruling with its status and version on the day of the page."""

    ruling: Ruling
    standing: queries.Standing
    version: RulingVersion | None


@dataclass(frozen=True)
class AsOf:
    """The day of a page; None means today and shows every ruling.

    `error` explains an invalid day. `kept` are the other query parameters, which the form for
    another day preserves.
    """

    day: date | None = None
    typed: str = ""
    error: str = ""
    path: str = ""
    kept: tuple[tuple[str, str], ...] = ()

    @property
    def query(self) -> str:
        """Query string that carries the day to further pages of rulings."""
        return f"?{PARAMETER}={self.day.isoformat()}" if self.day else ""

    @property
    def back(self) -> str:
        return f"{self.path}?{urlencode(self.kept)}" if self.kept else self.path

    def reading(self, ruling: Ruling) -> Reading:
        """Return the ruling in the version of that day, or in its newest version without a day."""
        standing = queries.standing_on(ruling, self.day)
        return Reading(ruling, standing, standing.version if self.day else ruling.current)

    def readings(self, rulings: Iterable[Ruling]) -> list[Reading]:
        """Return the rulings that existed that day; ended and local rulings come last."""
        found = [self.reading(ruling) for ruling in rulings]
        there = [one for one in found if one.standing.version is not None or self.day is None]
        return sorted(there, key=lambda one: (one.standing.has_ended, one.ruling.document.is_local))


def read(request: HttpRequest) -> AsOf:
    typed = request.GET.get(PARAMETER, "").strip()
    others = request.GET.items()
    kept = tuple((name, str(value)) for name, value in others if name not in LEFT_BEHIND)
    if not typed:
        return AsOf(path=request.path, kept=kept)
    day = day_of(typed)
    if day is None:
        error = (
            f'"{typed[:LONGEST_SHOWN]}" is not a day. Write year, month and day, such as '
            "1997-05-12. Until then the page shows what holds today."
        )
        return AsOf(typed=typed[:LONGEST_SHOWN], error=error, path=request.path, kept=kept)
    return AsOf(day=day, typed=typed, path=request.path, kept=kept)


def day_of(typed: str) -> date | None:
    """Parse "today" or a date in the form year-month-day; None for anything else."""
    if typed.lower() == "today":
        return timezone.localdate()
    if not DAY.fullmatch(typed):
        return None
    try:
        return date.fromisoformat(typed)
    except ValueError:
        return None
