"""The five places of the desk: their order and what waits in each."""

from django.test import Client

from players.models import User
from tests.factories.penalties import penalise
from tests.factories.submissions import submit
from tests.factories.tournaments import (
    add_players,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    table,
)
from tests.tournaments.cast import browser_of
from tests.tournaments.pages import path, place_at
from tournaments.decklists import deck_checks
from tournaments.judging import calls

TITLES = ["Players", "Rounds", "Standings and cut", "Judges", "Event"]


def test_there_are_five_in_one_order_at_any_time(desk: Client, owner: User):
    event = make_event(players=0, owner=owner)
    before = desk.get(path(event)).context["places"]
    add_players(event, 4)
    play_round(event)
    after = desk.get(path(event)).context["places"]

    assert [place.title for place in before] == [place.title for place in after] == TITLES
    assert [place.counts[0] for place in before] == [
        "no players yet",
        "not started",
        "no round closed",
        "no call open",
        "registration open",
    ]
    assert [place.counts[0] for place in after[:3]] == [
        "4 of 4 playing",
        "round 1: closed",
        "after round 1",
    ]


def test_each_leads_to_what_lies_in_it(desk: Client, owner: User):
    page = desk.get(path(make_event(players=4, owner=owner)))

    for place in page.context["places"]:
        assert f'href="#place-{place.id}"' in page.text
        assert f'id="place-{place.id}"' in page.text


def test_judges_see_calls_decks_to_check_and_penalties_and_a_scorekeeper_calls_alone(
    desk: Client, owner: User
):
    event = make_event(players=4, owner=owner, game="anr")
    round_ = start_round(event)
    submit(player_number(event, 1))
    deck_checks.draw_tables(round_, owner_of(event), 2)
    penalise(player_number(event, 1))
    calls.raise_call(table(round_, 1), owner_of(event), "What?")

    scorekeeper = browser_of("scorekeeper", event, player_number(event, 1))

    assert place_at(desk.get(path(event)), "judges").counts == (
        "1 call open",
        "1 deck to check",
        "1 penalty",
    )
    assert place_at(scorekeeper.get(path(event)), "judges").counts == ("1 call open",)


def test_open_tables_and_players_to_check_in_are_counted(desk: Client, owner: User):
    event = make_event(players=4, owner=owner)
    start_round(event)
    add_players(event, 1, checked_in=False)

    players, rounds, *_ = desk.get(path(event)).context["places"]

    assert players.counts == ("4 of 5 playing", "1 to check in")
    assert rounds.counts == ("round 1: 2 tables open",)
