"""The roster of a full event and of one that takes nobody new any more."""

import pytest
from django.test import Client

from players.models import User
from players.services import create_player
from tests.factories.tournaments import make_event, player_number, start_round
from tests.tournaments.views.staff.conftest import HTMX, path
from tournaments.actors import Actor
from tournaments.models import LateEntry, Registration, Tournament
from tournaments.services import registrations


def waiting_at(event: Tournament, name: str) -> Registration:
    player = create_player(name)
    return registrations.register(event, player, Actor(player=player))


def page_of(desk: Client, event: Tournament) -> str:
    return desk.get(path(event, "roster/")).content.decode()


@pytest.fixture
def full(owner: User) -> Tournament:
    return make_event(players=2, owner=owner, max_players=2, has_waiting_list=True)


def test_the_roster_counts_who_waits_apart_and_finds_them(desk: Client, full: Tournament):
    waiting_at(full, "Mia")

    page = page_of(desk, full)
    assert "<strong>2 of 2</strong> checked in, 1 on the waiting list." in page
    assert "All 2 places are taken." in page
    found = desk.get(path(full, "roster/?state=waiting")).content.decode()
    assert ("Mia" in found, "player-1" in found) == (True, False)


def test_staff_move_somebody_up_with_a_word(desk: Client, full: Tournament):
    mia = waiting_at(full, "Mia")
    address = path(full, f"roster/{mia.number}/up/")

    refused = desk.post(address, headers=HTMX)
    assert refused.status_code == 409
    assert "Say why Mia" in refused.content.decode()
    desk.post(address, {"reason": "A guest of honour"})

    assert player_number(full, mia.number).state == "registered"


def test_a_join_says_that_one_waits(full: Tournament):
    code = path(full, "").replace(f"events/{full.slug}", f"join/{full.join_code}")
    client = Client()
    assert "Join the waiting list" in client.get(path(full, "")).content.decode()

    page = client.post(code, {"name": "Mia"}).content.decode()

    assert "is full. You are 1st on the waiting list." in page
    me = client.get(path(full, "me/")).content.decode()
    assert "You are 1st on the waiting list" in me
    assert "On the waiting list" in Client().get(path(full, "")).content.decode()
    assert Client().get(path(full, "players/3/")).status_code == 404


def test_a_full_event_without_a_list_says_so_at_its_code(owner: User):
    event = make_event(players=2, owner=owner, max_players=2)

    page = Client().get(f"/join/{event.join_code}/").content.decode()

    assert "The event is full" in page
    assert "all 2 places are taken" in page


@pytest.fixture
def begun(owner: User) -> Tournament:
    event = make_event(players=5, owner=owner, checked_in=False, late_entry=LateEntry.NOBODY)
    here = list(event.registrations.exclude(number=5))
    registrations.check_in(here, Actor(user=owner))
    start_round(event)
    return event


def test_a_late_player_is_let_in_with_a_reason(desk: Client, begun: Tournament):
    assert "Check in late" in page_of(desk, begun)

    refused = desk.post(path(begun, "roster/5/let-in/"), follow=True).content.decode()
    assert "Nobody comes in after round 1" in refused
    desk.post(path(begun, "roster/5/let-in/"), {"reason": "The train"})

    assert player_number(begun, 5).is_active


def test_a_late_name_is_added_with_a_reason(desk: Client, begun: Tournament):
    refused = desk.post(path(begun, "roster/add/"), {"name": "Mia"}, follow=True).content.decode()
    assert "Nobody comes in after round 1" in refused
    assert "Why they come in so late" in refused

    desk.post(path(begun, "roster/add/"), {"name": "Mia", "late_reason": "The train"})
    assert begun.registrations.count() == 6


def test_the_code_of_an_event_that_takes_nobody_new(begun: Tournament):
    Tournament.objects.filter(pk=begun.pk).update(registration_is_open=True)

    page = Client().get(f"/join/{begun.join_code}/").content.decode()

    assert "takes nobody new any more" in page
