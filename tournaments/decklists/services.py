"""Decks of an event: verdicts, submissions, locks, waivers, and who sees them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from operator import itemgetter

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from core import jobs
from core.errors import Refusal, StaleVersion
from core.jobs import JobState
from decks import services as decks_services
from decks.catalogue import format_table
from decks.check_sentences import sentences
from decks.legality.records import AnrRules, DeckRules, deck_rules_of, find_outdated
from decks.legality.verdicts import DeckVerdict
from decks.models import DecklistVersion, Side
from tournaments.decklists import queries
from tournaments.event import history, visibility
from tournaments.event import pages as event_pages
from tournaments.event import services as event_services
from tournaments.event.permissions import NOBODY, Actor
from tournaments.models import (
    DeckAudience,
    DeckCheck,
    DeckReceipt,
    DeckSubmission,
    IdentitiesShown,
    Job,
    JobKind,
    LockedBy,
    LogAction,
    Registration,
    Stage,
    Tournament,
)

# Reasons why a list gets no verdict, whatever its cards.
VERDICT_REFUSALS = (
    decks_services.NoCards,
    decks_services.GameNotJudged,
    decks_services.UnknownFormat,
)
NO_FORMAT_NOTICE = gettext_lazy(
    "No format is chosen, so every card is legal. To check decks against a card "
    "pool and ban list, choose a format in the settings."
)


# Limit of submissions per player, side and event.
MAX_RECEIPTS = 500
# Limit of receipts per deck that are stored with their lists.
MAX_STORED_RECEIPTS = 30
# A draft replaced within this time is the first to be deleted above MAX_STORED_RECEIPTS.
SHORT_DRAFT_LIFETIME = timedelta(minutes=5)
LOCK_MESSAGES = {
    LockedBy.PLAYER: gettext_lazy("This deck is locked. Ask the staff to unlock it."),
    LockedBy.DEADLINE: gettext_lazy(
        "The deadline for decks has passed. Ask the staff to change the list."
    ),
    LockedBy.STAFF: gettext_lazy("The staff have locked this deck. Ask them to unlock it."),
}


def deck_rules(tournament: Tournament) -> DeckRules:
    return deck_rules_of(tournament.game, tournament.deck_rules)


@dataclass(frozen=True)
class RulesNotice:
    code: str
    detail: str


def rules_notices(tournament: Tournament) -> list[RulesNotice]:
    """List the notices for a game with formats: no format chosen, or outdated card data."""
    rules = deck_rules(tournament) if tournament.has_decks else None
    if not isinstance(rules, AnrRules):
        return []
    if not rules.format_id:
        return [RulesNotice("no_format", str(NO_FORMAT_NOTICE))]
    table = format_table(tournament.game)
    format_ = table.find(rules.format_id)
    stale = find_outdated(format_, table.as_of, tournament.starts_on) if format_ else None
    return [RulesNotice("outdated_card_data", sentences(stale.texts))] if stale else []


def get_verdict(tournament: Tournament, side: str, text: str) -> DeckVerdict:
    """Check a list against the event's rules without saving it."""
    return decks_services.check_deck(
        text,
        game=tournament.game,
        side=side,
        rules=deck_rules(tournament),
        date=tournament.starts_on,
    )


@transaction.atomic
def judge_all_decks(tournament: Tournament, actor: Actor) -> None:
    """Re-check every list, locked or not, after the deck rules, date or card data changed.

    Locks stay, and no receipt is written, because nothing was submitted.
    """
    submissions = DeckSubmission.objects.filter(registration__tournament=tournament)
    for submission in submissions.select_related("version", "registration__player"):
        verdict = get_verdict(tournament, submission.side, submission.version.text)
        if decks_services.is_same_submission(submission.version, verdict):
            continue
        player = submission.registration.player
        submission.version = decks_services.store_checked_list(player, verdict)
        submission.save(update_fields=["version"])
        log_deck_action(tournament, actor, LogAction.DECK_JUDGED_AGAIN, submission)


def run_judging_job(job: Job) -> None:
    """Run the re-check job of an event. Lists of a finished event keep their verdict."""
    tournament = history.lock(job.tournament)
    if not tournament.is_finished:
        judge_all_decks(tournament, NOBODY)


