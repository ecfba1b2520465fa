"""Push messages: recipients, content, failures and subscriptions."""

import json
import re
import ssl
import threading
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.asymmetric import ec

from core import web_push
from core.http import AddressNotAllowed, Policy
from core.jobs import JobState, TryLater
from tests.core.network import record
from tests.core.test_web_push import opened
from tests.core.tls_site import HOST, Answer, Site, replies, tls_site
from tests.factories.news import at_work, publish
from tests.factories.tournaments import fresh, make_event, make_user, owner_of, player_number
from tournaments import tasks
from tournaments.integrations import announcements
from tournaments.models import JobKind, PushSubscription, Registration, Tournament
from tournaments.practice import services as practice_services
from tournaments.rounds import services as rounds_services

CREATED = replies("201 Created")
AUTH = bytes(range(16))
PHONE = ec.derive_private_key(7, ec.SECP256R1())
POINT = web_push.public_key(web_push.encode_base64url((7).to_bytes(32, "big")))


@pytest.fixture(autouse=True)
def site_key(settings) -> None:
    settings.PUSH_KEY = web_push.new_private_key()
    settings.PUSH_CONTACT = "mailto:desk@example.org"


def make_scene() -> Tournament:
    return allow(make_event(players=2))


def allow(event: Tournament, *, allows_push: bool = True) -> Tournament:
    announcements.change_announcements(event, owner_of(event), allows_push=allows_push)
    return fresh(event)


def subscribe(registration: Registration, path: str = "/a", auth: bytes = AUTH) -> None:
    endpoint = f"https://{HOST}{path}"
    announcements.add_phone(
        registration, endpoint=endpoint, p256dh=POINT, auth=web_push.encode_base64url(auth)
    )


def run_push_job(tmp_path: Path, event: Tournament, answer: Answer) -> Site:
    """Run the push job against a service with this answer."""
    with tls_site(tmp_path, answer) as site:
        announcements.send_to_phones(at_work(event, JobKind.PUSH), site.policy())
    return site


def decrypt(request: bytes) -> dict[str, str]:
    body = request.partition(b"\r\n\r\n")[2]
    message: dict[str, str] = json.loads(opened(body, PHONE, AUTH))
    return message


def test_only_subscribed_player_gets_their_table_encrypted(event: Tournament, tmp_path: Path):
    ada = player_number(event, 1)
    subscribe(ada)
    publish(event)

    site = run_push_job(tmp_path, event, CREATED)

    (request,) = site.requests
    message = decrypt(request)
    opponent = player_number(event, 2).player.name
    assert message.pop("body") in (
        f"You are Corp first, against {opponent}",
        f"You are Runner first, against {opponent}",
    )
    assert message == {
        "title": "Table 1 - round 1",
        "page": f"/events/{event.slug}/me/",
        "tag": event.slug,
    }
    head = request.partition(b"\r\n\r\n")[0].lower()
    assert b"authorization: vapid t=" in head
    assert b"ttl: 3600" in head
    assert b"urgency: high" in head
    # Not a player's name: two letters may appear in the ciphertext by chance.
    assert b"first, against" not in request


def test_notification_is_in_the_language_of_the_event_or_of_the_account(tmp_path: Path):
    event = allow(make_event(players=2, language="fr"))
    for number in (1, 2):
        subscribe(player_number(event, number), f"/{number}")
    account = make_user("German")
    account.language = "de"
    account.save()
    bo = player_number(event, 2).player
    bo.user = account
    bo.save()
    publish(event)

    site = run_push_job(tmp_path, event, CREATED)

    messages = {request.split(b" ")[1]: decrypt(request) for request in site.requests}
    french, german = messages[b"/1"], messages[b"/2"]
    assert french["title"] == "Table 1 – ronde 1"
    assert re.fullmatch(rf"Vous commencez en (Corpo|Runner), contre {bo.name}", french["body"])
    assert german["title"] == "Tisch 1 – Runde 1"
    assert german["body"].startswith("Du bist zuerst ")


