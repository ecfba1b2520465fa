"""Submit, lock, unlock and re-check the decks of an event.

An illegal list may be stored as a draft. Players can lock only a legal list; the deadline and the
staff lock any list.
"""

from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from operator import itemgetter

from django.db import transaction
from django.utils import timezone

from core import jobs
from core.errors import Refusal, StaleVersion
from core.jobs import JobState
from decks.models import DecklistVersion, Side
from tournaments.decklists import deck_verdicts, queries
from tournaments.event import history
from tournaments.event import services as event_services
from tournaments.event.actors import Actor
from tournaments.models import (
    DeckCheck,
    DeckReceipt,
    DeckSubmission,
    Job,
    JobKind,
    LockedBy,
    LogAction,
    Registration,
    Tournament,
)

# Limit of submissions per player, side and event.
MOST_RECEIPTS = 500
# Limit of receipts per deck that are stored with their lists.
MOST_KEPT = 30
# A draft replaced within this time is the first to be deleted above MOST_KEPT.
MERGED_WITHIN = timedelta(minutes=5)

WHO_LOCKED = {
    LockedBy.PLAYER: "This deck is locked. Ask the staff to unlock it.",
    LockedBy.DEADLINE: "The time to hand in decks is over. Ask the staff to change the list.",
    LockedBy.STAFF: "The staff have locked this deck. Ask them to unlock it.",
}


class DeckIsLocked(Refusal):
    """Only staff can change a locked deck, with a reason."""


class DeckNotLegal(Refusal):
    """An illegal list cannot be locked."""


class TooManyLists(Refusal):
    """The player has reached MOST_RECEIPTS for this deck."""


@dataclass(frozen=True)
class Received:
    """The result of a submission.

    `receipt` is for exactly this list. `is_new` is False if the same list was the last one
    received.
    """

    submission: DeckSubmission
    receipt: DeckReceipt
    is_new: bool


def hand_in(registration: Registration, side: Side, text: str, actor: Actor) -> DeckSubmission:
    """Like `receive`, for callers without use for the receipt."""
    return receive(registration, side, text, actor).submission


