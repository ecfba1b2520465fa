"""Stored answers: a write sent twice runs once."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from typing import Any

from django.db import IntegrityError, models, transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from core.database import retry_on_conflict
from core.errors import Refusal

STORED_FOR = timedelta(hours=24)
KEY_LENGTH = 64
HEADER, FIELD = "Idempotency-Key", "idempotency_key"
# Fields that differ each time the same form is sent.
IGNORED_FIELDS = {FIELD, "csrfmiddlewaretoken"}


class AbstractIdempotencyRecord(models.Model):
    """The answer to a write by `who`, stored in its transaction; `digest` is of the request."""

    who = models.CharField(max_length=80)
    key = models.CharField(max_length=KEY_LENGTH)
    digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    answer = models.JSONField(default=dict)
    made_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        abstract = True
        constraints = [
            models.UniqueConstraint(fields=["who", "key"], name="%(app_label)s_one_answer_a_key")
        ]

    def __str__(self) -> str:
        return f"answer {self.status} to {self.key}"


class KeyNotUsable(Refusal):
    pass


class KeyUsedOtherwise(Refusal):
    pass


@dataclass(frozen=True)
class WriteRequest:
    who: str
    key: str
    digest: str


@dataclass(frozen=True)
class StoredAnswer:
    """The stored part of an answer; `content` is plain JSON."""

    status: int
    content: dict[str, Any]


def request_key(request: HttpRequest) -> str:
    """Return the key of the request, "" without a key. Raises KeyNotUsable."""
    return validated_key(request.headers.get(HEADER) or request.POST.get(FIELD) or "")


def validated_key(sent: str) -> str:
    """Return the key without surrounding spaces. Raises KeyNotUsable."""
    key = sent.strip()
    if len(key) > KEY_LENGTH or not (key.isascii() and key.isprintable()):
        raise KeyNotUsable(
            _("A key has at most %(key_length)s ASCII letters, digits and punctuation marks.")
            % {"key_length": KEY_LENGTH}
        )
    return key


def digest_of_form(request: HttpRequest) -> str:
    fields = [
        (name, request.POST.getlist(name))
        for name in sorted(request.POST)
        if name not in IGNORED_FIELDS
    ]
    files = [
        (name, [_digest_of_file(file) for file in request.FILES.getlist(name)])
        for name in sorted(request.FILES)
    ]
    content = (request.method, request.get_full_path(), fields, files)
    return sha256(repr(content).encode()).hexdigest()


def _digest_of_file(file: Any) -> tuple[str, str]:
    digest = sha256(file.read()).hexdigest()
    file.seek(0)
    return file.name, digest


def answer_once(
    records: type[AbstractIdempotencyRecord],
    write: WriteRequest,
    act: Callable[[], StoredAnswer | None],
) -> StoredAnswer | None:
    """Call `act` and store its answer, or return the stored answer of this key.

    `act` and its answer share a transaction; a simultaneous second request waits for the first. Any
    exception rolls both back. `act` returns None if it wrote nothing, and then nothing is stored.
    Keys expire after STORED_FOR. Raises KeyUsedOtherwise.
    """
    while True:
        try:
            return retry_on_conflict(partial(_run_and_store, records, write, act))
        except _KeyTakenError:
            row = records._default_manager.filter(who=write.who, key=write.key).first()
        if row is not None and row.made_at >= _oldest_valid():
            if row.digest != write.digest:
                raise KeyUsedOtherwise(
                    _(
                        "You have already submitted this form with different contents, which were "
                        "saved. Nothing was changed now. Reload the page and submit it again."
                    )
                )
            return StoredAnswer(row.status, row.answer)
        # The stored answer has expired: treat this as a new request.
        delete_expired_answers(records)


def delete_expired_answers(records: type[AbstractIdempotencyRecord]) -> None:
    records._default_manager.filter(made_at__lt=_oldest_valid()).delete()


def _oldest_valid() -> datetime:
    return timezone.now() - STORED_FOR


class _KeyTakenError(Exception):
    pass


@transaction.atomic
def _run_and_store(
    records: type[AbstractIdempotencyRecord],
    write: WriteRequest,
    act: Callable[[], StoredAnswer | None],
) -> StoredAnswer | None:
    fields = {"who": write.who, "key": write.key, "digest": write.digest, "status": 0}
    try:
        row = records._default_manager.create(**fields)
    except IntegrityError as error:
        # Ends the transaction.
        raise _KeyTakenError from error
    answer = act()
    if answer is None:
        row.delete()
        return None
    row.status, row.answer = answer.status, answer.content
    row.save(update_fields=["status", "answer"])
    return answer
