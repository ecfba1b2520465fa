"""Delivery of webhook messages: signature, order, retries and failures."""

import hashlib
import hmac
import time
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import time_machine
from cryptography.fernet import Fernet
from django.apps import apps
from django.db import connection
from django.utils import timezone

from core import encryption
from core.encryption import webhook_signature
from core.jobs import JobState
from tests.core.tls_site import HOST, Answer, Site, replies, tls_site
from tests.factories.tournaments import (
    finish_round,
    get_round,
    owner_of,
    play_round,
    start_round,
)
from tests.factories.webhooks import (
    ADDRESS,
    DEAD,
    add_webhook,
    arrived,
    events_sent,
    send_all,
)
from tournaments.integrations import webhooks
from tournaments.integrations.webhooks import (
    MAX_GIVEN_UP,
    MAX_STORED_DELIVERIES,
    RETRY_DELAYS,
)
from tournaments.models import (
    DeliveryError,
    DeliveryState,
    DisabledReason,
    Job,
    JobKind,
    Tournament,
    Webhook,
)

migration = import_module("tournaments.migrations.0042_encrypted_webhook_addresses")

NO_CONTENT = replies("204 No Content")


def webhook_of_a_round(event: Tournament) -> Webhook:
    """A webhook with one waiting message, about the publication of round 1."""
    webhook = add_webhook(event, "round.published")
    start_round(event)
    return webhook


def send_to(tmp_path: Path, event: Tournament, answer: Answer, **policy: Any) -> Site:
    """Deliver all waiting messages to a receiver with this answer."""
    with tls_site(tmp_path, answer) as site:
        send_all(event, site.policy(**policy))
    return site


def test_message_is_signed_and_has_its_event_and_id(event: Tournament, tmp_path: Path):
    webhook = webhook_of_a_round(event)

    site = send_to(tmp_path, event, NO_CONTENT)

    (message,) = arrived(site)
    moment, signature = message.headers["datafort-signature"].split(",")
    signed = hmac.new(
        webhook.secret.encode(),
        moment.removeprefix("t=").encode() + b"." + message.body,
        hashlib.sha256,
    )
    assert signature == f"v1={signed.hexdigest()}"
    assert abs(int(moment.removeprefix("t=")) - time.time()) < 60
    delivery = webhook.deliveries.get()
    assert message.headers["datafort-event"] == message.json["event"] == "round.published"
    assert message.headers["datafort-delivery"] == message.json["id"] == str(delivery.uid)
    assert (delivery.state, delivery.last_status) == (DeliveryState.DELIVERED, 204)
    assert webhook.secret not in message.body.decode()


def test_messages_are_sent_in_order_by_one_job(event: Tournament, tmp_path: Path):
    webhook = add_webhook(event)
    play_round(event)

    site = send_to(tmp_path, event, NO_CONTENT)

    assert [message.json["event"] for message in arrived(site)] == events_sent(webhook)
    assert event.jobs.get(kind=JobKind.WEBHOOK).state == JobState.DONE


def test_failing_message_waits_longer_each_time_and_blocks_later_messages(
    event: Tournament,
    tmp_path: Path,
):
    webhook = add_webhook(event, "round.published", "round.started")
    start_round(event)
    start = timezone.now()

    waits = []
    with tls_site(tmp_path, replies("500 Broken")) as site, time_machine.travel(start) as clock:
        for _ in RETRY_DELAYS:
            send_all(event, site.policy())
            send_all(event, site.policy())
            first = webhook.deliveries.earliest("pk")
            assert first.next_try_at is not None
            waits.append(round((first.next_try_at - timezone.now()).total_seconds(), -1))
            clock.move_to(first.next_try_at + timedelta(seconds=1))

    assert waits == [wait.total_seconds() for wait in RETRY_DELAYS]
    assert len({message.headers["datafort-delivery"] for message in arrived(site)}) == 1
    assert len(site.requests) == len(RETRY_DELAYS)
    job = event.jobs.get(kind=JobKind.WEBHOOK)
    assert (job.state, job.error) == (JobState.QUEUED, "The receiver answered with status 500.")
    assert event.jobs.shown_at_desk() == []


def test_waiting_messages_are_sent_when_the_receiver_is_reachable_again(
    event: Tournament, tmp_path: Path
):
    webhook = add_webhook(event, "round.published", "round.started")
    start_round(event)
    send_all(event, DEAD)

    with (
        tls_site(tmp_path, NO_CONTENT) as site,
        time_machine.travel(timezone.now() + RETRY_DELAYS[0] + timedelta(seconds=1)),
    ):
        send_all(event, site.policy())

    assert [message.json["event"] for message in arrived(site)] == events_sent(webhook)


