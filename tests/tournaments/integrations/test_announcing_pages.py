"""The pages of the news outside the site."""

from django.test import Client

from core.jobs import JobState
from tests.factories.tournaments import (
    draft_round,
    owner_of,
    play_round,
    player_number,
)
from tests.tournaments.cast import browser_of
from tests.tournaments.pages import url
from tournaments.event import services as event_services
from tournaments.integrations.services import announcing
from tournaments.models import JobKind, Tournament
from tournaments.rounds.services import rounds

WEBHOOK = "https://discord.example/api/webhooks/1/very-secret-token"


def test_the_address_is_set_and_shown_to_nobody_again(event: Tournament, desk: Client):
    page = desk.post(url("announcing_save", event), {"webhook": WEBHOOK}, follow=True).text

    assert "discord.example" in page
    assert "very-secret-token" not in page
    assert event_services.setting_of(event).webhook == WEBHOOK


def test_saved_without_an_address_the_old_one_stays_until_it_is_forgotten(
    event: Tournament, desk: Client
):
    desk.post(url("announcing_save", event), {"webhook": WEBHOOK})
    desk.post(url("announcing_save", event), {"tells_pairings": "on"})
    assert event_services.setting_of(event).webhook == WEBHOOK

    desk.post(url("announcing_save", event), {"forgets_webhook": "on"})
    assert event_services.setting_of(event).webhook == ""


def test_an_address_inside_the_house_is_refused_in_words(event: Tournament, desk: Client):
    answer = desk.post(url("announcing_save", event), {"webhook": "http://192.168.0.1/x"})

    assert answer.status_code == 422
    assert "It begins with https://" in answer.text


def test_a_test_is_sent_by_a_job_and_its_failure_is_shown(event: Tournament, desk: Client):
    assert "Set the address" in desk.post(url("announcing_test", event), follow=True).text
    desk.post(url("announcing_save", event), {"webhook": WEBHOOK})
    assert "on its way" in desk.post(url("announcing_test", event), follow=True).text

    event.jobs.filter(kind=JobKind.NOTIFY).update(state=JobState.FAILED, error="It is gone.")
    fragment = desk.get(url("announcing", event), headers={"X-Fragment": "1"}).text

    assert "It is gone." in fragment
    assert "Try again" in fragment
    assert "<html" not in fragment


def test_the_texts_to_copy_are_those_of_the_newest_round_and_of_no_draft(
    event: Tournament, desk: Client
):
    play_round(event)
    draft = draft_round(event)
    assert "Round 2" not in desk.get(url("announcing", event)).text
    rounds.publish(draft, owner_of(event))

    page = desk.get(url("announcing", event)).text

    assert "**Round 2: Spring Run**" in page
    assert "**Standings after round 1: Spring Run**" in page


def test_a_player_switches_mails_on_where_they_are_allowed(event: Tournament):
    phone = browser_of("player", event, player_number(event, 1))
    assert "sends no mails" in phone.get(url("my_news", event)).text

    announcing.change(
        event,
        owner_of(event),
        webhook=None,
        tells_pairings=False,
        tells_standings=False,
        allows_mail=True,
        allows_push=False,
    )
    refused = phone.post(url("my_mail", event), {"wanted": "yes"}, follow=True).text

    assert "need an account with an address" in refused
    assert not announcing.wishes_mail(player_number(event, 1))