@transaction.atomic
def request_judging_of_open_events() -> None:
    """Queue a re-check of every unfinished event after a card data update."""
    open_ = Tournament.objects.filter(finished_at=None)
    # Pages describe the format, decks or not.
    history.bump_versions_of_events(open_)
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


def log_deck_action(
    tournament: Tournament,
    actor: Actor,
    action: LogAction,
    submission: DeckSubmission,
    *,
    reason: str = "",
    receipt: int | None = None,
) -> None:
    """Log an action on a deck, without its cards."""
    shown = visibility.can_others_see_decks(tournament)
    after = {"side": submission.side, "version": submission.version.number}
    history.record(
        tournament,
        actor,
        action,
        submission.registration,
        after=after if receipt is None else {**after, "receipt": receipt},
        reason=reason,
        public=shown,
        players=None if shown else [submission.registration.player_id],
    )


# Submissions


class DeckIsLocked(Refusal):
    pass


class DeckNotLegal(Refusal):
    pass


class TooManyLists(Refusal):
    pass


@dataclass(frozen=True)
class SubmissionResult:
    """The result of a submission.

    `receipt` is for exactly this list. `is_new` is False if the same list was the last one
    received.
    """

    verdict: DeckVerdict
    submission: DeckSubmission
    receipt: DeckReceipt
    is_new: bool


@transaction.atomic
def receive_deck(
    registration: Registration, side: Side, text: str, actor: Actor, *, seen: int | None = None
) -> SubmissionResult:
    """Submit a list for one side, legal or not; its version holds the verdict.

    `seen` is the newest receipt when the list was opened, 0 for none; a list received since then is
    not overwritten. Raises StaleVersion, TooManyLists, PlayerRemoved, and DeckIsLocked once the
    player, the deadline or the staff locked the deck.
    """
    tournament = history.lock_unfinished(registration.tournament)
    present = registration.deck_submissions.filter(side=side).first()
    lock = queries.deck_lock(tournament, present)
    if lock is not None:
        raise DeckIsLocked(str(LOCK_MESSAGES[lock.by]))
    last = present.receipts.first() if present is not None else None
    if last is not None and last.number >= MAX_RECEIPTS:
        raise TooManyLists(
            gettext(
                "You have submitted this list %(max_receipts)s times, which is the limit. Ask "
                "the staff to change it for you."
            )
            % {"max_receipts": MAX_RECEIPTS}
        )
    return _store_list(tournament, registration, side, text, actor, seen=seen)


@transaction.atomic
def change_deck_for_player(
    registration: Registration,
    side: Side,
    text: str,
    actor: Actor,
    reason: str,
    *,
    seen: int | None = None,
) -> SubmissionResult:
    """Submit a list for the player as staff, locked or not; a lock stays in place.

    The receipt names the account and the reason. Raises DeckIsLocked without a reason, and
    StaleVersion and PlayerRemoved like `receive_deck`.
    """
    tournament = history.lock_unfinished(registration.tournament)
    if not reason.strip():
        raise DeckIsLocked(gettext("Give a reason for changing the player's list."))
    return _store_list(tournament, registration, side, text, actor, reason.strip(), seen=seen)


def _store_list(
    tournament: Tournament,
    registration: Registration,
    side: Side,
    text: str,
    actor: Actor,
    reason: str = "",
    *,
    seen: int | None,
) -> SubmissionResult:
    history.reload_registration(registration, "state")
    verdict = get_verdict(tournament, side, text)
    version = decks_services.store_checked_list(registration.player, verdict)
    submission, is_first = DeckSubmission.objects.select_related("version").get_or_create(
        registration=registration,
        side=side,
        defaults={"version": version, "received_at": timezone.now()},
    )
    # Reuse the loaded registration to save a query for it and its player.
    submission.registration = registration
    last = None if is_first else submission.receipts.select_related("version").first()
    # A re-check under other rules makes a new version of an unchanged list.
    if last is not None and (last.version.text, last.version.form) == (version.text, version.form):
        _take_verdict(submission, version)
        history.bump_player_versions(tournament, [registration.player_id])
        return SubmissionResult(verdict, submission, last, is_new=False)
    _refuse_stale(
        last.number if last else 0,
        seen,
        gettext(
            "Your list is still on this page. Compare the two, then save again if yours is right."
        ),
    )
    _take_verdict(submission, version)
    submission.received_at = timezone.now()
    submission.save(update_fields=["received_at"])
    is_own = not reason and actor.player == registration.player
    receipt = submission.receipts.create(
        number=last.number + 1 if last else 1,
        version=version,
        received_at=submission.received_at,
        received_from=None if is_own else actor.user,
        reason=reason[:500],
    )
    _drop_old_drafts(submission)
    action = LogAction.DECK_CHANGED_BY_STAFF if reason else LogAction.DECK_SUBMITTED
    log_deck_action(tournament, actor, action, submission, reason=reason, receipt=receipt.number)
    return SubmissionResult(verdict, submission, receipt, is_new=True)


