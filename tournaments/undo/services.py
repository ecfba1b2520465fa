"""Undo logged changes by appending an opposite change to the log.

`UNDO_RULES` maps log actions to undo rules. Undo requires the same permission as the change. An
undo can itself be undone.
"""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Refusal
from core.rate_limits import Busy
from tournaments.event import history
from tournaments.event.permissions import Actor
from tournaments.models import LogAction, LogEntry, Tournament, event_log
from tournaments.results.queries import Impact
from tournaments.undo import event_rules, play_rules
from tournaments.undo.undo_rules import CannotUndo, UndoRule

UNDO_RULES: dict[str, UndoRule] = {
    **play_rules.RESULT_RULES,
    **event_rules.ROSTER_RULES,
    **play_rules.ROUND_RULES,
    **play_rules.JUDGING_RULES,
    **event_rules.DECK_RULES,
    **event_rules.EVENT_RULES,
}


def can_undo(entry: LogEntry, actor: Actor, tournament: Tournament) -> bool:
    """Return True if the entry has an undo rule and the actor may use it; tries nothing."""
    rule = UNDO_RULES.get(entry.action)
    return rule is not None and not hasattr(entry, "undone_by") and rule.can(actor, tournament)


@dataclass(frozen=True)
class UndoPreview:
    """Preview of an undo: a sentence, and its impact on a closed round."""

    sentence: str
    impact: Impact | None


def preview_undo(entry: LogEntry, actor: Actor) -> UndoPreview:
    """Preview an undo without changing anything. Raises CannotUndo.

    Runs the undo and rolls it back, so that every refusal of the services appears here.
    """
    with transaction.atomic():
        undo(entry, actor, "Preview.")
        transaction.set_rollback(True)
    rule = UNDO_RULES[entry.action]
    try:
        return UndoPreview(rule.describe(entry), rule.impact(entry))
    except Busy as busy:
        raise CannotUndo(str(busy)) from busy


@transaction.atomic
def undo(entry: LogEntry, actor: Actor, reason: str = "") -> LogEntry:
    """Undo the change and return the new log entry. Raises CannotUndo.

    In a finished event only results can be undone, as a correction with a `reason`.
    """
    history.lock(entry.tournament)
    entry = LogEntry.objects.select_related(
        "tournament", "round__stage__tournament", "pairing__match", "registration__player"
    ).get(pk=entry.pk)
    rule = UNDO_RULES.get(entry.action)
    if rule is None:
        raise CannotUndo(_("A change of this kind cannot be undone."))
    _refuse_if_undone_or_superseded(entry, rule)
    try:
        with _as_correction(entry, actor, reason), history.record_as_undo(entry):
            rule.act(entry, actor, reason or f"Undid: {entry}.")
    except CannotUndo:
        raise
    except Refusal as refusal:
        raise CannotUndo(str(refusal)) from refusal
    done = LogEntry.objects.filter(undoes=entry).first()
    if done is None:
        raise CannotUndo(_("This change is no longer in effect, so there is nothing to undo."))
    return done


def _as_correction(entry: LogEntry, actor: Actor, reason: str) -> AbstractContextManager[None]:
    """Mark an undone result of a finished event as a correction.

    Undoing the end of an event requires a reason. Raises CannotUndo.
    """
    if entry.action == LogAction.EVENT_FINISHED and not reason.strip():
        raise CannotUndo(_("Give a reason for reopening the event. Everyone can read it."))
    if entry.action in event_log.RESULT_CHANGES:
        return history.record_as_correction(entry.tournament, actor, reason)
    return nullcontext()


def _refuse_if_undone_or_superseded(entry: LogEntry, rule: UndoRule) -> None:
    if hasattr(entry, "undone_by"):
        raise CannotUndo(_("This has already been undone."))
    later = _later_change_in_force(entry, rule)
    if later is not None:
        raise CannotUndo(
            _('"%(later)s" came later and depends on this. Undo that first.') % {"later": later},
            later=later.pk,
        )


def _later_change_in_force(entry: LogEntry, rule: UndoRule) -> LogEntry | None:
    """Find a later change of the same object that is still in force."""
    log = entry.tournament.log.filter(pk__gt=entry.pk)
    undoing = dict(log.exclude(undoes=None).values_list("undoes", "pk"))

    def is_in_force(pk: int) -> bool:
        return pk not in undoing or not is_in_force(undoing[pk])

    for later in log.filter(rule.track(entry)).order_by("-pk"):
        # The undo of a later change counts through that change.
        belongs_to_later_change = later.undoes_id is not None and later.undoes_id > entry.pk
        if not belongs_to_later_change and is_in_force(later.pk):
            return later
    return None
