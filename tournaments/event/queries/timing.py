"""What the time of day decides: what is on now, who may check in, when the clock is at zero."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format

from core.time_zones import known_zones
from engine.clock import Clock
from tournaments.event.queries.events import listed
from tournaments.event.queries.rounds import open_tables, rounds, visible_rounds
from tournaments.models import (
    AT_TABLES,
    Pairing,
    Registration,
    RegistrationState,
    Round,
    Tournament,
)

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


def under_way() -> QuerySet[Tournament]:
    """Events with a round that players sit at now."""
    at_tables = Round.objects.filter(state__in=AT_TABLES)
    return Tournament.objects.filter(
        finished_at=None, pk__in=at_tables.values("stage__tournament")
    ).order_by("pk")


def can_check_in_now(registration: Registration) -> bool:
    """Players say that they are here on the day of the event, until round 1 is paired."""
    tournament = registration.tournament
    return (
        registration.state == RegistrationState.REGISTERED
        and not tournament.is_finished
        and timezone.now().astimezone(ZoneInfo(tournament.time_zone)).date() == tournament.starts_on
        and not rounds(tournament).exists()
    )


def clock_of(round_: Round) -> Clock:
    """The clock of the room in this round."""
    tournament = round_.stage.tournament
    return Clock(
        minutes=tournament.round_minutes + round_.extra_minutes,
        started_at=round_.started_at,
        paused_at=round_.paused_at,
        paused_seconds=round_.paused_seconds,
        overtime_minutes=tournament.overtime_minutes,
        stopped_at=round_.closed_at,
    )


def pause_mark(round_: Round) -> int:
    """Tells one pause of a round from another: its beginning in milliseconds, 0 for none."""
    return round(round_.paused_at.timestamp() * 1000) if round_.paused_at else 0


def tables_with_extra(round_: Round) -> QuerySet[Pairing]:
    """Tables that were given time and have no settled result yet, in order."""
    return open_tables(round_).filter(extra_minutes__gt=0)


def meeting_is_on(tournament: Tournament) -> bool:
    """Whether players are seated for the meeting: until round 1 says where they sit."""
    if tournament.meeting_seats is None or tournament.is_finished:
        return False
    return not visible_rounds(tournament).exists()


def seated_for_the_meeting(tournament: Tournament) -> QuerySet[Registration]:
    """Who has a seat at the meeting, by name; who has left it is not among them."""
    seated = tournament.registrations.exclude(meeting_table=None)
    return seated.exclude(state=RegistrationState.DROPPED).select_related("player")


def moment_in_words(moment: datetime, tournament: Tournament) -> str:
    """A moment in the zone of the event, with the name of the zone."""
    zone = tournament.time_zone if tournament.time_zone in known_zones() else "UTC"
    local = moment.astimezone(ZoneInfo(zone))
    return f"{date_format(local, 'l j F Y, H:i')} ({zone})"
