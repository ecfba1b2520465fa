"""Pages of webhooks and uploads."""

import pytest

from tests.factories.abr import ADDRESS as ABR
from tests.factories.submissions import submit_for_all
from tests.factories.tournaments import fresh, make_event, owner_of, play_round
from tests.factories.webhooks import ADDRESS, DEAD, add_webhook, send_all
from tests.tournaments.cast import desk_of
from tests.tournaments.pages import FRAGMENT, url
from tournaments.event import history
from tournaments.models import Tournament, UploadState, Webhook
from tournaments.settings import services as settings_services


def test_secret_is_shown_once_and_the_address_never():
    event = make_event(players=0)
    desk = desk_of(event)
    fields = {"address": ADDRESS, "events": ["round.closed", "cut.made"]}

    shown = desk.post(url("webhook_add", event), fields)

    webhook = event.webhooks.get()
    assert webhook.events == ["round.closed", "cut.made"]
    assert webhook.secret in shown.text
    assert shown["Referrer-Policy"] == "no-referrer"
    for page in (url("programs", event), url("webhook", event, webhook.pk), url("log", event)):
        text = desk.get(page).text
        assert "decks.example" in text
        assert webhook.secret not in text
        assert "very-secret" not in text


def test_invalid_address_is_refused():
    event = make_event(players=0)

    answer = desk_of(event).post(
        url("webhook_add", event), {"address": "http://192.168.0.1/", "events": ["cut.made"]}
    )

    assert answer.status_code == 422
    assert "Only https addresses of public sites" in answer.text


def test_log_shows_outcomes_and_messages_can_be_sent_again():
    event = make_event(players=2)
    webhook = add_webhook(event, "round.published")
    desk = desk_of(event)
    desk.post(url("webhook_test", event, webhook.pk))
    webhook.deliveries.update(tries=5)
    send_all(event, DEAD)

    page = desk.get(url("webhook", event, webhook.pk)).text
    assert "Not delivered" in page
    assert "decks.example cannot be reached from here." in page
    delivery = webhook.deliveries.get()
    desk.post(url("webhook_again", event, webhook.pk, delivery.uid))
    assert webhook.deliveries.get().state == "waiting"
    part = desk.get(url("webhook", event, webhook.pk), headers=FRAGMENT).text
    assert "Send a test message" not in part
    assert "Waiting" in part


def test_webhook_is_switched_edited_given_a_new_secret_and_removed():
    event = make_event(players=0)
    webhook = add_webhook(event)
    desk = desk_of(event)

    desk.post(url("webhook_switch", event, webhook.pk), {"on": "no"})
    assert "This webhook is off." in desk.get(url("webhook", event, webhook.pk)).text
    desk.post(url("webhook_switch", event, webhook.pk), {"on": "yes"})
    desk.post(url("webhook_change", event, webhook.pk), {"address": "", "events": ["cut.made"]})
    secret = webhook.secret
    webhook.refresh_from_db()
    assert (webhook.disabled_at, webhook.address) == (None, ADDRESS)
    assert webhook.events == ["cut.made"]
    shown = desk.post(url("webhook_secret", event, webhook.pk)).text
    webhook.refresh_from_db()
    assert webhook.secret != secret
    assert webhook.secret in shown
    desk.post(url("webhook_remove", event, webhook.pk))
    assert event.webhooks.exists()
    desk.post(url("webhook_remove", event, webhook.pk), {"sure": "yes"})
    assert not event.webhooks.exists()


def test_concurrently_removed_webhook_redirects_to_the_list(monkeypatch: pytest.MonkeyPatch):
    event = make_event(players=0)
    webhook = add_webhook(event)
    lock = history.lock

    def lock_after_removal(tournament: Tournament) -> Tournament:
        Webhook.objects.filter(pk=webhook.pk).delete()
        return lock(tournament)

    monkeypatch.setattr(history, "lock", lock_after_removal)
    answer = desk_of(event).post(
        url("webhook_switch", event, webhook.pk), {"on": "no"}, follow=True
    )

    assert answer.redirect_chain == [(url("programs", event), 302)]
    assert "This webhook was removed." in answer.text


@pytest.fixture
def finished_event(settings) -> Tournament:
    settings.ABR_URL = ABR
    event = make_event(players=2, game="anr", scoring_rule="anr_double")
    submit_for_all(event)
    play_round(event)
    settings_services.finish_event(event, owner_of(event))
    return fresh(event)


def test_upload_shows_its_code_and_links_to_the_site(finished_event: Tournament):
    desk = desk_of(finished_event)
    page = url("uploads", finished_event)
    assert "Upload the results" in desk.get(page).text

    desk.post(url("upload", finished_event), {"abr_event": ""})
    assert "The results are being sent" in desk.get(page).text
    finished_event.uploads.update(state=UploadState.CODE, code="123456")

    text = desk.get(page).text
    assert '<code id="upload-code">123456</code>' in text
    assert 'data-copy="#upload-code"' in text
    assert f'href="{ABR}"' in text


def test_unknown_upload_requires_confirmation(finished_event: Tournament):
    desk = desk_of(finished_event)
    desk.post(url("upload", finished_event), {})
    finished_event.uploads.update(state=UploadState.UNKNOWN, error="It did not answer.")

    text = desk.get(url("uploads", finished_event)).text
    assert "Upload unconfirmed" in text
    assert "I have checked AlwaysBeRunning" in text
    assert "already been sent" in desk.post(url("upload", finished_event), {}, follow=True).text
    desk.post(url("upload", finished_event), {"again": "on", "abr_event": "7"})
    assert finished_event.uploads.count() == 2


def test_games_without_uploads_show_the_reason():
    event = make_event(players=2)

    text = desk_of(event).get(url("uploads", event)).text

    assert "only accepts Android: Netrunner events" in text
    assert '<form class="form panel"' not in text
