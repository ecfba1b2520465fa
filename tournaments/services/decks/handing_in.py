"""Lists received: each one is kept as a version, and each time has its receipt."""

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from core.errors import Refusal, StaleVersion
from decks.models import DecklistVersion, Side
from tournaments import history, judging, queries
from tournaments.actors import Actor
from tournaments.models import DeckReceipt, DeckSubmission, LockedBy, Registration, Tournament
from tournaments.services.decks.refusals import DeckIsLocked

MOST_RECEIPTS = 500
"""Lists a player may hand in for one side of one event; nobody who plays needs as many."""

WHO_LOCKED = {
    LockedBy.PLAYER: "This deck is locked. Ask the staff to unlock it.",
    LockedBy.DEADLINE: "The time to hand in decks is over. Ask the staff to change the list.",
    LockedBy.STAFF: "The staff have locked this deck. Ask them to unlock it.",
}


class TooManyLists(Refusal):
    """Somebody, or some program, hands in again and again."""

    code = "too_many_lists"


@dataclass(frozen=True)
class Received:
    """What became of a list that was handed in.

    `receipt` is the receipt of exactly this list; it `is_new` unless the same list was the
    last one received.
    """

    submission: DeckSubmission
    receipt: DeckReceipt
    is_new: bool


def hand_in(registration: Registration, side: Side, text: str, actor: Actor) -> DeckSubmission:
    """As `receive`, for whoever asks for no receipt."""
    return receive(registration, side, text, actor).submission


@transaction.atomic
def receive(
    registration: Registration, side: Side, text: str, actor: Actor, *, seen: int | None = None
) -> Received:
    """Keep a list for one side, legal or not; the verdict stands on its version.

    `seen` is the newest receipt when the list was opened, 0 for none; another list received
    since then is not written over. Raises StaleVersion, TooManyLists, and DeckIsLocked from the
    moment on that the player, the deadline or the staff locked the deck.
    """
    tournament = history.lock_unfinished(registration.tournament)
    present = registration.deck_submissions.filter(side=side).first()
    lock = queries.deck_lock(tournament, present)
    if lock is not None:
        raise DeckIsLocked(WHO_LOCKED[lock.by])
    if present is not None and present.receipts.count() >= MOST_RECEIPTS:
        raise TooManyLists(
            f"This list was handed in {MOST_RECEIPTS} times. Ask the staff to change it for you."
        )
    return _keep(tournament, registration, side, text, actor, seen=seen)


@transaction.atomic
def change_for_player(
    registration: Registration,
    side: Side,
    text: str,
    actor: Actor,
    reason: str,
    *,
    seen: int | None = None,
) -> Received:
    """Staff hand in a list for the player, locked or not; what was locked stays locked.

    The receipt names the account and the reason. Raises DeckIsLocked without a reason, and
    StaleVersion as `receive`.
    """
    tournament = history.lock_unfinished(registration.tournament)
    if not reason.strip():
        raise DeckIsLocked("Say why the list is changed for the player.")
    return _keep(tournament, registration, side, text, actor, reason.strip(), seen=seen)


def _keep(
    tournament: Tournament,
    registration: Registration,
    side: Side,
    text: str,
    actor: Actor,
    reason: str = "",
    *,
    seen: int | None,
) -> Received:
    version = judging.kept_version(tournament, registration.player, side, text)
    submission, last = _place_of(registration, side, version)
    if last is not None and _is_same_list(last.version, version):
        _take_verdict(submission, version)
        return Received(submission, last, is_new=False)
    _refuse_stale(last, seen)
    _take_verdict(submission, version)
    is_own = not reason and actor.player == registration.player
    receipt = _write_receipt(submission, last, None if is_own else actor, reason)
    action = "deck changed by staff" if reason else "deck handed in"
    judging.record(tournament, actor, action, submission, reason=reason, receipt=receipt.number)
    return Received(submission, receipt, is_new=True)


def _take_verdict(submission: DeckSubmission, version: DecklistVersion) -> None:
    if submission.version != version:
        submission.version = version
        submission.save(update_fields=["version"])


def _refuse_stale(last: DeckReceipt | None, seen: int | None) -> None:
    newest = last.number if last else 0
    if seen is not None and seen != newest:
        raise StaleVersion(
            f"Another list was received since you opened this page, as receipt {newest}. Yours "
            "is still here. Compare the two, then save again if yours is the right one.",
            recorded={"receipt": newest},
            entered={"receipt": seen},
        )


def _place_of(
    registration: Registration, side: Side, version: DecklistVersion
) -> tuple[DeckSubmission, DeckReceipt | None]:
    """The submission of the side, made now if it is the first one, and its last receipt."""
    submission, is_first = DeckSubmission.objects.select_related("version").get_or_create(
        registration=registration,
        side=side,
        defaults={"version": version, "received_at": timezone.now()},
    )
    # The caller knows the player; a row fetched again would be asked for it again.
    submission.registration = registration
    last = None if is_first else submission.receipts.select_related("version").first()
    return submission, last


def _is_same_list(one: DecklistVersion, other: DecklistVersion) -> bool:
    # Judged by other rules the same list is another version, and still nothing new.
    return one.text == other.text and one.form == other.form


def _write_receipt(
    submission: DeckSubmission, last: DeckReceipt | None, staff: Actor | None, reason: str
) -> DeckReceipt:
    now = timezone.now()
    submission.received_at = now
    submission.save(update_fields=["received_at"])
    return submission.receipts.create(
        number=last.number + 1 if last else 1,
        version=submission.version,
        received_at=now,
        received_from=staff.user if staff else None,
        reason=reason[:500],
    )
