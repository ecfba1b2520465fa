"""Fill free places from the waiting list, and change its order."""

from django.db import transaction
from django.utils import timezone

from core.errors import Refusal
from tournaments.event import attendance, history, queries
from tournaments.event.actors import NOBODY, Actor
from tournaments.event.attendance import Move
from tournaments.event.queries import penalties as penalty_queries
from tournaments.models import LogAction, Registration, RegistrationState, Tournament

UP = Move(RegistrationState.REGISTERED, LogAction.MOVED_UP)
ON_THE_LIST = Move(RegistrationState.WAITING, LogAction.PLAYER_ON_THE_WAITING_LIST)


class NotWaiting(Refusal):
    """The player is not on the waiting list, or the requested move is not possible."""


def fill_places(tournament: Tournament) -> list[Registration]:
    """Give free places to the players next on the list, until round 1 is published.

    Requires a locked event. Call it after every change that frees a place. Returns the players who
    moved up.
    """
    if not queries.waiting_list_moves(tournament):
        return []
    waiting = queries.waiting_list(tournament)
    if tournament.max_players is not None:
        free = tournament.max_players - queries.places_taken(tournament)
        waiting = waiting[: max(0, free)]
    moved = list(waiting)
    if moved:
        attendance.move(tournament, moved, NOBODY, UP)
    return moved


@transaction.atomic
def move_up(registration: Registration, actor: Actor, *, reason: str = "") -> None:
    """Give a waiting player a place as staff; a full event requires a reason.

    Raises NotWaiting, PlayerRemoved.
    """
    tournament = history.lock_unfinished(registration.tournament)
    history.read_again(registration, "state")
    if registration.state != RegistrationState.WAITING:
        raise NotWaiting(f"{registration.player} is no longer on the waiting list.")
    if queries.is_full(tournament) and not reason.strip():
        raise NotWaiting(
            f"All {tournament.max_players} places are taken. Say why {registration.player} comes "
            "in over the limit."
        )
    attendance.move(tournament, [registration], actor, UP)
    if reason.strip():
        history.record(
            tournament, actor, LogAction.LET_IN_OVER_THE_LIMIT, registration, reason=reason
        )


@transaction.atomic
def move(registration: Registration, actor: Actor, *, place: int, reason: str) -> None:
    """Move a waiting player to a different position; 1 moves up next.

    Players in between shift by one. Raises NotWaiting, also without a reason or for an invalid
    position.
    """
    tournament = history.lock_unfinished(registration.tournament)
    waiting = list(queries.waiting_list(tournament))
    before = next((at for at, one in enumerate(waiting, 1) if one.pk == registration.pk), None)
    if before is None:
        raise NotWaiting(f"{registration.player} is no longer on the waiting list.")
    if not 1 <= place <= len(waiting):
        raise NotWaiting(f"Choose a place from 1 to {len(waiting)} on the waiting list.")
    if not reason.strip():
        raise NotWaiting("Give a reason: it is kept in the log.")
    if place == before:
        return
    waiting.insert(place - 1, waiting.pop(before - 1))
    for rank, one in enumerate(waiting, start=1):
        one.waiting_rank = rank
    Registration.objects.bulk_update(waiting, ["waiting_rank"], batch_size=attendance.BATCH)
    history.record(
        tournament,
        actor,
        LogAction.MOVED_ON_THE_WAITING_LIST,
        registration,
        before={"place": before},
        after={"place": place},
        reason=reason.strip(),
    )


@transaction.atomic
def wait_again(registration: Registration, actor: Actor) -> None:
    """Restore a dropped player's position on the waiting list, then fill free places."""
    tournament = history.lock_unfinished(registration.tournament)
    rows = tournament.registrations.select_related("player").filter(pk=registration.pk)
    gone = [
        one
        for one in rows.filter(state=RegistrationState.DROPPED)
        if not penalty_queries.is_disqualified(one)
    ]
    attendance.move(tournament, gone, actor, ON_THE_LIST)
    fill_places(tournament)


def to_the_end(tournament: Tournament, registration: Registration, actor: Actor) -> None:
    """Put a returning player at the end of the waiting list. Requires a locked event."""
    registration.created_at, registration.waiting_rank = timezone.now(), None
    registration.save(update_fields=["created_at", "waiting_rank"])
    attendance.move(tournament, [registration], actor, ON_THE_LIST)
