"""Register players, check them in, drop and return them."""

from collections.abc import Sequence

from django.db import transaction

from core.errors import Refusal
from core.rate_limits import one_more
from core.text import comparison_key
from players import services as player_services
from players.models import Player, User
from tournaments.event import attendance, history, queries
from tournaments.event.actors import Actor
from tournaments.event.attendance import Move
from tournaments.event.queries import penalties as penalty_queries
from tournaments.models import (
    DroppedBy,
    LogAction,
    Registration,
    RegistrationState,
    Tournament,
)
from tournaments.registration.services import meeting, second_day, waiting_list
from tournaments.rounds.services import late_entries
from tournaments.rounds.services.late_entries import RegistrationClosed

TEN_MINUTES = 600  # seconds
HERE = Move(RegistrationState.CHECKED_IN, LogAction.PLAYER_CHECKED_IN)
NOT_HERE = Move(RegistrationState.REGISTERED, LogAction.CHECK_IN_TAKEN_BACK)
BACK = Move(RegistrationState.CHECKED_IN, LogAction.PLAYER_RETURNED)


class EventIsFull(RegistrationClosed):
    """All places are taken, and the waiting list is not available."""


class TooManySignUps(RegistrationClosed):
    """Too many players joined from the same network address within ten minutes."""

    code = "too_many_guests"


class NotInvited(RegistrationClosed):
    """The event is by invitation, and this player is not invited."""


class NameTaken(RegistrationClosed):
    """The name is on the roster, and the user has not confirmed a different player."""


class OrderIsFixed(RegistrationClosed):
    """A round robin has begun, so its players and pairings are fixed."""


class CheckInClosed(Refusal):
    pass


class CannotReturn(Refusal):
    """Only staff can return this player."""


class AlreadyPlayed(Refusal):
    """A player who has been paired cannot be removed from the roster."""


@transaction.atomic
def register(
    tournament: Tournament, player: Player, actor: Actor, *, address: str = ""
) -> Registration:
    """Register a player. Idempotent: an existing registration is returned.

    In a full event the player goes on the waiting list, if there is one. Raises RegistrationClosed
    if registration is closed, full or too late, or after too many sign-ups from `address`. Staff
    add players with `rosters.add_entries`.
    """
    locked = history.lock_unfinished(tournament)
    present = queries.registration_of(player, locked)
    if present is not None:
        return present
    _refuse_gone(player)
    _refuse_uninvited(locked, player)
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
    is_another: bool = False,
) -> Registration:
    """Register a new player by name, like `register`.

    Without an account the caller binds the guest to the session; with `user` the player belongs to
    that account. Also raises NameTaken, unless `is_another` confirms a different player of the same
    name.
    """
    locked = history.lock_unfinished(tournament)
    _refuse_uninvited(locked, None)
    _refuse_joining(locked)
    if not is_another:
        _refuse_taken(locked, name)
    _refuse_many(locked, address)
    player = player_services.create_player(name, pronouns, user=user)
    return _add(locked, player, Actor(user=user, player=player))


def _refuse_gone(player: Player) -> None:
    # Lock the player, so that a concurrent clean-up of inactive players sees the registration.
    held = Player.objects.select_for_update().get(pk=player.pk)
    if held.erased_at is not None:
        raise RegistrationClosed("This player has been erased. Join again by name.")
    if held.merged_into_id is not None:
        raise RegistrationClosed(
            "This record was just merged into another one. Join with that one."
        )


def _refuse_uninvited(tournament: Tournament, player: Player | None) -> None:
    if queries.may_join(tournament, player):
        return
    series = " and ".join(queries.invites(tournament))
    whom = f"those who qualified in {series}" if series else "players the organiser chose"
    raise NotInvited(
        f"This event is by invitation, for {whom}. If you are one of them, log in or open your "
        "personal link first. Otherwise ask the organiser for a place."
    )


def _refuse_joining(tournament: Tournament) -> None:
    refuse_fixed_order(tournament)
    if not queries.registration_is_open_now(tournament):
        raise RegistrationClosed("Registration is closed. Ask the organiser to add you.")
    late_entries.refuse_too_late(tournament)
    if not queries.can_register_now(tournament):
        raise EventIsFull(
            f"All {tournament.max_players} places are taken. Ask the organiser about a place."
        )


