"""Judge calls at an event: the call itself is made by rulings; here it is logged."""

from typing import Any

from django.db import transaction

from core.errors import Refusal
from matches.models import Match
from rulings import services as ruling_services
from rulings.models import JudgeCall
from rulings.services import calls as ruling_calls
from rulings.services.calls import NO_WORDS, Answer
from tournaments import history, permissions, queries
from tournaments.actors import Actor
from tournaments.models import LogAction, Pairing, Tournament
from tournaments.services import clock


class NoCallNow(Refusal):
    """Nobody plays at this table now."""


class NotYourCall(Refusal):
    """The other player raised it, or another judge has it."""


class HeadJudgeOnly(Refusal):
    """The call waits for the head judge."""


@transaction.atomic
def raise_call(pairing: Pairing, actor: Actor, about: str = "") -> JudgeCall:
    """A judge is wanted at this table; a second call while one is open is the same call.

    `about` says in a few words what for. A player of the table raises it, or the staff type it.
    """
    tournament = history.lock_unfinished(pairing.round.stage.tournament)
    match = _played_now(pairing)
    call, is_new = ruling_calls.raise_call(match, **_who(match, actor), about=about)
    if is_new:
        _log(tournament, actor, LogAction.JUDGE_CALLED, call, pairing, call.about)
    return call


@transaction.atomic
def appeal(tournament: Tournament, answered: JudgeCall, actor: Actor, about: str = "") -> JudgeCall:
    """A player of the table, or the staff for them, does not accept the answer.

    It can be appealed until the table has its result. Raises NoCallNow and CannotAppeal.
    """
    locked = history.lock_unfinished(tournament)
    pairing = queries.table_of(answered.match)
    match = _played_now(pairing)
    match.refresh_from_db(fields=["state"])
    if match.is_settled:
        raise ruling_calls.CannotAppeal("This table has its result, so it is too late to appeal.")
    call = ruling_calls.appeal(answered, **_who(match, actor), about=about)
    _log(locked, actor, LogAction.JUDGE_CALL_APPEALED, call, pairing, call.about)
    return call


def _who(match: Match, actor: Actor) -> dict[str, Any]:
    """A player of the table, else the account that types it."""
    by_player = queries.seat_of(match, actor.player) is not None
    return {
        "player": actor.player if by_player else None,
        "user": None if by_player else actor.user,
    }


def _played_now(pairing: Pairing) -> Match:
    if not Pairing.objects.filter(pk=pairing.pk).exists():
        raise NoCallNow("This table was made anew meanwhile. Look where you sit now.")
    pairing.round.refresh_from_db(fields=["state"])
    if pairing.match is None or not pairing.round.is_played:
        raise NoCallNow("Nobody plays at this table now. Come to the desk.")
    return pairing.match


@transaction.atomic
def withdraw(pairing: Pairing, actor: Actor) -> None:
    """The table has settled it by itself. Only who raised the call takes it back."""
    tournament = history.lock(pairing.round.stage.tournament)
    call = queries.calls_at(_match_of(pairing)).filter(**queries.OPEN).first()
    if call is None:
        return
    if call.player_id is None or actor.player is None or call.player_id != actor.player.pk:
        raise NotYourCall("Only who called the judge can take the call back. Tell the judge.")
    ruling_services.withdraw(call)
    _log(tournament, actor, LogAction.JUDGE_CALL_WITHDRAWN, call, pairing)


@transaction.atomic
def take(tournament: Tournament, call: JudgeCall, actor: Actor) -> None:
    """A judge is on the way; the table sees who.

    Raises CallIsTaken, CallIsOver and HeadJudgeOnly.
    """
    assert actor.user is not None
    locked, call = _locked(tournament, call)
    _refuse_head_judges(locked, call, actor)
    taken_before = call.taken_by_id
    call = ruling_services.take(call, actor.user)
    if call.taken_by_id != taken_before:
        _log(locked, actor, LogAction.JUDGE_CALL_TAKEN, call)


@transaction.atomic
def give_back(tournament: Tournament, call: JudgeCall, actor: Actor) -> None:
    """Who has taken it does not go after all. A head judge may free the call of another.

    Raises CallIsOver and NotYourCall. A call nobody has stays as it is.
    """
    locked, call = _locked(tournament, call)
    _refuse_others(locked, call, actor)
    if call.taken_by_id is None:
        return
    call = ruling_calls.give_back(call)
    _log(locked, actor, LogAction.JUDGE_CALL_GIVEN_BACK, call)


@transaction.atomic
def escalate(tournament: Tournament, call: JudgeCall, actor: Actor, reason: str = "") -> None:
    """Leave it to the head judge. `reason` is kept as a note on the table.

    Raises CallIsOver and NotYourCall. Done twice, nothing changes.
    """
    locked, call = _locked(tournament, call)
    _refuse_others(locked, call, actor)
    if call.for_head_judge:
        return
    call = ruling_calls.escalate(call, actor.user)
    if reason.strip():
        ruling_services.write_note(call.match, actor.user, reason, practice=locked.is_practice)
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
    call = ruling_services.answer(call, actor.user, said, practice=locked.is_practice)
    _log(locked, actor, LogAction.JUDGE_CALL_ANSWERED, call, reason=call.answer)
    if said.minutes:
        clock.add_to_table(queries.table_of(call.match), said.minutes, actor, "judge call")
    return call


@transaction.atomic
def reopen(tournament: Tournament, call: JudgeCall, actor: Actor, reason: str = "") -> None:
    """Take an answer back; its minutes stay with the table. Raises CallIsOver, HeadJudgeOnly."""
    locked, call = _locked(tournament, call)
    _refuse_head_judges(locked, call, actor)
    call = ruling_calls.reopen(call)
    _log(locked, actor, LogAction.JUDGE_CALL_WAITS_AGAIN, call, reason=reason)


def _locked(tournament: Tournament, call: JudgeCall) -> tuple[Tournament, JudgeCall]:
    """The event, locked, and the call as it stands now."""
    locked = history.lock(tournament)
    found = queries.calls_of(locked).filter(pk=call.pk).first()
    if found is None:
        raise ruling_services.CallIsOver(
            "The tables were made anew meanwhile, and this one is no more."
        )
    return locked, found


def _refuse_head_judges(tournament: Tournament, call: JudgeCall, actor: Actor) -> None:
    if call.for_head_judge and not permissions.can_head_judge(actor, tournament):
        raise HeadJudgeOnly("This call is for the head judge.")


def _refuse_others(tournament: Tournament, call: JudgeCall, actor: Actor) -> None:
    is_free = call.taken_by is None or call.taken_by == actor.user
    if not is_free and not permissions.can_head_judge(actor, tournament):
        raise NotYourCall(f"{call.taken_by} has taken this call. Ask them, or the head judge.")


def _match_of(pairing: Pairing) -> Match:
    if pairing.match is None:
        raise NoCallNow("A bye has no table to call a judge to.")
    return pairing.match


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
