"""Usernames are only shown to their owners and to the staff of their events."""

import pytest
from django.test import Client

from players import services as players
from players.models import User
from tests.factories.sessions import logged_in
from tests.factories.tournaments import (
    add_staff,
    make_event,
    make_user,
    owner_of,
    play_round,
    player_number,
    start_round,
    tables_of,
)
from tests.tournaments.crawling import addresses
from tests.tournaments.pages import url
from tournaments.event.permissions import Actor
from tournaments.judging import calls
from tournaments.models import Tournament

USERNAMES = ("olga-logs-in", "jude-logs-in", "pia-logs-in")


@pytest.fixture
def event(db: None) -> Tournament:
    owner = make_user("olga-logs-in")
    players.create_player("Olga", user=owner)
    event = make_event(4, owner=owner)
    judge = add_staff(event, "judge", "jude-logs-in")
    players.create_player("Jude", user=judge)
    players.link_guest(player_number(event, 1).player, make_user("pia-logs-in"))
    play_round(event)
    pairing = tables_of(start_round(event))[0]
    call = calls.raise_call(pairing, owner_of(event), "A question")
    calls.take(event, call, Actor(user=judge))
    return event


@pytest.fixture
def reader(event: Tournament) -> Client:
    """Return the account of a player at table 1, to which a judge is on the way."""
    seat = tables_of(event.stages.get().rounds.get(number=2))[0].match.seats.first()
    account = seat.player.user or make_user("reader-logs-in")
    if seat.player.user is None:
        players.link_guest(seat.player, account)
    return logged_in(account)


def test_no_page_contains_the_username_of_another_person(event: Tournament, reader: Client):
    own = User.objects.get(pk=reader.session["_auth_user_id"]).username

    shown = {
        (address, login)
        for address in addresses(event, 2)
        for login in USERNAMES
        if login != own and login.encode() in reader.get(address).content
    }

    assert shown == set()


def test_staff_are_listed_only_by_player_name(event: Tournament):
    add_staff(event, "streamer", "sam-logs-in")

    page = Client().get(url("event", event)).content.decode()

    assert "Olga" in page
    assert "Jude" in page
    assert "sam-logs-in" not in page
    assert "streamer" not in page.casefold()


def test_player_sees_the_name_of_the_judge_on_the_way(event: Tournament, reader: Client):
    page = reader.get(url("my_event", event)).content.decode()

    assert "Jude" in page
