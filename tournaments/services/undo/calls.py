"""Judge calls: a judge who goes after all or not, an answer that comes too early."""

from django.db.models import Q

from rulings.models import JudgeCall
from tournaments import permissions, queries
from tournaments.actors import Actor
from tournaments.models import LogEntry
from tournaments.services import calls
from tournaments.services.undo.kinds import CannotUndo, Kind

TAKEN, ANSWERED = "judge call taken", "judge call answered"


def _call(entry: LogEntry) -> JudgeCall:
    """The call it is about. Raises CannotUndo when that is gone."""
    found = queries.calls_of(entry.tournament).filter(pk=entry.after.get("call") or 0).first()
    if found is None:
        raise CannotUndo("This table was made anew meanwhile, so there is nothing to take back.")
    return found


def _give_back(entry: LogEntry, actor: Actor, _reason: str) -> None:
    calls.give_back(entry.tournament, _call(entry), actor)


def _reopen(entry: LogEntry, actor: Actor, reason: str) -> None:
    calls.reopen(entry.tournament, _call(entry), actor, reason)


def _of_the_call(entry: LogEntry) -> Q:
    return Q(action__startswith="judge call", after__call=entry.after.get("call"))


KINDS = {
    TAKEN: Kind(
        permissions.can_judge,
        lambda entry: f"The call of {entry.subject} will be free again.",
        _give_back,
        _of_the_call,
    ),
    ANSWERED: Kind(
        permissions.can_judge,
        lambda entry: (
            f"The call of {entry.subject} will wait for an answer again. Minutes and penalties "
            "that were given with it stay."
        ),
        _reopen,
        _of_the_call,
    ),
}
