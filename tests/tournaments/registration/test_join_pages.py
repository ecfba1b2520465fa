"""Joining by code: known players, guests, wrong and closed codes."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from core.rate_limits import MANY_TRIES, WRONG_TRIES
from players.models import Player
from players.services import create_player
from tests.factories.tournaments import fresh, make_event, make_user, owner_of, player_number
from tests.tournaments.pages import url
from tournaments.models import Tournament
from tournaments.registration import guests, services


def make_scene() -> Tournament:
    return make_event(players=2)


def join_url(event: Tournament) -> str:
    return reverse("tournaments:join_code", args=[event.join_code])


def mine(event: Tournament) -> str:
    return url("my_event", event)


def test_a_typed_code_leads_to_the_event(client, event):
    typed = f" {event.join_code[:3].lower()}-{event.join_code[3:].lower()} "

    response = client.get(reverse("tournaments:join"), {"code": typed}, follow=True)

    assert response.status_code == 200
    assert "Spring Run" in response.text


def test_a_guest_joins_by_name_and_sees_the_own_page(client, event):
    response = client.post(join_url(event), {"name": "Zoe", "pronouns": "she/her"})

    assert "Welcome" in response.text
    player = Player.objects.get(name="Zoe")
    assert fresh(event).registrations.filter(player=player).count() == 1
    page = client.get(mine(event))
    assert page.status_code == 200
    assert "Zoe" in page.text


def test_the_link_of_a_new_guest_works_on_another_device(client, event):
    link = client.post(join_url(event), {"name": "Zoe"}).context["link"]

    other = Client()
    other.get(link)
    other.post(reverse("players:claim_confirm"))

    assert other.get(mine(event)).status_code == 200
    assert client.get(mine(event)).status_code == 200


def test_a_join_ends_what_was_known_of_the_session(client, event):
    client.get(join_url(event))
    session = client.session
    session["x"] = 1
    session.save()
    before = client.session.session_key

    client.post(join_url(event), {"name": "Zoe"})

    assert client.session.session_key != before


def test_a_returning_guest_joins_with_one_button(event, phone_of):
    other = make_event(name="Other Run", players=1)
    client = phone_of(player_number(other, 1))

    page = client.get(join_url(event))
    response = client.post(join_url(event))

    assert 'name="name"' not in page.text
    assert response["Location"] == mine(event)
    assert fresh(event).registrations.count() == 3


def test_an_account_with_a_player_joins_with_one_button(client, event):
    user = make_user()
    player = create_player("Zoe", user=user)
    client.force_login(user)

    client.post(join_url(event))

    assert fresh(event).registrations.filter(player=player).exists()


def test_an_account_without_a_player_gives_its_name(client, event):
    user = make_user()
    client.force_login(user)

    response = client.post(join_url(event), {"name": "Zoe"})

    assert response["Location"] == mine(event)
    assert Player.objects.get(name="Zoe").user == user


def test_joining_twice_leads_to_the_same_place(client, event):
    client.post(join_url(event), {"name": "Zoe"})

    response = client.post(join_url(event), {"name": "Zoe"})

    assert response["Location"] == mine(event)
    assert fresh(event).registrations.count() == 3


@pytest.mark.parametrize("name", ["\uff21da", "\u0410da"])
def test_a_name_on_the_list_or_one_that_looks_so_is_asked_about_once(client, event, name):
    asked = client.post(join_url(event), {"name": name})
    again = client.post(join_url(event), {"name": name, "is_another": "on"})

    assert "Ada is on the list already" in asked.text
    assert "Welcome" in again.text
    assert fresh(event).registrations.count() == 3


def test_a_second_tap_on_join_makes_no_second_guest(client, event):
    first_tap: list[str] = ["Zoe"]

    def tap(execute: Any, sql: str, *rest: Any) -> Any:
        # The form has found the name free, and the change begins.
        if sql.startswith("SAVEPOINT") and first_tap:
            services.register_guest(event, first_tap.pop())
        return execute(sql, *rest)

    with connection.execute_wrapper(tap):
        answer = client.post(join_url(event), {"name": "Zoe"}, follow=True)

    assert "Zoe is on the list already. If you have just joined, you are in." in answer.text
    assert fresh(event).registrations.filter(player__name="Zoe").count() == 1


@pytest.mark.parametrize("name", ["", "   ", "\u202eevil", "x" * 101, "gus@x.org"])
def test_a_name_that_cannot_be_used_comes_back_with_the_reason(client, event, name):
    response = client.post(join_url(event), {"name": name})

    assert response.status_code == 200
    assert response.context["form"].errors["name"]
    assert fresh(event).registrations.count() == 2


@pytest.mark.parametrize("code", ["ZZZZZZ", "x", "\u00e9\u00e9", "A" * 300, "' OR 1=1"])
def test_a_wrong_code_is_refused_clearly(client, code):
    response = client.get(reverse("tournaments:join_code", args=[code]))

    assert response.status_code == 404
    assert "No event has this code" in response.text


def test_a_closed_event_says_so(client, event):
    Tournament.objects.update(registration_is_open=False)

    page = client.get(join_url(event))
    client.post(join_url(event), {"name": "Zoe"})

    assert "Registration is closed" in page.text
    assert fresh(event).registrations.count() == 2


def test_a_closed_private_event_looks_like_no_event(client, event):
    Tournament.objects.update(registration_is_open=False, visibility="private")

    response = client.get(join_url(event))

    assert response.status_code == 404
    assert "Spring Run" not in response.text


def test_the_code_of_a_private_event_invites(client, event):
    Tournament.objects.update(visibility="private")

    client.post(join_url(event), {"name": "Zoe"})

    assert client.get(mine(event)).status_code == 200


WRONG = "/join/ZZZZZZ/"


@pytest.mark.check(21)
@pytest.mark.usefixtures("own_clock")
def test_a_player_with_many_wrong_codes_has_one_try_a_second(event, phone_of, time_machine):
    time_machine.move_to("2026-05-02T10:00:00Z", tick=False)
    guesser = phone_of(player_number(event, 1))

    tries = [guesser.get(WRONG).status_code for _ in range(WRONG_TRIES + 2)]
    refused = guesser.get(join_url(event))
    beside = Client().get(WRONG).status_code
    time_machine.shift(1)

    assert tries == [404] * (WRONG_TRIES + 1) + [429]
    # The code is right, and nobody has looked.
    assert (refused.status_code, refused["Retry-After"]) == (429, "1")
    assert beside == 404
    assert guesser.get(join_url(event)).status_code == 302


@pytest.mark.check(21)
@pytest.mark.usefixtures("own_clock")
def test_many_wrong_codes_slow_an_address_and_close_nothing(event, phone_of, time_machine):
    time_machine.move_to("2026-05-02T10:00:00Z", tick=False)
    phone, right = phone_of(player_number(event, 1)), join_url(event)
    for _ in range(MANY_TRIES + 1):
        assert Client().get(WRONG).status_code == 404

    made_up, new_session = Client(), Client()
    made_up.cookies["sessionid"] = "a" * 32
    link = guests.issue_claim_link(player_number(event, 2), owner_of(event))
    new_session.get(f"/claim/{link}/")
    assert new_session.session.session_key
    refused = [one.get(right).status_code for one in (Client(), made_up, new_session)]
    elsewhere = Client(REMOTE_ADDR="10.0.0.2").get(right).status_code
    known = phone.get(WRONG).status_code

    assert (refused, elsewhere, known) == ([429, 429, 429], 200, 404)
    time_machine.shift(1)
    # From then on the code is known to be that of the hall.
    assert [Client().get(right).status_code for _ in range(3)] == [200] * 3
    assert Client().get(WRONG).status_code == 429


def test_the_join_pages_are_kept_nowhere(client, event):
    assert "no-store" in client.get(join_url(event))["Cache-Control"]
    joined = client.post(join_url(event), {"name": "Zoe"})
    assert "no-store" in joined["Cache-Control"]
