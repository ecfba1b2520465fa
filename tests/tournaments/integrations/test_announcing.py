"""Notifications to the chat channel and by email."""

import json
import re
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from smtplib import SMTPRecipientsRefused

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.locmem import EmailBackend
from django.utils import timezone

from core import jobs
from core.errors import Refusal
from core.http import AddressNotAllowed, Policy
from core.jobs import JobState, TryLater
from decks.models import Side
from players.models import User
from tests.core.network import record
from tests.core.tls_site import HOST, Site, replies, tls_site
from tests.factories.decks import legal_corp_list
from tests.factories.library import load_cards
from tests.factories.news import at_work, publish
from tests.factories.submissions import submit_deck
from tests.factories.tournaments import (
    add_players,
    draft_round,
    fresh,
    get_round,
    make_event,
    make_user,
    owner_of,
    play_round,
    player_number,
    removed_meanwhile,
)
from tournaments import tasks
from tournaments.event import services as event_services
from tournaments.event.history import PlayerRemoved
from tournaments.event.permissions import Actor
from tournaments.integrations import announcements
from tournaments.models import Job, JobKind, Registration, Tournament
from tournaments.rounds import services as rounds_services
from tournaments.rounds.pages import pairings_texts
from tournaments.settings import services as settings_services

WEBHOOK = f"https://{HOST}/api/webhooks/1/very-secret-token"
NO_CONTENT = replies("204 No Content")


def announce(event: Tournament, **changes: object) -> Tournament:
    """Switch on the channel, then apply `changes`."""
    channel = {"webhook": WEBHOOK, "tells_pairings": True, "tells_standings": True}
    values = {**channel, "allows_mail": False, "allows_push": False, **changes}
    announcements.change_announcements(event, owner_of(event), **values)  # type: ignore[arg-type]
    return fresh(event)


def notification_of(event: Tournament, kind: JobKind = JobKind.NOTIFY) -> Job:
    return event.jobs.get(kind=kind)


def messages(site: Site) -> list[dict[str, object]]:
    return [json.loads(request.partition(b"\r\n\r\n")[2]) for request in site.requests]


def test_notifications_are_off_by_default(event: Tournament):
    publish(event)

    assert not event.jobs.filter(kind__in=[JobKind.NOTIFY, JobKind.MAIL]).exists()


def test_publishing_queues_the_message_and_sends_nothing_before_the_commit(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks
):
    event = announce(make_event(players=4))
    draft = draft_round(event)
    network = record(monkeypatch)

    with django_capture_on_commit_callbacks() as after:
        rounds_services.publish_round(draft, owner_of(event))

    assert (network.looked_up, network.connected) == ([], [])
    assert notification_of(event).state == JobState.QUEUED
    assert len(after) >= 1


def test_channel_gets_the_pairings_without_mentions(tmp_path: Path):
    event = make_event(players=3)
    player = player_number(event, 1).player
    player.name = "@everyone *Ada*"
    player.save()
    publish(announce(event))

    with tls_site(tmp_path, NO_CONTENT) as site:
        announcements.send_to_channel(at_work(event), site.policy())

    (message,) = messages(site)
    assert message["allowed_mentions"] == {"parse": []}
    text = str(message["content"])
    assert text.startswith("**Round 1: Spring Run**\n")
    assert "Bye: " in text
    assert r"\*Ada\*" in text
    assert "@everyone" not in text


def test_resumed_job_sends_only_the_missing_messages(tmp_path: Path):
    event = make_event(players=0)
    add_players(event, 160)
    publish(announce(event))
    job = at_work(event)

    with tls_site(tmp_path, NO_CONTENT) as site:
        announcements.send_to_channel(job, site.policy())
        whole = len(site.requests)
        job.payload["sent"] = 1
        announcements.send_to_channel(job, site.policy())

    assert whole > 1
    assert len(site.requests) == whole + whole - 1
    assert all(len(str(message["content"])) <= 2000 for message in messages(site))


