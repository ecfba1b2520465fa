"""Moments at which somebody begins to see more: pages that are kept must be new then."""

from datetime import datetime

from django.utils import timezone

from tournaments import queries
from tournaments.models import Tournament


def moments_passed(tournament: Tournament) -> int:
    """How many of the set times are past. No log entry and no new version tells of these."""
    now = timezone.now()
    return sum(moment <= now for moment in _set_times(tournament))


def next_moment(tournament: Tournament) -> datetime | None:
    """When the event will look otherwise although nobody changes it; None: never."""
    closing = tournament.registration_closes_at, tournament.decks_close_at
    now, moments = timezone.now(), [*closing, *_set_times(tournament)]
    return min((moment for moment in moments if moment and moment > now), default=None)


def _set_times(tournament: Tournament) -> list[datetime]:
    """When the stages show their decks."""
    return queries.kept_for_version("moments", tournament, _read_set_times)


def _read_set_times(tournament: Tournament) -> list[datetime]:
    set_times = tournament.stages.values_list("decks_shown_at", flat=True).order_by()
    return [moment for moment in set_times if moment is not None]
