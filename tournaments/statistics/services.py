"""Services that store the counts of finished events and their sums."""

import logging

from django.db.models import Min
from django.utils import timezone

from tournaments.models import EventTallies, MonthTallies, SiteTallies, Stage, Tournament
from tournaments.statistics import stored_counts

logger = logging.getLogger(__name__)

# Events counted per run of the timer; the rest follow in the next run.
MAX_EVENTS_PER_RUN = 200


def count_finished_events(at_most: int = MAX_EVENTS_PER_RUN) -> int:
    events = list(stored_counts.events_to_count()[:at_most])
    return sum(_try_to_count(event) for event in events)


def _try_to_count(event: Tournament) -> bool:
    try:
        count_event(event)
    # A failure must not affect other events.
    except Exception:
        logger.exception("The statistics of event %s could not be counted.", event.pk)
        return False
    return True


def count_event(event: Tournament) -> None:
    """Store the counts of a finished event at the version of this object."""
    # The version was read before counting. If the event changes during counting, the counts are
    # outdated and the event is counted again.
    now = timezone.now()
    stages = Stage.objects.filter(tournament=event, decks_shown_at__gt=now)
    figures = stored_counts.figures_of_scope(
        stored_counts.scope_of_finished(event.game, [event.pk])
    )
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
    """Add up the months whose events changed, and the site; return how many months changed."""
    # Each sum is a row of its own: the next run continues where an interrupted run stopped.
    now, late = timezone.now(), stored_counts.late_events_by_game()
    months, stored = stored_counts.required_month_sums(), stored_counts.stored_month_sums()
    outdated = [month for month, state in months.items() if stored.get(month) != state]
    for month in outdated:
        figures = stored_counts.figures_of_month(month)
        MonthTallies.objects.update_or_create(
            **month._asdict(), defaults={**months[month]._asdict(), "figures": figures}
        )
    emptied = stored.keys() - months.keys()
    for month in emptied:
        MonthTallies.objects.filter(**month._asdict()).delete()
    sites, sums = stored_counts.required_site_sums(), stored_counts.stored_site_sums()
    for key, state in sites.items():
        current = {"late": late.get(key.game, 0), "checked_at": now}
        if sums.get(key) != state:
            current |= {**state._asdict(), "figures": stored_counts.figures_of_site(key)}
        SiteTallies.objects.update_or_create(**key._asdict(), defaults=current)
    for key in sums.keys() - sites.keys():
        SiteTallies.objects.filter(**key._asdict()).delete()
    return len(outdated) + len(emptied)