def test_unpublished_round_and_switched_off_channel_send_nothing(tmp_path: Path):
    event = announce(make_event(players=4))
    round_ = publish(event)

    with tls_site(tmp_path, NO_CONTENT) as site:
        announce(event, webhook="")
        announcements.send_to_channel(at_work(event), site.policy())
        announce(event)
        rounds_services.unpublish_round(round_, owner_of(event), "Wrong")
        announcements.send_to_channel(at_work(event), site.policy())

    assert site.requests == []
    rounds_services.publish_round(round_, owner_of(event))
    assert event.jobs.filter(kind=JobKind.NOTIFY).count() == 2


def test_final_standings_are_sent_when_the_event_is_finished(tmp_path: Path):
    event = announce(make_event(players=4), tells_pairings=False)
    play_round(event)
    settings_services.finish_event(event, owner_of(event))

    with tls_site(tmp_path, NO_CONTENT) as site:
        announcements.send_to_channel(at_work(event), site.policy())

    (message,) = messages(site)
    text = str(message["content"])
    assert text.startswith("**Final standings: Spring Run, 2 May 2026**\n**1** ")
    assert text.count("\n") == 4


@pytest.mark.parametrize(
    ("status", "headers", "wait"),
    [
        ("429 Too Many Requests", "Retry-After: 3\r\n", 4),
        ("429 Too Many Requests", "Retry-After: 0.4\r\n", 1),
        ("429 Too Many Requests", "Retry-After: soon\r\n", None),
        ("500 Broken", "", None),
        ("503 Busy", "Retry-After: 20\r\n", 21),
    ],
)
def test_busy_channel_is_retried_later(tmp_path: Path, status: str, headers: str, wait: int | None):
    event = announce(make_event(players=2))
    publish(event)

    with (
        tls_site(tmp_path, replies(status, headers=headers)) as site,
        pytest.raises(TryLater) as later,
    ):
        announcements.send_to_channel(at_work(event), site.policy())

    assert (later.value.wait.total_seconds() if later.value.wait else None) == wait


@pytest.mark.parametrize("status", ["302 Found", "401 No", "404 Gone"])
def test_missing_or_redirecting_channel_fails_permanently(tmp_path: Path, status: str):
    event = announce(make_event(players=2))
    publish(event)
    away = replies(status, headers=f"Location: https://{HOST}/elsewhere\r\n")

    with tls_site(tmp_path, away) as site, pytest.raises(Refusal, match="Create a new webhook"):
        announcements.send_to_channel(at_work(event), site.policy())

    assert len(site.requests) == 1


def test_unreachable_channel_is_retried_with_its_reason(monkeypatch: pytest.MonkeyPatch):
    dead = Policy(hosts=None, resolve=lambda *_: [])
    monkeypatch.setattr(announcements, "CHANNEL_POLICY", dead)
    event = announce(make_event(players=2))
    publish(event)
    job = notification_of(event)

    tasks.notify(job.pk)

    job.refresh_from_db()
    assert job.state == JobState.QUEUED  # for its next attempt
    assert job.error == f"{HOST} cannot be reached from here."
    assert "secret" not in job.error


def test_private_address_is_refused():
    event = make_event(players=0)

    with pytest.raises(AddressNotAllowed):
        announce(event, webhook="https://127.0.0.1/x")

    assert event_services.notification_settings(event).webhook == ""


def test_log_and_jobs_do_not_contain_the_address():
    event = announce(make_event(players=2))
    publish(event)

    entry = event.log.get(action="news set")
    assert entry.after["webhook"] == HOST
    assert "secret" not in repr([entry.before, entry.after, *event.jobs.values("payload", "key")])


def test_test_message_is_queued_once_and_requires_a_webhook():
    event = make_event(players=0)
    with pytest.raises(announcements.NoWebhook):
        announcements.send_channel_test(event)
    event = announce(event)

    announcements.send_channel_test(event)
    announcements.send_channel_test(event)
    assert event.jobs.filter(kind=JobKind.NOTIFY).count() == 1

    event.jobs.update(state=JobState.FAILED)
    announcements.send_channel_test(event)
    assert notification_of(event).state == JobState.QUEUED


