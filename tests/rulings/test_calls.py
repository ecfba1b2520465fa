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


def test_a_table_has_one_open_call_and_another_after_its_answer(match: Match):
    first, is_new = services.raise_call(match, about=" Timing ")
    second, is_again_new = services.raise_call(match, about="Something else")
    with pytest.raises(calls.CannotAppeal, match="no answer"):
        calls.appeal(first)
    services.answer(first, make_user(), Answer(" Access first. "))
    third, is_then_new = services.raise_call(match)

    assert (is_new, is_again_new, is_then_new) == (True, False, True)
    assert second == first != third
    assert first.about == "Timing"
    assert JudgeCall.objects.get(pk=first.pk).answer == "Access first."
    with pytest.raises(calls.CannotAppeal, match="called to this table already"):
        calls.appeal(first)
    with pytest.raises(services.CallIsOver, match="called a judge again"):
        calls.reopen(first)


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


def test_only_the_answer_to_an_appeal_overturns_anything(match: Match):
    call, _ = services.raise_call(match)

    assert services.answer(call, make_user(), Answer(overturned=True)).overturned is None