def test_phone_with_an_unreadable_secret_is_skipped(event: Tournament, tmp_path: Path, settings):
    subscribe(player_number(event, 1))
    settings.ENCRYPTION_KEYS = [Fernet.generate_key().decode()]
    subscribe(player_number(event, 2), "/b")
    publish(event)

    site = run_push_job(tmp_path, event, CREATED)

    assert [request.split(b" ")[1] for request in site.requests] == [b"/b"]


def test_bye_is_sent_with_its_points(tmp_path: Path):
    event = allow(make_event(players=3))
    for number in (1, 2, 3):
        subscribe(player_number(event, number), f"/{number}")
    publish(event)

    site = run_push_job(tmp_path, event, CREATED)

    messages = [decrypt(request) for request in site.requests]
    (bye,) = [message for message in messages if message["title"] == "Bye - round 1"]
    assert re.fullmatch(r"You have a bye, worth \d+ points\.", bye["body"])
    assert len(messages) == 3


def test_nothing_is_sent_before_the_commit(
    event: Tournament, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks
):
    subscribe(player_number(event, 1))
    network = record(monkeypatch)

    with django_capture_on_commit_callbacks() as after:
        publish(event)

    assert (network.looked_up, network.connected) == ([], [])
    assert after
    assert event.jobs.get(kind=JobKind.PUSH).state == JobState.QUEUED


@pytest.mark.parametrize("is_allowed", [True, False])
def test_job_is_not_queued_without_a_key_or_permission(settings, is_allowed: bool):
    event = allow(make_event(players=2), allows_push=is_allowed)
    settings.PUSH_KEY = "" if is_allowed else settings.PUSH_KEY

    publish(event)

    assert not event.jobs.filter(kind=JobKind.PUSH).exists()
    with pytest.raises(announcements.NoPush, match="has not switched on push notifications"):
        subscribe(player_number(event, 1))


def test_unpublished_round_and_switched_off_messages_send_nothing(
    event: Tournament, tmp_path: Path
):
    subscribe(player_number(event, 1))
    round_ = publish(event)

    with tls_site(tmp_path, CREATED) as site:
        allow(event, allows_push=False)
        announcements.send_to_phones(at_work(event, JobKind.PUSH), site.policy())
        allow(event)
        rounds_services.unpublish_round(round_, owner_of(event), "Wrong")
        announcements.send_to_phones(at_work(event, JobKind.PUSH), site.policy())

    assert site.requests == []


@pytest.mark.parametrize("status", ["404 Not Found", "410 Gone"])
def test_expired_subscription_is_deleted(event: Tournament, tmp_path: Path, status: str):
    subscribe(player_number(event, 1))
    publish(event)

    run_push_job(tmp_path, event, replies(status))

    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize(
    ("status", "headers", "wait"),
    [
        ("429 Too Many Requests", "Retry-After: 3\r\n", 4),
        ("503 Busy", "", None),
    ],
)
def test_busy_service_is_retried_only_for_the_remaining_phones(
    event: Tournament, tmp_path: Path, status: str, headers: str, wait: int | None
):
    subscribe(player_number(event, 1), "/good")
    subscribe(player_number(event, 2), "/busy")
    publish(event)
    job = at_work(event, JobKind.PUSH)
    busy = replies(status, headers=headers)

    def answer(connection: ssl.SSLSocket) -> None:
        (busy if b"/busy" in site.requests[-1] else CREATED)(connection)

    with tls_site(tmp_path, answer) as site:
        with pytest.raises(TryLater, match=r"could not be reached\. decks\.example") as later:
            announcements.send_to_phones(job, site.policy())
        with pytest.raises(TryLater):
            announcements.send_to_phones(job, site.policy())

    paths = [request.split(b" ")[1] for request in site.requests]
    assert sorted(paths) == [b"/busy", b"/busy", b"/good"]
    assert (later.value.wait.total_seconds() if later.value.wait else None) == wait


