"""Services that store the counts of finished events and their sums."""

import logging

from django.db.models import Min
from django.utils import timezone

from tournaments.models import EventTallies, MonthTallies, SiteTallies, Stage, Tournament
from tournaments.statistics import queries
from tournaments.statistics.queries import totals

logger = logging.getLogger(__name__)

# Events counted per run of the timer; the rest follow in the next run.
EVENTS_AT_ONCE = 200


def count_finished(at_most: int = EVENTS_AT_ONCE) -> int:
    """Count finished events that are new or changed; return how many were counted."""
    found = list(queries.events_to_count()[:at_most])
    return sum(_is_counted(event) for event in found)


def _is_counted(event: Tournament) -> bool:
    """Count an event. A failure is logged and does not affect other events."""
    try:
        count_event(event)
    except Exception:
        logger.exception("The statistics of event %s could not be counted.", event.pk)
        return False
    return True


def count_event(event: Tournament) -> None:
    """Store the counts of a finished event at the version of this object.

    The version was read before counting. If the event changes during counting, the counts are
    outdated and the event is counted again.
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


def store_sums() -> int:
    """Add up the months whose events changed, and the site; return how many months changed.

    Each sum is a row of its own: the next run continues where an interrupted run stopped.
    """
    now, late = timezone.now(), totals.late_by_game()
    months, stored = totals.months_of_events(), totals.stored_months()
    outdated = [month for month, state in months.items() if stored.get(month) != state]
    for month in outdated:
        figures = totals.figures_of_month(month)
        MonthTallies.objects.update_or_create(
            **month._asdict(), defaults={**months[month]._asdict(), "figures": figures}
        )
    emptied = stored.keys() - months.keys()
    for month in emptied:
        MonthTallies.objects.filter(**month._asdict()).delete()
    sites, sums = totals.sites_of_months(), totals.stored_sites()
    for key, state in sites.items():
        current = {"late": late.get(key.game, 0), "checked_at": now}
        if sums.get(key) != state:
            current |= {**state._asdict(), "figures": totals.figures_of_site(key)}
        SiteTallies.objects.update_or_create(**key._asdict(), defaults=current)
    for key in sums.keys() - sites.keys():
        SiteTallies.objects.filter(**key._asdict()).delete()
    return len(outdated) + len(emptied)
