"""What a penalty does besides standing in a list: to a result, and to a place in the event."""

from matches import services as matches
from tournaments import attendance, history
from tournaments.actors import Actor
from tournaments.models import (
    DroppedBy,
    Pairing,
    Penalty,
    Registration,
    RegistrationState,
    Tournament,
)
from tournaments.penalising import in_log, settle_table
from tournaments.services import registrations, results
from tournaments.services.penalties.refusals import CannotApply
from tournaments.services.standings import request_standings

BACK_ON_THE_ROSTER = attendance.Move(RegistrationState.REGISTERED, "player returned")


def put_on_result(tournament: Tournament, pairing: Pairing) -> bool:
    """Settle the table by the penalties that stand now, and what was made from its result.

    Answers whether the public sees another result. Raises CannotApply.
    """
    try:
        moved = settle_table(pairing)
        results.refuse_unless_it_fits(pairing.round)
    except (matches.LossRefused, results.NotPlayable) as refusal:
        raise CannotApply(str(refusal)) from refusal
    assert pairing.match is not None
    if not pairing.round.is_closed:
        return moved
    if not pairing.match.is_settled:
        raise CannotApply(
            f"Round {pairing.round.number} is closed and needs all its results. Enter what was "
            "played at this table first."
        )
    if moved:
        request_standings(tournament, pairing.round.number)
    return moved


def log(
    tournament: Tournament,
    actor: Actor,
    action: str,
    penalty: Penalty,
    *,
    moved: bool,
    reason: str = "",
) -> None:
    """Tell the judges. Nobody else reads it, but pages with another result are made anew."""
    history.record(
        tournament,
        actor,
        action,
        penalty.registration,
        after=in_log(penalty),
        reason=reason,
        public=moved,
    )


def drop(tournament: Tournament, penalty: Penalty, actor: Actor) -> None:
    """The player is out; the penalty knows whether it was the one to do it."""
    place = _under_lock(penalty)
    penalty.dropped = place.state != RegistrationState.DROPPED
    penalty.save(update_fields=["dropped"])
    if penalty.dropped:
        attendance.move(tournament, [place], actor, attendance.leaving(DroppedBy.STAFF))
        registrations.fill_places(tournament)


def bring_back(tournament: Tournament, penalty: Penalty, actor: Actor) -> None:
    """The player is back if this penalty took them out, and no other one keeps them out."""
    if not penalty.dropped:
        return
    penalty.dropped = False
    penalty.save(update_fields=["dropped"])
    other = tournament.penalties.filter(
        registration=penalty.registration_id, kind=penalty.kind, withdrawn_at=None
    ).first()
    if other is not None:
        other.dropped = True
        other.save(update_fields=["dropped"])
        return
    place = _under_lock(penalty)
    if place.state != RegistrationState.DROPPED:
        return
    if place.checked_in_at is not None:
        registrations.return_(place, actor)
    else:
        attendance.move(tournament, [place], actor, BACK_ON_THE_ROSTER)


def _under_lock(penalty: Penalty) -> Registration:
    rows = Registration.objects.select_related("player", "tournament")
    return rows.get(pk=penalty.registration_id)
