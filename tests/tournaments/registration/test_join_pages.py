from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from core.rate_limits import MANY_TRIES, WRONG_TRIES
from players.models import Player
from players.services import create_player
from tests.factories.tournaments import fresh, make_event, make_user, owner_of, player_number
from tests.tournaments.pages import text_of, url
from tournaments.models import Tournament
from tournaments.registration import guests, services


def make_scene() -> Tournament:
    return make_event(players=2)


def join_url(event: Tournament) -> str:
    return reverse("tournaments:join_code", args=[event.join_code])


def my_page_url(event: Tournament) -> str:
    return url("my_event", event)


def test_typed_code_opens_the_event(client, event):
    typed = f" {event.join_code[:3].lower()}-{event.join_code[3:].lower()} "

    response = client.get(reverse("tournaments:join"), {"code": typed}, follow=True)

    assert response.status_code == 200
    assert "Spring Run" in response.text


def test_guest_joins_once_by_name(client, event):
    form = client.get(join_url(event))
    joined = client.post(join_url(event), {"name": "Zoe", "pronouns": "she/her"})
    again = client.post(join_url(event), {"name": "Zoe"})

    assert "Welcome" in joined.text
    assert again["Location"] == my_page_url(event)
    assert fresh(event).registrations.filter(player__name="Zoe").count() == 1
    page = client.get(my_page_url(event))
    assert (page.status_code, "Zoe" in page.text) == (200, True)
    assert "no-store" in form["Cache-Control"]
    assert "no-store" in joined["Cache-Control"]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({}, "requires decklists: submit them on your event page."),
        (
            {"decks_close_at": datetime(2031, 5, 2, 7, 0, tzinfo=UTC)},
            "submit them on your event page by 2 May 2031, 09:00 (Europe/Berlin).",
        ),
        (
            {"decks_locked_at": datetime(2026, 5, 2, 7, 0, tzinfo=UTC)},
            "requires decklists, but they are already locked",
        ),
        ({"decks_required": False}, None),
    ],
)
def test_join_and_welcome_pages_name_the_decks_and_their_deadline(
    client, event, settings, sentence
):
    required = {"decks_required": True, "time_zone": "Europe/Berlin", **settings}
    Tournament.objects.filter(pk=event.pk).update(**required)

    pages = client.get(join_url(event)), client.post(join_url(event), {"name": "Zoe"})

    for page in pages:
        shown = text_of(page)
        assert ("requires decklists" in shown) == (sentence is not None)
        assert sentence is None or sentence in shown


def test_link_of_a_new_guest_works_on_a_second_device(client, event):
    link = client.post(join_url(event), {"name": "Zoe"}).context["link"]

    second_device = Client()
    second_device.get(link)
    second_device.post(reverse("players:claim_confirm"))

    assert second_device.get(my_page_url(event)).status_code == 200
    assert client.get(my_page_url(event)).status_code == 200


def test_join_renews_the_session(client, event):
    client.get(join_url(event))
    session = client.session
    session["x"] = 1
    session.save()
    before = client.session.session_key

    client.post(join_url(event), {"name": "Zoe"})

    assert client.session.session_key != before


@pytest.mark.parametrize("has_account", [False, True])
def test_known_player_joins_with_one_button(client, event, phone_of, has_account):
    if has_account:
        user = make_user()
        create_player("Zoe", user=user)
        client.force_login(user)
    else:
        client = phone_of(player_number(make_event(name="Other Run", players=1), 1))

    page = client.get(join_url(event))
    response = client.post(join_url(event))

    assert 'name="name"' not in page.text
    assert response["Location"] == my_page_url(event)
    assert fresh(event).registrations.count() == 3


def test_account_without_a_player_joins_by_name(client, event):
    user = make_user()
    client.force_login(user)

    response = client.post(join_url(event), {"name": "Zoe"})

    assert response["Location"] == my_page_url(event)
    assert Player.objects.get(name="Zoe").user == user


@pytest.mark.parametrize("name", ["\uff21da", "\u0410da"])
def test_similar_name_must_be_confirmed(client, event, name):
    refused = client.post(join_url(event), {"name": name})
    confirmed = client.post(join_url(event), {"name": name, "is_another": "on"})

    assert refused.text.count("is already registered") == 1
    assert "Welcome" in confirmed.text
    assert fresh(event).registrations.count() == 3


