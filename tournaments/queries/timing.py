"""What the time of day decides: what is on now, who may check in, when the clock is at zero."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet
from django.utils import timezone

from tournaments.models import Registration, RegistrationState, Round, RoundState, Tournament
from tournaments.queries.events import listed
from tournaments.queries.rounds import rounds

UNDER_WAY = timedelta(days=7)
"""An event with rounds that nobody has touched for longer was left unfinished."""


def listed_by_time(today: date) -> tuple[QuerySet[Tournament], ...]:
    """Public events (now, next, past): now is today, or under way since a week at most."""
    everything, recent = listed(), today - UNDER_WAY
    under_way = Q(finished_at=None, stages__rounds__isnull=False, starts_on__gte=recent)
    now = everything.filter(
        pk__in=Tournament.objects.filter(under_way | Q(finished_at=None, starts_on=today)).values(
            "pk"
        )
    )
    rest = everything.exclude(pk__in=now.values("pk"))
    is_next = Q(finished_at=None, starts_on__gt=today)
    upcoming = rest.filter(is_next).order_by("starts_on", "pk")
    return now, upcoming, rest.exclude(is_next)


def can_check_in_now(registration: Registration) -> bool:
    """Players say that they are here on the day of the event, until round 1 is paired."""
    tournament = registration.tournament
    return (
        registration.state == RegistrationState.REGISTERED
        and not tournament.is_finished
        and timezone.now().astimezone(ZoneInfo(tournament.time_zone)).date() == tournament.starts_on
        and not rounds(tournament).exists()
    )


def ends_at(round_: Round) -> datetime | None:
    """When the clock of a running round is at zero; None when it does not run."""
    if round_.state != RoundState.RUNNING or round_.started_at is None:
        return None
    return round_.started_at + timedelta(minutes=round_.stage.tournament.round_minutes)
