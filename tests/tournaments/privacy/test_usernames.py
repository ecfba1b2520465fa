"""Usernames are half of a login: only their owners and the staff of their events read them."""

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

LOGINS = ("olga-logs-in", "jude-logs-in", "pia-logs-in")


@pytest.fixture
def event(db: None) -> Tournament:
    """A running round in which a judge has taken a call at table 1; Pia has an account."""
    event = make_event(4, owner=_account("olga-logs-in", "Olga"))
    judge = add_staff(event, "judge", "jude-logs-in")
    players.create_player("Jude", user=judge)
    players.link_guest(player_number(event, 1).player, make_user("pia-logs-in"))
    play_round(event)
    pairing = tables_of(start_round(event))[0]
    call = calls.raise_call(pairing, owner_of(event), "A question")
    calls.take(event, call, Actor(user=judge))
    return event


def _account(username: str, name: str) -> User:
    user = make_user(username)
    players.create_player(name, user=user)
    return user


@pytest.fixture
def reader(event: Tournament) -> Client:
    """An account that plays at table 1, where the judge goes."""
    seat = tables_of(event.stages.get().rounds.get(number=2))[0].match.seats.first()
    account = seat.player.user or make_user("reader-logs-in")
    if seat.player.user is None:
        players.link_guest(seat.player, account)
    return logged_in(account)


def test_no_answer_holds_the_username_of_another_person(event: Tournament, reader: Client):
    own = User.objects.get(pk=reader.session["_auth_user_id"]).username

    shown = {
        (address, login)
        for address in addresses(event, 2)
        for login in LOGINS
        if login != own and login.encode() in reader.get(address).content
    }

    assert shown == set()


def test_staff_is_listed_by_the_names_of_their_players(event: Tournament):
    page = Client().get(url("event", event)).content.decode()

    assert "Olga" in page
    assert "Jude" in page


def test_player_reads_the_name_of_the_judge_who_is_coming(event: Tournament, reader: Client):
    page = reader.get(url("my_event", event)).content.decode()

    assert "Jude" in page


def test_staff_without_a_name_is_listed_by_role(event: Tournament):
    add_staff(event, "streamer", "sam-logs-in")

    page = Client().get(url("event", event)).content.decode()

    assert "<li>Streamer</li>" in page
