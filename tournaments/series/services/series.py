"""A series: made, changed, run by people, and the events that count for it."""

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

SHOWN_BY_EVENTS = {"name", "visibility", "target"}
"""The settings that pages of events show."""


class SeriesRefused(Refusal):
    """A series says no; its subclasses say why."""


class OwnerStays(SeriesRefused):
    """A series has one owner."""


class EventsChanged(SeriesRefused):
    """The events that would go along are others than a moment ago."""


class NotThisEvent(SeriesRefused):
    """The event cannot count for the series."""


@transaction.atomic
def create(owner: User, *, name: str, **settings: Any) -> Series:
    """A new series that belongs to the account; `settings` are fields by name."""
    settings.setdefault("place_points", list(PLACE_POINTS))
    settings.setdefault("points_for_playing", 1)
    settings.setdefault("tie_breakers", list(DEFAULT_TIE_BREAKERS))
    series = save_new(Series(name=name, slug=queries.free_slug(name), **settings))
    SeriesStaff.objects.create(series=series, user=owner, role=SeriesRole.OWNER)
    record(series, Actor(user=owner), SeriesAction.CREATED, name)
    return series


@transaction.atomic
def change(series: Series, actor: Actor, *, seen_log: int | None = None, **settings: Any) -> Series:
    """Change fields by name; only those that differ are written and logged.

    `seen_log` is the newest entry of its log when the form was made. Raises StaleVersion where
    somebody changed one of these fields since.
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
    """The series is gone; its events stay as they are, and count for none."""
    locked = lock(series)
    _renew_events(locked)
    locked.delete()


def _renew_events(series: Series, former_target: int | None = None) -> None:
    """Every copy of the pages that show the series is old: of its events, and of its target."""
    targets = Q(pk__in=[key for key in (series.target_id, former_target) if key])
    shown_by = Tournament.objects.filter(Q(series=series) | targets).values_list("pk", flat=True)
    events = Tournament.objects.filter(pk__in=list(shown_by))
    # After the commit: here the series is locked, and an event must be locked first.
    transaction.on_commit(partial(history.move_versions, events))


@transaction.atomic
def add_event(series: Series, event: Tournament, actor: Actor) -> None:
    """The event counts for this series, and for no other. Raises NotThisEvent for a sandbox."""
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
    """The event counts for no series any more. Removed twice, nothing changes.

    With `series` only where it still counts for this one.
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
    """This account organises the series too. Raises OwnerStays for its owner."""
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
    """The account organises the series no longer. Raises OwnerStays."""
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
    """An organiser owns the series from now on, with its open events; who owned it organises it.

    Open are those that are not finished and that the owner of the series owns; who owned them
    organises them. Finished events, those of others and those that the actor may not hand over
    stay with their owner. Raises OwnerStays, and EventsChanged where one came to them meanwhile.
    """
    # Locked before the series, as everywhere.
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
        # Changed meanwhile, or at an event whose staff need a second factor.
        if event.pk not in going or not permissions.can_own(actor, event):
            continue
        role = event.staff.filter(user=heir.user).first()
        role = role or staff_services.give_role(event, actor, heir.user, StaffRole.ORGANISER)
        staff_services.hand_over(event, actor, role)
    # The old owner first: there is never more than one.
    locked.staff.filter(role=SeriesRole.OWNER).update(role=SeriesRole.ORGANISER)
    heir.role = SeriesRole.OWNER
    heir.save(update_fields=["role"])
    after = {"account": heir.user_id}
    record(locked, actor, SeriesAction.HANDED_OVER, str(heir.user), after=after)


def lock(series: Series) -> Series:
    """The newest row, locked until the transaction ends.

    After that of an event, also one it is to name from now on: PostgreSQL looks at that again.
    Raises Http404 where the series was deleted meanwhile.
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
    """Append one change to the log of the series."""
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
