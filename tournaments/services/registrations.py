"""Who plays: on the roster, checked in, dropped, back again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from core.errors import Refusal
from players import services as player_services
from players.models import Player, User
from tournaments import history, queries
from tournaments.actors import Actor
from tournaments.models import Registration, RegistrationState, StageEntry, Standing, Tournament
from tournaments.systems import ELIMINATIONS

BATCH = 500
"""Rows in one UPDATE: few enough for the variables of any database."""


class RegistrationClosed(Refusal):
    """Players cannot register themselves now."""

    code = "registration_closed"


class CheckInClosed(Refusal):
    """Players cannot check themselves in now."""

    code = "check_in_closed"


class RosterHasChanged(Refusal):
    """The list was compared with a roster that is no longer so."""

    code = "roster_has_changed"


class AlreadyPlayed(Refusal):
    """A player who has been paired stays on the roster."""

    code = "already_played"


class OrderIsFixed(RegistrationClosed):
    """A round robin has begun, and who meets whom is settled to its end."""

    code = "order_is_fixed"


@dataclass(frozen=True)
class NewEntry:
    """A line of a pasted or uploaded roster that is to be added."""

    name: str
    pronouns: str = ""
    seed: int | None = None
    first_round_bye: bool = False


@transaction.atomic
def register(tournament: Tournament, player: Player, actor: Actor) -> Registration:
    """A player joins. Registered twice, they keep the place they have.

    Refused while registration is closed; staff add players with `add_entries`.
    """
    locked = history.lock_unfinished(tournament)
    present = queries.registration_of(player, locked)
    if present is not None:
        return present
    _refuse_late_entry(locked)
    if not queries.can_register_now(locked):
        raise RegistrationClosed("Registration is closed. Ask the organiser to add you.")
    return _add(locked, player, actor)


@transaction.atomic
def register_guest(
    tournament: Tournament, name: str, pronouns: str = "", user: User | None = None
) -> Registration:
    """Somebody who is no player yet joins by name.

    Without an account the page then binds the guest to the session; an
    account gets the player for good.
    """
    locked = history.lock_unfinished(tournament)
    _refuse_late_entry(locked)
    if not queries.can_register_now(locked):
        raise RegistrationClosed("Registration is closed. Ask the organiser to add you.")
    player = player_services.create_player(name, pronouns, user=user)
    return _add(locked, player, Actor(user=user, player=player))


@transaction.atomic
def add_entries(
    tournament: Tournament,
    entries: Iterable[NewEntry],
    actor: Actor,
    *,
    seen: int | None = None,
) -> list[Registration]:
    """Staff put players on the roster, whether registration is open or not.

    `seen` is `queries.newest_log_id(tournament, "player")` when the list was
    compared with the roster: RosterHasChanged when somebody came or went since,
    so the same click sent twice adds nobody twice.
    """
    locked = history.lock_unfinished(tournament)
    if seen is not None and seen != queries.newest_log_id(locked, "player"):
        raise RosterHasChanged("The roster has changed meanwhile. Look again, then add.")
    _refuse_late_entry(locked)
    wanted = list(entries)
    players = player_services.create_players((entry.name, entry.pronouns) for entry in wanted)
    first, joined = queries.next_entrant_number(locked), _round_to_join(locked)
    added = Registration.objects.bulk_create(
        Registration(
            tournament=locked,
            player=player,
            number=first + place,
            seed=entry.seed,
            first_round_bye=entry.first_round_bye,
            joined_in_round=joined,
        )
        for place, (entry, player) in enumerate(zip(wanted, players, strict=True))
    )
    changes = [history.Change(player) for player in players]
    history.record_all(locked, actor, "player registered", changes)
    return added


def _add(tournament: Tournament, player: Player, actor: Actor) -> Registration:
    registration = Registration.objects.create(
        tournament=tournament,
        player=player,
        number=queries.next_entrant_number(tournament),
        joined_in_round=_round_to_join(tournament),
    )
    history.record(tournament, actor, "player registered", player)
    return registration


def _refuse_late_entry(tournament: Tournament) -> None:
    if queries.numbers_in_fixed_order(tournament) is not None:
        raise OrderIsFixed(
            "This round robin has begun, and who meets whom is settled to its end: nobody can "
            "join any more."
        )


def _refuse_without_place(tournament: Tournament, arriving: Sequence[Registration]) -> None:
    placed = queries.numbers_in_fixed_order(tournament)
    if placed is None:
        return
    late = [str(one.player) for one in arriving if one.number not in placed]
    if late:
        raise OrderIsFixed(
            f"{', '.join(late)} cannot come in: this round robin began without them, and who "
            "meets whom is settled to its end."
        )


def _round_to_join(tournament: Tournament) -> int:
    """A late entry plays from the next round that is not drafted."""
    return queries.next_round_number(tournament)


@transaction.atomic
def check_in(registrations: Sequence[Registration], actor: Actor) -> int:
    """These players are here. Answers how many were not checked in before.

    A player who has dropped stays away: coming back is `return_`.
    """
    return _move_all(
        registrations,
        actor,
        RegistrationState.CHECKED_IN,
        "player checked in",
        without=RegistrationState.DROPPED,
    )


@transaction.atomic
def check_in_self(registration: Registration, actor: Actor) -> None:
    """A player says "I am here". Said twice, it changes nothing. Raises CheckInClosed."""
    registration.tournament = history.lock_unfinished(registration.tournament)
    registration.refresh_from_db(fields=["state"])
    if registration.is_active:
        return
    if not queries.can_check_in_now(registration):
        raise CheckInClosed(
            "You can check in here on the day of the event, until round 1 is paired. "
            "Ask the staff to check you in."
        )
    check_in([registration], actor)


@transaction.atomic
def undo_check_in(registration: Registration, actor: Actor) -> None:
    """The player is not here after all; refused once they have been paired."""
    history.lock_unfinished(registration.tournament)
    _refuse_paired(registration)
    _move_all([registration], actor, RegistrationState.REGISTERED, "check-in taken back")


def _refuse_paired(registration: Registration) -> None:
    if queries.has_been_paired(registration):
        raise AlreadyPlayed(f"{registration.player} has been paired. Drop the player instead.")


@transaction.atomic
def drop(registration: Registration, actor: Actor) -> None:
    """The player leaves: no further pairings, all rounds played stay."""
    _move_all([registration], actor, RegistrationState.DROPPED, "player dropped")


@transaction.atomic
def return_(registration: Registration, actor: Actor) -> None:
    """A dropped player plays again from the next draft on."""
    _move_all([registration], actor, RegistrationState.CHECKED_IN, "player returned")


def _move_all(
    registrations: Sequence[Registration],
    actor: Actor,
    state: RegistrationState,
    action: str,
    without: RegistrationState | None = None,
) -> int:
    if not registrations:
        return 0
    tournament = history.lock_unfinished(registrations[0].tournament)
    moved = [
        registration
        for registration in tournament.registrations.select_related("player").filter(
            pk__in=[registration.pk for registration in registrations]
        )
        if registration.state not in (state, without)
    ]
    if state is RegistrationState.CHECKED_IN:
        _refuse_without_place(tournament, moved)
    changes = []
    for registration in moved:
        before, registration.state = registration.state, state
        _stamp(registration)
        change = history.Change(registration.player, {"state": before}, {"state": state.value})
        changes.append(change)
    Registration.objects.bulk_update(
        moved, ["state", "checked_in_at", "dropped_at"], batch_size=BATCH
    )
    history.record_all(tournament, actor, action, changes)
    return len(moved)


def _stamp(registration: Registration) -> None:
    now = timezone.now()
    registration.dropped_at = now if registration.state == RegistrationState.DROPPED else None
    if registration.state == RegistrationState.REGISTERED:
        registration.checked_in_at = None
    elif registration.is_active and registration.checked_in_at is None:
        registration.checked_in_at = now


@transaction.atomic
def remove(registration: Registration, actor: Actor) -> None:
    """Take a player off the roster who has never been paired."""
    tournament = history.lock_unfinished(registration.tournament)
    _refuse_paired(registration)
    if Standing.objects.filter(registration=registration).exists():
        raise AlreadyPlayed(f"{registration.player} is in standings. Drop the player instead.")
    if registration.deck_submissions.exclude(checks=None).exists():
        raise AlreadyPlayed(
            f"A deck of {registration.player} was drawn for a check. Drop the player instead."
        )
    places = StageEntry.objects.filter(registration=registration)
    # The order of a round robin that nobody has seen is made anew with its next draft.
    places.exclude(stage__system__in=ELIMINATIONS).delete()
    if places.exists():
        raise AlreadyPlayed(
            f"{registration.player} has a place in the cut. Drop the player instead."
        )
    before = {"number": registration.number}
    history.record(tournament, actor, "player removed", registration.player, before=before)
    registration.delete()


@transaction.atomic
def set_first_round_bye(registration: Registration, actor: Actor, *, has_bye: bool) -> None:
    """Give or take the bye of round 1; only before round 1 is paired."""
    tournament = history.lock_unfinished(registration.tournament)
    if queries.rounds(tournament).exists():
        raise AlreadyPlayed("Round 1 is paired already. Undo its draft to change its byes.")
    registration.first_round_bye = has_bye
    registration.save(update_fields=["first_round_bye"])
    action = "first-round bye given" if has_bye else "first-round bye taken"
    history.record(tournament, actor, action, registration.player)
