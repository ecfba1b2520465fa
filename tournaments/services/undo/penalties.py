"""Penalties: given and withdrawn."""

from django.db.models import Q

from tournaments import permissions
from tournaments.actors import Actor
from tournaments.models import LogEntry, Penalty
from tournaments.services import penalties
from tournaments.services.undo.kinds import CannotUndo, Kind

GIVEN, WITHDRAWN = "penalty given", "penalty withdrawn"


def _penalty(entry: LogEntry) -> Penalty:
    rows = Penalty.objects.select_related("registration__player", "tournament")
    found = rows.filter(pk=entry.after["penalty"], tournament=entry.tournament_id).first()
    if found is None:
        raise CannotUndo("This penalty is not there any more.")
    return found


def _says_withdrawn(entry: LogEntry) -> str:
    penalty = _penalty(entry)
    return (
        f"{penalty} of {penalty.registration.player} will be withdrawn, and the result and the "
        "place in the event will be what they were."
    )


def _says_given(entry: LogEntry) -> str:
    penalty = _penalty(entry)
    return f"{penalty} of {penalty.registration.player} will stand again, with its effect."


def _withdraw(entry: LogEntry, actor: Actor, reason: str) -> None:
    penalties.withdraw(_penalty(entry), actor, reason)


def _give_again(entry: LogEntry, actor: Actor, reason: str) -> None:
    penalties.give_again(_penalty(entry), actor, reason)


def _same_penalty(entry: LogEntry) -> Q:
    return Q(action__in=(GIVEN, WITHDRAWN), after__penalty=entry.after["penalty"])


KINDS = {
    GIVEN: Kind(permissions.can_judge, _says_withdrawn, _withdraw, _same_penalty),
    WITHDRAWN: Kind(permissions.can_judge, _says_given, _give_again, _same_penalty),
}