def _refuse_taken(tournament: Tournament, name: str) -> None:
    # Forms also check similar names; an exact match here is usually a double click on "Join".
    if tournament.registrations.filter(player__name_key=comparison_key(name)).exists():
        raise NameTaken(
            f"{name} is on the list already. If you have just joined, you are in. If you are "
            "somebody else, join again and say so."
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


def _add(tournament: Tournament, player: Player, actor: Actor) -> Registration:
    waits = queries.takes_waiting(tournament)
    registration = Registration.objects.create(
        tournament=tournament,
        player=player,
        number=queries.next_entrant_number(tournament),
        state=RegistrationState.WAITING if waits else RegistrationState.REGISTERED,
        # A late entry plays from the next round without a draft.
        joined_in_round=queries.next_round_number(tournament),
    )
    action = LogAction.PLAYER_ON_THE_WAITING_LIST if waits else LogAction.PLAYER_REGISTERED
    history.record(tournament, actor, action, registration)
    return registration


def refuse_fixed_order(tournament: Tournament) -> None:
    """Raise OrderIsFixed if a round robin has begun, because its players are fixed."""
    if queries.numbers_in_fixed_order(tournament) is not None:
        raise OrderIsFixed(
            "This round robin has begun, and who meets whom is settled to its end: nobody can "
            "join any more."
        )


@transaction.atomic
def check_in(registrations: Sequence[Registration], actor: Actor, *, late_reason: str = "") -> int:
    """Check the players in, and return how many were not checked in before.

    While check-in for day 2 is open, its players check in again. Dropped players (see `return_`)
    and players on the waiting list are ignored. Raises OrderIsFixed, and TooLate for new players
    after the last round for late entries, unless there is a `late_reason`.
    """
    if not registrations:
        return 0
    tournament = history.lock_unfinished(registrations[0].tournament)
    arriving = _in_state(tournament, registrations, RegistrationState.REGISTERED)
    _refuse_without_place(tournament, arriving)
    new = late_entries.newcomers_among(tournament, arriving)
    if new:
        late_entries.refuse_too_late(tournament, late_reason)
    attendance.move(tournament, arriving, actor, HERE)
    if new and late_reason:
        late_entries.record_override(tournament, actor, new, late_reason)
    if new:
        late_entries.come_in(tournament, new)
    meeting.seat_latecomers(tournament)
    again = second_day.mark(tournament, registrations, actor)
    return max(len(arriving), again)


@transaction.atomic
def check_in_self(registration: Registration, actor: Actor) -> None:
    """Check a player in at their own request. Idempotent. Raises CheckInClosed."""
    registration.tournament = history.lock_unfinished(registration.tournament)
    history.read_again(registration, "state", "day_two_at")
    if registration.is_active and not queries.day_two_check_in_is_open(registration.tournament):
        return
    if registration.day_two_at is not None:
        return
    if not queries.can_check_in_now(registration):
        raise CheckInClosed(
            "You can check in here on the day of the event, until round 1 is paired. "
            "Ask the staff to check you in."
        )
    check_in([registration], actor)


@transaction.atomic
def undo_check_in(registration: Registration, actor: Actor) -> None:
    """Undo the check-in of a player who was not paired yet; ignores dropped players.

    Raises AlreadyPlayed, and CannotReturn for disqualified players.
    """
    _put_back(registration, actor, RegistrationState.CHECKED_IN)


@transaction.atomic
def put_back(registration: Registration, actor: Actor) -> None:
    """Like `undo_check_in`, but also put dropped players back on the roster."""
    _put_back(registration, actor, RegistrationState.CHECKED_IN, RegistrationState.DROPPED)


def _put_back(registration: Registration, actor: Actor, *states: RegistrationState) -> None:
    tournament = history.lock_unfinished(registration.tournament)
    _refuse_disqualified(registration)
    if second_day.unmark(tournament, registration, actor):
        return
    if queries.has_been_paired(registration):
        raise AlreadyPlayed(f"{registration.player} has been paired. Drop the player instead.")
    if here := _in_state(tournament, [registration], *states):
        attendance.move(tournament, here, actor, NOT_HERE)
        late_entries.take_back(tournament, registration, actor)


@transaction.atomic
def return_(registration: Registration, actor: Actor, *, is_here: bool = True) -> None:
    """Return a dropped player as staff; they play from the next draft.

    A player dropped before their first round becomes a late entry. If `is_here`, the player is also
    checked in for day 2 while that is open. Raises CannotReturn for disqualified players.
    """
    tournament = history.lock_unfinished(registration.tournament)
    _refuse_disqualified(registration)
    back = _in_state(
        tournament, [registration], RegistrationState.DROPPED, RegistrationState.REGISTERED
    )
    _return(tournament, back, actor, BACK)
    if is_here:
        second_day.mark(tournament, back, actor)


@transaction.atomic
def return_self(registration: Registration, actor: Actor) -> None:
    """Return a player who dropped themselves, until a round is published without them.

    They are checked in if they were before, else on the roster. If the event is full, they go on
    the waiting list. Raises CannotReturn, EventIsFull.
    """
    tournament = history.lock_unfinished(registration.tournament)
    history.read_again(registration)
    registration.tournament = tournament
    if registration.state != RegistrationState.DROPPED:
        return
    if not queries.can_return_self(registration):
        raise CannotReturn("A round was paired without you, or the staff took you out. Ask them.")
    if queries.takes_waiting(tournament):
        waiting_list.to_the_end(tournament, registration, actor)
        return
    was_here = registration.checked_in_at is not None
    if _is_taken(tournament, was_here=was_here):
        raise EventIsFull("Your place is taken, or others wait for one. Ask the staff.")
    state = RegistrationState.CHECKED_IN if was_here else RegistrationState.REGISTERED
    _return(tournament, [registration], actor, Move(state, BACK.action))


def _is_taken(tournament: Tournament, *, was_here: bool) -> bool:
    """Return True if the place is no longer available to a returning player.

    After round 1 is published, a player who was checked in keeps their place.
    """
    if queries.waiting_list_moves(tournament):
        return queries.is_full(tournament)
    if was_here:
        return False
    return queries.is_full(tournament) or queries.waiting_list(tournament).exists()


def _return(
    tournament: Tournament, back: Sequence[Registration], actor: Actor, wanted: Move
) -> None:
    if wanted.to == RegistrationState.CHECKED_IN:
        _refuse_without_place(tournament, back)
    new = late_entries.newcomers_among(tournament, back)
    attendance.move(tournament, back, actor, wanted)
    if new and wanted.to == RegistrationState.CHECKED_IN:
        late_entries.come_in(tournament, new)


def _refuse_disqualified(registration: Registration) -> None:
    if penalty_queries.is_disqualified(registration):
        raise CannotReturn(
            f"{registration.player} is disqualified and cannot return while the penalty holds."
        )


def _in_state(
    tournament: Tournament, registrations: Sequence[Registration], *states: RegistrationState
) -> list[Registration]:
    """Reload those registrations that are in one of the states, under the lock."""
    rows = tournament.registrations.select_related("player")
    return list(rows.filter(pk__in=[one.pk for one in registrations], state__in=states))


def _refuse_without_place(tournament: Tournament, arriving: Sequence[Registration]) -> None:
    placed = queries.numbers_in_fixed_order(tournament)
    if placed is None:
        return
    late_ones = [str(one.player) for one in arriving if one.number not in placed]
    if late_ones:
        raise OrderIsFixed(
            f"{', '.join(late_ones)} cannot come in: this round robin began without them, and who "
            "meets whom is settled to its end."
        )


@transaction.atomic
def drop(registration: Registration, actor: Actor) -> None:
    """Drop the player: no further pairings, but results remain.

    Players who drop themselves can return with `return_self`. Before round 1 the place goes to the
    waiting list.
    """
    tournament = history.lock_unfinished(registration.tournament)
    rows = tournament.registrations.select_related("player").filter(pk=registration.pk)
    staying = list(rows.exclude(state=RegistrationState.DROPPED))
    is_own = actor.player is not None and actor.player.pk == registration.player_id
    by = DroppedBy.PLAYER if is_own else DroppedBy.STAFF
    attendance.move(tournament, staying, actor, attendance.leaving(by))
    waiting_list.fill_places(tournament)
