"""Moments at which somebody begins to see more: pages that are kept must be new then."""

from datetime import datetime

from django.core.cache import caches
from django.utils import timezone

from tournaments.models import Tournament

KEPT_SECONDS = 60


def moments_passed(tournament: Tournament) -> int:
    """How many of the set times are past. No log entry and no new version tells of these."""
    now = timezone.now()
    return sum(moment <= now for moment in _set_times(tournament))


def _set_times(tournament: Tournament) -> list[datetime]:
    """When the stages show their decks, at the `hall_version` of this row or a newer one.

    They are read after the row, so what is kept for a version is never older than it says.
    """
    key = f"moments:{tournament.pk}:{tournament.hall_version}"
    kept: list[datetime] | None = caches["pages"].get(key)
    if kept is None:
        set_times = tournament.stages.values_list("decks_shown_at", flat=True).order_by()
        kept = [moment for moment in set_times if moment is not None]
        caches["pages"].set(key, kept, KEPT_SECONDS)
    return kept
