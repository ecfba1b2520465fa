"""A penalty taken back, with all that it did; and given again."""

from django.db import transaction
from django.utils import timezone

from rulings.guide import PenaltyKind
from tournaments import history
from tournaments.actors import Actor
from tournaments.models import Penalty, Tournament
from tournaments.services.penalties import effects
from tournaments.services.penalties.giving import GIVEN, refuse_unless_head, work
from tournaments.services.penalties.refusals import AlreadyWithdrawn, ReasonMissing

WITHDRAWN = "penalty withdrawn"


@transaction.atomic
def withdraw(penalty: Penalty, actor: Actor, reason: str) -> Penalty:
    """Take the penalty back: the result is what was told, and who was out by it is in again.

    The player stays out where something else put them out. Raises AlreadyWithdrawn,
    ReasonMissing, NotForThisJudge, CannotApply, and what the way back into the event refuses.
    """
    tournament, penalty = _locked(penalty, actor)
    if not penalty.stands:
        raise AlreadyWithdrawn("This penalty was withdrawn already.")
    if not reason.strip():
        raise ReasonMissing("Say why the penalty is withdrawn.")
    penalty.withdrawn_at, penalty.withdrawn_by = timezone.now(), actor.user
    penalty.withdrawn_reason = reason.strip()
    penalty.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_reason"])
    moved = False
    if PenaltyKind(penalty.kind).costs_games and penalty.pairing is not None:
        moved = effects.put_on_result(tournament, penalty.pairing)
    effects.log(tournament, actor, WITHDRAWN, penalty, moved=moved, reason=reason.strip())
    effects.bring_back(tournament, penalty, actor)
    return penalty


@transaction.atomic
def give_again(penalty: Penalty, actor: Actor, reason: str = "") -> Penalty:
    """Undo a withdrawal: the penalty stands, and works again. Raises as `withdraw` does."""
    tournament, penalty = _locked(penalty, actor)
    if penalty.stands:
        raise AlreadyWithdrawn("This penalty stands already.")
    penalty.withdrawn_at = penalty.withdrawn_by = None
    penalty.withdrawn_reason = ""
    penalty.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_reason"])
    work(tournament, penalty, actor, GIVEN, reason)
    return penalty


def _locked(penalty: Penalty, actor: Actor) -> tuple[Tournament, Penalty]:
    tournament = history.lock_unfinished(penalty.tournament)
    rows = Penalty.objects.select_related(
        "registration__player", "pairing__round__stage__tournament", "pairing__match", "note"
    )
    found = rows.filter(pk=penalty.pk).first()
    if found is None:
        raise AlreadyWithdrawn("This penalty is not there any more.")
    refuse_unless_head(tournament, actor, PenaltyKind(found.kind))
    return tournament, found
