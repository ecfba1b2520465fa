"""Judge calls at an event, and their log entries."""

import pytest
from django.utils import translation

from rulings import queries as rulings_queries
from rulings.models import JudgeCall
from tests.factories.tournaments import (
    add_staff,
    close_round,
    draft_round,
    enter_result,
    fresh,
    games_for,
    make_event,
    owner_of,
    play_round,
    tables_of,
)
from tests.tournaments.scenes import at_tables
from tournaments.event.permissions import Actor
from tournaments.judging import calls
from tournaments.judging import queries as judging_queries
from tournaments.judging.calls import CallAnswer
from tournaments.models import Pairing, Round, Tournament
from tournaments.rounds import services as rounds_services
from tournaments.rounds.drafting import clear_pairings
from tournaments.undo import services as undo_services
from tournaments.undo.undo_rules import CannotUndo

make_scene = at_tables


def player_at(pairing: Pairing, position: int) -> Actor:
    return Actor(player=pairing.match.seats.get(position=position).player)


def judge_of(event: Tournament, role: str = "judge") -> Actor:
    return Actor(user=add_staff(event, role))


def test_player_calls_and_judge_answers(event: Tournament, pairing: Pairing):
    judge, version = judge_of(event), fresh(event).version
    call = calls.raise_call(pairing, player_at(pairing, 1), "Which run was it?")
    calls.take(event, call, judge)
    calls.answer(event, call, judge, CallAnswer("The second one."))

    entries = list(event.log.filter(action__startswith="judge call").order_by("pk"))
    assert [entry.action for entry in entries] == [
        "judge called",
        "judge call taken",
        "judge call answered",
    ]
    assert [entry.reason for entry in entries] == ["Which run was it?", "", "The second one."]
    assert judging_queries.open_calls(event) == []
    assert judging_queries.past_calls(event)[0].pairing == pairing
    assert fresh(event).version == version, "a call must not change public pages"


def test_only_the_caller_withdraws_a_call(event: Tournament, pairing: Pairing):
    caller, opponent = player_at(pairing, 1), player_at(pairing, 2)
    calls.raise_call(pairing, caller)

    with pytest.raises(calls.NotYourCall):
        calls.withdraw(pairing, opponent)
    calls.withdraw(pairing, caller)
    calls.withdraw(pairing, caller)

    assert judging_queries.open_calls(event) == []
    assert event.log.filter(action="judge call withdrawn").count() == 1
    typed = calls.raise_call(pairing, owner_of(event), "They came to the desk")
    assert (typed.user, typed.player) == (owner_of(event).user, None)
    with pytest.raises(calls.NotYourCall):
        calls.withdraw(pairing, caller)


def test_call_at_a_draft_or_in_a_closed_round_is_refused():
    event = make_event(players=4)
    play_round(event)
    closed = tables_of(event.stages.get().rounds.get())[0]
    draft = tables_of(draft_round(event))[0]

    for pairing in (closed, draft):
        with pytest.raises(calls.NoCallNow):
            calls.raise_call(pairing, owner_of(event))


def test_re_paired_table_has_no_calls(event: Tournament, round_: Round):
    pairing, player = tables_of(round_)[0], player_at(tables_of(round_)[0], 1)
    call = calls.raise_call(pairing, player)
    clear_pairings([pairing])

    with pytest.raises(calls.NoCallNow, match="re-paired"):
        calls.raise_call(pairing, player)
    with pytest.raises(calls.CallIsOver, match="re-paired"):
        calls.take(event, call, judge_of(event))


ANSWER_NO = CallAnswer("No.")


def answer_call(
    event: Tournament, pairing: Pairing, judge: Actor, answer: CallAnswer = ANSWER_NO
) -> JudgeCall:
    call = calls.raise_call(pairing, player_at(pairing, 1))
    return calls.answer(event, call, judge, answer)


def test_escalated_call_is_for_head_judges_only(event: Tournament, pairing: Pairing):
    call, judge = calls.raise_call(pairing, player_at(pairing, 1)), judge_of(event)
    calls.take(event, call, judge)
    calls.escalate(event, call, judge, "Third time at this table")
    calls.escalate(event, call, judge_of(event))

    for service in (calls.take, calls.answer):
        with pytest.raises(calls.HeadJudgeOnly):
            service(event, call, judge)
    calls.take(event, call, judge_of(event, "head_judge"))

    assert [note.text for note in rulings_queries.notes_of(call.match)] == [
        "Third time at this table"
    ]
    (line,) = judging_queries.open_calls(event)
    assert (line.call.for_head_judge, line.call.escalated_by) == (True, judge.user)


