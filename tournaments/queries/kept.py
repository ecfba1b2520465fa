"""What one version of an event says to all its readers alike: asked once, however many look."""

from collections.abc import Callable
from typing import TypeVar

from django.core.cache import caches

from tournaments.models import Tournament

KEPT_SECONDS = 60

Said = TypeVar("Said")


def kept_for_version(name: str, tournament: Tournament, read: Callable[[Tournament], Said]) -> Said:
    """What `read` says, at the `hall_version` of this row or a newer one; never None.

    It is read after the row, so what is kept for a version is never older than it says.
    """
    key = f"{name}:{tournament.pk}:{tournament.hall_version}"
    kept: Said | None = caches["pages"].get(key)
    if kept is None:
        kept = read(tournament)
        caches["pages"].set(key, kept, KEPT_SECONDS)
    return kept
