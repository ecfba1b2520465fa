"""Pages of notifications: settings of the organiser, subscriptions of players."""

import re

import pytest
from django.test import Client

from core import web_push
from core.jobs import JobState
from tests.core.test_web_push import AUTH, RECEIVER_PUBLIC
from tests.factories.tournaments import (
    draft_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    removed_meanwhile,
)
from tests.tournaments.cast import browser_of
from tests.tournaments.pages import FRAGMENT, url
from tournaments.event import services as event_services
from tournaments.integrations import announcements
from tournaments.models import Announcing, JobKind, PushSubscription, Tournament
from tournaments.rounds import services as rounds_services

WEBHOOK = "https://discord.example/api/webhooks/1/very-secret-token"
ENDPOINT = "https://push.example/send/secret"
SUBSCRIPTION = {"wanted": "yes", "endpoint": ENDPOINT, "p256dh": RECEIVER_PUBLIC, "auth": AUTH}


def test_address_is_set_and_never_shown(event: Tournament, desk: Client):
    page = desk.post(url("announcing_save", event), {"webhook": WEBHOOK}, follow=True).text

    assert "discord.example" in page
    assert "very-secret-token" not in page
    assert event_services.notification_settings(event).webhook == WEBHOOK


def test_empty_address_keeps_the_stored_address_until_removed(event: Tournament, desk: Client):
    desk.post(url("announcing_save", event), {"webhook": WEBHOOK})
    desk.post(url("announcing_save", event), {"tells_pairings": "on"})
    assert event_services.notification_settings(event).webhook == WEBHOOK

    desk.post(url("announcing_save", event), {"forgets_webhook": "on"})
    assert event_services.notification_settings(event).webhook == ""


def test_private_address_is_refused_with_advice(event: Tournament, desk: Client):
    answer = desk.post(url("announcing_save", event), {"webhook": "http://192.168.0.1/x"})

    assert answer.status_code == 422
    assert "address that starts with https://" in answer.text


def test_test_message_and_its_failure_are_shown(event: Tournament, desk: Client):
    assert "Enter the address" in desk.post(url("announcing_test", event), follow=True).text
    desk.post(url("announcing_save", event), {"webhook": WEBHOOK})
    assert "Test message sent" in desk.post(url("announcing_test", event), follow=True).text

    event.jobs.filter(kind=JobKind.NOTIFY).update(state=JobState.FAILED, error="It is gone.")
    fragment = desk.get(url("announcing", event), headers=FRAGMENT).text

    assert "It is gone." in fragment
    assert "Try again" in fragment
    assert "<html" not in fragment


def test_texts_to_copy_are_about_the_newest_published_round(event: Tournament, desk: Client):
    play_round(event)
    draft = draft_round(event)
    assert "Round 2" not in desk.get(url("announcing", event)).text
    rounds_services.publish_round(draft, owner_of(event))

    page = desk.get(url("announcing", event)).text

    assert "Round 2: Spring Run\n" in page
    assert "Standings after round 1: Spring Run\n" in page
    assert ">Pairings of round 2</label>" in page


def test_player_cannot_subscribe_to_emails_without_an_account(event: Tournament):
    phone = browser_of("player", event, player_number(event, 1))
    assert "has not switched on emails" in phone.get(url("my_news", event)).text

    announcements.change_announcements(event, owner_of(event), allows_mail=True)
    refused = phone.post(url("my_mail", event), {"wanted": "yes"}, follow=True).text

    assert "need an account with an email address" in refused
    assert not announcements.has_mail_wish(player_number(event, 1))


@pytest.fixture
def push_event(settings) -> Tournament:
    settings.PUSH_KEY = web_push.new_private_key()
    settings.PUSH_CONTACT = "mailto:desk@example.org"
    tournament = make_event(players=2)
    desk = browser_of("owner", tournament, player_number(tournament, 1))
    desk.post(url("announcing_save", tournament), {"allows_push": "on"})
    return tournament


@pytest.fixture
def phone(push_event: Tournament) -> Client:
    return browser_of("player", push_event, player_number(push_event, 1))


