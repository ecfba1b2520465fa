"""The switch for this phone on a player's page."""

import re

import pytest
from django.test import Client

from core import web_push
from tests.core.test_web_push import AUTH, RECEIVER_PUBLIC
from tests.factories.tournaments import make_event, player_number
from tests.tournaments.cast import browser_of
from tests.tournaments.pages import url
from tournaments.integrations.services import phones
from tournaments.models import Announcing, PushSubscription, Tournament

ENDPOINT = "https://push.example/send/secret"
ASKS = {"wanted": "yes", "endpoint": ENDPOINT, "p256dh": RECEIVER_PUBLIC, "auth": AUTH}


@pytest.fixture
def event(settings) -> Tournament:
    settings.PUSH_KEY = web_push.fresh_key()
    settings.PUSH_CONTACT = "mailto:desk@example.org"
    tournament = make_event(players=2)
    desk = browser_of("owner", tournament, player_number(tournament, 1))
    desk.post(url("announcing_save", tournament), {"allows_push": "on"})
    return tournament


@pytest.fixture
def phone(event: Tournament) -> Client:
    return browser_of("player", event, player_number(event, 1))


def test_the_page_offers_it_with_the_public_key_alone(event: Tournament, phone: Client, settings):
    page = phone.get(url("my_news", event)).text

    assert f'data-push="{web_push.public_key(settings.PUSH_KEY)}"' in page
    assert settings.PUSH_KEY not in page
    assert "js/push.js" in page


@pytest.mark.parametrize("lacks", ["key", "leave"])
def test_without_a_key_or_leave_there_is_no_button(
    event: Tournament, phone: Client, settings, lacks: str
):
    if lacks == "key":
        settings.PUSH_KEY = ""
    else:
        Announcing.objects.update(allows_push=False)

    page = phone.get(url("my_news", event)).text
    answer = phone.post(url("my_phone", event), ASKS)

    assert "sends no messages to phones" in page
    assert "Tell this phone" not in page
    assert "push.js" not in page
    assert answer.status_code == 422
    assert not PushSubscription.objects.exists()


def test_a_phone_is_told_and_stopped(event: Tournament, phone: Client):
    page = phone.post(url("my_phone", event), ASKS, follow=True).text

    (mark,) = phones.marks_of(player_number(event, 1))
    assert f'data-phones="{mark}"' in page
    assert "1 phone of yours is told" in page
    assert ENDPOINT not in page

    page = phone.post(url("my_phone", event), {**ASKS, "wanted": "no"}, follow=True).text
    assert 'data-phones=""' in page
    assert "of yours" not in page


def test_all_phones_are_stopped_without_a_script(event: Tournament, phone: Client):
    for number in range(2):
        phone.post(url("my_phone", event), {**ASKS, "endpoint": f"{ENDPOINT}/{number}"})
    assert "2 phones of yours are told" in phone.get(url("my_news", event)).text

    phone.post(url("my_phone", event), {"wanted": "no"})

    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"endpoint": "https://10.0.0.1/x"}, "Only https addresses of a public site"),
        ({"endpoint": "http://push.example/x"}, "Only https addresses of a public site"),
        ({"endpoint": ""}, "Only https addresses of a public site"),
        ({"endpoint": ENDPOINT + "a" * 500}, "too long to keep"),
        ({"p256dh": AUTH}, "keys that do not work"),
        ({"auth": "no"}, "keys that do not work"),
    ],
)
def test_what_no_browser_sends_is_refused_in_words(
    event: Tournament, phone: Client, changes: dict[str, str], words: str
):
    answer = phone.post(url("my_phone", event), ASKS | changes)

    assert answer.status_code == 422
    assert words in answer.text
    assert not PushSubscription.objects.exists()


def test_another_player_can_neither_see_nor_stop_it(event: Tournament, phone: Client):
    phone.post(url("my_phone", event), ASKS)
    other = browser_of("player", event, player_number(event, 2))

    page = other.get(url("my_news", event)).text
    other.post(url("my_phone", event), {"wanted": "no", "endpoint": ENDPOINT})
    other.post(url("my_phone", event), {"wanted": "no"})

    assert "of yours" not in page
    assert 'data-phones=""' in page
    assert player_number(event, 1).phones.count() == 1


def test_the_desk_says_when_the_site_has_no_key(event: Tournament, settings):
    desk = browser_of("owner", event, player_number(event, 1))
    assert "no key for messages" not in desk.get(url("announcing", event)).text

    settings.PUSH_KEY = ""

    page = desk.get(url("announcing", event)).text
    assert "This site has no key for messages to phones yet" in page
    assert re.search(r'name="allows_push"[^>]* checked', page)


def test_switching_it_on_is_in_the_log(event: Tournament):
    entry = event.log.get(action="news set")

    assert (entry.before["allows_push"], entry.after["allows_push"]) == (False, True)
