"""Invitations of qualified players to the target event of the series."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.event import history
from tournaments.event import queries as event_queries
from tournaments.event.actors import Actor
from tournaments.event.history import Change
from tournaments.models import (
    InvitedPlayer,
    LogAction,
    Registration,
    Series,
    SeriesAction,
    Tournament,
)
from tournaments.registration.services import registrations
from tournaments.series import queries
from tournaments.series.queries import Season
from tournaments.series.services import series as series_services
from tournaments.series.services.series import SeriesRefused


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
    target = _target(series)
    season = _current_season(series)
    through = queries.qualified_so_far(series, season, for_others=True).through
    known = set(target.invited.values_list("player", flat=True))
    new = [one for one in through if one.player not in known]
    if not new:
        raise NobodyToInvite("Everybody who qualified so far is invited already.")
    invited = InvitedPlayer.objects.bulk_create(
        InvitedPlayer(tournament=target, player_id=one.player, series=series, how=one.how)
        for one in new
    )
    if only_invited and not target.invitation_only:
        target.invitation_only = True
        target.save(update_fields=["invitation_only"])
    _record(series, actor, target, [one.pk for one in invited])
    return len(new)


@transaction.atomic
def choose(series: Series, actor: Actor, player: int | None, reason: str) -> InvitedPlayer:
    """Invite a player who shares the last place of the table.

    Raises NobodyToInvite; NotTied for another player or without a reason.
    """
    target = _target(series)
    tied = queries.qualified_so_far(series, _current_season(series)).tied
    if player not in tied:
        raise NotTied("This player does not share the last place of the table any more.")
    if not reason.strip():
        raise NotTied("Say why this player goes through, such as: won the play-off.")
    how = f"Chosen among {len(tied)} who share the last place of the table"
    made = target.invited.create(player_id=player, series=series, how=how)
    _record(series, actor, target, [made.pk], reason=reason.strip())
    return made


def _current_season(series: Series) -> Season:
    """Return the season. Raise SeasonOutdated while an event of it recomputes its standings."""
    season = queries.season_of(series)
    if event := queries.recomputing_event(season):
        raise SeasonOutdated(
            _(
                "The standings of %(event)s are being recomputed after a correction. Try again in "
                "a moment."
            )
            % {"event": event}
        )
    return season


def _target(series: Series) -> Tournament:
    """Lock and return the target event of the series. Raises NobodyToInvite."""
    if series.target is None:
        raise NobodyToInvite("Choose the event that this series qualifies for first.")
    return history.lock_unfinished(series.target)


def _record(
    series: Series, actor: Actor, target: Tournament, invited: Sequence[int], **why: str
) -> None:
    rows = InvitedPlayer.objects.filter(pk__in=invited)
    changes = [
        Change(str(row.player), after={"player": row.player_id, "how": row.how})
        for row in rows.select_related("player")
    ]
    history.record_all(target, actor, LogAction.PLAYER_INVITED, changes)
    after = {"event": target.slug, "players": len(invited), **why}
    series_services.record(series, actor, SeriesAction.PLAYERS_INVITED, target.name, after=after)


@transaction.atomic
def withdraw(invited: InvitedPlayer, actor: Actor) -> None:
    """Withdraw an invitation. A player who has joined stays on the roster."""
    target, held = _held(invited)
    if held is None:
        return
    before = {"player": held.player_id, "how": held.how}
    history.record(
        target, actor, LogAction.PLAYER_NOT_INVITED, str(held.player), before=before, public=False
    )
    held.delete()


@transaction.atomic
def set_declined(invited: InvitedPlayer, actor: Actor, *, declined: bool) -> None:
    """Note that the player declined, so that the place passes down, or undo that."""
    target, held = _held(invited)
    if held is None or (held.declined_at is not None) == declined:
        return
    held.declined_at = timezone.now() if declined else None
    held.save(update_fields=["declined_at"])
    after = {"player": held.player_id, "declined": declined}
    history.record(
        target, actor, LogAction.PLAYER_DECLINED, str(held.player), after=after, public=False
    )


@transaction.atomic
def accept(invited: InvitedPlayer, actor: Actor, *, address: str = "") -> Registration:
    """Register the invited player; an existing registration is returned unchanged.

    Raises InvitationGone, or the RegistrationClosed of `registrations.register`.
    """
    target, held = _held(invited)
    if held is None or held.declined_at is not None:
        raise InvitationGone(
            f"You have no open invitation to {target}. If you want to play, ask the organiser."
        )
    return registrations.register(target, held.player, actor, address=address)


@transaction.atomic
def decline(invited: InvitedPlayer, actor: Actor) -> None:
    """Decline an invitation. Raises InvitationGone for a player who has joined."""
    target, held = _held(invited)
    if held is not None and event_queries.registration_of(held.player, target) is not None:
        raise InvitationGone(
            f"You have joined {target} already. To leave it, open your page of the event."
        )
    set_declined(invited, actor, declined=True)


def _held(invited: InvitedPlayer) -> tuple[Tournament, InvitedPlayer | None]:
    """Lock the event and return it with the current invitation."""
    target = history.lock_unfinished(invited.tournament)
    rows = target.invited.select_related("player")
    return target, rows.filter(pk=invited.pk).first()
