"""Answers kept under the key a device sent along, so that a write sent twice is done once.

The key of a request is its header `Idempotency-Key`, or the field `idempotency_key` of a form.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from typing import Any

from django.db import IntegrityError, models, transaction
from django.http import HttpRequest
from django.utils import timezone

from core.database_errors import tried_twice
from core.errors import Refusal

KEPT_FOR = timedelta(hours=24)
KEY_LENGTH = 64
HEADER, FIELD = "Idempotency-Key", "idempotency_key"
NOT_SAID = {FIELD, "csrfmiddlewaretoken"}
"""Fields that differ each time the same thing is said."""


class AbstractKeptAnswer(models.Model):
    """The answer to one write. `who` sent it, `digest` is the hash of all it said.

    The row is made in the transaction of the write, so either both are there or none.
    """

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
    """The key is too long, or not plain letters, digits and signs."""


class KeyUsedOtherwise(Refusal):
    """Something else was said under this key before."""


@dataclass(frozen=True)
class Write:
    """One write as it arrived: who sends it under which key, and the digest of what it says."""

    who: str
    key: str
    digest: str


@dataclass(frozen=True)
class Answer:
    """What is kept of an answer; `content` is plain JSON."""

    status: int
    content: dict[str, Any]


def key_of(request: HttpRequest) -> str:
    """The key the device sent along, "" when it sent none. Raises KeyNotUsable."""
    return checked_key(request.headers.get(HEADER) or request.POST.get(FIELD) or "")


def checked_key(sent: str) -> str:
    """The key as it is kept, "" for none. Raises KeyNotUsable."""
    key = sent.strip()
    if len(key) > KEY_LENGTH or not (key.isascii() and key.isprintable()):
        raise KeyNotUsable(f"A key has at most {KEY_LENGTH} plain letters, digits and signs.")
    return key


def digest_of_form(request: HttpRequest) -> str:
    """All that a form says and where it is sent, as a hash of 64 hexadecimal digits."""
    fields = [
        (name, request.POST.getlist(name)) for name in sorted(request.POST) if name not in NOT_SAID
    ]
    files = [
        (name, [_digest_of_file(file) for file in request.FILES.getlist(name)])
        for name in sorted(request.FILES)
    ]
    said = (request.method, request.get_full_path(), fields, files)
    return sha256(repr(said).encode()).hexdigest()


def _digest_of_file(file: Any) -> tuple[str, str]:
    digest = sha256(file.read()).hexdigest()
    file.seek(0)
    return file.name, digest


def answered_once(
    kept: type[AbstractKeptAnswer], write: Write, act: Callable[[], Answer | None]
) -> Answer | None:
    """Act and keep the answer, or answer as before when this key has been here.

    `act` and its answer share one transaction; of two that come at once the second waits for the
    first. What `act` raises leaves nothing behind. None means that nothing was written, so there
    is nothing to keep. A key from longer ago than KEPT_FOR is a new one. Raises KeyUsedOtherwise.
    """
    while True:
        try:
            return tried_twice(partial(_acted, kept, write, act))
        except _KeyWasHereError:
            row = kept._default_manager.filter(who=write.who, key=write.key).first()
        if row is not None and row.made_at >= _oldest():
            return _as_before(row, write)
        # Too old, or gone meanwhile: so this is the first time.
        forget(kept)


def forget(kept: type[AbstractKeptAnswer]) -> None:
    """Delete the answers that need not be kept any more."""
    kept._default_manager.filter(made_at__lt=_oldest()).delete()


def _oldest() -> datetime:
    """When the oldest answers that are still kept were given."""
    return timezone.now() - KEPT_FOR


class _KeyWasHereError(Exception):
    """There is a row of this key."""


@transaction.atomic
def _acted(
    kept: type[AbstractKeptAnswer], write: Write, act: Callable[[], Answer | None]
) -> Answer | None:
    row = _first(kept, write)
    answer = act()
    if answer is None:
        row.delete()
        return None
    row.status, row.answer = answer.status, answer.content
    row.save(update_fields=["status", "answer"])
    return answer


def _first(kept: type[AbstractKeptAnswer], write: Write) -> AbstractKeptAnswer:
    """The row of this key, made now. Raises _KeyWasHereError, which ends the transaction."""
    fields = {"who": write.who, "key": write.key, "digest": write.digest, "status": 0}
    try:
        return kept._default_manager.create(**fields)
    except IntegrityError as error:
        raise _KeyWasHereError from error


def _as_before(row: AbstractKeptAnswer, write: Write) -> Answer:
    if row.digest != write.digest:
        raise KeyUsedOtherwise(
            "This form was already sent with other contents, and those were saved. "
            "Nothing has changed now. Reload the page and send it again."
        )
    return Answer(row.status, row.answer)
