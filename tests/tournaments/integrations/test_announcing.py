"""Notifications: who gets what, when, and what a dead receiver costs."""

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
from tests.core.network import record
from tests.core.tls_site import HOST, Site, replies, tls_site
from tests.factories.decks import legal_corp_list
from tests.factories.library import load_cards
from tests.factories.news import at_work, publish
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
from tournaments.decklists import services as decklists_services
from tournaments.event import services as event_services
from tournaments.event.history import PlayerRemoved
from tournaments.event.permissions import Actor
from tournaments.integrations import announcements
from tournaments.models import Job, JobKind, Registration, Tournament
from tournaments.rounds import services as rounds_services
from tournaments.rounds.pages import pairings_texts
from tournaments.settings import services as settings_services

WEBHOOK = f"https://{HOST}/api/webhooks/1/very-secret-token"
GOOD = replies("204 No Content")


def announce(event: Tournament, **changes: object) -> Tournament:
    """Switch the news on: the webhook, and what `changes` say."""
    wanted = {"tells_pairings": True, "tells_standings": True}
    allowed = {"allows_mail": False, "allows_push": False}
    values = {"webhook": WEBHOOK, **wanted, **allowed, **changes}
    announcements.change_announcements(event, owner_of(event), **values)  # type: ignore[arg-type]
    return fresh(event)


def news_of(event: Tournament, kind: JobKind = JobKind.NOTIFY) -> Job:
    return event.jobs.get(kind=kind)


def messages(site: Site) -> list[dict[str, object]]:
    return [json.loads(request.partition(b"\r\n\r\n")[2]) for request in site.requests]


def test_everything_is_off_until_somebody_switches_it_on(event: Tournament):
    publish(event)

    assert not event.jobs.filter(kind__in=[JobKind.NOTIFY, JobKind.MAIL]).exists()


def test_publishing_writes_the_news_down_and_asks_nobody_before_the_commit(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks
):
    event = announce(make_event(players=4))
    draft = draft_round(event)
    network = record(monkeypatch)

    with django_capture_on_commit_callbacks() as after:
        rounds_services.publish_round(draft, owner_of(event))

    assert (network.looked_up, network.connected) == ([], [])
    assert news_of(event).state == JobState.QUEUED
    assert len(after) >= 1


def test_the_channel_gets_the_pairings_and_no_mention(tmp_path: Path):
    event = make_event(players=3)
    player = player_number(event, 1).player
    player.name = "@everyone *Ada*"
    player.save()
    publish(announce(event))

    with tls_site(tmp_path, GOOD) as site:
        announcements.send_to_channel(at_work(event), site.policy())

    (message,) = messages(site)
    assert message["allowed_mentions"] == {"parse": []}
    text = str(message["content"])
    assert text.startswith("**Round 1: Spring Run**\n")
    assert "Bye: " in text
    assert r"\*Ada\*" in text
    assert "@everyone" not in text


def test_a_job_that_goes_on_sends_only_what_is_missing(tmp_path: Path):
    event = make_event(players=0)
    add_players(event, 160)
    publish(announce(event))
    job = at_work(event)

    with tls_site(tmp_path, GOOD) as site:
        announcements.send_to_channel(job, site.policy())
        whole = len(site.requests)
        job.payload["sent"] = 1
        announcements.send_to_channel(job, site.policy())

    assert whole > 1
    assert len(site.requests) == whole + whole - 1
    assert all(len(str(message["content"])) <= 2000 for message in messages(site))


def test_what_was_taken_back_or_switched_off_meanwhile_is_not_sent(tmp_path: Path):
    event = announce(make_event(players=4))
    round_ = publish(event)

    with tls_site(tmp_path, GOOD) as site:
        announce(event, webhook="")
        announcements.send_to_channel(at_work(event), site.policy())
        announce(event)
        rounds_services.unpublish_round(round_, owner_of(event), "Wrong")
        announcements.send_to_channel(at_work(event), site.policy())

    assert site.requests == []
    rounds_services.publish_round(round_, owner_of(event))
    assert event.jobs.filter(kind=JobKind.NOTIFY).count() == 2


def test_the_final_standings_are_sent_when_the_event_is_finished(tmp_path: Path):
    event = announce(make_event(players=4), tells_pairings=False)
    play_round(event)
    settings_services.finish_event(event, owner_of(event))

    with tls_site(tmp_path, GOOD) as site:
        announcements.send_to_channel(at_work(event), site.policy())

    (message,) = messages(site)
    text = str(message["content"])
    assert text.startswith("**Final standings: Spring Run**\n**1** ")
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
def test_a_channel_that_is_busy_is_asked_again_later(
    tmp_path: Path, status: str, headers: str, wait: int | None
):
    event = announce(make_event(players=2))
    publish(event)

    with (
        tls_site(tmp_path, replies(status, headers=headers)) as site,
        pytest.raises(TryLater) as later,
    ):
        announcements.send_to_channel(at_work(event), site.policy())

    assert (later.value.wait.total_seconds() if later.value.wait else None) == wait