def test_permanent_failure_names_the_service_and_status(event: Tournament, tmp_path: Path):
    subscribe(player_number(event, 1))
    publish(event)

    with (
        tls_site(tmp_path, replies("403 No")) as site,
        pytest.raises(announcements.PhonesNotReached, match="answered with status 403"),
    ):
        announcements.send_to_phones(at_work(event, JobKind.PUSH), site.policy())

    assert PushSubscription.objects.count() == 1


def test_unreachable_service_costs_one_time_out_for_all_phones(
    event: Tournament, monkeypatch: pytest.MonkeyPatch
):
    all_four = threading.Barrier(4, timeout=10)

    def slow(*_: object) -> list[str]:
        all_four.wait()  # sequential requests would time out here
        return []

    monkeypatch.setattr(announcements, "PHONE_POLICY", Policy(hosts=None, resolve=slow))
    for path in ("/a", "/b", "/c", "/d"):
        subscribe(player_number(event, 1), path)
    publish(event)
    job = event.jobs.get(kind=JobKind.PUSH)

    tasks.push(job.pk)

    job.refresh_from_db()
    assert job.state == JobState.QUEUED  # for its next attempt
    assert job.error == f"4 phones could not be reached. {HOST} cannot be reached from here."


def test_second_subscription_of_a_phone_replaces_its_keys(ada: Registration):
    subscribe(ada)
    subscribe(ada, auth=bytes(16))

    (phone,) = ada.phones.all()
    assert phone.auth == web_push.encode_base64url(bytes(16))


def test_sixth_phone_is_refused(ada: Registration):
    for number in range(announcements.MAX_PHONES):
        subscribe(ada, f"/{number}")

    with pytest.raises(announcements.NoPush, match="5 phones"):
        subscribe(ada, "/more")
    subscribe(ada, "/0")  # a known phone may subscribe again

    assert ada.phones.count() == announcements.MAX_PHONES


def test_phone_moves_to_its_new_player(event: Tournament):
    ada, bo = player_number(event, 1), player_number(event, 2)
    subscribe(ada)

    subscribe(bo)

    assert not ada.phones.exists()
    assert bo.phones.count() == 1


def test_phone_is_not_taken_over_without_its_secret(event: Tournament):
    ada, bo = player_number(event, 1), player_number(event, 2)
    subscribe(ada)

    subscribe(bo, auth=bytes(16))
    announcements.remove_phone(bo, f"https://{HOST}/a")
    announcements.remove_phone(bo)

    assert ada.phones.count() == 1


def test_phone_can_be_subscribed_to_several_events(ada: Registration):
    second = allow(make_event(players=0, name="Second"))
    registration = Registration.objects.create(tournament=second, player=ada.player, number=1)

    subscribe(ada)
    subscribe(registration)
    announcements.remove_phone(registration)

    assert ada.phones.count() == 1
    assert not registration.phones.exists()


def test_private_and_overlong_addresses_are_refused(event: Tournament):
    ada, keys = player_number(event, 1), {"p256dh": POINT, "auth": web_push.encode_base64url(AUTH)}

    for endpoint in ("", "https://127.0.0.1/x"):
        with pytest.raises(AddressNotAllowed):
            announcements.add_phone(ada, endpoint=endpoint, **keys)
    with pytest.raises(announcements.NoPush, match="too long"):
        subscribe(ada, "/" + "a" * 500)

    assert not ada.phones.exists()


def test_practice_event_has_no_phones_and_sends_nothing(event: Tournament):
    subscribe(player_number(event, 1))

    practice = practice_services.create_practice(event, owner_of(event))
    allow(practice)
    publish(fresh(practice))

    assert not PushSubscription.objects.filter(registration__tournament=practice).exists()
    assert not practice.jobs.filter(kind=JobKind.PUSH).exists()


def test_phones_are_deleted_with_their_registration(event: Tournament):
    subscribe(player_number(event, 1))

    player_number(event, 1).delete()

    assert not PushSubscription.objects.exists()
