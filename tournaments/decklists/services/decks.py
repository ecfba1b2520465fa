"""Decks handed in for an event: received, locked, shown, judged again.

An illegal list may be kept as a draft, and its player locks only a legal one; the deadline and
the staff lock whatever is there.
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

MOST_RECEIPTS = 500
"""Lists a player may hand in for one side of one event; nobody who plays needs as many."""
MOST_KEPT = 30
"""Receipts of one deck that are stored with their lists."""
MERGED_WITHIN = timedelta(minutes=5)
"""A draft that its player replaces so soon is the first to go when there are MOST_KEPT."""

WHO_LOCKED = {
    LockedBy.PLAYER: "This deck is locked. Ask the staff to unlock it.",
    LockedBy.DEADLINE: "The time to hand in decks is over. Ask the staff to change the list.",
    LockedBy.STAFF: "The staff have locked this deck. Ask them to unlock it.",
}


class DeckIsLocked(Refusal):
    """A locked deck is changed by the staff only, with a reason."""


class DeckNotLegal(Refusal):
    """An illegal list stays a draft."""


class TooManyLists(Refusal):
    """Somebody, or some program, hands in again and again."""


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
    since then is not written over. Raises StaleVersion, TooManyLists, PlayerRemoved, and
    DeckIsLocked from the moment on that the player, the deadline or the staff locked the deck.
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
    """Staff hand in a list for the player, locked or not; what was locked stays locked.

    The receipt names the account and the reason. Raises DeckIsLocked without a reason, and
    StaleVersion and PlayerRemoved as `receive`.
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


def _drop_old_drafts(submission: DeckSubmission) -> None:
    """Keep MOST_KEPT receipts: drop drafts of the player on which nobody else has acted.

    Drafts replaced within MERGED_WITHIN go first, then the oldest. Lists that staff handed in or
    a judge checked stay, and so do the newest list and those another event uses.
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
    """The player fixes the list. Locked twice, it keeps its first stamp.

    `seen` is the newest receipt when the list was opened: no other one is locked. Raises
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
    """Staff fix one list, legal or not. Locked twice, it keeps its first stamp.

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
    """From now on no player of the event changes a list, handed in or not."""
    tournament = history.lock_unfinished(tournament)
    if tournament.decks_locked_at:
        return
    tournament.decks_locked_at = timezone.now()
    tournament.save(update_fields=["decks_locked_at"])
    history.record(tournament, actor, LogAction.ALL_DECKS_LOCKED)


@transaction.atomic
def unlock(submission: DeckSubmission, actor: Actor, reason: str) -> None:
    """Staff let a player change a locked list; the reason goes into the log.

    Raises PlayerRemoved, and DeckIsLocked without a reason, and while all decks are locked: then
    it would change nothing.
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
    """Players may change their lists again; a deadline that is over is taken back.

    Decks that were locked one by one stay locked. Raises DeckIsLocked without a reason.
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
    """Card data are new: each event that is not over judges its lists again, in a job each.

    What pages say of a format is new as well.
    """
    open_ = Tournament.objects.filter(finished_at=None)
    history.move_versions(open_)
    for tournament in open_.filter(registrations__deck_submissions__isnull=False).distinct():
        request_judging(tournament)


@transaction.atomic
def request_judging(tournament: Tournament) -> Job:
    """A job that judges all lists of the event again; one that still waits is enough."""
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
