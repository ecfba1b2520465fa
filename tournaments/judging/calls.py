"""Judge calls: raise, withdraw, take, escalate, answer, appeal.

Every change locks the event first, so calls are not changed concurrently.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from core.errors import Refusal
from matches.models import Match
from rulings.models import JudgeCall, NoteKind, RulingVersion
from rulings.services import write_note
from tournaments.event import history
from tournaments.event import permissions as event_permissions
from tournaments.event.permissions import Actor
from tournaments.judging import queries
from tournaments.models import LogAction, Pairing, ProgramReason, Tournament
from tournaments.rounds import services as rounds_services

TAKEN_FIELDS = ("taken_by", "taken_at")
ANSWER_FIELDS = ("answered_by", "answered_at", "minutes", "note", "overturned")


class NoCallNow(Refusal):
    """No match is being played at this table."""


class NotYourCall(Refusal):
    """A different player raised the call, or a different judge has taken it."""


class HeadJudgeOnly(Refusal):
    """Only the head judge may handle this call."""


class CallIsOver(Refusal):
    """The call was answered or withdrawn, or its table no longer exists."""


class CallIsTaken(Refusal):
    """A different judge has taken the call."""


class CannotAppeal(Refusal):
    """The answer does not exist, was already appealed, or came from the head judge."""


class CallAnswer(NamedTuple):
    text: str = ""
    cited: Sequence[RulingVersion] = ()
    # Extra time for the table.
    minutes: int = 0
    # On appeals only: True if the first answer was wrong.
    overturned: bool | None = None


EMPTY_ANSWER = CallAnswer()


@transaction.atomic
def raise_call(pairing: Pairing, actor: Actor, about: str = "") -> JudgeCall:
    """Call a judge to this table, for a player of it or as staff. Raises NoCallNow.

    Returns the open call if there is one.
    """
    tournament = history.lock_unfinished(pairing.round.stage.tournament)
    match = _match_in_play(pairing)
    if (open_call := _open_call(match)) is not None:
        return open_call
    call = JudgeCall.objects.create(
        match=match, about=about.strip(), **_caller_fields(match, actor)
    )
    _log_call(tournament, actor, LogAction.JUDGE_CALLED, call, pairing, call.about)
    return call


@transaction.atomic
def appeal(tournament: Tournament, answered: JudgeCall, actor: Actor, about: str = "") -> JudgeCall:
    """Appeal an answer, for a player of the table or as staff.

    Raises NoCallNow and CannotAppeal.
    """
    locked = history.lock_unfinished(tournament)
    pairing = queries.pairing_of_match(answered.match)
    match = _match_in_play(pairing)
    match.refresh_from_db(fields=["state"])
    if match.is_settled:
        raise CannotAppeal(_("This table has its result, so it is too late to appeal."))
    answered = _reload_call(locked, answered)
    if answered.answered_at is None:
        raise CannotAppeal(_("There is no answer to appeal yet."))
    if answered.for_head_judge:
        raise CannotAppeal(_("The head judge has answered this call. That answer is final."))
    if JudgeCall.objects.filter(appeals=answered).exists():
        raise CannotAppeal(_("This answer has already been appealed."))
    if _open_call(match) is not None:
        raise CannotAppeal(
            _(
                "A judge has already been called to this table. Tell the judge that you want to "
                "appeal."
            )
        )
    call = JudgeCall.objects.create(
        match=match,
        about=about.strip(),
        for_head_judge=True,
        appeals=answered,
        **_caller_fields(match, actor),
    )
    _log_call(locked, actor, LogAction.JUDGE_CALL_APPEALED, call, pairing, call.about)
    return call


def _caller_fields(match: Match, actor: Actor) -> dict[str, Any]:
    by_player = match.seat_of(actor.player) is not None
    return {
        "player": actor.player if by_player else None,
        "user": None if by_player else actor.user,
    }


def _match_in_play(pairing: Pairing) -> Match:
    if not Pairing.objects.filter(pk=pairing.pk).exists():
        raise NoCallNow(_("This table has been re-paired. Check where you sit now."))
    pairing.round.refresh_from_db(fields=["state"])
    if pairing.match is None or not pairing.round.is_played:
        raise NoCallNow(_("No match is being played at this table. Come to the desk."))
    return pairing.match


@transaction.atomic
def withdraw(pairing: Pairing, actor: Actor) -> None:
    """Withdraw a call; only the player who raised it may. Raises NoCallNow and NotYourCall."""
    tournament = history.lock(pairing.round.stage.tournament)
    if pairing.match is None:
        raise NoCallNow(_("You have a bye, so you have no table to call a judge to."))
    call = _open_call(pairing.match)
    if call is None:
        return
    if call.player_id is None or actor.player is None or call.player_id != actor.player.pk:
        raise NotYourCall(
            _("Only the player who called the judge can cancel the call. Tell the judge.")
        )
    call.withdrawn_at = timezone.now()
    call.save(update_fields=["withdrawn_at"])
    _log_call(tournament, actor, LogAction.JUDGE_CALL_WITHDRAWN, call, pairing)


@transaction.atomic
def take(tournament: Tournament, call: JudgeCall, actor: Actor) -> None:
    """Assign the call to this judge; the table sees their name. Idempotent.

    Raises CallIsTaken, CallIsOver and HeadJudgeOnly.
    """
    assert actor.user is not None
    locked, call = _lock_call(tournament, call)
    _refuse_unless_head_judge(locked, call, actor)
    _refuse_closed(call)
    if call.taken_by is not None and call.taken_by != actor.user:
        raise CallIsTaken(
            _("%(staff_name)s has taken this call.") % {"staff_name": call.taken_by.staff_name}
        )
    if call.taken_by is None:
        call.taken_by, call.taken_at = actor.user, timezone.now()
        call.save(update_fields=TAKEN_FIELDS)
        _log_call(locked, actor, LogAction.JUDGE_CALL_TAKEN, call)


@transaction.atomic
def give_back(tournament: Tournament, call: JudgeCall, actor: Actor) -> None:
    """Release a taken call, as its judge or as a head judge. Raises CallIsOver and NotYourCall."""
    locked, call = _lock_call(tournament, call)
    _refuse_other_judges(locked, call, actor)
    if call.taken_by is None:
        return
    _refuse_closed(call)
    call.taken_by = call.taken_at = None
    call.save(update_fields=TAKEN_FIELDS)
    _log_call(locked, actor, LogAction.JUDGE_CALL_GIVEN_BACK, call)


@transaction.atomic
def escalate(tournament: Tournament, call: JudgeCall, actor: Actor, reason: str = "") -> None:
    """Leave the call to the head judge and release it. Idempotent.

    `reason` is stored as a note on the table. Raises CallIsOver and NotYourCall.
    """
    locked, call = _lock_call(tournament, call)
    _refuse_other_judges(locked, call, actor)
    if call.for_head_judge:
        return
    _refuse_closed(call)
    call.for_head_judge = True
    call.escalated_by, call.escalated_at = actor.user, timezone.now()
    call.taken_by = call.taken_at = None
    call.save(update_fields=[*TAKEN_FIELDS, "for_head_judge", "escalated_by", "escalated_at"])
    if reason.strip():
        write_note(call.match, actor.user, reason, practice=locked.is_practice)
    _log_call(locked, actor, LogAction.JUDGE_CALL_LEFT_TO_THE_HEAD_JUDGE, call, reason=reason)


@transaction.atomic
def answer(
    tournament: Tournament, call: JudgeCall, actor: Actor, said: CallAnswer = EMPTY_ANSWER
) -> JudgeCall:
    """Answer the call, and add its minutes to the table's clock.

    Raises CallIsOver, HeadJudgeOnly, and OutOfMeasure and WrongState from the clock. A refusal
    rolls everything back.
    """
    assert actor.user is not None
    locked, call = _lock_call(tournament, call)
    _refuse_unless_head_judge(locked, call, actor)
    _refuse_closed(call)
    call.answered_by, call.answered_at, call.minutes = actor.user, timezone.now(), said.minutes
    call.overturned = said.overturned if call.appeals_id is not None else None
    call.note = write_note(
        *(call.match, actor.user, said.text, said.cited, NoteKind.ANSWER),
        practice=locked.is_practice,
    )
    call.save(update_fields=ANSWER_FIELDS)
    _log_call(locked, actor, LogAction.JUDGE_CALL_ANSWERED, call, reason=call.answer)
    if said.minutes:
        rounds_services.add_table_minutes(
            queries.pairing_of_match(call.match), said.minutes, actor, ProgramReason.JUDGE_CALL
        )
    return call


@transaction.atomic
def reopen(tournament: Tournament, call: JudgeCall, actor: Actor, reason: str = "") -> None:
    """Reopen an answered call; its note and minutes remain with the table.

    Raises HeadJudgeOnly, and CallIsOver if the table has called again or appealed since.
    """
    locked, call = _lock_call(tournament, call)
    _refuse_unless_head_judge(locked, call, actor)
    if call.answered_at is None:
        raise CallIsOver(_("This call has not been answered, so there is nothing to undo."))
    if JudgeCall.objects.filter(appeals=call).exists() or _open_call(call.match) is not None:
        raise CallIsOver(
            _("This table has called a judge again since, so the answer cannot be undone.")
        )
    call.answered_by = call.answered_at = call.note = call.overturned = None
    call.minutes = 0
    call.save(update_fields=ANSWER_FIELDS)
    _log_call(locked, actor, LogAction.JUDGE_CALL_WAITS_AGAIN, call, reason=reason)


def _open_call(match: Match) -> JudgeCall | None:
    return JudgeCall.objects.filter(match=match, **queries.OPEN_CALL).first()


def _lock_call(tournament: Tournament, call: JudgeCall) -> tuple[Tournament, JudgeCall]:
    locked = history.lock(tournament)
    return locked, _reload_call(locked, call)


def _reload_call(tournament: Tournament, call: JudgeCall) -> JudgeCall:
    reloaded = queries.calls_of_event(tournament).filter(pk=call.pk).first()
    if reloaded is None:
        raise CallIsOver(_("This table no longer exists, because the round was re-paired."))
    return reloaded


def _refuse_closed(call: JudgeCall) -> None:
    if call.answered_at is not None:
        by = call.answered_by.staff_name if call.answered_by else _("A judge")
        raise CallIsOver(_("%(by)s has already answered this call.") % {"by": by})
    if call.withdrawn_at is not None:
        raise CallIsOver(_("The players have cancelled this call."))


def _refuse_unless_head_judge(tournament: Tournament, call: JudgeCall, actor: Actor) -> None:
    if call.for_head_judge and not event_permissions.can_head_judge(actor, tournament):
        raise HeadJudgeOnly(_("Only the head judge can answer this call."))


def _refuse_other_judges(tournament: Tournament, call: JudgeCall, actor: Actor) -> None:
    if call.taken_by is None or call.taken_by == actor.user:
        return
    if not event_permissions.can_head_judge(actor, tournament):
        raise NotYourCall(
            _("%(staff_name)s has taken this call. Ask them, or the head judge.")
            % {"staff_name": call.taken_by.staff_name}
        )


def _log_call(
    tournament: Tournament,
    actor: Actor,
    action: LogAction,
    call: JudgeCall,
    pairing: Pairing | None = None,
    reason: str = "",
) -> None:
    # Public pages do not show calls, so only the players' pages move.
    history.record(
        tournament,
        actor,
        action,
        pairing or queries.pairing_of_match(call.match),
        after={"call": call.pk},
        reason=reason,
        players=list(call.match.seats.values_list("player", flat=True)),
    )