def test_double_click_on_join_adds_one_guest(client, event):
    first_tap: list[str] = ["Zoe"]

    def tap(execute: Any, sql: str, *rest: Any) -> Any:
        # The form has found the name free, and the change begins.
        if sql.startswith("SAVEPOINT") and first_tap:
            services.register_guest(event, first_tap.pop())
        return execute(sql, *rest)

    with connection.execute_wrapper(tap):
        answer = client.post(join_url(event), {"name": "Zoe"}, follow=True)

    assert "Zoe is already registered. If you have just joined, you are in." in answer.text
    assert fresh(event).registrations.filter(player__name="Zoe").count() == 1


@pytest.mark.parametrize("name", ["", "\u202eevil", "x" * 101, "gus@x.org"])
def test_unusable_name_is_refused(client, event, name):
    response = client.post(join_url(event), {"name": name})

    assert response.status_code == 200
    assert response.context["form"].errors["name"]
    assert fresh(event).registrations.count() == 2


@pytest.mark.parametrize("code", ["ZZZZZZ", "x", "\u00e9\u00e9", "A" * 300, "' OR 1=1"])
def test_wrong_code_is_refused(client, code):
    response = client.get(reverse("tournaments:join_code", args=[code]))

    assert response.status_code == 404
    assert "No event with this code" in response.text


def test_wrong_code_is_named_once_and_can_be_corrected(client):
    response = client.get(reverse("tournaments:join_code", args=["zzzzz2"]))

    assert text_of(response).count("ZZZZZ2") == 1
    assert 'value="ZZZZZ2"' in response.text


def test_closed_event_refuses_new_players(client, event):
    Tournament.objects.update(registration_is_open=False)

    page = client.get(join_url(event))
    client.post(join_url(event), {"name": "Zoe"})

    assert "Registration is closed" in page.text
    assert fresh(event).registrations.count() == 2


def test_closed_private_event_looks_like_a_wrong_code(client, event):
    Tournament.objects.update(registration_is_open=False, visibility="private")

    response = client.get(join_url(event))

    assert response.status_code == 404
    assert "Spring Run" not in response.text


def test_code_of_a_private_event_admits_players(client, event):
    Tournament.objects.update(visibility="private")

    client.post(join_url(event), {"name": "Zoe"})

    assert client.get(my_page_url(event)).status_code == 200


WRONG_CODE = "/join/ZZZZZZ/"


@pytest.mark.check(21)
@pytest.mark.usefixtures("own_clock")
def test_player_with_many_wrong_codes_has_one_try_per_second(event, phone_of, time_machine):
    time_machine.move_to("2026-05-02T10:00:00Z", tick=False)
    guesser = phone_of(player_number(event, 1))

    tries = [guesser.get(WRONG_CODE).status_code for _ in range(WRONG_TRIES + 2)]
    refused = guesser.get(join_url(event))
    beside = Client().get(WRONG_CODE).status_code
    time_machine.shift(1)

    assert tries == [404] * (WRONG_TRIES + 1) + [429]
    # The right code is not even looked up.
    assert (refused.status_code, refused["Retry-After"]) == (429, "1")
    assert beside == 404
    assert guesser.get(join_url(event)).status_code == 302


@pytest.mark.check(21)
@pytest.mark.usefixtures("own_clock")
def test_many_wrong_codes_slow_down_the_address_only(event, phone_of, time_machine):
    time_machine.move_to("2026-05-02T10:00:00Z", tick=False)
    phone, right = phone_of(player_number(event, 1)), join_url(event)
    for _ in range(MANY_TRIES + 1):
        assert Client().get(WRONG_CODE).status_code == 404

    made_up, new_session = Client(), Client()
    made_up.cookies["sessionid"] = "a" * 32
    link = guests.issue_claim_link(player_number(event, 2), owner_of(event))
    new_session.get(f"/claim/{link}/")
    assert new_session.session.session_key
    refused = [browser.get(right).status_code for browser in (Client(), made_up, new_session)]
    other_address = Client(REMOTE_ADDR="10.0.0.2").get(right).status_code
    known = phone.get(WRONG_CODE).status_code

    assert (refused, other_address, known) == ([429, 429, 429], 200, 404)
    time_machine.shift(1)
    # The code is now known to be right at this address.
    assert [Client().get(right).status_code for _ in range(3)] == [200] * 3
    assert Client().get(WRONG_CODE).status_code == 429
