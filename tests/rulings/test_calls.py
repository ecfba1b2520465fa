"""Judge calls: one open call a table, one judge on the way, one answer."""

import pytest

from matches.models import Match
from rulings import services
from rulings.models import JudgeCall
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
    services.answer(first, judge, " Access first. ")

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
        services.answer(call, judge, "twice")


def test_a_withdrawn_call_cannot_be_taken(match: Match):
    call, _ = services.raise_call(match)
    withdrawn_at = services.withdraw(call).withdrawn_at

    assert services.withdraw(call).withdrawn_at == withdrawn_at
    with pytest.raises(services.CallIsOver, match="withdrawn"):
        services.take(call, make_user())