def test_sandbox_sends_nothing():
    event = announce(make_event(players=4))
    Tournament.objects.filter(pk=event.pk).update(practice_of=make_event(players=0, name="Real"))

    publish(fresh(event))

    assert not event.jobs.filter(kind=JobKind.NOTIFY).exists()


def test_no_notification_contains_a_deck_a_draft_or_a_seal():
    load_cards()
    event = make_event(players=2)
    ada = player_number(event, 1)
    deck = submit_deck(ada, Side.CORP, legal_corp_list(), Actor(player=ada.player))
    draft = draft_round(event)
    assert pairings_texts(draft) == []

    rounds_services.publish_round(draft, owner_of(event))
    (text,) = pairings_texts(get_round(event, 1))

    assert deck.version.seal[:8] not in text
    assert re.fullmatch(r"[^\n]+\nTable 1: \w+ \(Corp\) against \w+ \(Runner\)", text)


def subscribe_to_emails(event: Tournament, number: int, address: str) -> Registration:
    """Link the player to an account with this address and subscribe them to emails."""
    registration = player_number(event, number)
    registration.player.user = make_user(email=address)
    registration.player.save()
    announcements.set_mail_wish(registration, wanted=True)
    return registration


def publish_to(*names: str, language: str = "") -> Tournament:
    """Publish round 1 of an event in which these players subscribe to emails."""
    event = announce(make_event(players=3, language=language), webhook="", allows_mail=True)
    for number, name in enumerate(names, start=1):
        subscribe_to_emails(event, number, f"{name}@example.org")
    publish(event)
    return event


def test_only_subscribed_players_get_an_email_with_their_table():
    event = announce(make_event(players=2), webhook="", allows_mail=True)
    subscribe_to_emails(event, 1, "ada@example.org")
    subscribe_to_emails(event, 2, "bo@example.org")
    announcements.set_mail_wish(player_number(event, 2), wanted=False)
    publish(event)
    job = at_work(event, JobKind.MAIL)

    announcements.mail_tables(job)
    announcements.mail_tables(job)

    (email,) = mail.outbox
    assert email.to == ["ada@example.org"]
    assert "round 1, Spring Run" in email.subject
    assert "You are at table 1" in email.body


def test_email_is_in_the_language_of_the_event():
    event = publish_to("ada", "bo", language="fr")

    announcements.mail_tables(at_work(event, JobKind.MAIL))

    for email in mail.outbox:
        assert "ronde 1, Spring Run" in email.subject
        assert "Vous avez demandé cet e-mail sur votre page de Spring Run." in str(email.body)
    assert len(mail.outbox) == 2


def test_language_of_an_account_overrides_that_of_the_event():
    event = publish_to("ada", "bo", "cy", language="fr")
    User.objects.filter(email="bo@example.org").update(language="de")
    User.objects.filter(email="cy@example.org").update(language="en-gb")

    announcements.mail_tables(at_work(event, JobKind.MAIL))

    assert [
        (email.to[0], re.findall("ronde 1|Runde 1|round 1", str(email.subject)))
        for email in mail.outbox
    ] == [
        ("ada@example.org", ["ronde 1"]),
        ("bo@example.org", ["Runde 1"]),
        ("cy@example.org", ["round 1"]),
    ]


def test_subscription_requires_an_address_and_permission_of_the_organiser():
    event = make_event(players=2)
    with pytest.raises(announcements.NoMail, match="has not switched on emails"):
        subscribe_to_emails(event, 1, "ada@example.org")

    announce(event, webhook="", allows_mail=True)
    with pytest.raises(announcements.NoMail, match="need an account"):
        announcements.set_mail_wish(player_number(event, 2), wanted=True)


def test_player_removed_during_the_request_cannot_subscribe():
    event = announce(make_event(players=2), webhook="", allows_mail=True)
    ada = subscribe_to_emails(event, 1, "ada@example.org")
    announcements.set_mail_wish(ada, wanted=False)

    with pytest.raises(PlayerRemoved), removed_meanwhile(player_number(event, 1)):
        announcements.set_mail_wish(ada, wanted=True)


