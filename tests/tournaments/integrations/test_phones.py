"""Messages to phones: who gets them, what they read, and what a dead phone costs."""

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
from tests.factories.tournaments import fresh, make_event, owner_of, player_number
from tournaments import tasks
from tournaments.integrations import announcements
from tournaments.models import JobKind, PushSubscription, Registration, Tournament
from tournaments.practice import services as practice_services
from tournaments.rounds import services as rounds_services

TAKEN = replies("201 Created")
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
    announcements.change_announcements(
        event,
        owner_of(event),
        webhook=None,
        tells_pairings=False,
        tells_standings=False,
        allows_mail=False,
        allows_push=allows_push,
    )
    return fresh(event)


def ask_for_push(registration: Registration, path: str = "/a", auth: bytes = AUTH) -> None:
    endpoint = f"https://{HOST}{path}"
    announcements.add_phone(
        registration, endpoint=endpoint, p256dh=POINT, auth=web_push.encode_base64url(auth)
    )


def pushed_by(tmp_path: Path, event: Tournament, answer: Answer) -> Site:
    """The service that takes messages to phones, which answers so, after the job was done."""
    with tls_site(tmp_path, answer) as site:
        announcements.send_to_phones(at_work(event, JobKind.PUSH), site.policy())
    return site


def read(request: bytes) -> dict[str, str]:
    """What the phone shows."""
    body = request.partition(b"\r\n\r\n")[2]
    found: dict[str, str] = json.loads(opened(body, PHONE, AUTH))
    return found


