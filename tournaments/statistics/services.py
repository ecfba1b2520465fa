"""Store the counts of finished events, for the statistics of many."""

import logging

from django.db.models import Min
from django.utils import timezone

from tournaments.models import EventTallies, Stage, Tournament
from tournaments.statistics import queries

logger = logging.getLogger(__name__)

EVENTS_AT_ONCE = 200
"""Events that one turn of the timer counts; the rest waits for the next turn."""


def count_finished(at_most: int = EVENTS_AT_ONCE) -> int:
    """Count finished events that are new or changed; return how many were counted."""
    found = list(queries.events_to_count()[:at_most])
    return sum(_is_counted(event) for event in found)


def _is_counted(event: Tournament) -> bool:
    """Count one event. An event that cannot be counted does not hold up the others."""
    try:
        count_event(event)
    except Exception:
        logger.exception("The statistics of event %s could not be counted.", event.pk)
        return False
    return True


def count_event(event: Tournament) -> None:
    """Store the counts of one finished event at the version of this object.

    The version was read before the counting: a change meanwhile leaves the counts old, and the
    event is counted again.
    """
    now = timezone.now()
    stages = Stage.objects.filter(tournament=event, decks_shown_at__gt=now)
    figures = queries.figures_of(queries.scope_of_finished(event.game, [event.pk]))
    EventTallies.objects.update_or_create(
        tournament=event,
        defaults={
            "version": event.version,
            "until": stages.aggregate(next=Min("decks_shown_at"))["next"],
            "counted_at": now,
            "figures": figures,
        },
    )