def test_judge_returns_their_own_call_and_head_judge_any_call(event: Tournament, pairing: Pairing):
    call, judge, second_judge = (
        calls.raise_call(pairing, player_at(pairing, 1)),
        judge_of(event),
        judge_of(event),
    )
    calls.take(event, call, judge)

    for service in (calls.give_back, calls.escalate):
        with pytest.raises(calls.NotYourCall, match="has taken this call"):
            service(event, call, second_judge)
    calls.give_back(event, call, judge)
    calls.give_back(event, call, judge)
    calls.take(event, call, second_judge)
    assert event.log.filter(action="judge call given back").count() == 1

    calls.give_back(event, call, judge_of(event, "head_judge"))
    (line,) = judging_queries.open_calls(event)
    assert (line.call.taken_by, line.call.taken_at) == (None, None)


def test_player_appeals_to_the_head_judge(event: Tournament, pairing: Pairing):
    first = answer_call(event, pairing, judge_of(event))

    appeal = calls.appeal(event, first, player_at(pairing, 2), " It says may ")
    calls.answer(
        event, appeal, judge_of(event, "head_judge"), CallAnswer("It does.", overturned=False)
    )

    assert (appeal.player, appeal.appeals) == (player_at(pairing, 2).player, first)
    assert appeal.for_head_judge
    assert event.log.filter(action="judge call appealed", reason="It says may").count() == 1
    for over in (first, appeal):
        with pytest.raises(calls.CannotAppeal):
            calls.appeal(event, over, player_at(pairing, 1))


def test_staff_appeal_for_a_player(event: Tournament, pairing: Pairing):
    first, judge = answer_call(event, pairing, judge_of(event)), judge_of(event)

    appeal = calls.appeal(event, first, judge)

    assert (appeal.player, appeal.user) == (None, judge.user)


def test_appeal_after_the_result_is_refused(event: Tournament, pairing: Pairing):
    first = answer_call(event, pairing, judge_of(event))
    enter_result(pairing, games_for(pairing))

    with pytest.raises(calls.CannotAppeal, match="too late"):
        calls.appeal(event, first, player_at(pairing, 1))


def test_invalid_minutes_leave_the_call_open(event: Tournament, pairing: Pairing):
    rounds_services.add_table_minutes(pairing, 50, owner_of(event))
    call = calls.raise_call(pairing, player_at(pairing, 1))

    with pytest.raises(rounds_services.OutOfMeasure):
        calls.answer(event, call, judge_of(event), CallAnswer("No.", minutes=20))

    assert [line.call for line in judging_queries.open_calls(event)] == [call]
    assert list(rulings_queries.notes_of(call.match)) == []


def test_call_is_answered_without_minutes_after_the_round(event: Tournament, round_: Round):
    tables = tables_of(round_)
    call, judge = calls.raise_call(tables[0], player_at(tables[0], 1)), judge_of(event)
    for table in tables:
        enter_result(table, games_for(table))
    close_round(round_)

    with pytest.raises(rounds_services.WrongState):
        calls.answer(event, call, judge, CallAnswer("Too late", minutes=2))
    calls.answer(event, call, judge, CallAnswer("Too late"))

    assert judging_queries.open_calls(event) == []


def test_time_for_a_call_has_a_translated_reason(event: Tournament, pairing: Pairing):
    answer_call(event, pairing, judge_of(event), CallAnswer("Two cards were missing", minutes=2))

    entry = event.log.get(action="table given time")
    assert entry.shown_reason == "A judge was called to the table."
    with translation.override("de"):
        assert entry.shown_reason == "Ein Judge wurde an den Tisch gerufen."


def test_answer_is_undone_in_the_log(event: Tournament, pairing: Pairing):
    judge = judge_of(event)
    answer_call(event, pairing, judge, CallAnswer("Wrong table", minutes=2))
    entry = event.log.get(action="judge call answered")

    undo_services.undo(entry, judge)

    (line,) = judging_queries.open_calls(event)
    assert (line.call.answer, line.call.minutes) == ("", 0)
    pairing.refresh_from_db()
    assert pairing.extra_minutes == 2


def test_appealed_answer_cannot_be_undone(event: Tournament, pairing: Pairing):
    judge = judge_of(event)
    first = answer_call(event, pairing, judge)
    calls.appeal(event, first, player_at(pairing, 1))

    with pytest.raises(CannotUndo):
        undo_services.undo(event.log.get(action="judge call answered"), judge)