@transaction.atomic
def receive(
    registration: Registration, side: Side, text: str, actor: Actor, *, seen: int | None = None
) -> Received:
    """Submit a list for one side, legal or not; its version holds the verdict.

    `seen` is the newest receipt when the list was opened, 0 for none; a list received since then is
    not overwritten. Raises StaleVersion, TooManyLists, PlayerRemoved, and DeckIsLocked once the
    player, the deadline or the staff locked the deck.
    """
    tournament = history.lock_unfinished(registration.tournament)
    present = registration.deck_submissions.filter(side=side).first()
    lock = queries.deck_lock(tournament, present)
    if lock is not None:
        raise DeckIsLocked(WHO_LOCKED[lock.by])
    last = present.receipts.first() if present is not None else None
    if last is not None and last.number >= MOST_RECEIPTS:
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
    """Submit a list for the player as staff, locked or not; a lock stays in place.

    The receipt names the account and the reason. Raises DeckIsLocked without a reason, and
    StaleVersion and PlayerRemoved like `receive`.
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
    history.read_again(registration, "state")
    version = deck_verdicts.kept_version(tournament, registration.player, side, text)
    submission, last = _place_of(registration, side, version)
    if last is not None and _is_same_list(last.version, version):
        _take_verdict(submission, version)
        history.move_own_pages(tournament, [registration.player_id])
        return Received(submission, last, is_new=False)
    _refuse_stale(
        last.number if last else 0,
        seen,
        "Yours is still here. Compare the two, then save again if yours is the right one.",
    )
    _take_verdict(submission, version)
    is_own = not reason and actor.player == registration.player
    receipt = _write_receipt(submission, last, None if is_own else actor, reason)
    _drop_old_drafts(submission)
    action = LogAction.DECK_CHANGED_BY_STAFF if reason else LogAction.DECK_HANDED_IN
    deck_verdicts.record(
        tournament, actor, action, submission, reason=reason, receipt=receipt.number
    )
    return Received(submission, receipt, is_new=True)


def _take_verdict(submission: DeckSubmission, version: DecklistVersion) -> None:
    if submission.version != version:
        submission.version = version
        submission.save(update_fields=["version"])


def _refuse_stale(newest: int | None, seen: int | None, advice: str) -> None:
    if seen is not None and seen != newest:
        raise StaleVersion(
            f"Another list was received since you opened this page, as receipt {newest}. {advice}",
            recorded={"receipt": newest},
            entered={"receipt": seen},
        )


def _place_of(
    registration: Registration, side: Side, version: DecklistVersion
) -> tuple[DeckSubmission, DeckReceipt | None]:
    """Get or create the submission of the side, and get its last receipt."""
    submission, is_first = DeckSubmission.objects.select_related("version").get_or_create(
        registration=registration,
        side=side,
        defaults={"version": version, "received_at": timezone.now()},
    )
    # Reuse the loaded registration to save a query for it and its player.
    submission.registration = registration
    last = None if is_first else submission.receipts.select_related("version").first()
    return submission, last


def _is_same_list(one: DecklistVersion, other: DecklistVersion) -> bool:
    # A re-check under other rules makes a new version of an unchanged list.
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


def _drop_old_drafts(submission: DeckSubmission) -> None:
    """Delete drafts of the player above MOST_KEPT receipts.

    Drafts replaced within MERGED_WITHIN go first, then the oldest. The newest list, lists submitted
    by staff, lists checked by a judge and lists used in another event are kept.
    """
    receipts = list(submission.receipts.order_by("number").only("version", "received_at"))
    too_many = len(receipts) - MOST_KEPT
    if too_many <= 0:
        return
    drafts = set(
        submission.receipts.filter(received_from=None, reason="")
        .exclude(version=submission.version)
        .exclude(version__in=submission.checks.values("version"))
        .values_list("pk", flat=True)
    )
    followed = [
        (later.received_at - receipt.received_at > MERGED_WITHIN, place, receipt)
        for place, (receipt, later) in enumerate(pairwise(receipts))
        if receipt.pk in drafts
    ]
    dropped = [receipt for _, _, receipt in sorted(followed, key=itemgetter(0, 1))[:too_many]]
    submission.receipts.filter(pk__in=[receipt.pk for receipt in dropped]).delete()
    versions = DecklistVersion.objects.filter(pk__in=[receipt.version_id for receipt in dropped])
    for model in (DeckSubmission, DeckReceipt, DeckCheck):
        used = model.objects.order_by().values_list("version", flat=True)
        versions = versions.exclude(pk__in=used)
    versions.delete()


@transaction.atomic
def lock(submission: DeckSubmission, actor: Actor, *, seen: int | None = None) -> None:
    """Lock the player's list. A second call keeps the first timestamp.

    `seen` is the newest receipt when the list was opened; a different list is not locked. Raises
    StaleVersion, DeckNotLegal and PlayerRemoved.
    """
    tournament = history.lock_unfinished(submission.registration.tournament)
    submission = _locked_row(submission)
    if queries.deck_lock(tournament, submission):
        return
    newest = submission.receipts.values_list("number", flat=True).first()
    _refuse_stale(newest, seen, "Look at it, then lock it if it is the one you play.")
    if not submission.version.is_legal:
        raise DeckNotLegal(
            f"The {submission.get_side_display()} list breaks a rule, so it stays a draft. "
            "Fix the marked lines, save, then lock it."
        )
    _write_lock(submission, LockedBy.PLAYER)
    deck_verdicts.record(tournament, actor, LogAction.DECK_LOCKED, submission)


@transaction.atomic
def lock_by_staff(submission: DeckSubmission, actor: Actor) -> None:
    """Lock a list as staff, legal or not. A second call keeps the first timestamp.

    Raises PlayerRemoved.
    """
    tournament = history.lock_unfinished(submission.registration.tournament)
    submission = _locked_row(submission)
    if submission.locked_at:
        return
    _write_lock(submission, LockedBy.STAFF)
    deck_verdicts.record(tournament, actor, LogAction.DECK_LOCKED_BY_STAFF, submission)


@transaction.atomic
def lock_all(tournament: Tournament, actor: Actor) -> None:
    """Lock all decks of the event for players, including decks not yet submitted."""
    tournament = history.lock_unfinished(tournament)
    if tournament.decks_locked_at:
        return
    tournament.decks_locked_at = timezone.now()
    tournament.save(update_fields=["decks_locked_at"])
    history.record(tournament, actor, LogAction.ALL_DECKS_LOCKED)


@transaction.atomic
def unlock(submission: DeckSubmission, actor: Actor, reason: str) -> None:
    """Unlock a player's list; the reason is logged.

    Raises PlayerRemoved, and DeckIsLocked without a reason or if all decks are locked, because
    unlocking a single deck would then have no effect.
    """
    tournament = history.lock_unfinished(submission.registration.tournament)
    if not reason.strip():
        raise DeckIsLocked("Say why the deck may be changed.")
    if queries.event_deck_lock(tournament):
        raise DeckIsLocked(
            "All decks of the event are locked, so unlocking one changes nothing. Change the "
            "list for the player, or open all decks again."
        )
    submission = _locked_row(submission)
    if not submission.locked_at:
        return
    submission.locked_at, submission.locked_by = None, ""
    submission.save(update_fields=["locked_at", "locked_by"])
    deck_verdicts.record(tournament, actor, LogAction.DECK_UNLOCKED, submission, reason=reason)


@transaction.atomic
def reopen_all(tournament: Tournament, actor: Actor, reason: str) -> None:
    """Let players change their lists again, and clear a deadline that has passed.

    Individually locked decks stay locked. Raises DeckIsLocked without a reason.
    """
    tournament = history.lock_unfinished(tournament)
    if not reason.strip():
        raise DeckIsLocked("Say why the decks may be changed again.")
    if not queries.event_deck_lock(tournament):
        return
    before = {"decks_close_at": str(tournament.decks_close_at or "")}
    tournament.decks_locked_at = None
    if queries.decks_are_closed(tournament):
        tournament.decks_close_at = None
    tournament.save(update_fields=["decks_locked_at", "decks_close_at"])
    after = {"decks_close_at": str(tournament.decks_close_at or "")}
    history.record(
        tournament, actor, LogAction.ALL_DECKS_OPENED, before=before, after=after, reason=reason
    )


def _write_lock(submission: DeckSubmission, by: LockedBy) -> None:
    submission.locked_at, submission.locked_by = timezone.now(), by
    submission.save(update_fields=["locked_at", "locked_by"])


def _locked_row(submission: DeckSubmission) -> DeckSubmission:
    history.read_again(submission.registration, "state")
    rows = DeckSubmission.objects.select_for_update(of=("self",)).select_related("version")
    return rows.select_related("registration__player").get(pk=submission.pk)


@transaction.atomic
def judge_open_events() -> None:
    """Queue a re-check of every unfinished event after a card data update.

    Also moves their versions, because pages describe the format.
    """
    open_ = Tournament.objects.filter(finished_at=None)
    history.move_versions(open_)
    for tournament in open_.filter(registrations__deck_submissions__isnull=False).distinct():
        request_judging(tournament)


@transaction.atomic
def request_judging(tournament: Tournament) -> Job:
    """Queue a job that re-checks all lists of the event, unless one is queued already."""
    history.lock(tournament)
    job = tournament.jobs.filter(kind=JobKind.JUDGE_DECKS, state=JobState.QUEUED).first()
    if job is None:
        number = event_services.next_job_number(tournament, JobKind.JUDGE_DECKS)
        job = Job.objects.create(
            tournament=tournament,
            kind=JobKind.JUDGE_DECKS,
            key=f"decks:{tournament.pk}:{number}",
        )
    jobs.enqueue(job)
    return job