def test_retry_after_is_respected(event: Tournament, tmp_path: Path):
    webhook = webhook_of_a_round(event)

    send_to(tmp_path, event, replies("429 Busy", headers="Retry-After: 90\r\n"))

    moment = webhook.deliveries.get().next_try_at
    assert moment is not None
    assert 85 < (moment - timezone.now()).total_seconds() < 92


@pytest.mark.parametrize("status", ["302 Found", "199 Odd", "304 Old", "404 Gone"])
def test_only_2xx_counts_as_delivered_and_redirects_are_not_followed(
    event: Tournament, tmp_path: Path, status: str
):
    webhook = webhook_of_a_round(event)

    redirect = replies(status, headers=f"Location: https://{HOST}/away\r\nContent-Length: 0\r\n")
    site = send_to(tmp_path, event, redirect, time_out=1)

    delivery = webhook.deliveries.get()
    assert (delivery.state, delivery.tries) == (DeliveryState.WAITING, 1)
    assert len(site.requests) == 1


def test_long_response_is_cut_and_not_stored(event: Tournament, tmp_path: Path):
    webhook = webhook_of_a_round(event)

    send_to(tmp_path, event, replies("200 OK", b"inner secret" * 10_000), max_bytes=100)

    delivery = webhook.deliveries.get()
    assert delivery.state == DeliveryState.DELIVERED
    assert "inner" not in repr(delivery.__dict__)


def test_response_that_breaks_off_after_its_status_counts_as_delivered(
    event: Tournament, tmp_path: Path
):
    webhook = webhook_of_a_round(event)

    broken = replies("200 OK", b"{", headers="Content-Length: 400\r\n")
    send_to(tmp_path, event, broken)

    assert webhook.deliveries.get().state == DeliveryState.DELIVERED


def give_up(event: Tournament, webhook: Webhook) -> None:
    """Let every attempt of the oldest waiting message fail."""
    waiting = webhook.deliveries.filter(state=DeliveryState.WAITING)
    waiting.update(tries=len(RETRY_DELAYS), next_try_at=None)
    event.jobs.filter(kind=JobKind.WEBHOOK).update(state=JobState.QUEUED, leased_until=None)
    send_all(event, DEAD)


def off_by_failures(event: Tournament) -> Webhook:
    webhook = add_webhook(event, "round.published", "round.started", "round.closed")
    play_round(event)
    give_up(event, webhook)
    webhook.refresh_from_db()
    return webhook


def test_webhook_is_switched_off_after_failures_and_the_desk_shows_why(
    event: Tournament,
):
    webhook = off_by_failures(event)

    assert webhook.failures == MAX_GIVEN_UP
    assert webhook.disabled_at is not None
    assert webhook.disabled_why == DisabledReason.FAILURES
    (job,) = event.jobs.shown_at_desk()
    assert job.state == JobState.FAILED
    assert job.error == (
        f"{HOST} cannot be reached from here. Several messages in a row could not be delivered. "
        "Switch the webhook on again when the problem is fixed."
    )
    assert "very-secret" not in job.error


def test_no_messages_are_stored_while_the_webhook_is_off(
    event: Tournament,
):
    webhook = off_by_failures(event)
    count = webhook.deliveries.count()
    start_round(event)
    assert webhook.deliveries.count() == count

    webhooks.switch_webhook(webhook, owner_of(event), on=True)

    assert event.jobs.shown_at_desk() == []
    round_ = get_round(event, 2)
    finish_round(round_)
    assert webhook.deliveries.count() == count + 1


def test_success_resets_the_failures(event: Tournament, tmp_path: Path):
    webhook = add_webhook(event, "round.published")
    Webhook.objects.update(failures=2)
    start_round(event)

    send_to(tmp_path, event, NO_CONTENT)

    webhook.refresh_from_db()
    assert webhook.failures == 0


def test_status_410_switches_the_webhook_off(event: Tournament, tmp_path: Path):
    webhook = add_webhook(event, "round.published", "round.started")
    start_round(event)

    site = send_to(tmp_path, event, replies("410 Gone"))

    webhook.refresh_from_db()
    assert webhook.disabled_at is not None
    assert len(site.requests) == 1
    states = webhook.deliveries.order_by("pk").values_list("state", "last_error")
    assert list(states)[1] == (DeliveryState.GIVEN_UP, DeliveryError.SWITCHED_OFF)


def test_unreachable_receiver_does_not_delay_other_webhooks(event: Tournament, tmp_path: Path):
    dead = add_webhook(event, address="https://dead.example/")
    alive = add_webhook(event)
    start_round(event)

    send_to(tmp_path, event, NO_CONTENT)

    assert not dead.deliveries.filter(state=DeliveryState.DELIVERED).exists()
    assert not alive.deliveries.exclude(state=DeliveryState.DELIVERED).exists()


