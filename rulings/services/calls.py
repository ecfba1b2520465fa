"""Judge calls: raised at a table, taken by one judge, answered. Who may do so the caller asks."""

from collections.abc import Sequence
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from core.errors import Refusal
from matches.models import Match
from players.models import Player, User
from rulings.models import JudgeCall, NoteKind, RulingVersion
from rulings.services.notes import write_note

TAKEN = ("taken_by", "taken_at")
ANSWERED = ("answered_by", "answered_at", "minutes", "note", "overturned")


class CallIsOver(Refusal):
    """The call was answered or withdrawn."""


class CallIsTaken(Refusal):
    """Another judge is on the way, or was there already."""


class CannotAppeal(Refusal):
    """There is no answer to appeal, or it was appealed, or the head judge gave it."""


class Answer(NamedTuple):
    """What the judge said, as far as it is to be kept.

    `cited` are the rulings it rests on, `minutes` the time the caller gives the table for it;
    `overturned` says of the answer to an appeal whether the first one was wrong.
    """

    text: str = ""
    cited: Sequence[RulingVersion] = ()
    minutes: int = 0
    overturned: bool | None = None


NO_WORDS = Answer()


@transaction.atomic
def raise_call(
    match: Match, *, player: Player | None = None, user: User | None = None, about: str = ""
) -> tuple[JudgeCall, bool]:
    """(the open call of this table, whether it is new). One table has one open call."""
    match = Match.objects.select_for_update().get(pk=match.pk)
    if (there := _open_call(match)) is not None:
        return there, False
    call = JudgeCall.objects.create(match=match, player=player, user=user, about=about.strip())
    return call, True


@transaction.atomic
def appeal(
    answered: JudgeCall,
    *,
    player: Player | None = None,
    user: User | None = None,
    about: str = "",
) -> JudgeCall:
    """Somebody does not accept the answer: a call for the head judge. Raises CannotAppeal.

    An answer is appealed once, and that of a call for the head judge never.
    """
    match = Match.objects.select_for_update().get(pk=answered.match_id)
    answered = _locked(answered)
    _refuse_appeal(answered)
    if _open_call(match) is not None:
        raise CannotAppeal("A judge is called to this table already. Tell them that you appeal.")
    return JudgeCall.objects.create(
        match=match,
        player=player,
        user=user,
        about=about.strip(),
        for_head_judge=True,
        appeals=answered,
    )


def _refuse_appeal(answered: JudgeCall) -> None:
    if answered.answered_at is None:
        raise CannotAppeal("There is no answer yet that could be appealed.")
    if answered.for_head_judge:
        raise CannotAppeal("The head judge has answered this, and that is final.")
    if JudgeCall.objects.filter(appeals=answered).exists():
        raise CannotAppeal("This answer was appealed already.")


def _open_call(match: Match) -> JudgeCall | None:
    return JudgeCall.objects.filter(match=match, answered_at=None, withdrawn_at=None).first()


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
        call.save(update_fields=TAKEN)
    return call


@transaction.atomic
def give_back(call: JudgeCall) -> JudgeCall:
    """Whoever was on the way does not go: the call is free again. Raises CallIsOver."""
    call = _locked(call)
    _refuse_over(call)
    call.taken_by = call.taken_at = None
    call.save(update_fields=TAKEN)
    return call


@transaction.atomic
def escalate(call: JudgeCall, judge: User | None) -> JudgeCall:
    """Leave it to the head judge: it is free again. Done twice, nothing changes.

    Raises CallIsOver.
    """
    call = _locked(call)
    _refuse_over(call)
    if not call.for_head_judge:
        call.for_head_judge = True
        call.escalated_by, call.escalated_at = judge, timezone.now()
        call.taken_by = call.taken_at = None
        call.save(update_fields=[*TAKEN, "for_head_judge", "escalated_by", "escalated_at"])
    return call


@transaction.atomic
def answer(
    call: JudgeCall, judge: User, said: Answer = NO_WORDS, *, practice: bool = False
) -> JudgeCall:
    """The judge has been there. What is cited in `practice` counts nowhere. Raises CallIsOver."""
    call = _locked(call)
    _refuse_over(call)
    call.answered_by, call.answered_at, call.minutes = judge, timezone.now(), said.minutes
    call.overturned = said.overturned if call.appeals_id is not None else None
    call.note = write_note(
        call.match, judge, said.text, said.cited, NoteKind.ANSWER, practice=practice
    )
    call.save(update_fields=ANSWERED)
    return call


@transaction.atomic
def reopen(call: JudgeCall) -> JudgeCall:
    """Take an answer back: the call waits again, and the note stays with the match.

    Raises CallIsOver when the table has called again, or appealed, since.
    """
    match = Match.objects.select_for_update().get(pk=call.match_id)
    call = _locked(call)
    if call.answered_at is None:
        raise CallIsOver("This call has no answer that could be taken back.")
    if JudgeCall.objects.filter(appeals=call).exists() or _open_call(match) is not None:
        raise CallIsOver("The table has called a judge again since.")
    call.answered_by = call.answered_at = call.note = call.overturned = None
    call.minutes = 0
    call.save(update_fields=ANSWERED)
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
