"""Somebody is missed at a table: on the phones of the table, and behind the desk."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from players.models import User
from tests.factories.sessions import logged_in
from tests.factories.tournaments import (
    make_event,
    make_user,
    owner_of,
    player_number,
    start_round,
    table,
)
from tests.tournaments.views.pages import url
from tournaments import queries
from tournaments.models import Pairing, Registration, Round, Tournament
from tournaments.services import absences
from tournaments.sheets import arriving
from tournaments.sheets.arriving import seated
from tournaments.sheets.round_lines import round_lines

PhoneOf = Callable[[Registration], Client]


@pytest.fixture
def owner() -> User:
    return make_user("olga")


@pytest.fixture
def desk(owner: User) -> Client:
    return logged_in(owner)


@pytest.fixture
def pairing(owner: User) -> Pairing:
    event = make_event(players=4, owner=owner, no_show_minutes=10)
    return table(start_round(event), 1)


def door_list(event: Tournament, round_: Round | None = None) -> arriving.DoorList:
    return arriving.at_desk(event, round_, queries.count_by_state(event))


def address(pairing: Pairing, name: str) -> str:
    slug = pairing.round.stage.tournament.slug
    return reverse(f"tournaments:{name}", args=[slug, pairing.round.number, pairing.table_number])


def event_of(pairing: Pairing) -> Tournament:
    return pairing.round.stage.tournament


def test_the_opponent_says_so_and_the_missing_player_answers(pairing: Pairing, phone_of: PhoneOf):
    here, gone = seated(pairing)

    phone_of(here).post(address(pairing, "missing"), {"player": gone.number})
    told = arriving.on_the_phone(gone, pairing.round, round_lines(gone)[0])
    assert (told.i_am_missed, told.table, told.decided_after) == (True, 1, 10)
    seen = arriving.on_the_phone(here, pairing.round, round_lines(here)[0])
    assert [(one.number, one.is_missed) for one in seen.opponents] == [(gone.number, True)]

    phone_of(gone).post(address(pairing, "came"), {"player": gone.number})
    assert not pairing.absences.exists()


def test_players_of_other_tables_say_nothing_here(pairing: Pairing, phone_of: PhoneOf):
    _, gone = seated(pairing)
    elsewhere = seated(table(pairing.round, 2))[0]

    for name in ("missing", "came"):
        answer = phone_of(elsewhere).post(address(pairing, name), {"player": gone.number})
        assert answer.status_code == 403
    answer = phone_of(gone).post(address(pairing, "missing"), {"player": elsewhere.number})
    assert answer.status_code == 302

    assert not event_of(pairing).log.filter(action="player missed").exists()


def test_staff_tell_it_take_it_back_and_decide(desk: Client, pairing: Pairing):
    here, gone = seated(pairing)
    page = desk.get(address(pairing, "absences")).content.decode()
    assert page.count("Is not here") == 2

    page = desk.post(
        address(pairing, "missing"), {"player": gone.number}, follow=True
    ).content.decode()
    assert "Has come" in page
    assert "run for 10 minutes" in page
    at_desk = door_list(event_of(pairing), pairing.round)
    assert [(line.table, line.missed) for line in at_desk.missed] == [(1, (gone,))]

    desk.post(address(pairing, "no_show"))

    assert not player_number(event_of(pairing), gone.number).is_active
    assert player_number(event_of(pairing), here.number).is_active
    page = desk.get(address(pairing, "absences")).content.decode()
    assert "nobody can be missed here" in page
    again = desk.post(address(pairing, "no_show"), follow=True).content.decode()
    assert "Nobody is missed at table 1 any more" in again


@pytest.mark.parametrize("player", ["", "x", "99", "9" * 30])
def test_nonsense_is_refused(desk: Client, pairing: Pairing, player: str):
    answer = desk.post(address(pairing, "missing"), {"player": player}, follow=True)

    assert "Choose one of the players at table 1" in answer.content.decode()


def test_who_was_counted_out_stands_at_the_desk_with_one_tap_back(desk: Client, pairing: Pairing):
    _, gone = seated(pairing)
    absences.tell(pairing, gone, owner_of(event_of(pairing)))
    absences.decide(pairing, owner_of(event_of(pairing)))
    event = event_of(pairing)
    assert [one.number for one in door_list(event).left_behind] == [gone.number]

    back = url("return", event, gone.number)
    answer = desk.post(back, {"next": "desk"})

    assert answer["Location"] == url("desk", event)
    assert not door_list(event)