def test_name_that_resolves_to_a_private_address_is_not_contacted(
    event: Tournament, tmp_path: Path
):
    webhook = webhook_of_a_round(event)

    site = send_to(tmp_path, event, NO_CONTENT, may_connect=lambda _: False)

    assert site.requests == []
    assert "not on the public internet" in webhook.deliveries.get().shown_error


def test_new_secret_signs_waiting_messages(event: Tournament, tmp_path: Path):
    webhook = webhook_of_a_round(event)

    secret = webhooks.replace_secret(webhook, owner_of(event))

    assert secret not in ("", webhook.secret)
    site = send_to(tmp_path, event, NO_CONTENT)
    (message,) = arrived(site)
    signature = message.headers["datafort-signature"]
    assert signature == webhook_signature(
        secret, message.body, int(signature[2:].partition(",")[0])
    )


def test_test_message_is_sent_even_while_the_job_waits(event: Tournament, tmp_path: Path):
    webhook = webhook_of_a_round(event)
    send_all(event, DEAD)

    webhooks.send_webhook_test(webhook)
    webhooks.send_webhook_test(webhook)

    site = send_to(tmp_path, event, NO_CONTENT)
    assert [message.json["event"] for message in arrived(site)] == ["round.published", "test"]


def test_message_is_sent_again_under_the_same_id(event: Tournament, tmp_path: Path):
    webhook = webhook_of_a_round(event)
    delivery = webhook.deliveries.get()
    with pytest.raises(webhooks.StillWaiting):
        webhooks.send_delivery_again(delivery)

    with tls_site(tmp_path, NO_CONTENT) as site:
        send_all(event, site.policy())
        webhooks.send_delivery_again(delivery)
        send_all(event, site.policy())

    first, second = arrived(site)
    assert first.json == second.json


def test_webhook_that_is_off_refuses_tests_and_repeats(event: Tournament):
    webhook = off_by_failures(event)

    with pytest.raises(webhooks.WebhookIsOff):
        webhooks.send_webhook_test(webhook)
    with pytest.raises(webhooks.WebhookIsOff):
        webhooks.send_delivery_again(webhook.deliveries.latest("pk"))


def test_removed_webhook_gets_no_messages(event: Tournament, tmp_path: Path):
    webhook = add_webhook(event)
    start_round(event)

    webhooks.remove_webhook(webhook, owner_of(event))

    site = send_to(tmp_path, event, NO_CONTENT)
    assert site.requests == []
    assert not Job.objects.filter(kind=JobKind.WEBHOOK).exists()


def test_old_messages_are_deleted_unless_waiting(event: Tournament, tmp_path: Path):
    webhook = add_webhook(event)
    webhooks.send_webhook_test(webhook)
    sent = {"event": "test", "payload": {}, "state": DeliveryState.DELIVERED}
    for _ in range(MAX_STORED_DELIVERIES + 5):
        webhook.deliveries.create(**sent)

    send_to(tmp_path, event, NO_CONTENT)

    assert webhook.deliveries.count() == MAX_STORED_DELIVERIES


class TestStoredAddress:
    def stored_address(self) -> list[str]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT address FROM tournaments_webhook ORDER BY id")
            return [row[0] for row in cursor.fetchall()]

    def test_address_is_encrypted(self, event: Tournament):
        webhook = add_webhook(event)

        assert all(
            address.startswith(encryption.FERNET_PREFIX) for address in self.stored_address()
        )
        assert Webhook.objects.get(pk=webhook.pk).address == ADDRESS

    def test_migration_encrypts_rows_in_batches_and_back(self, event: Tournament, monkeypatch):
        monkeypatch.setattr(migration, "BATCH", 2)
        addresses = [f"{ADDRESS}/{number}" for number in range(5)]
        for address in addresses:
            add_webhook(event, address=address)

        migration.decrypt(apps, None)
        assert self.stored_address() == addresses
        migration.encrypt(apps, None)

        assert all(
            address.startswith(encryption.FERNET_PREFIX) for address in self.stored_address()
        )
        assert [webhook.address for webhook in Webhook.objects.order_by("pk")] == addresses

    def test_delivery_with_a_lost_key_requests_the_address_again(self, event: Tournament):
        webhook = add_webhook(event)
        webhooks.send_webhook_test(webhook)
        unreadable = Fernet(Fernet.generate_key()).encrypt(b"https://example.org/").decode()
        with connection.cursor() as cursor:
            cursor.execute("UPDATE tournaments_webhook SET address = %s", [unreadable])

        send_all(event, DEAD)

        assert "Enter it again." in webhook.deliveries.get().shown_error
