"""Judge calls: one open call a table, one judge on the way, one answer."""

import pytest

from matches.models import Match
from rulings import services
from rulings.models import JudgeCall
from rulings.services import calls
from rulings.services.calls import Answer
from tests.factories.tournaments import make_event, make_user, start_round, tables_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    (pairing, *_) = tables_of(start_round(make_event(players=4)))
    assert pairing.match is not None
    return pairing.match


def test_a_table_has_one_open_call(match: Match):
    first, is_new = services.raise_call(match, about=" Timing ")
    second, is_again_new = services.raise_call(match, about="Something else")

    assert (is_new, is_again_new) == (True, False)
    assert second == first
    assert first.about == "Timing"


def test_after_an_answer_the_table_can_call_again(match: Match):
    judge = make_user()
    first, _ = services.raise_call(match)
    services.answer(first, judge, Answer(" Access first. "))

    second, is_new = services.raise_call(match)

    assert is_new
    assert second != first
    assert JudgeCall.objects.get(pk=first.pk).answer == "Access first."


def test_one_judge_takes_a_call_and_may_take_it_twice(match: Match):
    call, _ = services.raise_call(match)
    judge, other = make_user("head"), make_user("other")
    services.take(call, judge)
    taken_at = services.take(call, judge).taken_at

    with pytest.raises(services.CallIsTaken, match="head has taken this call"):
        services.take(call, other)

    assert JudgeCall.objects.get(pk=call.pk).taken_at == taken_at


def test_an_answered_call_is_over(match: Match):
    judge = make_user("head")
    call, _ = services.raise_call(match)
    services.answer(call, judge)

    for act in (services.withdraw, lambda one: services.take(one, judge)):
        with pytest.raises(services.CallIsOver, match="head has answered"):
            act(call)
    with pytest.raises(services.CallIsOver):
        services.answer(call, judge, Answer("twice"))


def test_a_withdrawn_call_cannot_be_taken(match: Match):
    call, _ = services.raise_call(match)
    withdrawn_at = services.withdraw(call).withdrawn_at

    assert services.withdraw(call).withdrawn_at == withdrawn_at
    with pytest.raises(services.CallIsOver, match="withdrawn"):
        services.take(call, make_user())


def test_a_call_given_back_is_free_for_another(match: Match):
    call, _ = services.raise_call(match)
    services.take(call, make_user("head"))

    free = calls.give_back(call)
    other = make_user("other")

    assert (free.taken_by, free.taken_at) == (None, None)
    assert services.take(call, other).taken_by == other


def test_a_call_left_to_the_head_judge_is_free_again(match: Match):
    call, _ = services.raise_call(match)
    judge = make_user("judge")
    services.take(call, judge)

    left = calls.escalate(call, judge)
    again = calls.escalate(call, make_user("another"))

    assert (left.for_head_judge, left.escalated_by, left.taken_by) == (True, judge, None)
    assert (again.escalated_by, again.escalated_at) == (judge, left.escalated_at)


def test_an_answer_is_appealed_once_and_goes_to_the_head_judge(match: Match):
    first, _ = services.raise_call(match)
    services.answer(first, make_user("judge"))

    appeal = calls.appeal(first, about=" Not so ")
    services.answer(appeal, make_user("head"), Answer("It is.", overturned=True))

    assert (appeal.appeals, appeal.for_head_judge, appeal.about) == (first, True, "Not so")
    assert JudgeCall.objects.get(pk=appeal.pk).overturned is True
    for over in (first, appeal):
        with pytest.raises(calls.CannotAppeal):
            calls.appeal(over)


def test_what_nobody_has_answered_cannot_be_appealed(match: Match):
    call, _ = services.raise_call(match)

    with pytest.raises(calls.CannotAppeal, match="no answer"):
        calls.appeal(call)


def test_no_appeal_while_a_judge_is_called_to_the_table(match: Match):
    first, _ = services.raise_call(match)
    services.answer(first, make_user())
    services.raise_call(match)

    with pytest.raises(calls.CannotAppeal, match="called to this table already"):
        calls.appeal(first)


def test_only_the_answer_to_an_appeal_overturns_anything(match: Match):
    call, _ = services.raise_call(match)

    assert services.answer(call, make_user(), Answer(overturned=True)).overturned is None


def test_an_answer_taken_back_lets_the_call_wait_again(match: Match):
    call, _ = services.raise_call(match)
    services.answer(call, make_user(), Answer("Too early", minutes=3))

    reopened = calls.reopen(call)

    assert reopened.is_open
    assert (reopened.answer, reopened.minutes) == ("", 0)


def test_an_answer_stays_once_the_table_has_called_again(match: Match):
    call, _ = services.raise_call(match)
    services.answer(call, make_user())
    services.raise_call(match)

    with pytest.raises(services.CallIsOver, match="called a judge again"):
        calls.reopen(call)