def test_undo_of_taking_releases_the_call(event: Tournament, pairing: Pairing):
    call, judge = calls.raise_call(pairing, player_at(pairing, 1)), judge_of(event)
    calls.take(event, call, judge)

    undo_services.undo(event.log.get(action="judge call taken"), judge)

    assert judging_queries.open_calls(event)[0].call.taken_by is None


def test_past_calls_are_found_by_round_judge_and_kind(event: Tournament, pairing: Pairing):
    judge, head = judge_of(event), judge_of(event, "head_judge")
    first = answer_call(event, pairing, judge)
    appeal = calls.appeal(event, first, player_at(pairing, 1))
    calls.answer(event, appeal, head)
    withdrawn = calls.raise_call(pairing, player_at(pairing, 1))
    calls.withdraw(pairing, player_at(pairing, 1))

    def numbers_found(**filters):
        return [line.call for line in judging_queries.past_calls(event, **filters)]

    assert numbers_found() == [withdrawn, appeal, first]
    assert numbers_found(judges=[judge.user.pk]) == [first]
    assert numbers_found(kind="appeal") == [appeal]
    assert numbers_found(kind="escalated") == []
    assert numbers_found(round_number=2) == []
    assert judging_queries.rounds_with_calls(event) == [1]
    assert judging_queries.judges_of_calls(event) == sorted(
        (judge.user, head.user), key=lambda user: user.username
    )


def test_earlier_calls_of_the_players_are_listed(event: Tournament):
    tables = tables_of(event.stages.get().rounds.get())
    first, second = (calls.raise_call(table, owner_of(event)) for table in tables)

    assert judging_queries.previous_calls(event, first) == []
    calls.answer(event, first, owner_of(event))
    again = calls.raise_call(tables[0], owner_of(event))

    assert [line.call for line in judging_queries.previous_calls(event, again)] == [first]
    assert second not in [line.call for line in judging_queries.previous_calls(event, again)]


def test_table_has_one_open_call_at_a_time(event: Tournament, pairing: Pairing):
    player, judge = player_at(pairing, 1), judge_of(event)
    first = calls.raise_call(pairing, player, " Timing ")
    second = calls.raise_call(pairing, player, "Something else")
    with pytest.raises(calls.CannotAppeal, match="no answer"):
        calls.appeal(event, first, player)
    calls.answer(event, first, judge, CallAnswer(" Access first. "))
    third = calls.raise_call(pairing, player)

    assert second == first != third
    assert first.about == "Timing"
    assert JudgeCall.objects.get(pk=first.pk).answer == "Access first."
    assert event.log.filter(action="judge called").count() == 2
    with pytest.raises(calls.CannotAppeal, match="already been called to this table"):
        calls.appeal(event, first, player)
    with pytest.raises(calls.CallIsOver, match="called a judge again"):
        calls.reopen(event, first, judge)


def test_call_is_taken_by_a_single_judge(event: Tournament, pairing: Pairing):
    call, judge = calls.raise_call(pairing, player_at(pairing, 1)), judge_of(event)
    calls.take(event, call, judge)
    taken_at = JudgeCall.objects.get(pk=call.pk).taken_at
    calls.take(event, call, judge)

    with pytest.raises(calls.CallIsTaken, match=f"{judge.user} has taken this call"):
        calls.take(event, call, judge_of(event))

    assert JudgeCall.objects.get(pk=call.pk).taken_at == taken_at
    assert event.log.filter(action="judge call taken").count() == 1


def test_answered_call_cannot_be_changed(event: Tournament, pairing: Pairing):
    judge = judge_of(event)
    call = answer_call(event, pairing, judge)

    calls.withdraw(pairing, player_at(pairing, 1))
    for service in (calls.take, calls.answer, calls.escalate):
        with pytest.raises(calls.CallIsOver, match=f"{judge.user} has already answered"):
            service(event, call, judge)
    call.refresh_from_db()
    assert (call.withdrawn_at, call.for_head_judge, call.answer) == (None, False, "No.")


def test_withdrawn_call_cannot_be_taken(event: Tournament, pairing: Pairing):
    call, judge = calls.raise_call(pairing, player_at(pairing, 1)), judge_of(event)
    calls.withdraw(pairing, player_at(pairing, 1))

    for service in (calls.take, calls.answer, calls.escalate):
        with pytest.raises(calls.CallIsOver, match="cancelled"):
            service(event, call, judge)


def test_only_an_answer_to_an_appeal_overturns_a_ruling(event: Tournament, pairing: Pairing):
    call = answer_call(event, pairing, judge_of(event), CallAnswer("Yes.", overturned=True))

    assert call.overturned is None