@pytest.mark.parametrize("status", ["302 Found", "401 No", "404 Gone"])
def test_a_channel_that_is_gone_or_leads_elsewhere_has_failed_for_good(tmp_path: Path, status: str):
    event = announce(make_event(players=2))
    publish(event)
    away = replies(status, headers=f"Location: https://{HOST}/elsewhere\r\n")

    with tls_site(tmp_path, away) as site, pytest.raises(Refusal, match="Make a new webhook"):
        announcements.send_to_channel(at_work(event), site.policy())

    assert len(site.requests) == 1


def test_a_dead_channel_is_shown_to_the_organiser_with_its_reason(monkeypatch: pytest.MonkeyPatch):
    dead = Policy(hosts=None, resolve=lambda *_: [])
    monkeypatch.setattr(announcements, "CHANNEL_POLICY", dead)
    event = announce(make_event(players=2))
    publish(event)
    job = news_of(event)

    tasks.notify(job.pk)

    job.refresh_from_db()
    assert job.state == JobState.QUEUED  # It waits for its next try.
    assert job.error == f"{HOST} cannot be reached from here."
    assert "secret" not in job.error


def test_an_address_that_may_not_be_written_to_is_refused():
    event = make_event(players=0)

    with pytest.raises(AddressNotAllowed):
        announce(event, webhook="https://127.0.0.1/x")

    assert event_services.notification_settings(event).webhook == ""


def test_neither_the_log_nor_any_job_holds_the_address():
    event = announce(make_event(players=2))
    publish(event)

    entry = event.log.get(action="news set")
    assert entry.after["webhook"] == HOST
    assert "secret" not in repr([entry.before, entry.after, *event.jobs.values("payload", "key")])


def test_a_test_is_sent_by_a_job_never_two_at_once_and_none_without_a_webhook():
    event = make_event(players=0)
    with pytest.raises(announcements.NoWebhook):
        announcements.send_channel_test(event)
    event = announce(event)

    announcements.send_channel_test(event)
    announcements.send_channel_test(event)
    assert event.jobs.filter(kind=JobKind.NOTIFY).count() == 1

    event.jobs.update(state=JobState.FAILED)
    announcements.send_channel_test(event)
    assert news_of(event).state == JobState.QUEUED


def test_a_sandbox_sends_nothing():
    event = announce(make_event(players=4))
    Tournament.objects.filter(pk=event.pk).update(practice_of=make_event(players=0, name="Real"))

    publish(fresh(event))

    assert not event.jobs.filter(kind=JobKind.NOTIFY).exists()


def test_no_text_holds_a_deck_a_draft_or_a_seal():
    load_cards()
    event = make_event(players=2)
    ada = player_number(event, 1)
    deck = decklists_services.hand_in_deck(
        ada, Side.CORP, legal_corp_list(), Actor(player=ada.player)
    )
    draft = draft_round(event)
    assert pairings_texts(draft) == []

    rounds_services.publish_round(draft, owner_of(event))
    (text,) = pairings_texts(get_round(event, 1))

    assert deck.version.seal[:8] not in text
    assert re.fullmatch(r"[^\n]+\nTable 1: \w+ \(Corp\) against \w+ \(Runner\)", text)


def with_mail(event: Tournament, number: int, address: str) -> Registration:
    """A player with an account and an address, who asks for mails."""
    registration = player_number(event, number)
    registration.player.user = make_user(email=address)
    registration.player.save()
    announcements.set_mail_wish(registration, wanted=True)
    return registration


def published_to(*names: str) -> Tournament:
    """Round 1 is public, and these players wait for a mail."""
    event = announce(make_event(players=3), webhook="", allows_mail=True)
    for number, name in enumerate(names, start=1):
        with_mail(event, number, f"{name}@example.org")
    publish(event)
    return event


def test_who_asked_gets_a_mail_with_the_table_and_nobody_else():
    event = announce(make_event(players=2), webhook="", allows_mail=True)
    with_mail(event, 1, "ada@example.org")
    with_mail(event, 2, "bo@example.org")
    announcements.set_mail_wish(player_number(event, 2), wanted=False)
    publish(event)
    job = at_work(event, JobKind.MAIL)

    announcements.mail_tables(job)
    announcements.mail_tables(job)

    (letter,) = mail.outbox
    assert letter.to == ["ada@example.org"]
    assert "round 1, Spring Run" in letter.subject
    assert "You are at table 1" in letter.body


def test_no_mail_without_an_address_or_where_the_organiser_does_not_allow_it():
    event = make_event(players=2)
    with pytest.raises(announcements.NoMail, match="sends no mails"):
        with_mail(event, 1, "ada@example.org")

    announce(event, webhook="", allows_mail=True)
    with pytest.raises(announcements.NoMail, match="need an account"):
        announcements.set_mail_wish(player_number(event, 2), wanted=True)


