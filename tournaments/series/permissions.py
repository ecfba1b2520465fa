"""Who may do what with a series: its owner and organisers, and administrators of the site."""

from datetime import timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from players import factors
from tournaments.event import permissions
from tournaments.event.actors import Actor
from tournaments.models import Series, SeriesRole, SeriesStaff, Staff, Tournament, Visibility


def can_see(actor: Actor, series: Series) -> bool:
    """Read the series; a private one is for who runs it."""
    return series.visibility != Visibility.PRIVATE or can_run(actor, series)


def can_run(actor: Actor, series: Series) -> bool:
    """Change its settings, its events and evenings, invite who qualified."""
    return bool(_role_of(actor, series))


def can_own(actor: Actor, series: Series) -> bool:
    """Give and take roles, delete the series."""
    return _role_of(actor, series) == SeriesRole.OWNER


def _role_of(actor: Actor, series: Series) -> str:
    """The role; that of an owner for an administrator, "" for none.

    A program that acts in one event alone has none.
    """
    if actor.user is None or actor.token_event is not None:
        return ""
    if _is_administrator(actor):
        return SeriesRole.OWNER
    roles = SeriesStaff.objects.filter(series=series, user=actor.user)
    return roles.values_list("role", flat=True).first() or ""


def _is_administrator(actor: Actor) -> bool:
    user = actor.user
    return user is not None and factors.is_administrator(user, at=actor.token_made_at)


def run_by(actor: Actor) -> QuerySet[Series]:
    """Series in which this account has a role."""
    if actor.user is None or actor.token_event is not None:
        return Series.objects.none()
    return Series.objects.filter(
        pk__in=SeriesStaff.objects.filter(user=actor.user).values("series")
    )


def listed() -> QuerySet[Series]:
    """Public series, the newest first."""
    return Series.objects.filter(visibility=Visibility.PUBLIC)


def known_to(actor: Actor) -> QuerySet[Series]:
    """Series that this person finds by looking: public ones, and those they run."""
    mine = run_by(actor).values("pk")
    return Series.objects.filter(Q(visibility=Visibility.PUBLIC) | Q(pk__in=mine))


def named_to(actor: Actor) -> QuerySet[Series]:
    """Series that this person may read of at an event: all but private ones that others run."""
    if actor.token_event is None and _is_administrator(actor):
        return Series.objects.all()
    mine = run_by(actor).values("pk")
    return Series.objects.filter(~Q(visibility=Visibility.PRIVATE) | Q(pk__in=mine))


def events_run_by(actor: Actor) -> QuerySet[Tournament]:
    """Events of the last two years that this account runs, the newest first."""
    if actor.user is None or actor.token_event is not None:
        return Tournament.objects.none()
    roles = Staff.objects.filter(user=actor.user, role__in=permissions.RUN.roles)
    if not factors.has_factor(actor.user, at=actor.token_made_at):
        roles = roles.filter(tournament__staff_need_second_factor=False)
    since = timezone.localdate() - timedelta(days=730)
    mine = Tournament.objects.filter(pk__in=roles.values("tournament"), practice_of=None)
    return mine.filter(starts_on__gte=since).order_by("-starts_on", "-pk")


def targets_of(actor: Actor, series: Series | None = None) -> QuerySet[Tournament]:
    """Events to come that this account runs, and what the series qualifies for already."""
    chosen = Tournament.objects.filter(pk=(series and series.target_id) or 0)
    return events_run_by(actor).filter(finished_at=None) | chosen


def series_of_copy(actor: Actor, event: Tournament) -> Series | None:
    """What a copy of the event counts for: its series, where this person runs that."""
    if event.series is None or not can_run(actor, event.series):
        return None
    return event.series


def shown_series(event: Tournament) -> Series | None:
    """What the event counts for, where everybody who reads the event may know."""
    found = Series.objects.exclude(visibility=Visibility.PRIVATE).filter(pk=event.series_id or 0)
    return found.first() if not event.is_practice else None
