"""The five sections of the desk and their counts."""

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


def test_sections_keep_their_order_and_lead_to_their_links(desk: Client, owner: User):
    event = make_event(players=0, owner=owner)
    page = desk.get(path(event))
    before = page.context["places"]
    add_players(event, 4)
    play_round(event)
    after = desk.get(path(event)).context["places"]

    for place in before:
        assert f'href="#place-{place.id}"' in page.text
        assert f'id="place-{place.id}"' in page.text
    assert [place.title for place in before] == [place.title for place in after] == TITLES
    assert [place.counts[0] for place in before] == [
        "no players yet",
        "not started",
        "no round closed",
        "no call open",
        "registration is open",
    ]
    assert [place.counts[0] for place in after[:3]] == [
        "4 of 4 playing",
        "round 1: closed",
        "after round 1",
    ]


def test_scorekeeper_sees_no_penalties_or_deck_checks(desk: Client, owner: User):
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