def test_who_asked_reads_their_table_and_nobody_else_does(event: Tournament, tmp_path: Path):
    ada = player_number(event, 1)
    ask_for_push(ada)
    publish(event)

    site = pushed_by(tmp_path, event, TAKEN)

    (request,) = site.requests
    message = read(request)
    other = player_number(event, 2).player.name
    assert message.pop("body") in (
        f"You are Corp first, against {other}",
        f"You are Runner first, against {other}",
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
    # A name of two letters is found in what is encrypted by chance.
    assert b"first, against" not in request


def test_phones_whose_secret_is_lost_do_not_keep_it_from_others(
    event: Tournament, tmp_path: Path, settings
):
    ask_for_push(player_number(event, 1))
    settings.ENCRYPTION_KEYS = [Fernet.generate_key().decode()]
    ask_for_push(player_number(event, 2), "/b")
    publish(event)

    site = pushed_by(tmp_path, event, TAKEN)

    assert [request.split(b" ")[1] for request in site.requests] == [b"/b"]


def test_a_bye_is_sent_with_its_points(tmp_path: Path):
    event = allow(make_event(players=3))
    for number in (1, 2, 3):
        ask_for_push(player_number(event, number), f"/{number}")
    publish(event)

    site = pushed_by(tmp_path, event, TAKEN)

    messages = [read(request) for request in site.requests]
    (bye,) = [message for message in messages if message["title"] == "Bye - round 1"]
    assert re.fullmatch(r"You have a bye, worth \d+ points\.", bye["body"])
    assert len(messages) == 3


def test_nothing_is_sent_before_the_commit(
    event: Tournament, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks
):
    ask_for_push(player_number(event, 1))
    network = record(monkeypatch)

    with django_capture_on_commit_callbacks() as after:
        publish(event)

    assert (network.looked_up, network.connected) == ([], [])
    assert after
    assert event.jobs.get(kind=JobKind.PUSH).state == JobState.QUEUED


@pytest.mark.parametrize("is_allowed", [True, False])
def test_no_job_without_a_key_or_where_it_is_not_allowed(settings, is_allowed: bool):
    event = allow(make_event(players=2), allows_push=is_allowed)
    settings.PUSH_KEY = "" if is_allowed else settings.PUSH_KEY

    publish(event)

    assert not event.jobs.filter(kind=JobKind.PUSH).exists()
    with pytest.raises(announcements.NoPush, match="sends no messages"):
        ask_for_push(player_number(event, 1))


def test_what_was_taken_back_or_switched_off_meanwhile_is_not_sent(
    event: Tournament, tmp_path: Path
):
    ask_for_push(player_number(event, 1))
    round_ = publish(event)

    with tls_site(tmp_path, TAKEN) as site:
        allow(event, allows_push=False)
        announcements.send_to_phones(at_work(event, JobKind.PUSH), site.policy())
        allow(event)
        rounds_services.unpublish_round(round_, owner_of(event), "Wrong")
        announcements.send_to_phones(at_work(event, JobKind.PUSH), site.policy())

    assert site.requests == []


@pytest.mark.parametrize("status", ["404 Not Found", "410 Gone"])
def test_a_phone_that_is_no_more_is_forgotten(event: Tournament, tmp_path: Path, status: str):
    ask_for_push(player_number(event, 1))
    publish(event)

    pushed_by(tmp_path, event, replies(status))

    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize(
    ("status", "headers", "wait"),
    [
        ("429 Too Many Requests", "Retry-After: 3\r\n", 4),
        ("503 Busy", "", None),
    ],
)
def test_a_service_that_is_busy_is_asked_again_and_only_for_whom_it_did_not_take(
    event: Tournament, tmp_path: Path, status: str, headers: str, wait: int | None
):
    ask_for_push(player_number(event, 1), "/good")
    ask_for_push(player_number(event, 2), "/busy")
    publish(event)
    job = at_work(event, JobKind.PUSH)
    busy = replies(status, headers=headers)

    def answer(connection: ssl.SSLSocket) -> None:
        (busy if b"/busy" in site.requests[-1] else TAKEN)(connection)

    with tls_site(tmp_path, answer) as site:
        with pytest.raises(TryLater, match=r"1 phone was not reached\. decks\.example") as later:
            announcements.send_to_phones(job, site.policy())
        with pytest.raises(TryLater):
            announcements.send_to_phones(job, site.policy())

    asked = [request.split(b" ")[1] for request in site.requests]
    assert sorted(asked) == [b"/busy", b"/busy", b"/good"]
    assert (later.value.wait.total_seconds() if later.value.wait else None) == wait


def test_a_service_that_will_not_take_it_is_named_on_the_job(event: Tournament, tmp_path: Path):
    ask_for_push(player_number(event, 1))
    publish(event)

    with (
        tls_site(tmp_path, replies("403 No")) as site,
        pytest.raises(announcements.PhonesNotReached, match="answered with status 403"),
    ):
        announcements.send_to_phones(at_work(event, JobKind.PUSH), site.policy())

    assert PushSubscription.objects.count() == 1


def test_a_dead_service_costs_one_time_out_and_its_reason_stands_on_the_job(
    event: Tournament, monkeypatch: pytest.MonkeyPatch
):
    all_four = threading.Barrier(4, timeout=10)

    def slow(*_: object) -> list[str]:
        all_four.wait()  # Asked one after another they would never meet.
        return []

    monkeypatch.setattr(announcements, "PHONE_POLICY", Policy(hosts=None, resolve=slow))
    for path in ("/a", "/b", "/c", "/d"):
        ask_for_push(player_number(event, 1), path)
    publish(event)
    job = event.jobs.get(kind=JobKind.PUSH)

    tasks.push(job.pk)

    job.refresh_from_db()
    assert job.state == JobState.QUEUED  # It waits for its next try.
    assert job.error == f"4 phones were not reached. {HOST} cannot be reached from here."


def test_a_phone_asked_twice_is_one_and_its_newest_keys_count(ada: Registration):
    ask_for_push(ada)
    ask_for_push(ada, auth=bytes(16))

    (phone,) = ada.phones.all()
    assert phone.auth == web_push.encode_base64url(bytes(16))


def test_a_sixth_phone_is_refused(ada: Registration):
    for number in range(announcements.MAX_PHONES):
        ask_for_push(ada, f"/{number}")

    with pytest.raises(announcements.NoPush, match="5 phones"):
        ask_for_push(ada, "/more")
    ask_for_push(ada, "/0")  # One of the five may ask again.

    assert ada.phones.count() == announcements.MAX_PHONES


def test_a_phone_handed_on_belongs_to_its_new_player_alone(event: Tournament):
    ada, bo = player_number(event, 1), player_number(event, 2)
    ask_for_push(ada)

    ask_for_push(bo)

    assert not ada.phones.exists()
    assert bo.phones.count() == 1


def test_who_knows_only_the_address_takes_no_phone_from_anybody(event: Tournament):
    ada, bo = player_number(event, 1), player_number(event, 2)
    ask_for_push(ada)

    ask_for_push(bo, auth=bytes(16))
    announcements.remove_phone(bo, f"https://{HOST}/a")
    announcements.remove_phone(bo)

    assert ada.phones.count() == 1


def test_a_phone_hears_of_all_events_of_its_player(ada: Registration):
    second = allow(make_event(players=0, name="Second"))
    again = Registration.objects.create(tournament=second, player=ada.player, number=1)

    ask_for_push(ada)
    ask_for_push(again)
    announcements.remove_phone(again)

    assert ada.phones.count() == 1
    assert not again.phones.exists()


def test_an_address_without_end_or_that_may_not_be_asked_is_refused(event: Tournament):
    ada, keys = player_number(event, 1), {"p256dh": POINT, "auth": web_push.encode_base64url(AUTH)}

    for endpoint in ("", "https://127.0.0.1/x"):
        with pytest.raises(AddressNotAllowed):
            announcements.add_phone(ada, endpoint=endpoint, **keys)
    with pytest.raises(announcements.NoPush, match="too long"):
        ask_for_push(ada, "/" + "a" * 500)

    assert not ada.phones.exists()


def test_a_practice_copy_has_no_phones_and_sends_nothing(event: Tournament):
    ask_for_push(player_number(event, 1))

    made = practice_services.create_practice(event, owner_of(event))
    allow(made)
    publish(fresh(made))

    assert not PushSubscription.objects.filter(registration__tournament=made).exists()
    assert not made.jobs.filter(kind=JobKind.PUSH).exists()


def test_a_registration_takes_its_phones_with_it(event: Tournament):
    ask_for_push(player_number(event, 1))

    player_number(event, 1).delete()

    assert not PushSubscription.objects.exists()
