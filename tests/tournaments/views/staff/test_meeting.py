"""Pages of the player meeting."""

import pytest
from django.test import Client

from players.models import User
from tests.factories.tournaments import draft_round, fresh, make_event, owner_of, player_number
from tests.tournaments.views.cast import browser_of
from tests.tournaments.views.pages import url
from tournaments.models import Tournament
from tournaments.services import meeting, rounds


@pytest.fixture
def event(owner: User) -> Tournament:
    return make_event(players=5, owner=owner)


def test_the_organiser_seats_the_players_and_everybody_finds_their_table(
    event: Tournament, desk: Client, client: Client
):
    assert "No player meeting now" in client.get(url("meeting", event)).text

    answer = desk.post(url("meeting_seat", event), {"seats": "4"}, follow=True)

    assert "5 players are seated" in answer.text
    lines = client.get(url("meeting", event)).context["lines"]
    assert [(line.name, line.table) for line in lines][-2:] == [("Di", 1), ("Ed", 2)]


def test_a_player_reads_the_own_table_first(event: Tournament):
    meeting.seat(event, owner_of(event), seats=2)

    page = browser_of("player", event, player_number(event, 5)).get(url("meeting", event)).text

    assert "You sit at <strong>table 3</strong>" in page


def test_an_odd_number_of_seats_is_asked_again(event: Tournament, desk: Client):
    assert desk.post(url("meeting_seat", event), {"seats": "3"}).status_code == 422
    assert fresh(event).meeting_seats is None


def test_seats_are_cleared_on_the_same_page(event: Tournament, desk: Client):
    meeting.seat(event, owner_of(event), seats=2)

    page = desk.post(url("meeting_clear", event), follow=True).text

    assert "Nobody is seated" in page
    assert fresh(event).meeting_seats is None


def test_once_round_1_is_published_the_pages_point_to_the_pairings(
    event: Tournament, desk: Client, client: Client
):
    meeting.seat(event, owner_of(event), seats=2)
    rounds.publish(draft_round(event), owner_of(event))

    assert "No player meeting now" in client.get(url("meeting", event)).text
    assert "Round 1 is published" in desk.get(url("meeting_desk", event)).text
    refused = desk.post(url("meeting_seat", event), {"seats": "2"}, follow=True)
    assert "its tables are where the players sit" in refused.text
