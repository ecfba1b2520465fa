"""Judge calls at the tables of an event: raised, taken by one judge, answered, appealed.

Whoever changes a call has locked its event, so nobody else changes it meanwhile.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from core.errors import Refusal
from matches.models import Match
from rulings.models import JudgeCall, NoteKind, RulingVersion
from rulings.services import write_note
from tournaments.event import history, permissions
from tournaments.event import queries as event_queries
from tournaments.event.actors import Actor
from tournaments.judging import queries
from tournaments.models import LogAction, Pairing, Tournament
from tournaments.rounds.services import clock

TAKEN = ("taken_by", "taken_at")
ANSWERED = ("answered_by", "answered_at", "minutes", "note", "overturned")


class NoCallNow(Refusal):
    """Nobody plays at this table now."""


class NotYourCall(Refusal):
    """The other player raised it, or another judge has it."""


class HeadJudgeOnly(Refusal):
    """The call waits for the head judge."""


class CallIsOver(Refusal):
    """The call was answered or withdrawn."""


class CallIsTaken(Refusal):
    """Another judge is on the way, or was there already."""


class CannotAppeal(Refusal):
    """There is no answer to appeal, or it was appealed, or the head judge gave it."""


class Answer(NamedTuple):
    """What the judge said, as far as it is to be kept.

    `cited` are the rulings it rests on, `minutes` the time the table is given for it;
    `overturned` says of the answer to an appeal whether the first one was wrong.
    """

    text: str = ""
    cited: Sequence[RulingVersion] = ()
    minutes: int = 0
    overturned: bool | None = None


NO_WORDS = Answer()


@transaction.atomic
def raise_call(pairing: Pairing, actor: Actor, about: str = "") -> JudgeCall:
    """A judge is wanted at this table; a second call while one is open is the same call.

    `about` says in a few words what for. A player of the table raises it, or the staff type it.
    """
    tournament = history.lock_unfinished(pairing.round.stage.tournament)
    match = _played_now(pairing)
    if (there := _open_call(match)) is not None:
        return there
    call = JudgeCall.objects.create(match=match, about=about.strip(), **_who(match, actor))
    _log(tournament, actor, LogAction.JUDGE_CALLED, call, pairing, call.about)
    return call


@transaction.atomic
def appeal(tournament: Tournament, answered: JudgeCall, actor: Actor, about: str = "") -> JudgeCall:
    """A player of the table, or the staff for them, does not accept the answer.

    It can be appealed once, until the table has its result, and that of a call for the head judge
    never. Raises NoCallNow and CannotAppeal.
    """
    locked = history.lock_unfinished(tournament)
    pairing = queries.table_of(answered.match)
    match = _played_now(pairing)
    match.refresh_from_db(fields=["state"])
    if match.is_settled:
        raise CannotAppeal("This table has its result, so it is too late to appeal.")
    answered = _as_it_stands(locked, answered)
    _refuse_appeal(answered)
    if _open_call(match) is not None:
        raise CannotAppeal("A judge is already called to this table. Tell them you appeal.")
    call = JudgeCall.objects.create(
        match=match,
        about=about.strip(),
        for_head_judge=True,
        appeals=answered,
        **_who(match, actor),
    )
    _log(locked, actor, LogAction.JUDGE_CALL_APPEALED, call, pairing, call.about)
    return call


def _refuse_appeal(answered: JudgeCall) -> None:
    if answered.answered_at is None:
        raise CannotAppeal("There is no answer to appeal yet.")
    if answered.for_head_judge:
        raise CannotAppeal("The head judge has answered this, and that is final.")
    if JudgeCall.objects.filter(appeals=answered).exists():
        raise CannotAppeal("This answer was appealed already.")


def _who(match: Match, actor: Actor) -> dict[str, Any]:
    """A player of the table, else the account that types it."""
    by_player = event_queries.seat_of(match, actor.player) is not None
    return {
        "player": actor.player if by_player else None,
        "user": None if by_player else actor.user,
    }


def _played_now(pairing: Pairing) -> Match:
    if not Pairing.objects.filter(pk=pairing.pk).exists():
        raise NoCallNow("This table was re-paired. Check where you sit now.")
    pairing.round.refresh_from_db(fields=["state"])
    if pairing.match is None or not pairing.round.is_played:
        raise NoCallNow("No match is being played at this table. Come to the desk.")
    return pairing.match


@transaction.atomic
def withdraw(pairing: Pairing, actor: Actor) -> None:
    """The table has settled it by itself. Only who raised the call takes it back."""
    tournament = history.lock(pairing.round.stage.tournament)
    if pairing.match is None:
        raise NoCallNow("A bye has no table to call a judge to.")
    call = _open_call(pairing.match)
    if call is None:
        return
    if call.player_id is None or actor.player is None or call.player_id != actor.player.pk:
        raise NotYourCall("Only the player who called can cancel the call. Tell the judge.")
    call.withdrawn_at = timezone.now()
    call.save(update_fields=["withdrawn_at"])
    _log(tournament, actor, LogAction.JUDGE_CALL_WITHDRAWN, call, pairing)


@transaction.atomic
def take(tournament: Tournament, call: JudgeCall, actor: Actor) -> None:
    """A judge is on the way; the table sees who. Taken twice, nothing changes.

    Raises CallIsTaken, CallIsOver and HeadJudgeOnly.
    """
    assert actor.user is not None
    locked, call = _locked(tournament, call)
    _refuse_head_judges(locked, call, actor)
    _refuse_over(call)
    if call.taken_by is not None and call.taken_by != actor.user:
        raise CallIsTaken(f"{call.taken_by.staff_name} has taken this call.")
    if call.taken_by is None:
        call.taken_by, call.taken_at = actor.user, timezone.now()
        call.save(update_fields=TAKEN)
        _log(locked, actor, LogAction.JUDGE_CALL_TAKEN, call)


@transaction.atomic
def give_back(tournament: Tournament, call: JudgeCall, actor: Actor) -> None:
    """Who has taken it does not go after all. A head judge may free the call of another.

    Raises CallIsOver and NotYourCall. A call nobody has stays as it is.
    """
    locked, call = _locked(tournament, call)
    _refuse_others(locked, call, actor)
    if call.taken_by is None:
        return
    _refuse_over(call)
    call.taken_by = call.taken_at = None
    call.save(update_fields=TAKEN)
    _log(locked, actor, LogAction.JUDGE_CALL_GIVEN_BACK, call)


@transaction.atomic
def escalate(tournament: Tournament, call: JudgeCall, actor: Actor, reason: str = "") -> None:
    """Leave it to the head judge: it is free again. `reason` is kept as a note on the table.

    Raises CallIsOver and NotYourCall. Done twice, nothing changes.
    """
    locked, call = _locked(tournament, call)
    _refuse_others(locked, call, actor)
    if call.for_head_judge:
        return
    _refuse_over(call)
    call.for_head_judge = True
    call.escalated_by, call.escalated_at = actor.user, timezone.now()
    call.taken_by = call.taken_at = None
    call.save(update_fields=[*TAKEN, "for_head_judge", "escalated_by", "escalated_at"])
    if reason.strip():
        write_note(call.match, actor.user, reason, practice=locked.is_practice)
    _log(locked, actor, LogAction.JUDGE_CALL_LEFT_TO_THE_HEAD_JUDGE, call, reason=reason)


@transaction.atomic
def answer(
    tournament: Tournament, call: JudgeCall, actor: Actor, said: Answer = NO_WORDS
) -> JudgeCall:
    """The call is dealt with; its minutes go on the clock of the table, or nothing is kept.

    Raises CallIsOver, HeadJudgeOnly, and what the clock refuses: OutOfMeasure and WrongState.
    """
    assert actor.user is not None
    locked, call = _locked(tournament, call)
    _refuse_head_judges(locked, call, actor)
    _refuse_over(call)
    call.answered_by, call.answered_at, call.minutes = actor.user, timezone.now(), said.minutes
    call.overturned = said.overturned if call.appeals_id is not None else None
    call.note = write_note(
        *(call.match, actor.user, said.text, said.cited, NoteKind.ANSWER),
        practice=locked.is_practice,
    )
    call.save(update_fields=ANSWERED)
    _log(locked, actor, LogAction.JUDGE_CALL_ANSWERED, call, reason=call.answer)
    if said.minutes:
        clock.add_to_table(queries.table_of(call.match), said.minutes, actor, "judge call")
    return call


@transaction.atomic
def reopen(tournament: Tournament, call: JudgeCall, actor: Actor, reason: str = "") -> None:
    """Take an answer back: the call waits again, and its note and minutes stay with the table.

    Raises HeadJudgeOnly, and CallIsOver when the table has called again, or appealed, since.
    """
    locked, call = _locked(tournament, call)
    _refuse_head_judges(locked, call, actor)
    if call.answered_at is None:
        raise CallIsOver("This call has no answer to undo.")
    if JudgeCall.objects.filter(appeals=call).exists() or _open_call(call.match) is not None:
        raise CallIsOver("The table has called a judge again since.")
    call.answered_by = call.answered_at = call.note = call.overturned = None
    call.minutes = 0
    call.save(update_fields=ANSWERED)
    _log(locked, actor, LogAction.JUDGE_CALL_WAITS_AGAIN, call, reason=reason)


def _open_call(match: Match) -> JudgeCall | None:
    return JudgeCall.objects.filter(match=match, **queries.OPEN).first()


def _locked(tournament: Tournament, call: JudgeCall) -> tuple[Tournament, JudgeCall]:
    """The event, locked, and the call as it stands now."""
    locked = history.lock(tournament)
    return locked, _as_it_stands(locked, call)


def _as_it_stands(tournament: Tournament, call: JudgeCall) -> JudgeCall:
    found = queries.calls_of(tournament).filter(pk=call.pk).first()
    if found is None:
        raise CallIsOver("The tables were re-paired, and this one no longer exists.")
    return found


def _refuse_over(call: JudgeCall) -> None:
    if call.answered_at is not None:
        by = call.answered_by.staff_name if call.answered_by else "A judge"
        raise CallIsOver(f"{by} has already answered this call.")
    if call.withdrawn_at is not None:
        raise CallIsOver("The players have withdrawn this call.")


def _refuse_head_judges(tournament: Tournament, call: JudgeCall, actor: Actor) -> None:
    if call.for_head_judge and not permissions.can_head_judge(actor, tournament):
        raise HeadJudgeOnly("This call is for the head judge.")


def _refuse_others(tournament: Tournament, call: JudgeCall, actor: Actor) -> None:
    if call.taken_by is None or call.taken_by == actor.user:
        return
    if not permissions.can_head_judge(actor, tournament):
        raise NotYourCall(
            f"{call.taken_by.staff_name} has taken this call. Ask them, or the head judge."
        )


def _log(
    tournament: Tournament,
    actor: Actor,
    action: LogAction,
    call: JudgeCall,
    pairing: Pairing | None = None,
    reason: str = "",
) -> None:
    # What happens between a table and the judges is no news for the public pages.
    history.record(
        tournament,
        actor,
        action,
        pairing or queries.table_of(call.match),
        after={"call": call.pk},
        reason=reason,
        players=list(call.match.seats.values_list("player", flat=True)),
    )
