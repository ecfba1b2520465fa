"""Services for series: settings, roles and events."""

from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.shortcuts import get_object_or_404

from core.errors import Refusal
from core.pause_points import pause_point
from players.models import User
from tournaments.event import history, permissions
from tournaments.event.actors import Actor
from tournaments.event.services import save_new
from tournaments.models import (
    LogAction,
    Series,
    SeriesAction,
    SeriesLogEntry,
    SeriesRole,
    SeriesStaff,
    StaffRole,
    Tournament,
)
from tournaments.series import queries
from tournaments.series.rules.season import DEFAULT_TIE_BREAKERS, PLACE_POINTS
from tournaments.settings.services import staff as staff_services
from tournaments.settings.services.events import stale_settings

# Settings that pages of events show.
SHOWN_BY_EVENTS = {"name", "visibility", "target"}


class SeriesRefused(Refusal):
    pass


class OwnerStays(SeriesRefused):
    pass


class EventsChanged(SeriesRefused):
    """The events to hand over have changed in the meantime."""


class NotThisEvent(SeriesRefused):
    pass


@transaction.atomic
def create(owner: User, *, name: str, **settings: Any) -> Series:
    """Create a series owned by this account; `settings` are fields by name."""
    settings.setdefault("place_points", list(PLACE_POINTS))
    settings.setdefault("points_for_playing", 1)
    settings.setdefault("tie_breakers", list(DEFAULT_TIE_BREAKERS))
    series = save_new(Series(name=name, slug=queries.free_slug(name), **settings))
    SeriesStaff.objects.create(series=series, user=owner, role=SeriesRole.OWNER)
    record(series, Actor(user=owner), SeriesAction.CREATED, name)
    return series


@transaction.atomic
def change(series: Series, actor: Actor, *, seen_log: int | None = None, **settings: Any) -> Series:
    """Change fields by name; only differences are written and logged.

    `seen_log` is the newest log entry at the time the form was rendered. Raises StaleVersion if any
    of the fields has changed since.
    """
    if (target := settings.get("target")) is not None:
        history.lock(target)
    locked = lock(series)
    kept = {name: getattr(locked, name) for name in settings}
    changed = {name: value for name, value in settings.items() if kept[name] != value}
    if changed:
        before = {name: kept[name] for name in changed}
        former = locked.target_id
        if seen_log is not None and _is_changed_since(locked, seen_log, list(changed)):
            raise stale_settings(before, changed)
        for name, value in changed.items():
            setattr(locked, name, value)
        locked.save(update_fields=list(changed))
        record(locked, actor, SeriesAction.CHANGED, before=_plain(before), after=_plain(changed))
        if SHOWN_BY_EVENTS & changed.keys():
            _renew_events(locked, former)
    return locked


def _is_changed_since(series: Series, seen_log: int, names: list[str]) -> bool:
    since = series.log.filter(action=SeriesAction.CHANGED, pk__gt=seen_log)
    return since.filter(after__has_any_keys=names).exists()


@transaction.atomic
def delete(series: Series) -> None:
    """Delete the series. Its events remain and count for no series."""
    locked = lock(series)
    _renew_events(locked)
    locked.delete()


def _renew_events(series: Series, former_target: int | None = None) -> None:
    """Invalidate cached pages that show the series: those of its events and of its target."""
    targets = Q(pk__in=[key for key in (series.target_id, former_target) if key])
    shown_by = Tournament.objects.filter(Q(series=series) | targets).values_list("pk", flat=True)
    events = Tournament.objects.filter(pk__in=list(shown_by))
    # After the commit: the series is locked here, and events must be locked before a series.
    transaction.on_commit(partial(history.move_versions, events))


@transaction.atomic
def add_event(series: Series, event: Tournament, actor: Actor) -> None:
    """Make an event count for this series only. Raises NotThisEvent for a practice event."""
    held = history.lock(event)
    locked = lock(series)
    if held.is_practice:
        raise NotThisEvent("A practice event does not count for a series. Choose the event itself.")
    if held.series_id == locked.pk:
        return
    if held.series is not None:
        _leave(held, held.series, actor)
    held.series = locked
    held.save(update_fields=["series"])
    history.record(held, actor, LogAction.SERIES_SET, locked.name, after={"series": locked.slug})
    record(locked, actor, SeriesAction.EVENT_ADDED, held.name, after={"event": held.slug})


