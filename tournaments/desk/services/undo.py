"""Take a change back: appended to the log, never wiped from it.

`KINDS` says for each action of the log how. A new kind is a line in a table of `undo_rounds`,
`undo_roster` or `undo_event`. Undo asks the ability the change itself wants, and taking an undo
back is a change like any other.
"""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from django.db import transaction

from core.errors import Refusal
from core.rate_limits import Busy
from tournaments.desk.services import undo_event, undo_roster, undo_rounds
from tournaments.desk.services.undo_kinds import CannotUndo, Kind
from tournaments.event import history
from tournaments.event.actors import Actor
from tournaments.models import LogAction, LogEntry, Tournament, log_actions
from tournaments.results.queries.impact import Impact

KINDS: dict[str, Kind] = {
    **undo_rounds.RESULTS,
    **undo_roster.ROSTER,
    **undo_rounds.ROUNDS,
    **undo_rounds.JUDGING,
    **undo_event.DECKS,
    **undo_event.EVENT,
}


def can_undo(entry: LogEntry, actor: Actor, tournament: Tournament) -> bool:
    """Whether there is a way back, and this person may go it; nothing is tried yet."""
    kind = KINDS.get(entry.action)
    return kind is not None and not hasattr(entry, "undone_by") and kind.can(actor, tournament)


@dataclass(frozen=True)
class Plan:
    """What taking a change back will do: a sentence, and what it touches in a closed round."""

    says: str
    impact: Impact | None


def plan(entry: LogEntry, actor: Actor) -> Plan:
    """What taking this back will do; changes nothing. Raises CannotUndo.

    It is tried and rolled back, so that whatever the services refuse is refused here.
    """
    with transaction.atomic():
        undo(entry, actor, "To see what it does.")
        transaction.set_rollback(True)
    kind = KINDS[entry.action]
    try:
        return Plan(kind.says(entry), kind.touches(entry))
    except Busy as busy:
        raise CannotUndo(str(busy)) from busy


@transaction.atomic
def undo(entry: LogEntry, actor: Actor, reason: str = "") -> LogEntry:
    """Take the change back and answer the entry that says so. Raises CannotUndo.

    Of a finished event results alone, as a correction with its `reason`.
    """
    history.lock(entry.tournament)
    entry = LogEntry.objects.select_related(
        "tournament", "round__stage__tournament", "pairing__match", "registration__player"
    ).get(pk=entry.pk)
    kind = KINDS.get(entry.action)
    if kind is None:
        raise CannotUndo("A change of this kind cannot be undone.")
    _refuse_standing(entry, kind)
    try:
        with _as_correction(entry, actor, reason), history.taking_back(entry):
            kind.act(entry, actor, reason or f"Undid: {entry}.")
    except CannotUndo:
        raise
    except Refusal as refusal:
        raise CannotUndo(str(refusal)) from refusal
    done = LogEntry.objects.filter(undoes=entry).first()
    if done is None:
        raise CannotUndo("It is as it was before already, so there is nothing to undo.")
    return done


def _as_correction(entry: LogEntry, actor: Actor, reason: str) -> AbstractContextManager[None]:
    """A result of a finished event is corrected; anything else waits until it is opened again."""
    if entry.action == LogAction.EVENT_FINISHED and not reason.strip():
        raise CannotUndo("Say why the event is opened again. Everybody can read it.")
    if entry.action in log_actions.RESULTS:
        return history.correcting(entry.tournament, actor, reason)
    return nullcontext()


def _refuse_standing(entry: LogEntry, kind: Kind) -> None:
    if hasattr(entry, "undone_by"):
        raise CannotUndo("This was undone already.")
    later = _later_in_force(entry, kind)
    if later is not None:
        raise CannotUndo(
            f'"{later}" came later and depends on this. Undo that first.', later=later.pk
        )


def _later_in_force(entry: LogEntry, kind: Kind) -> LogEntry | None:
    """A later change of the same thing that was not taken back, or back again."""
    log = entry.tournament.log.filter(pk__gt=entry.pk)
    undoing = dict(log.exclude(undoes=None).values_list("undoes", "pk"))

    def is_in_force(pk: int) -> bool:
        return pk not in undoing or not is_in_force(undoing[pk])

    for later in log.filter(kind.track(entry)).order_by("-pk"):
        # One that takes back a later one counts by whether that is in force.
        belongs_to_a_later_one = later.undoes_id is not None and later.undoes_id > entry.pk
        if not belongs_to_a_later_one and is_in_force(later.pk):
            return later
    return None
