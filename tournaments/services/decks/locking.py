"""Lists fixed and opened again: one by its player, one or all by the staff."""

from django.db import transaction
from django.utils import timezone

from core.errors import StaleVersion
from tournaments import history, judging, queries
from tournaments.actors import Actor
from tournaments.models import DeckSubmission, LockedBy, Tournament
from tournaments.services.decks.refusals import DeckIsLocked, DeckNotLegal


@transaction.atomic
def lock(submission: DeckSubmission, actor: Actor, *, seen: int | None = None) -> None:
    """The player fixes the list. Locked twice, it keeps its first stamp.

    `seen` is the newest receipt when the list was opened: no other one is locked. Raises
    StaleVersion and DeckNotLegal.
    """
    tournament = history.lock_unfinished(submission.registration.tournament)
    submission = _locked_row(submission)
    if queries.deck_lock(tournament, submission):
        return
    _refuse_another(submission, seen)
    if not submission.version.is_legal:
        raise DeckNotLegal(
            f"The {submission.get_side_display()} list breaks a rule, so it stays a draft. "
            "Mend what is marked, save, then lock it."
        )
    _write_lock(submission, LockedBy.PLAYER)
    judging.record(tournament, actor, "deck locked", submission)


@transaction.atomic
def lock_by_staff(submission: DeckSubmission, actor: Actor) -> None:
    """Staff fix one list, legal or not. Locked twice, it keeps its first stamp."""
    tournament = history.lock_unfinished(submission.registration.tournament)
    submission = _locked_row(submission)
    if submission.locked_at:
        return
    _write_lock(submission, LockedBy.STAFF)
    judging.record(tournament, actor, "deck locked by staff", submission)


@transaction.atomic
def lock_all(tournament: Tournament, actor: Actor) -> None:
    """From now on no player of the event changes a list, handed in or not."""
    tournament = history.lock_unfinished(tournament)
    if tournament.decks_locked_at:
        return
    tournament.decks_locked_at = timezone.now()
    tournament.save(update_fields=["decks_locked_at"])
    history.record(tournament, actor, "all decks locked", public=False)


@transaction.atomic
def unlock(submission: DeckSubmission, actor: Actor, reason: str) -> None:
    """Staff let a player change a locked list; the reason goes into the log.

    Raises DeckIsLocked without a reason, and while all decks are locked: then it would change
    nothing.
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
    judging.record(tournament, actor, "deck unlocked", submission, reason=reason)


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
    history.record(tournament, actor, "all decks opened", before=before, after=after, reason=reason)


def _refuse_another(submission: DeckSubmission, seen: int | None) -> None:
    newest = submission.receipts.values_list("number", flat=True).first()
    if seen is not None and seen != newest:
        raise StaleVersion(
            f"Another list was received since you opened this page, as receipt {newest}. Look at "
            "it, then lock it if it is the one you play.",
            recorded={"receipt": newest},
            entered={"receipt": seen},
        )


def _write_lock(submission: DeckSubmission, by: LockedBy) -> None:
    submission.locked_at, submission.locked_by = timezone.now(), by
    submission.save(update_fields=["locked_at", "locked_by"])


def _locked_row(submission: DeckSubmission) -> DeckSubmission:
    rows = DeckSubmission.objects.select_for_update(of=("self",)).select_related("version")
    return rows.select_related("registration__player").get(pk=submission.pk)