@transaction.atomic
def remove_event(event: Tournament, actor: Actor, *, series: Series | None = None) -> None:
    """Remove an event from its series. Idempotent.

    With `series`, only if the event still counts for this series.
    """
    held = history.lock(event)
    left = held.series
    if left is None or (series is not None and left.pk != series.pk):
        return
    _leave(held, left, actor)
    held.series = None
    held.save(update_fields=["series"])
    history.record(held, actor, LogAction.SERIES_SET, before={"series": left.slug})


def _leave(event: Tournament, series: Series, actor: Actor) -> None:
    record(series, actor, SeriesAction.EVENT_REMOVED, event.name, before={"event": event.slug})


@transaction.atomic
def give_role(series: Series, actor: Actor, user: User) -> SeriesStaff:
    """Make an account an organiser of the series. Raises OwnerStays for its owner."""
    locked = lock(series)
    held = locked.staff.filter(user=user).first()
    if held is not None:
        if held.role == SeriesRole.OWNER:
            raise OwnerStays(f"{user} owns this series already.")
        return held
    record(locked, actor, SeriesAction.ORGANISER_ADDED, str(user), after={"account": user.pk})
    return SeriesStaff.objects.create(series=locked, user=user, role=SeriesRole.ORGANISER)


@transaction.atomic
def take_role(series: Series, actor: Actor, staff: SeriesStaff) -> None:
    """Remove an organiser from the series. Raises OwnerStays."""
    locked = lock(series)
    held = locked.staff.select_related("user").filter(pk=staff.pk).first()
    if held is None:
        return
    if held.role == SeriesRole.OWNER:
        raise OwnerStays("The owner cannot be removed. Hand the series over first.")
    record(
        locked,
        actor,
        SeriesAction.ORGANISER_REMOVED,
        str(held.user),
        before={"account": held.user_id},
    )
    held.delete()


@transaction.atomic
def hand_over(series: Series, actor: Actor, staff: SeriesStaff) -> None:
    """Hand the series and its open events over to an organiser; the former owner organises them.

    Open events are unfinished events that the owner of the series owns. Finished events, events of
    other owners, and events that the actor may not hand over stay with their owner.

    Raises OwnerStays, or EventsChanged if an open event was added in the meantime.
    """
    # Events are locked before the series, as everywhere.
    events = [history.lock(event) for event in queries.handed_over_with(series)]
    pause_point("series:events_locked")
    locked = lock(series)
    heir = locked.staff.select_related("user").filter(pk=staff.pk).first()
    if heir is None:
        raise OwnerStays("This account has no role in the series any more.")
    if heir.role == SeriesRole.OWNER:
        raise OwnerStays(f"{heir.user} owns this series already.")
    going = set(queries.handed_over_with(locked).values_list("pk", flat=True))
    if going - {event.pk for event in events}:
        raise EventsChanged(
            "An event was just added to this series. Check who owns it, then try again."
        )
    for event in events:
        # Changed before the lock, or an event whose staff need two-factor authentication.
        if event.pk not in going or not permissions.can_own(actor, event):
            continue
        role = event.staff.filter(user=heir.user).first()
        role = role or staff_services.give_role(event, actor, heir.user, StaffRole.ORGANISER)
        staff_services.hand_over(event, actor, role)
    # Demote the old owner first: there must never be two owners.
    locked.staff.filter(role=SeriesRole.OWNER).update(role=SeriesRole.ORGANISER)
    heir.role = SeriesRole.OWNER
    heir.save(update_fields=["role"])
    after = {"account": heir.user_id}
    record(locked, actor, SeriesAction.HANDED_OVER, str(heir.user), after=after)


def lock(series: Series) -> Series:
    """Lock the series until the end of the transaction; return the current row.

    Lock events first, including an event that the series will reference: PostgreSQL locks the
    referenced row again. Raises Http404 if the series was deleted in the meantime.
    """
    return get_object_or_404(Series.objects.select_for_update(), pk=series.pk)


def record(
    series: Series,
    actor: Actor,
    action: SeriesAction,
    subject: str = "",
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> SeriesLogEntry:
    return SeriesLogEntry.objects.create(
        series=series,
        user=actor.user,
        action=action,
        subject=subject[:160],
        before=before or {},
        after=after or {},
    )


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value if isinstance(value, int | list | None) else str(value)
        for name, value in values.items()
    }