def test_unreachable_mail_server_is_retried(monkeypatch: pytest.MonkeyPatch):
    class Dead(EmailBackend):
        def open(self) -> None:
            raise ConnectionRefusedError

    event = publish_to("ada")
    monkeypatch.setattr("tournaments.integrations.announcements.get_connection", Dead)

    with pytest.raises(TryLater, match="does not accept emails"):
        announcements.mail_tables(at_work(event, JobKind.MAIL))


@pytest.mark.check(34)
def test_emails_that_take_longer_than_the_lease_are_sent_once(
    monkeypatch: pytest.MonkeyPatch, time_machine
):
    class Slow(EmailBackend):
        def send_messages(self, messages: Sequence[EmailMessage]) -> int:
            time_machine.shift(jobs.LEASE * 0.9)
            # Another worker looks for expired leases.
            jobs.run_aside(Job, job.pk, announcements.mail_tables)
            return int(super().send_messages(messages))

    event = publish_to("ada", "bo", "cy")
    job = notification_of(event, JobKind.MAIL)
    monkeypatch.setattr("tournaments.integrations.announcements.get_connection", Slow)
    time_machine.move_to(timezone.now(), tick=False)

    jobs.run_aside(Job, job.pk, announcements.mail_tables)

    assert len(mail.outbox) == 3
    job.refresh_from_db()
    assert job.state == JobState.DONE


@pytest.mark.parametrize(("code", "mailed"), [(550, ["ada", "cy"]), (450, ["ada"])])
def test_permanently_refused_address_is_skipped(
    code: int, mailed: list[str], monkeypatch: pytest.MonkeyPatch
):
    class Choosy(EmailBackend):
        def send_messages(self, messages: Sequence[EmailMessage]) -> int:
            (address,) = messages[0].to
            if address.startswith("bo@"):
                raise SMTPRecipientsRefused({address: (code, b"No.")})
            return int(super().send_messages(messages))

    event = publish_to("ada", "bo", "cy")
    job = at_work(event, JobKind.MAIL)
    monkeypatch.setattr("tournaments.integrations.announcements.get_connection", Choosy)

    with nullcontext() if code == 550 else pytest.raises(TryLater):
        announcements.mail_tables(job)

    assert mailed_names() == mailed
    job.refresh_from_db()
    assert job.payload["sent"] == (3 if code == 550 else 1)


def test_unsubscribing_between_two_attempts_skips_only_that_player(monkeypatch: pytest.MonkeyPatch):
    class Interrupted(EmailBackend):
        def send_messages(self, messages: Sequence[EmailMessage]) -> int:
            if mail.outbox:
                raise ConnectionResetError
            return int(super().send_messages(messages))

    event = publish_to("ada", "bo", "cy")
    job = at_work(event, JobKind.MAIL)
    with monkeypatch.context() as patched:
        patched.setattr("tournaments.integrations.announcements.get_connection", Interrupted)
        with pytest.raises(TryLater):
            announcements.mail_tables(job)
    announcements.set_mail_wish(player_number(event, 1), wanted=False)

    announcements.mail_tables(job)

    assert mailed_names() == ["ada", "bo", "cy"]


def mailed_names() -> list[str]:
    """Names in the addresses, in the order of sending."""
    return [email.to[0].partition("@")[0] for email in mail.outbox]


def test_server_that_refuses_every_address_is_retried(monkeypatch: pytest.MonkeyPatch):
    class Closed(EmailBackend):
        def send_messages(self, messages: Sequence[EmailMessage]) -> int:
            raise SMTPRecipientsRefused({messages[0].to[0]: (530, b"Authenticate first.")})

    event = publish_to("ada", "bo")
    job = at_work(event, JobKind.MAIL)
    monkeypatch.setattr("tournaments.integrations.announcements.get_connection", Closed)

    with pytest.raises(TryLater, match="is refusing all emails"):
        announcements.mail_tables(job)

    job.refresh_from_db()
    assert job.payload["sent"] == 0


def test_site_without_a_mail_server_sends_no_emails(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"

    assert not announcements.can_mail()
