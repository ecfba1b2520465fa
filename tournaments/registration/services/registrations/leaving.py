"""Who is not here any more: dropped, not come, taken off the roster."""

from collections.abc import Collection

from django.db import transaction

from engine.systems import CUTS
from tournaments.event import attendance, history, queries
from tournaments.event.actors import Actor
from tournaments.models import (
    DroppedBy,
    LogAction,
    Registration,
    RegistrationState,
    StageEntry,
    Standing,
    Tournament,
)
from tournaments.registration.services.registrations import waiting
from tournaments.registration.services.registrations.refusals import AlreadyPlayed
from tournaments.rounds.services import late_entries


@transaction.atomic
def drop(registration: Registration, actor: Actor) -> None:
    """The player leaves: no further pairings, all rounds played stay.

    Whoever does it of themselves can come back by themselves (`return_self`). Before round 1
    the place goes to the waiting list.
    """
    tournament = history.lock_unfinished(registration.tournament)
    rows = tournament.registrations.select_related("player").filter(pk=registration.pk)
    staying = list(rows.exclude(state=RegistrationState.DROPPED))
    is_own = actor.player is not None and actor.player.pk == registration.player_id
    by = DroppedBy.PLAYER if is_own else DroppedBy.STAFF
    attendance.move(tournament, staying, actor, attendance.leaving(by))
    waiting.fill_places(tournament)


@transaction.atomic
def remove(registration: Registration, actor: Actor) -> None:
    """Take a player off the roster who has never been paired."""
    tournament = history.lock_unfinished(registration.tournament)
    _refuse_to_remove(registration)
    places = StageEntry.objects.filter(registration=registration)
    # The order of a round robin that nobody has seen is made anew with its next draft.
    places.exclude(stage__system__in=CUTS).delete()
    if places.exists():
        raise AlreadyPlayed(
            f"{registration.player} has a place in the cut. Drop the player instead."
        )
    late_entries.take_back(tournament, registration, actor)
    before = {"number": registration.number}
    history.record(tournament, actor, LogAction.PLAYER_REMOVED, registration.player, before=before)
    registration.delete()
    waiting.fill_places(tournament)


@transaction.atomic
def remove_sign_ups(
    tournament: Tournament, numbers: Collection[int], actor: Actor
) -> list[Registration]:
    """Take those of these off the roster who signed up themselves; answers whom.

    Who has been paired by now, or left any other trace, stays.
    """
    locked = history.lock_unfinished(tournament)
    going = list(queries.removable_sign_ups(locked).filter(number__in=numbers))
    StageEntry.objects.filter(registration__in=going).delete()
    changes = [history.Change(one.player, before={"number": one.number}) for one in going]
    history.record_all(locked, actor, LogAction.PLAYER_REMOVED, changes)
    Registration.objects.filter(pk__in=[one.pk for one in going]).delete()
    waiting.fill_places(locked)
    return going


def _refuse_to_remove(registration: Registration) -> None:
    player = registration.player
    if queries.has_been_paired(registration):
        raise AlreadyPlayed(f"{player} has been paired. Drop the player instead.")
    if Standing.objects.filter(registration=registration).exists():
        raise AlreadyPlayed(f"{player} is in standings. Drop the player instead.")
    if registration.penalties.exists():
        raise AlreadyPlayed(f"{player} has had a penalty. Drop the player instead.")
    if registration.deck_submissions.exclude(checks=None).exists():
        raise AlreadyPlayed(f"A deck of {player} was drawn for a check. Drop the player instead.")


@transaction.atomic
def set_first_round_bye(registration: Registration, actor: Actor, *, has_bye: bool) -> None:
    """Give or take the bye of round 1; only before round 1 is paired."""
    tournament = history.lock_unfinished(registration.tournament)
    _refuse_round_one(tournament)
    registration.first_round_bye = has_bye
    registration.save(update_fields=["first_round_bye"])
    action = LogAction.FIRST_ROUND_BYE_GIVEN if has_bye else LogAction.FIRST_ROUND_BYE_TAKEN
    history.record(tournament, actor, action, registration)


def _refuse_round_one(tournament: Tournament) -> None:
    if queries.rounds(tournament).exists():
        raise AlreadyPlayed("Round 1 is paired already. Undo its draft to change its byes.")
