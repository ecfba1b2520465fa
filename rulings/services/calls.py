"""Judge calls: raised at a table, taken by one judge, answered. Who may do so the caller asks."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from core.errors import Refusal
from matches.models import Match
from players.models import Player, User
from rulings.models import JudgeCall, NoteKind, RulingVersion
from rulings.services.notes import write_note


class CallIsOver(Refusal):
    """The call was answered or withdrawn."""

    code = "call_is_over"


class CallIsTaken(Refusal):
    """Another judge is on the way, or was there already."""

    code = "call_is_taken"


@transaction.atomic
def raise_call(
    match: Match, *, player: Player | None = None, user: User | None = None, about: str = ""
) -> tuple[JudgeCall, bool]:
    """(the open call of this table, whether it is new). One table has one open call."""
    match = Match.objects.select_for_update().get(pk=match.pk)
    there = JudgeCall.objects.filter(match=match, answered_at=None, withdrawn_at=None).first()
    if there is not None:
        return there, False
    call = JudgeCall.objects.create(match=match, player=player, user=user, about=about.strip())
    return call, True


@transaction.atomic
def withdraw(call: JudgeCall) -> JudgeCall:
    """The table has settled it by itself. Withdrawn twice, nothing changes."""
    call = _locked(call)
    if call.withdrawn_at is not None:
        return call
    _refuse_over(call)
    call.withdrawn_at = timezone.now()
    call.save(update_fields=["withdrawn_at"])
    return call


@transaction.atomic
def take(call: JudgeCall, judge: User) -> JudgeCall:
    """This judge goes there. CallIsTaken when another one does, CallIsOver when it is too late."""
    call = _locked(call)
    _refuse_over(call)
    if call.taken_by is not None and call.taken_by != judge:
        raise CallIsTaken(f"{call.taken_by} has taken this call.")
    if call.taken_by is None:
        call.taken_by, call.taken_at = judge, timezone.now()
        call.save(update_fields=["taken_by", "taken_at"])
    return call


@transaction.atomic
def answer(
    call: JudgeCall,
    judge: User,
    text: str = "",
    cited: Sequence[RulingVersion] = (),
    minutes: int = 0,
) -> JudgeCall:
    """The judge has been there; `text` is what was said, as far as it is to be kept.

    `cited` are the rulings it rests on, `minutes` the time the caller gives the table for it.
    """
    call = _locked(call)
    _refuse_over(call)
    call.answered_by, call.answered_at, call.minutes = judge, timezone.now(), minutes
    call.note = write_note(call.match, judge, text, cited, NoteKind.ANSWER)
    call.save(update_fields=["answered_by", "answered_at", "minutes", "note"])
    return call


def _locked(call: JudgeCall) -> JudgeCall:
    rows = JudgeCall.objects.select_for_update(of=("self",)).select_related("taken_by")
    found = rows.filter(pk=call.pk).first()
    if found is None:
        raise CallIsOver("The tables were made anew meanwhile, and this one is no more.")
    return found


def _refuse_over(call: JudgeCall) -> None:
    if call.answered_at is not None:
        raise CallIsOver(f"{call.answered_by or 'Somebody'} has answered this call already.")
    if call.withdrawn_at is not None:
        raise CallIsOver("The players have withdrawn this call.")