def test_page_contains_only_the_public_key(push_event: Tournament, phone: Client, settings):
    page = phone.get(url("my_news", push_event)).text

    assert f'data-push="{web_push.public_key(settings.PUSH_KEY)}"' in page
    assert settings.PUSH_KEY not in page
    assert "js/push.js" in page


@pytest.mark.parametrize("lacks", ["key", "permission"])
def test_without_a_key_or_permission_there_is_no_button(
    push_event: Tournament, phone: Client, settings, lacks: str
):
    if lacks == "key":
        settings.PUSH_KEY = ""
    else:
        Announcing.objects.update(allows_push=False)

    page = phone.get(url("my_news", push_event)).text
    answer = phone.post(url("my_phone", push_event), SUBSCRIPTION)

    assert "has not switched on push notifications" in page
    assert "Notify this phone" not in page
    assert "push.js" not in page
    assert answer.status_code == 422
    assert not PushSubscription.objects.exists()


def test_phone_is_subscribed_and_unsubscribed(push_event: Tournament, phone: Client):
    page = phone.post(url("my_phone", push_event), SUBSCRIPTION, follow=True).text

    (digest,) = announcements.phone_hashes(player_number(push_event, 1))
    assert f'data-phones="{digest}"' in page
    assert "1 of your phones gets" in page
    assert ENDPOINT not in page

    page = phone.post(
        url("my_phone", push_event), {**SUBSCRIPTION, "wanted": "no"}, follow=True
    ).text
    assert 'data-phones=""' in page
    assert "of your phones" not in page


def test_all_phones_are_unsubscribed_without_a_script(push_event: Tournament, phone: Client):
    for number in range(2):
        phone.post(
            url("my_phone", push_event), {**SUBSCRIPTION, "endpoint": f"{ENDPOINT}/{number}"}
        )
    assert "2 of your phones get" in phone.get(url("my_news", push_event)).text

    phone.post(url("my_phone", push_event), {"wanted": "no"})

    assert not PushSubscription.objects.exists()


def test_player_removed_during_the_request_sees_the_reason(push_event: Tournament, phone: Client):
    with removed_meanwhile(player_number(push_event, 1)):
        answer = phone.post(url("my_phone", push_event), SUBSCRIPTION)

    assert answer.status_code == 422
    assert "removed from the roster" in answer.text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"endpoint": "https://10.0.0.1/x"}, "Only https addresses of public sites"),
        ({"endpoint": ENDPOINT + "a" * 500}, "too long"),
        ({"p256dh": AUTH}, "sent invalid keys"),
        ({"auth": "no"}, "sent invalid keys"),
    ],
)
def test_invalid_subscription_is_refused_with_its_reason(
    push_event: Tournament, phone: Client, changes: dict[str, str], words: str
):
    answer = phone.post(url("my_phone", push_event), SUBSCRIPTION | changes)

    assert answer.status_code == 422
    assert words in answer.text
    assert not PushSubscription.objects.exists()


def test_other_players_neither_see_nor_stop_the_phone(push_event: Tournament, phone: Client):
    phone.post(url("my_phone", push_event), SUBSCRIPTION)
    opponent = browser_of("player", push_event, player_number(push_event, 2))

    page = opponent.get(url("my_news", push_event)).text
    opponent.post(url("my_phone", push_event), {"wanted": "no", "endpoint": ENDPOINT})
    opponent.post(url("my_phone", push_event), {"wanted": "no"})

    assert "of your phones" not in page
    assert 'data-phones=""' in page
    assert player_number(push_event, 1).phones.count() == 1


def test_desk_shows_that_the_site_has_no_key(push_event: Tournament, settings):
    desk = browser_of("owner", push_event, player_number(push_event, 1))
    assert "Push notifications are not set up" not in desk.get(url("announcing", push_event)).text

    settings.PUSH_KEY = ""

    page = desk.get(url("announcing", push_event)).text
    assert "Push notifications are not set up on this site" in page
    assert re.search(r'name="allows_push"[^>]* checked', page)


def test_change_is_logged(push_event: Tournament):
    entry = push_event.log.get(action="news set")

    assert (entry.before["allows_push"], entry.after["allows_push"]) == (False, True)