def _take_verdict(submission: DeckSubmission, version: DecklistVersion) -> None:
    if submission.version != version:
        submission.version = version
        submission.save(update_fields=["version"])


def _refuse_stale(newest: int | None, seen: int | None, advice: str) -> None:
    if seen is not None and seen != newest:
        raise StaleVersion(
            gettext(
                "Another list has been submitted since you opened this page, as receipt "
                "%(newest)s. %(advice)s"
            )
            % {"newest": newest, "advice": advice},
            recorded={"receipt": newest},
            entered={"receipt": seen},
        )


def _drop_old_drafts(submission: DeckSubmission) -> None:
    """Delete drafts of the player above MAX_STORED_RECEIPTS receipts.

    Drafts replaced within SHORT_DRAFT_LIFETIME go first, then the oldest. The newest list, lists
    submitted by staff, lists checked by a judge and lists used in another event are kept.
    """
    receipts = list(submission.receipts.order_by("number").only("version", "received_at"))
    too_many = len(receipts) - MAX_STORED_RECEIPTS
    if too_many <= 0:
        return
    drafts = set(
        submission.receipts.filter(received_from=None, reason="")
        .exclude(version=submission.version)
        .exclude(version__in=submission.checks.values("version"))
        .values_list("pk", flat=True)
    )
    followed = [
        (later.received_at - receipt.received_at > SHORT_DRAFT_LIFETIME, place, receipt)
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


# Locks


@transaction.atomic
def lock_deck(submission: DeckSubmission, actor: Actor, *, seen: int | None = None) -> None:
    """Lock the player's list. A second call keeps the first timestamp.

    `seen` is the newest receipt when the list was opened; a different list is not locked. Raises
    StaleVersion, DeckNotLegal and PlayerRemoved.
    """
    tournament = history.lock_unfinished(submission.registration.tournament)
    submission = _lock_submission(submission)
    if queries.deck_lock(tournament, submission):
        return
    newest = submission.receipts.values_list("number", flat=True).first()
    advice = gettext("Review it, then lock it if it is the deck you will play.")
    _refuse_stale(newest, seen, advice)
    if not submission.version.is_legal:
        raise DeckNotLegal(
            gettext(
                "The %(side)s list is illegal, so it stays a draft. Fix the problems, save "
                "the list, then lock it."
            )
            % {"side": submission.get_side_display()}
        )
    _write_lock(submission, LockedBy.PLAYER)
    log_deck_action(tournament, actor, LogAction.DECK_LOCKED, submission)


@transaction.atomic
def lock_deck_by_staff(submission: DeckSubmission, actor: Actor) -> None:
    """Lock a list as staff, legal or not. A second call keeps the first timestamp."""
    tournament = history.lock_unfinished(submission.registration.tournament)
    submission = _lock_submission(submission)
    if submission.locked_at:
        return
    _write_lock(submission, LockedBy.STAFF)
    log_deck_action(tournament, actor, LogAction.DECK_LOCKED_BY_STAFF, submission)


@transaction.atomic
def lock_all_decks(tournament: Tournament, actor: Actor) -> None:
    """Lock all decks of the event for players, including decks not yet submitted."""
    tournament = history.lock_unfinished(tournament)
    if tournament.decks_locked_at:
        return
    tournament.decks_locked_at = timezone.now()
    tournament.save(update_fields=["decks_locked_at"])
    history.record(tournament, actor, LogAction.ALL_DECKS_LOCKED)


@transaction.atomic
def unlock_deck(submission: DeckSubmission, actor: Actor, reason: str) -> None:
    """Unlock a player's list. Raises DeckIsLocked without a reason or if all decks are locked."""
    tournament = history.lock_unfinished(submission.registration.tournament)
    if not reason.strip():
        raise DeckIsLocked(gettext("Give a reason for unlocking the deck."))
    if queries.event_deck_lock(tournament):
        raise DeckIsLocked(
            gettext(
                "All decks of the event are locked, so unlocking a single deck has no effect. "
                "Change the list for the player, or unlock all decks."
            )
        )
    submission = _lock_submission(submission)
    if not submission.locked_at:
        return
    submission.locked_at, submission.locked_by = None, ""
    submission.save(update_fields=["locked_at", "locked_by"])
    log_deck_action(tournament, actor, LogAction.DECK_UNLOCKED, submission, reason=reason)


@transaction.atomic
def reopen_all_decks(tournament: Tournament, actor: Actor, reason: str) -> None:
    """Let players change their lists again, and clear a deadline that has passed.

    Individually locked decks stay locked. Raises DeckIsLocked without a reason.
    """
    tournament = history.lock_unfinished(tournament)
    if not reason.strip():
        raise DeckIsLocked(gettext("Give a reason for unlocking the decks."))
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


def _lock_submission(submission: DeckSubmission) -> DeckSubmission:
    history.reload_registration(submission.registration, "state")
    rows = DeckSubmission.objects.select_for_update(of=("self",)).select_related("version")
    return rows.select_related("registration__player").get(pk=submission.pk)


# Waivers


class NothingToWaive(Refusal):
    """The player has no deck problem to waive, or no waiver to withdraw."""


class WaiverReasonMissing(Refusal):
    pass


@transaction.atomic
def waive_deck_problems(registration: Registration, actor: Actor, reason: str) -> None:
    """Accept the player's missing and illegal decks as they are, but not a later list.

    Raises NothingToWaive, WaiverReasonMissing, EventIsFinished and PlayerRemoved.
    """
    tournament = history.lock_unfinished(registration.tournament)
    history.reload_registration(registration, "state")
    if not reason.strip():
        raise WaiverReasonMissing(gettext("Give a reason for the waiver."))
    problems = queries.deck_problems_of_event(tournament, [registration])
    if not problems:
        raise NothingToWaive(
            gettext("%(player)s has no missing or illegal deck, so there is nothing to waive.")
            % {"player": registration.player}
        )
    submissions = queries.submissions_of(registration)
    numbers = {side: deck.version.number for side, deck in submissions.items()}
    versions = {side.value: numbers.get(side) for problem in problems for side in problem.sides}
    _log_waiver(registration, actor, versions, reason.strip())


@transaction.atomic
def restore_waiver(
    registration: Registration, actor: Actor, versions: Mapping[str, int | None], reason: str
) -> None:
    """Restore a withdrawn waiver for its original lists."""
    history.lock_unfinished(registration.tournament)
    history.reload_registration(registration, "state")
    _log_waiver(registration, actor, versions, reason)


def _log_waiver(
    registration: Registration, actor: Actor, versions: Mapping[str, int | None], reason: str
) -> None:
    history.record(
        registration.tournament,
        actor,
        LogAction.DECK_PROBLEM_WAIVED,
        registration,
        after={"versions": dict(versions)},
        reason=reason,
        players=[registration.player_id],
    )


@transaction.atomic
def withdraw_waiver(registration: Registration, actor: Actor, reason: str = "") -> None:
    """Withdraw the player's waiver. Raises NothingToWaive, EventIsFinished and PlayerRemoved."""
    tournament = history.lock_unfinished(registration.tournament)
    history.reload_registration(registration, "state")
    waiver = queries.deck_waivers(tournament).get(registration.pk)
    if waiver is None:
        raise NothingToWaive(
            gettext("No waiver is in force for the decks of %(player)s.")
            % {"player": registration.player}
        )
    history.record(
        tournament,
        actor,
        LogAction.DECK_WAIVER_WITHDRAWN,
        registration,
        before={"versions": dict(waiver.versions), "reason": waiver.reason},
        reason=reason.strip(),
        players=[registration.player_id],
    )


# Audiences


class NoCut(Refusal):
    """The audience is the players of the cut, but the stage is not a cut."""


@dataclass(frozen=True)
class StageAudience:
    """A stage's deck audience and start time; None starts when its first round is published."""

    to: DeckAudience
    at: datetime | None = None


@transaction.atomic
def set_audiences(
    tournament: Tournament,
    actor: Actor,
    stages: Mapping[int, StageAudience],
    *,
    identities_shown: str = "",
    seen_log: int | None = None,
) -> None:
    """Set the audiences by stage number, and that of identities unless empty.

    Changes are logged and move the version. A finished event can be changed too, because decks are
    often revealed afterwards. Raises NoCut, and StaleVersion if the settings changed after
    `seen_log`, the newest log entry when the form was rendered.
    """
    locked = history.lock(tournament)
    # A start time for a private audience would only confuse readers of the log.
    chosen = {
        number: StageAudience(shown.to) if shown.to == DeckAudience.PRIVATE else shown
        for number, shown in stages.items()
    }
    changed = [
        stage
        for stage in locked.stages.all()
        if stage.number in chosen and chosen[stage.number] != _stored_audience(stage)
    ]
    before: dict[str, dict[str, str]] = {}
    after: dict[str, dict[str, str]] = {}
    for stage in changed:
        subject = f"stage {stage.number}"
        before[subject] = _audience_for_log(locked, _stored_audience(stage))
        after[subject] = _audience_for_log(locked, chosen[stage.number])
    if identities_shown and identities_shown != locked.identities_shown:
        before["identities"] = {"shown": locked.identities_shown}
        after["identities"] = {"shown": identities_shown}
    if not after:
        return
    changes = locked.log.filter(action=LogAction.AUDIENCE_OF_DECKS_CHANGED)
    if seen_log is not None and changes.filter(pk__gt=seen_log).exists():
        raise StaleVersion(
            gettext(
                "Someone changed who sees the decks while you had this page open. Now "
                "recorded: %(recorded)s. You entered: %(entered)s. "
                "Check both, then save again."
            )
            % {
                "recorded": _settings_in_words(before),
                "entered": _settings_in_words(after),
            },
            recorded=before,
            entered=after,
        )
    for stage in changed:
        shown = chosen[stage.number]
        if shown.to == DeckAudience.CUT and not stage.is_cut:
            raise NoCut(
                gettext(
                    "Stage %(stage)s is not a cut, so decks cannot be shown to the players in it."
                )
                % {"stage": stage.number}
            )
        stage.decks_shown_to, stage.decks_shown_at = shown.to, shown.at
        stage.save(update_fields=["decks_shown_to", "decks_shown_at"])
    if "identities" in after:
        locked.identities_shown = IdentitiesShown(identities_shown)
        locked.save(update_fields=["identities_shown"])
    for subject, settings in after.items():
        history.record(
            locked,
            actor,
            LogAction.AUDIENCE_OF_DECKS_CHANGED,
            subject,
            before=before[subject],
            after=settings,
        )


@transaction.atomic
def set_decks_revealed(tournament: Tournament, actor: Actor, *, revealed: bool) -> None:
    tournament = history.lock(tournament)
    tournament.decks_revealed_at = timezone.now() if revealed else None
    tournament.save(update_fields=["decks_revealed_at"])
    history.record(
        tournament, actor, LogAction.DECKS_REVEALED if revealed else LogAction.DECKS_HIDDEN
    )


def _stored_audience(stage: Stage) -> StageAudience:
    return StageAudience(DeckAudience(stage.decks_shown_to), stage.decks_shown_at)


def _audience_for_log(tournament: Tournament, shown: StageAudience) -> dict[str, str]:
    from_when = event_pages.moment_in_words(shown.at, tournament) if shown.at else "its first round"
    return {"shown to": shown.to.value, "from": from_when}


def _settings_in_words(values: dict[str, dict[str, str]]) -> str:
    return "; ".join(
        f"{what} {', '.join(f'{name} {value}' for name, value in entry.items())}"
        for what, entry in values.items()
    )
