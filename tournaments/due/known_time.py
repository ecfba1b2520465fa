"""The time that people are forgotten by: what was written down a week ago, not what the clock says.

A clock that is years ahead must not make everybody seem away. What this site wrote down tells no
later time than that of the clock in that hour: a wrong one has a week in which to be noticed.
"""

from datetime import datetime, timedelta

from django.core.cache import cache
from django.utils import timezone

from tournaments.models import LogEntry

LONG_ENOUGH = timedelta(days=7)
"""So long ago a moment was written down, by the clock of now, before anybody is forgotten by it."""
NOTED = "forgetting:noted"


def known_time() -> datetime | None:
    """The latest moment that was written down a week ago or earlier; None where there is none."""
    now = timezone.now()
    latest = now - LONG_ENOUGH
    told = (_logged(latest), _noted(now))
    return max((moment for moment in told if moment and moment <= latest), default=None)


def _logged(latest: datetime) -> datetime | None:
    """The last one written, not the latest: of those a clock wrote that was ahead some may be."""
    entries = LogEntry.objects.filter(at__lte=latest).order_by("-pk")
    return entries.values_list("at", flat=True).first()


def _noted(now: datetime) -> datetime | None:
    """A note of the time, for a site where nothing happens; written anew every other week."""
    noted: datetime | None = cache.get(NOTED)
    if noted is None or not now - 2 * LONG_ENOUGH < noted <= now:
        cache.set(NOTED, now, timeout=None)
    return noted