def test_a_player_who_is_removed_meanwhile_asks_for_no_mail():
    event = announce(make_event(players=2), webhook="", allows_mail=True)
    ada = with_mail(event, 1, "ada@example.org")
    announcements.set_mail_wish(ada, wanted=False)

    with pytest.raises(PlayerRemoved), removed_meanwhile(player_number(event, 1)):
        announcements.set_mail_wish(ada, wanted=True)


def test_a_mail_server_that_does_not_answer_is_asked_again(monkeypatch: pytest.MonkeyPatch):
    class Dead(EmailBackend):
        def open(self) -> None:
            raise ConnectionRefusedError

    event = published_to("ada")
    monkeypatch.setattr("tournaments.integrations.announcements.get_connection", Dead)

    with pytest.raises(TryLater, match="does not take our mail"):
        announcements.mail_tables(at_work(event, JobKind.MAIL))


@pytest.mark.check(34)
def test_mails_that_take_longer_than_the_lease_are_sent_once(
    monkeypatch: pytest.MonkeyPatch, time_machine
):
    class Slow(EmailBackend):
        def send_messages(self, messages: Sequence[EmailMessage]) -> int:
            time_machine.shift(jobs.LEASE * 0.9)
            # Another worker looks for work whose lease ran out.
            jobs.run_aside(Job, job.pk, announcements.mail_tables)
            return int(super().send_messages(messages))

    event = published_to("ada", "bo", "cy")
    job = news_of(event, JobKind.MAIL)
    monkeypatch.setattr("tournaments.integrations.announcements.get_connection", Slow)
    time_machine.move_to(timezone.now(), tick=False)

    jobs.run_aside(Job, job.pk, announcements.mail_tables)

    assert len(mail.outbox) == 3
    job.refresh_from_db()
    assert job.state == JobState.DONE


@pytest.mark.parametrize(("code", "mailed"), [(550, ["ada", "cy"]), (450, ["ada"])])
def test_an_address_that_is_refused_for_good_is_passed_over(
    code: int, mailed: list[str], monkeypatch: pytest.MonkeyPatch
):
    class Choosy(EmailBackend):
        def send_messages(self, messages: Sequence[EmailMessage]) -> int:
            (address,) = messages[0].to
            if address.startswith("bo@"):
                raise SMTPRecipientsRefused({address: (code, b"No.")})
            return int(super().send_messages(messages))

    event = published_to("ada", "bo", "cy")
    job = at_work(event, JobKind.MAIL)
    monkeypatch.setattr("tournaments.integrations.announcements.get_connection", Choosy)

    with nullcontext() if code == 550 else pytest.raises(TryLater):
        announcements.mail_tables(job)

    assert [letter.to for letter in mail.outbox] == [[f"{name}@example.org"] for name in mailed]
    job.refresh_from_db()
    assert job.payload["sent"] == (3 if code == 550 else 1)


def test_wishes_that_change_between_two_tries_cost_nobody_a_mail(monkeypatch: pytest.MonkeyPatch):
    class Interrupted(EmailBackend):
        def send_messages(self, messages: Sequence[EmailMessage]) -> int:
            if mail.outbox:
                raise ConnectionResetError
            return int(super().send_messages(messages))

    event = published_to("ada", "bo", "cy")
    job = at_work(event, JobKind.MAIL)
    with monkeypatch.context() as patched:
        patched.setattr("tournaments.integrations.announcements.get_connection", Interrupted)
        with pytest.raises(TryLater):
            announcements.mail_tables(job)
    announcements.set_mail_wish(player_number(event, 1), wanted=False)

    announcements.mail_tables(job)

    assert mailed() == ["ada", "bo", "cy"]


def test_mails_of_an_older_release_go_on_where_it_stopped():
    event = published_to("ada", "bo", "cy")
    job = at_work(event, JobKind.MAIL)
    job.payload["sent"] = 1

    announcements.mail_tables(job)

    assert mailed() == ["bo", "cy"]


def mailed() -> list[str]:
    """Who got a mail, by the names of their addresses, in the order they went out."""
    return [letter.to[0].partition("@")[0] for letter in mail.outbox]


def test_a_server_that_takes_mail_for_nobody_is_asked_again(monkeypatch: pytest.MonkeyPatch):
    class Closed(EmailBackend):
        def send_messages(self, messages: Sequence[EmailMessage]) -> int:
            raise SMTPRecipientsRefused({messages[0].to[0]: (530, b"Authenticate first.")})

    event = published_to("ada", "bo")
    job = at_work(event, JobKind.MAIL)
    monkeypatch.setattr("tournaments.integrations.announcements.get_connection", Closed)

    with pytest.raises(TryLater, match="refuses all our mail"):
        announcements.mail_tables(job)

    job.refresh_from_db()
    assert job.payload["sent"] == 0


def test_a_site_without_a_mail_server_sends_none(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"

    assert not announcements.can_mail()
