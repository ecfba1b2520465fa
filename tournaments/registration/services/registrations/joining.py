"""New on the roster: by the code, by name, by a list."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction

from core.rate_limits import one_more
from players import services as player_services
from players.models import Player, User
from tournaments.event import history, queries
from tournaments.event.actors import Actor
from tournaments.models import LogAction, Registration, RegistrationState, Tournament, log_actions
from tournaments.registration.services.registrations.refusals import (
    EventIsFull,
    OrderIsFixed,
    RosterHasChanged,
    TooManySignUps,
)
from tournaments.rounds.services import late_entries
from tournaments.rounds.services.late_entries import RegistrationClosed

TEN_MINUTES = 600  # seconds


@dataclass(frozen=True)
class NewEntry:
    """A line of a pasted or uploaded roster that is to be added."""

    name: str
    pronouns: str = ""
    seed: int | None = None
    first_round_bye: bool = False
    avoid_group: str = ""


@transaction.atomic
def register(
    tournament: Tournament, player: Player, actor: Actor, *, address: str = ""
) -> Registration:
    """A player joins. Registered twice, they keep the place they have.

    When the event is full they come on its waiting list, if it has one. Raises
    RegistrationClosed: closed, full, too late, too many from the `address` just now; staff add
    players with `add_entries`.
    """
    locked = history.lock_unfinished(tournament)
    present = queries.registration_of(player, locked)
    if present is not None:
        return present
    _refuse_erased(player)
    _refuse_joining(locked)
    _refuse_many(locked, address)
    return _add(locked, player, actor)


@transaction.atomic
def register_guest(
    tournament: Tournament,
    name: str,
    pronouns: str = "",
    user: User | None = None,
    *,
    address: str = "",
) -> Registration:
    """Somebody who is no player yet joins by name, as with `register`.

    Without an account the page then binds the guest to the session; an
    account gets the player for good.
    """
    locked = history.lock_unfinished(tournament)
    _refuse_joining(locked)
    _refuse_many(locked, address)
    player = player_services.create_player(name, pronouns, user=user)
    return _add(locked, player, Actor(user=user, player=player))


def _refuse_erased(player: Player) -> None:
    # Locked: what forgets people by time waits here, looks again and finds them on the roster.
    if Player.objects.select_for_update().get(pk=player.pk).erased_at is not None:
        raise RegistrationClosed("This player has been erased. Join again by name.")


def _refuse_joining(tournament: Tournament) -> None:
    _refuse_fixed_order(tournament)
    if not queries.registration_is_open_now(tournament):
        raise RegistrationClosed("Registration is closed. Ask the organiser to add you.")
    late_entries.refuse_too_late(tournament)
    if not queries.can_register_now(tournament):
        raise EventIsFull(
            f"All {tournament.max_players} places are taken. Ask the organiser about a place."
        )


def _refuse_many(tournament: Tournament, address: str) -> None:
    most = tournament.guests_per_address
    if not address or most is None:
        return
    if one_more(f"sign-ups:{tournament.pk}:{address}", TEN_MINUTES) > most:
        raise TooManySignUps(
            f"{most} players have joined from your network in the last ten minutes. Wait a few "
            "minutes, or ask the organiser to add you."
        )


@transaction.atomic
def add_entries(
    tournament: Tournament,
    entries: Iterable[NewEntry],
    actor: Actor,
    *,
    seen: int | None = None,
    late_reason: str = "",
) -> list[Registration]:
    """Staff put players on the roster, whether registration is open or not, and over the limit.

    `seen` is the newest of `log_actions.ROSTER_CHANGES` when the list was
    compared with the roster: RosterHasChanged when somebody came or went since,
    so the same click sent twice adds nobody twice. Raises TooLate when the event takes nobody
    new any more and no `late_reason` is given.
    """
    locked = history.lock_unfinished(tournament)
    if seen is not None and seen != queries.newest_log_id(locked, log_actions.ROSTER_CHANGES):
        raise RosterHasChanged("The roster has changed meanwhile. Look again, then add.")
    _refuse_fixed_order(locked)
    late_entries.refuse_too_late(locked, late_reason)
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
            avoid_group=entry.avoid_group,
            joined_in_round=joined,
        )
        for place, (entry, player) in enumerate(zip(wanted, players, strict=True))
    )
    _tell(locked, actor, added, late_reason)
    return added


def _tell(
    tournament: Tournament, actor: Actor, added: list[Registration], late_reason: str
) -> None:
    changes = [history.Change(registration) for registration in added]
    history.record_all(tournament, actor, LogAction.PLAYER_REGISTERED, changes)
    if late_reason and added:
        late_entries.tell_override(tournament, actor, added, late_reason)


def _add(tournament: Tournament, player: Player, actor: Actor) -> Registration:
    waits = queries.takes_waiting(tournament)
    registration = Registration.objects.create(
        tournament=tournament,
        player=player,
        number=queries.next_entrant_number(tournament),
        state=RegistrationState.WAITING if waits else RegistrationState.REGISTERED,
        joined_in_round=_round_to_join(tournament),
    )
    action = LogAction.PLAYER_ON_THE_WAITING_LIST if waits else LogAction.PLAYER_REGISTERED
    history.record(tournament, actor, action, registration)
    return registration


def _refuse_fixed_order(tournament: Tournament) -> None:
    if queries.numbers_in_fixed_order(tournament) is not None:
        raise OrderIsFixed(
            "This round robin has begun, and who meets whom is settled to its end: nobody can "
            "join any more."
        )


def _round_to_join(tournament: Tournament) -> int:
    """A late entry plays from the next round that is not drafted."""
    return queries.next_round_number(tournament)
