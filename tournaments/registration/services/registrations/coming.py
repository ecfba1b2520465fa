"""Who is here: checked in, taken back, here again after leaving."""

from collections.abc import Sequence

from django.db import transaction

from tournaments.event import attendance, history, queries
from tournaments.event.actors import Actor
from tournaments.event.attendance import Move
from tournaments.event.queries import penalties
from tournaments.models import LogAction, Registration, RegistrationState, Tournament
from tournaments.registration.services import meeting
from tournaments.registration.services.registrations import waiting
from tournaments.registration.services.registrations.refusals import (
    AlreadyPlayed,
    CannotReturn,
    CheckInClosed,
    EventIsFull,
    OrderIsFixed,
)
from tournaments.rounds.services import late_entries

HERE = Move(RegistrationState.CHECKED_IN, LogAction.PLAYER_CHECKED_IN)
NOT_HERE = Move(RegistrationState.REGISTERED, LogAction.CHECK_IN_TAKEN_BACK)
BACK = Move(RegistrationState.CHECKED_IN, LogAction.PLAYER_RETURNED)


@transaction.atomic
def check_in(registrations: Sequence[Registration], actor: Actor, *, late_reason: str = "") -> int:
    """These players are here. Answers how many were not checked in before.

    A player who has dropped stays away: coming back is `return_`; one on the waiting list has
    no place yet. Raises OrderIsFixed, and TooLate for somebody new after the last round for it,
    unless there is a `late_reason`.
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
        late_entries.tell_override(tournament, actor, new, late_reason)
    if new:
        late_entries.come_in(tournament, new)
    meeting.seat_latecomers(tournament)
    return len(arriving)


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
    tournament = history.lock_unfinished(registration.tournament)
    _refuse_disqualified(registration)
    if queries.has_been_paired(registration):
        raise AlreadyPlayed(f"{registration.player} has been paired. Drop the player instead.")
    here = _in_state(
        tournament, [registration], RegistrationState.CHECKED_IN, RegistrationState.DROPPED
    )
    attendance.move(tournament, here, actor, NOT_HERE)
    late_entries.take_back(tournament, registration, actor)


@transaction.atomic
def return_(registration: Registration, actor: Actor) -> None:
    """A dropped player plays again from the next draft on, with the word of the staff.

    Who was dropped before they ever sat down comes in as a late entry does. Raises CannotReturn
    for who is disqualified.
    """
    tournament = history.lock_unfinished(registration.tournament)
    _refuse_disqualified(registration)
    back = _in_state(
        tournament, [registration], RegistrationState.DROPPED, RegistrationState.REGISTERED
    )
    _return(tournament, back, actor, BACK)


@transaction.atomic
def return_self(registration: Registration, actor: Actor) -> None:
    """Who left by themselves is back; until a round is published without them.

    They are here if they were, else on the roster, or on the waiting list when it is full.
    Raises CannotReturn, EventIsFull.
    """
    tournament = history.lock_unfinished(registration.tournament)
    registration.refresh_from_db()
    registration.tournament = tournament
    if registration.state != RegistrationState.DROPPED:
        return
    if not queries.can_return_self(registration):
        raise CannotReturn("A round was paired without you, or the staff took you out. Ask them.")
    if queries.takes_waiting(tournament):
        waiting.to_the_end(tournament, registration, actor)
        return
    if queries.is_full(tournament) and queries.waiting_list_moves(tournament):
        raise EventIsFull("Somebody else has your place by now. Ask the staff.")
    was_here = registration.checked_in_at is not None
    state = RegistrationState.CHECKED_IN if was_here else RegistrationState.REGISTERED
    _return(tournament, [registration], actor, Move(state, BACK.action))


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
    if penalties.is_disqualified(registration):
        raise CannotReturn(
            f"{registration.player} is disqualified, and stays out while that stands."
        )


def _in_state(
    tournament: Tournament, registrations: Sequence[Registration], *states: RegistrationState
) -> list[Registration]:
    """Those of them in one of these states, as they are under the lock."""
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
