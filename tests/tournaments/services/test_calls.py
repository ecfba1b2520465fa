"""Judge calls at an event: who raises them, where, and what the log keeps."""

import pytest

from rulings.services import CallIsOver
from tests.factories.tournaments import (
    add_staff,
    draft_round,
    make_event,
    owner_of,
    play_round,
    start_round,
    tables_of,
)
from tournaments import queries
from tournaments.actors import Actor
from tournaments.drafts.writing import clear_pairings
from tournaments.models import Pairing, Tournament
from tournaments.services import calls

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    return make_event(players=4)


@pytest.fixture
def pairing(event: Tournament) -> Pairing:
    return tables_of(start_round(event))[0]


def player_at(pairing: Pairing, position: int) -> Actor:
    return Actor(player=pairing.match.seats.get(position=position).player)


def judge_of(event: Tournament) -> Actor:
    return Actor(user=add_staff(event, "judge"))


def test_a_player_calls_and_a_judge_answers(event: Tournament, pairing: Pairing):
    call = calls.raise_call(pairing, player_at(pairing, 1), "Which run was it?")
    judge = judge_of(event)
    calls.take(event, call, judge)
    calls.answer(event, call, judge, "The second one.")

    told = list(event.log.filter(action__startswith="judge call").order_by("pk"))
    assert [entry.action for entry in told] == [
        "judge called",
        "judge call taken",
        "judge call answered",
    ]
    assert [entry.reason for entry in told] == ["Which run was it?", "", "The second one."]
    assert queries.open_calls(event) == []
    assert queries.past_calls(event)[0].pairing == pairing


def test_a_second_call_from_the_table_is_the_same_call(event: Tournament, pairing: Pairing):
    first = calls.raise_call(pairing, player_at(pairing, 1))
    second = calls.raise_call(pairing, player_at(pairing, 2))

    assert second == first
    assert event.log.filter(action="judge called").count() == 1


def test_a_call_is_no_news_for_the_public(event: Tournament, pairing: Pairing):
    event.refresh_from_db()
    version = event.version

    calls.raise_call(pairing, player_at(pairing, 1))

    event.refresh_from_db()
    assert event.version == version


def test_only_who_called_takes_the_call_back(event: Tournament, pairing: Pairing):
    caller, opponent = player_at(pairing, 1), player_at(pairing, 2)
    calls.raise_call(pairing, caller)

    with pytest.raises(calls.NotYourCall):
        calls.withdraw(pairing, opponent)
    calls.withdraw(pairing, caller)
    calls.withdraw(pairing, caller)

    assert queries.open_calls(event) == []
    assert event.log.filter(action="judge call withdrawn").count() == 1


def test_a_call_typed_at_the_desk_is_of_the_staff(event: Tournament, pairing: Pairing):
    owner = owner_of(event)

    call = calls.raise_call(pairing, owner, "They came to the desk")

    assert (call.user, call.player) == (owner.user, None)
    with pytest.raises(calls.NotYourCall):
        calls.withdraw(pairing, player_at(pairing, 1))


def test_no_judge_comes_to_a_draft_or_a_closed_round(event: Tournament):
    play_round(event)
    closed = tables_of(event.stages.get().rounds.get())[0]
    draft = tables_of(draft_round(event))[0]

    for pairing in (closed, draft):
        with pytest.raises(calls.NoCallNow):
            calls.raise_call(pairing, owner_of(event))


def test_calls_of_many_tables_are_asked_for_in_a_few_queries(django_assert_max_num_queries):
    event = make_event(players=40)
    for pairing in tables_of(start_round(event)):
        calls.raise_call(pairing, owner_of(event))

    with django_assert_max_num_queries(4):
        lines = queries.open_calls(event)
        names = [seat.player.name for line in lines for seat in line.pairing.match.seats.all()]

    assert len(names) == 40


def test_a_table_that_was_made_anew_calls_nobody_and_gets_nobody(event: Tournament):
    round_ = start_round(event)
    pairing, player = tables_of(round_)[0], player_at(tables_of(round_)[0], 1)
    call = calls.raise_call(pairing, player)
    clear_pairings([pairing])

    with pytest.raises(calls.NoCallNow, match="made anew"):
        calls.raise_call(pairing, player)
    with pytest.raises(CallIsOver, match="made anew"):
        calls.take(event, call, judge_of(event))
