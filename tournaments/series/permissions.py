"""Permissions for series: owner, organisers and site administrators."""

from datetime import timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from players import factors
from tournaments.event import permissions as event_permissions
from tournaments.event.permissions import Actor
from tournaments.models import Series, SeriesRole, SeriesStaff, Staff, Tournament, Visibility


def can_see(actor: Actor, series: Series) -> bool:
    return series.visibility != Visibility.PRIVATE or can_run(actor, series)


def can_run(actor: Actor, series: Series) -> bool:
    """Check the right to change settings, events and evenings, and to invite players."""
    return bool(_role_of(actor, series))


def can_own(actor: Actor, series: Series) -> bool:
    """Check the right to give and remove roles and to delete the series."""
    return _role_of(actor, series) == SeriesRole.OWNER


def _role_of(actor: Actor, series: Series) -> str:
    """Return the role, OWNER for an administrator, or "".

    A token for a single event has no role.
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


def series_run_by(actor: Actor) -> QuerySet[Series]:
    if actor.user is None or actor.token_event is not None:
        return Series.objects.none()
    return Series.objects.filter(
        pk__in=SeriesStaff.objects.filter(user=actor.user).values("series")
    )


def public_series() -> QuerySet[Series]:
    return Series.objects.filter(visibility=Visibility.PUBLIC)


def series_known_to(actor: Actor) -> QuerySet[Series]:
    run_by_actor = Q(pk__in=series_run_by(actor).values("pk"))
    return Series.objects.filter(Q(visibility=Visibility.PUBLIC) | run_by_actor)


def series_named_to(actor: Actor) -> QuerySet[Series]:
    """Return the series this person may see named at an event.

    Private series are left out unless the person runs them.
    """
    if actor.token_event is None and _is_administrator(actor):
        return Series.objects.all()
    run_by_actor = Q(pk__in=series_run_by(actor).values("pk"))
    return Series.objects.filter(~Q(visibility=Visibility.PRIVATE) | run_by_actor)


def events_run_by(actor: Actor) -> QuerySet[Tournament]:
    """Return the events of the last two years that this account runs, newest first."""
    if actor.user is None or actor.token_event is not None:
        return Tournament.objects.none()
    roles = Staff.objects.filter(user=actor.user, role__in=event_permissions.RUN.roles)
    if not factors.has_factor(actor.user, at=actor.token_made_at):
        roles = roles.filter(tournament__staff_need_second_factor=False)
    since = timezone.localdate() - timedelta(days=730)
    events = Tournament.objects.filter(pk__in=roles.values("tournament"), practice_of=None)
    return events.filter(starts_on__gte=since).order_by("-starts_on", "-pk")


def possible_targets(actor: Actor, series: Series | None = None) -> QuerySet[Tournament]:
    """Return the future events that this account runs, plus the current target of the series."""
    chosen = Tournament.objects.filter(pk=(series and series.target_id) or 0)
    return events_run_by(actor).filter(finished_at=None) | chosen


def series_of_copy(actor: Actor, event: Tournament) -> Series | None:
    """Return the series that a copy of the event joins, if this person runs it."""
    if event.series is None or not can_run(actor, event.series):
        return None
    return event.series


def shown_series(event: Tournament) -> Series | None:
    """Return the event's series if every reader of the event may know of it."""
    if event.is_practice:
        return None
    visible = Series.objects.exclude(visibility=Visibility.PRIVATE)
    return visible.filter(pk=event.series_id or 0).first()
