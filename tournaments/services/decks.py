"""Decks handed in for an event: drafts, locked, revealed.

An illegal list may be kept as a draft; only a legal one can be locked.
"""

from django.db import transaction
from django.utils import timezone

from core.errors import Refusal
from decks import services as deck_services
from decks.legality.records import DeckRules, deck_rules_of
from decks.legality.verdict import Verdict
from decks.models import Side
from tournaments import history
from tournaments.actors import Actor
from tournaments.models import DeckSubmission, LockedBy, Registration, Tournament


class DeckIsLocked(Refusal):
    """A locked deck is changed by the staff only, with a reason."""

    code = "deck_is_locked"


class DeckNotLegal(Refusal):
    """An illegal list stays a draft."""

    code = "deck_not_legal"


def deck_rules(tournament: Tournament) -> DeckRules:
    """The event's settings as the legality rules want them."""
    return deck_rules_of(tournament.game, tournament.deck_rules)


def verdict(tournament: Tournament, side: Side, text: str) -> Verdict:
    """What the event's rules say about a list as typed; writes nothing."""
    return deck_services.check(
        text,
        game=tournament.game,
        side=side,
        rules=deck_rules(tournament),
        date=tournament.starts_on,
    )


@transaction.atomic
def hand_in(registration: Registration, side: Side, text: str, actor: Actor) -> DeckSubmission:
    """Keep a list for one side, legal or not; the verdict stands on its version."""
    tournament = history.lock_unfinished(registration.tournament)
    present = registration.deck_submissions.select_related("version").filter(side=side).first()
    if tournament.decks_locked_at or (present and present.locked_at):
        raise DeckIsLocked("This deck is locked. Ask the staff to unlock it.")
    version = deck_services.hand_in(
        registration.player,
        game=tournament.game,
        side=side,
        text=text,
        rules=deck_rules(tournament),
        date=tournament.starts_on,
    )
    submission, _ = DeckSubmission.objects.update_or_create(
        registration=registration,
        side=side,
        defaults={"version": version, "received_at": timezone.now()},
    )
    _log(tournament, actor, "deck handed in", submission)
    return submission


@transaction.atomic
def judge_again(tournament: Tournament, actor: Actor) -> None:
    """Other deck rules: every list handed in gets its new verdict, locked or not.

    A locked list that is no longer legal stays locked; the desk shows it.
    """
    submissions = DeckSubmission.objects.filter(registration__tournament=tournament)
    for submission in submissions.select_related("version", "registration__player"):
        version = deck_services.hand_in(
            submission.registration.player,
            game=tournament.game,
            side=submission.side,
            text=submission.version.text,
            rules=deck_rules(tournament),
            date=tournament.starts_on,
        )
        if version != submission.version:
            submission.version = version
            submission.save(update_fields=["version"])
            _log(tournament, actor, "deck judged again", submission)


@transaction.atomic
def lock(submission: DeckSubmission, actor: Actor) -> None:
    """Fix the list. Locked twice, it keeps its first stamp."""
    tournament = history.lock_unfinished(submission.registration.tournament)
    submission = _locked(submission)
    if submission.locked_at:
        return
    if not submission.version.is_legal:
        raise DeckNotLegal(
            f"The {submission.get_side_display()} list breaks a rule, so it stays a draft. "
            "Mend what is marked, save, then lock it."
        )
    submission.locked_at, submission.locked_by = timezone.now(), LockedBy.PLAYER
    submission.save(update_fields=["locked_at", "locked_by"])
    _log(tournament, actor, "deck locked", submission)


@transaction.atomic
def unlock(submission: DeckSubmission, actor: Actor, reason: str) -> None:
    """Staff let a player change a locked list; the reason goes into the log."""
    tournament = history.lock_unfinished(submission.registration.tournament)
    if not reason.strip():
        raise DeckIsLocked("Say why the deck may be changed.")
    submission = _locked(submission)
    submission.locked_at, submission.locked_by = None, ""
    submission.save(update_fields=["locked_at", "locked_by"])
    _log(tournament, actor, "deck unlocked", submission, reason=reason)


@transaction.atomic
def set_revealed(tournament: Tournament, actor: Actor, *, revealed: bool) -> None:
    """Show all decks to everybody who may see the event, or hide them again."""
    tournament = history.lock(tournament)
    tournament.decks_revealed_at = timezone.now() if revealed else None
    tournament.save(update_fields=["decks_revealed_at"])
    history.record(tournament, actor, "decks revealed" if revealed else "decks hidden")


def _locked(submission: DeckSubmission) -> DeckSubmission:
    rows = DeckSubmission.objects.select_for_update(of=("self",)).select_related("version")
    return rows.select_related("registration__player").get(pk=submission.pk)


def _log(
    tournament: Tournament,
    actor: Actor,
    action: str,
    submission: DeckSubmission,
    reason: str = "",
) -> None:
    """What is in a deck never enters the log; its version moves the public one once revealed."""
    history.record(
        tournament,
        actor,
        action,
        submission.registration.player,
        after={"side": submission.side, "version": submission.version.number},
        reason=reason,
        public=tournament.decks_revealed_at is not None,
    )
