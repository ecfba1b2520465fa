"""Stored answers: a repeated write runs once."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import RequestFactory

from core.idempotency import (
    KeyNotUsable,
    KeyUsedOtherwise,
    StoredAnswer,
    WriteRequest,
    answer_once,
    delete_expired_answers,
    digest_of_form,
    request_key,
)
from tournaments.models import IdempotencyRecord

NOON = datetime(2026, 5, 2, 12, tzinfo=UTC)
pytestmark = pytest.mark.django_db

FIRST = WriteRequest("player:1", "a-key", "digest")
send = RequestFactory()


class Counter:
    def __init__(self) -> None:
        self.times = 0

    def act(self) -> StoredAnswer:
        self.times += 1
        return StoredAnswer(200, {"times": self.times})


@pytest.fixture
def counter() -> Counter:
    return Counter()


@pytest.mark.check(29)
def test_same_write_ten_times_runs_once(counter: Counter):
    answers = [answer_once(IdempotencyRecord, FIRST, counter.act) for _ in range(10)]

    assert counter.times == 1
    assert answers == [StoredAnswer(200, {"times": 1})] * 10


@pytest.mark.check(29)
def test_same_key_with_another_request_is_refused(counter: Counter):
    answer_once(IdempotencyRecord, FIRST, counter.act)

    with pytest.raises(KeyUsedOtherwise, match="Nothing was changed now"):
        answer_once(IdempotencyRecord, WriteRequest("player:1", "a-key", "other"), counter.act)

    assert counter.times == 1


def test_keys_of_two_people_do_not_clash(counter: Counter):
    answer_once(IdempotencyRecord, FIRST, counter.act)
    answer_once(IdempotencyRecord, WriteRequest("player:2", "a-key", "other"), counter.act)

    assert counter.times == 2


def test_failed_write_can_be_retried_with_its_key(counter: Counter):
    def breaks() -> StoredAnswer:
        raise RuntimeError("The lights went out.")

    with pytest.raises(RuntimeError):
        answer_once(IdempotencyRecord, FIRST, breaks)

    assert not IdempotencyRecord.objects.exists()
    assert answer_once(IdempotencyRecord, FIRST, counter.act) == StoredAnswer(200, {"times": 1})


def test_no_answer_is_stored_if_nothing_was_written():
    assert answer_once(IdempotencyRecord, FIRST, lambda: None) is None
    assert not IdempotencyRecord.objects.exists()


@pytest.mark.check(29)
def test_key_expires_after_a_day(counter: Counter):
    with time_machine.travel(NOON, tick=False):
        answer_once(IdempotencyRecord, FIRST, counter.act)
    with time_machine.travel(NOON + timedelta(hours=24), tick=False):
        answer_once(IdempotencyRecord, FIRST, counter.act)
        delete_expired_answers(IdempotencyRecord)
        assert counter.times == 1
        assert IdempotencyRecord.objects.exists()
    with time_machine.travel(NOON + timedelta(hours=24, seconds=1), tick=False):
        delete_expired_answers(IdempotencyRecord)

    assert not IdempotencyRecord.objects.exists()


@pytest.mark.check(29)
@pytest.mark.parametrize("digest", ["digest", "other"])
def test_expired_key_still_stored_counts_as_new(counter: Counter, digest: str):
    with time_machine.travel(NOON, tick=False):
        answer_once(IdempotencyRecord, FIRST, counter.act)
    with time_machine.travel(NOON + timedelta(hours=24, seconds=1), tick=False):
        retried = WriteRequest(FIRST.who, FIRST.key, digest)
        answers = [answer_once(IdempotencyRecord, retried, counter.act) for _ in range(2)]

    assert answers == [StoredAnswer(200, {"times": 2})] * 2
    assert IdempotencyRecord.objects.get().digest == digest


def test_new_key_costs_two_queries(django_assert_num_queries):
    with django_assert_num_queries(
        4
    ):  # One query reserves the key, one stores the answer, in a savepoint.
        answer_once(IdempotencyRecord, FIRST, Counter().act)


def test_header_takes_precedence_over_the_form_field():
    request = send.post("/", {"idempotency_key": "field"}, headers={"Idempotency-Key": " header "})

    assert request_key(request) == "header"
    assert request_key(send.post("/", {"idempotency_key": "field"})) == "field"
    assert request_key(send.post("/", {})) == ""


@pytest.mark.parametrize("key", ["x" * 65, "clé", "a\tb"])
def test_invalid_key_is_refused(key):
    with pytest.raises(KeyNotUsable):
        request_key(send.post("/", {"idempotency_key": key}))


def test_digest_depends_on_content_and_address():
    expected = digest_of_form(send.post("/report/", {"winner": ["1", "2"], "points": "3"}))
    reordered = {
        "points": "3",
        "winner": ["1", "2"],
        "idempotency_key": "k",
        "csrfmiddlewaretoken": "t",
    }

    assert digest_of_form(send.post("/report/", reordered)) == expected
    assert digest_of_form(send.post("/report/", {**reordered, "points": "4"})) != expected
    assert digest_of_form(send.post("/report/", {**reordered, "winner": ["2", "1"]})) != expected
    assert digest_of_form(send.post("/other/", reordered)) != expected


def test_digest_rewinds_uploaded_files():
    request = send.post("/", {"file": SimpleUploadedFile("deck.txt", b"3 Raptor")})
    other_file = send.post("/", {"file": SimpleUploadedFile("deck.txt", b"2 Raptor")})

    assert digest_of_form(request) != digest_of_form(other_file)
    assert request.FILES["file"].read() == b"3 Raptor"
