"""Services for series: settings, events, roles and invitations."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _

from core.errors import Refusal
from players.models import User
from tournaments.event import history
from tournaments.event import permissions as event_permissions
from tournaments.event.history import LoggedChange
from tournaments.event.permissions import Actor
from tournaments.event.services import save_new
from tournaments.models import (
    InvitedPlayer,
    LogAction,
    Registration,
    Series,
    SeriesAction,
    SeriesLogEntry,
    SeriesRole,
    SeriesStaff,
    StaffRole,
    Tournament,
)
from tournaments.registration import services as registration_services
from tournaments.series import queries
from tournaments.series.queries import Season
from tournaments.series.rules import DEFAULT_TIE_BREAKERS, PLACE_POINTS
from tournaments.settings import services as settings_services
from tournaments.settings.services import stale_settings

# Settings that pages of events show.
FIELDS_SHOWN_BY_EVENTS = {"name", "visibility", "target"}


class SeriesRefused(Refusal):
    pass


class OwnerStays(SeriesRefused):
    pass


class EventsChanged(SeriesRefused):
    """The events to hand over have changed in the meantime."""


class NotThisEvent(SeriesRefused):
    pass


@transaction.atomic
def create_series(owner: User, *, name: str, **settings: Any) -> Series:
    """Create a series owned by this account; `settings` are fields by name."""
    settings.setdefault("place_points", list(PLACE_POINTS))
    settings.setdefault("points_for_playing", 1)
    settings.setdefault("tie_breakers", list(DEFAULT_TIE_BREAKERS))
    series = save_new(Series(name=name, slug=queries.free_slug(name), **settings))
    SeriesStaff.objects.create(series=series, user=owner, role=SeriesRole.OWNER)
    log_series_change(series, Actor(user=owner), SeriesAction.CREATED, name)
    return series


@transaction.atomic
def change_series(
    series: Series, actor: Actor, *, seen_log: int | None = None, **settings: Any
) -> Series:
    """Change fields by name; only differences are written and logged.

    `seen_log` is the newest log entry at the time the form was rendered. Raises StaleVersion if any
    of the fields has changed since.
    """
    if (target := settings.get("target")) is not None:
        history.lock(target)
    locked = lock_series(series)
    stored = {name: getattr(locked, name) for name in settings}
    changed = {name: value for name, value in settings.items() if stored[name] != value}
    if not changed:
        return locked
    before = {name: stored[name] for name in changed}
    former_target = locked.target_id
    if seen_log is not None:
        since = locked.log.filter(action=SeriesAction.CHANGED, pk__gt=seen_log)
        if since.filter(after__has_any_keys=list(changed)).exists():
            raise stale_settings(before, changed)
    for name, value in changed.items():
        setattr(locked, name, value)
    locked.save(update_fields=list(changed))
    log_series_change(
        locked,
        actor,
        SeriesAction.CHANGED,
        before=_json_values(before),
        after=_json_values(changed),
    )
    if FIELDS_SHOWN_BY_EVENTS & changed.keys():
        _invalidate_event_pages(locked, former_target)
    return locked


@transaction.atomic
def delete_series(series: Series) -> None:
    """Delete the series. Its events remain and count for no series."""
    locked = lock_series(series)
    _invalidate_event_pages(locked)
    locked.delete()


def _invalidate_event_pages(series: Series, former_target: int | None = None) -> None:
    """Invalidate cached pages that show the series: those of its events and of its target."""
    targets = Q(pk__in=[key for key in (series.target_id, former_target) if key])
    shown_by = Tournament.objects.filter(Q(series=series) | targets).values_list("pk", flat=True)
    events = Tournament.objects.filter(pk__in=list(shown_by))
    # After the commit: the series is locked here, and events must be locked before a series.
    transaction.on_commit(partial(history.bump_versions_of_events, events))


@transaction.atomic
def add_event(series: Series, event: Tournament, actor: Actor) -> None:
    """Make an event count for this series only. Raises NotThisEvent for a practice event."""
    event = history.lock(event)
    series = lock_series(series)
    if event.is_practice:
        raise NotThisEvent(
            _("A practice event does not count for a series. Choose the event itself.")
        )
    if event.series_id == series.pk:
        return
    if event.series is not None:
        _log_event_removed(event, event.series, actor)
    event.series = series
    event.save(update_fields=["series"])
    history.record(event, actor, LogAction.SERIES_SET, series.name, after={"series": series.slug})
    log_series_change(
        series, actor, SeriesAction.EVENT_ADDED, event.name, after={"event": event.slug}
    )


@transaction.atomic
def remove_event(event: Tournament, actor: Actor, *, series: Series | None = None) -> None:
    """Remove an event from its series. Idempotent.

    With `series`, only if the event still counts for this series.
    """
    event = history.lock(event)
    former = event.series
    if former is None or (series is not None and former.pk != series.pk):
        return
    _log_event_removed(event, former, actor)
    event.series = None
    event.save(update_fields=["series"])
    history.record(event, actor, LogAction.SERIES_SET, before={"series": former.slug})


def _log_event_removed(event: Tournament, series: Series, actor: Actor) -> None:
    log_series_change(
        series, actor, SeriesAction.EVENT_REMOVED, event.name, before={"event": event.slug}
    )


@transaction.atomic
def add_organiser(series: Series, actor: Actor, user: User) -> SeriesStaff:
    locked = lock_series(series)
    member = locked.staff.filter(user=user).first()
    if member is not None:
        if member.role == SeriesRole.OWNER:
            raise OwnerStays(_("%(user)s already owns this series.") % {"user": user})
        return member
    log_series_change(
        locked, actor, SeriesAction.ORGANISER_ADDED, str(user), after={"account": user.pk}
    )
    return SeriesStaff.objects.create(series=locked, user=user, role=SeriesRole.ORGANISER)


@transaction.atomic
def remove_organiser(series: Series, actor: Actor, staff: SeriesStaff) -> None:
    locked = lock_series(series)
    member = locked.staff.select_related("user").filter(pk=staff.pk).first()
    if member is None:
        return
    if member.role == SeriesRole.OWNER:
        raise OwnerStays(_("The owner cannot be removed. Hand the series over first."))
    log_series_change(
        locked,
        actor,
        SeriesAction.ORGANISER_REMOVED,
        str(member.user),
        before={"account": member.user_id},
    )
    member.delete()


@transaction.atomic
def hand_over_series(series: Series, actor: Actor, staff: SeriesStaff) -> None:
    """Hand the series and its open events over to an organiser; the former owner organises them.

    Open events are unfinished events that the owner of the series owns. Finished events, events of
    other owners, and events that the actor may not hand over stay with their owner.

    Raises OwnerStays, or EventsChanged if an open event was added in the meantime.
    """
    # Events are locked before the series, as everywhere.
    events = [history.lock(event) for event in queries.events_handed_over_with(series)]
    locked = lock_series(series)
    heir = locked.staff.select_related("user").filter(pk=staff.pk).first()
    if heir is None:
        raise OwnerStays(_("This account no longer has a role in the series."))
    if heir.role == SeriesRole.OWNER:
        raise OwnerStays(_("%(user)s already owns this series.") % {"user": heir.user})
    current = set(queries.events_handed_over_with(locked).values_list("pk", flat=True))
    if current - {event.pk for event in events}:
        raise EventsChanged(
            _("An event was just added to this series. Check who owns it, then try again.")
        )
    for event in events:
        # Changed before the lock, or an event whose staff need two-factor authentication.
        if event.pk not in current or not event_permissions.can_own(actor, event):
            continue
        role = event.staff.filter(user=heir.user).first()
        role = role or settings_services.give_role(event, actor, heir.user, StaffRole.ORGANISER)
        settings_services.hand_over_event(event, actor, role)
    # Demote the old owner first: there must never be two owners.
    locked.staff.filter(role=SeriesRole.OWNER).update(role=SeriesRole.ORGANISER)
    heir.role = SeriesRole.OWNER
    heir.save(update_fields=["role"])
    after = {"account": heir.user_id}
    log_series_change(locked, actor, SeriesAction.HANDED_OVER, str(heir.user), after=after)


def lock_series(series: Series) -> Series:
    """Lock the series until the end of the transaction; return the current row.

    Lock events first, including an event that the series will reference: PostgreSQL locks the
    referenced row again. Raises Http404 if the series was deleted in the meantime.
    """
    return get_object_or_404(Series.objects.select_for_update(), pk=series.pk)


def log_series_change(
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


def _json_values(values: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value if isinstance(value, int | list | None) else str(value)
        for name, value in values.items()
    }


# Invitations of qualified players to the target event of the series.


class NobodyToInvite(SeriesRefused):
    """There is no target event, or all qualified players are invited."""


class InvitationGone(SeriesRefused):
    """The invitation was withdrawn or answered."""


class SeasonOutdated(SeriesRefused):
    """The season table does not yet include the last correction of an event."""


class NotTied(SeriesRefused):
    """The player does not share the last place of the table, or the reason is missing."""


@transaction.atomic
def invite_qualified(series: Series, actor: Actor, *, only_invited: bool = True) -> int:
    """Invite all qualified players; return the number of new invitations.

    With `only_invited`, the target event accepts invited players only. Raises NobodyToInvite.
    """
    target = _lock_target(series)
    season = _up_to_date_season(series)
    qualified = queries.qualified_so_far(series, season, for_others=True).through
    invited = set(target.invited.values_list("player", flat=True))
    new = InvitedPlayer.objects.bulk_create(
        InvitedPlayer(tournament=target, player_id=row.player, series=series, how=row.how)
        for row in qualified
        if row.player not in invited
    )
    if not new:
        raise NobodyToInvite(_("All qualified players are already invited."))
    if only_invited and not target.invitation_only:
        target.invitation_only = True
        target.save(update_fields=["invitation_only"])
    _log_invitations(series, actor, target, [row.pk for row in new])
    return len(new)


@transaction.atomic
def invite_tied_player(
    series: Series, actor: Actor, player: int | None, reason: str
) -> InvitedPlayer:
    """Invite a player who shares the last place of the table.

    Raises NobodyToInvite; NotTied for another player or without a reason.
    """
    target = _lock_target(series)
    tied = queries.qualified_so_far(series, _up_to_date_season(series)).tied
    if player not in tied:
        raise NotTied(_("This player no longer shares the last place of the table."))
    if not reason.strip():
        raise NotTied(_("Give a reason for this choice, such as: won the play-off."))
    how = f"Chosen among {len(tied)} who share the last place of the table"
    invited = target.invited.create(player_id=player, series=series, how=how)
    _log_invitations(series, actor, target, [invited.pk], reason=reason.strip())
    return invited


def _up_to_date_season(series: Series) -> Season:
    """Return the season. Raise SeasonOutdated while an event of it recomputes its standings."""
    season = queries.current_season(series)
    if event := queries.recomputing_event(season):
        raise SeasonOutdated(
            _(
                "The standings of %(event)s are being recomputed after a correction. Try again in "
                "a moment."
            )
            % {"event": event}
        )
    return season


def _lock_target(series: Series) -> Tournament:
    if series.target is None:
        raise NobodyToInvite(_("First choose the event that players qualify for."))
    return history.lock_unfinished(series.target)


def _log_invitations(
    series: Series, actor: Actor, target: Tournament, invited: Sequence[int], **why: str
) -> None:
    rows = InvitedPlayer.objects.filter(pk__in=invited)
    changes = [
        LoggedChange(str(row.player), after={"player": row.player_id, "how": row.how})
        for row in rows.select_related("player")
    ]
    history.record_all(target, actor, LogAction.PLAYER_INVITED, changes)
    after = {"event": target.slug, "players": len(invited), **why}
    log_series_change(series, actor, SeriesAction.PLAYERS_INVITED, target.name, after=after)


@transaction.atomic
def withdraw_invitation(invited: InvitedPlayer, actor: Actor) -> None:
    target, locked = _lock_invitation(invited)
    if locked is None:
        return
    before = {"player": locked.player_id, "how": locked.how}
    history.record(
        target, actor, LogAction.PLAYER_NOT_INVITED, str(locked.player), before=before, public=False
    )
    locked.delete()


@transaction.atomic
def set_invitation_declined(invited: InvitedPlayer, actor: Actor, *, declined: bool) -> None:
    """Note that the player declined, so that the place passes down, or undo that."""
    target, locked = _lock_invitation(invited)
    if locked is None or (locked.declined_at is not None) == declined:
        return
    locked.declined_at = timezone.now() if declined else None
    locked.save(update_fields=["declined_at"])
    after = {"player": locked.player_id, "declined": declined}
    history.record(
        target, actor, LogAction.PLAYER_DECLINED, str(locked.player), after=after, public=False
    )


@transaction.atomic
def accept_invitation(invited: InvitedPlayer, actor: Actor, *, address: str = "") -> Registration:
    """Register the invited player; an existing registration is returned unchanged.

    Raises InvitationGone, or RegistrationClosed like `register_player`.
    """
    target, locked = _lock_invitation(invited)
    if locked is None or locked.declined_at is not None:
        raise InvitationGone(
            _("You have no open invitation to %(target)s. If you want to play, ask the organiser.")
            % {"target": target}
        )
    return registration_services.register_player(target, locked.player, actor, address=address)


@transaction.atomic
def decline_invitation(invited: InvitedPlayer, actor: Actor) -> None:
    """Decline an invitation. Raises InvitationGone for a player who has joined."""
    target, locked = _lock_invitation(invited)
    if locked is not None and target.registration_of(locked.player) is not None:
        raise InvitationGone(
            _("You have already joined %(target)s. To leave it, open your page for the event.")
            % {"target": target}
        )
    set_invitation_declined(invited, actor, declined=True)


def _lock_invitation(invited: InvitedPlayer) -> tuple[Tournament, InvitedPlayer | None]:
    target = history.lock_unfinished(invited.tournament)
    rows = target.invited.select_related("player")
    return target, rows.filter(pk=invited.pk).first()
