"""Create and delete events, queue their jobs, and change the state of registrations."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from core import jobs, web_push
from core.errors import Refusal
from engine.systems import CUT_SYSTEMS
from matches.models import Match
from players.models import Player
from rulings.models import JudgeNote
from tournaments.event import history
from tournaments.event.permissions import NOBODY, Actor
from tournaments.models import (
    JOB_MODELS,
    Announcing,
    DeckCheck,
    DroppedBy,
    Job,
    JobKind,
    LogAction,
    Pairing,
    Registration,
    RegistrationState,
    Round,
    Series,
    SiteJob,
    SiteJobKind,
    Tournament,
    Visibility,
)
from tournaments.models.codes import new_join_code

EventOrSeries = TypeVar("EventOrSeries", Tournament, Series)

# A job of this size is done within the request (embedded profile) and in one transaction. It holds
# the write lock for about 0.1 s of processor time; see W11 in docs/dev/performance.md.
LINES_AT_ONCE = 1_500
# Tables stored or deleted per transaction, about eleven rows each.
TABLES_AT_ONCE = 100


def save_new(new: EventOrSeries) -> EventOrSeries:
    """Store a new event or series. Append a random suffix if the slug was taken concurrently."""
    try:
        with transaction.atomic():
            new.save(force_insert=True)
    except IntegrityError:
        new.slug = f"{new.slug}-{new_join_code().lower()}"
        new.save(force_insert=True)
    return new


def notification_settings(tournament: Tournament) -> Announcing:
    stored = Announcing.objects.filter(tournament=tournament).select_related("tournament").first()
    return stored or Announcing(tournament=tournament)


def notify_round_published(round_: Round) -> None:
    """Queue the enabled notifications. Call in the transaction that publishes the round."""
    assert round_.published_at is not None
    setting = notification_settings(round_.stage.tournament)
    payload = {"news": "round", "round": round_.pk, "number": round_.number}
    # Publishing a round again notifies again.
    moment = f"{round_.pk}:{round_.published_at.timestamp()}"
    if setting.webhook and setting.tells_pairings:
        enqueue_notification(setting, JobKind.NOTIFY, moment, payload)
    if setting.allows_mail:
        enqueue_notification(setting, JobKind.MAIL, moment, payload)
    if setting.allows_push and web_push.is_on():
        enqueue_notification(setting, JobKind.PUSH, moment, payload)


def notify_event_finished(tournament: Tournament) -> None:
    """Queue the final-standings message. Call in the transaction that finishes the event."""
    assert tournament.finished_at is not None
    setting = notification_settings(tournament)
    if setting.webhook and setting.tells_standings:
        moment = f"end:{tournament.finished_at.timestamp()}"
        enqueue_notification(setting, JobKind.NOTIFY, moment, {"news": "standings"})


def enqueue_notification(
    setting: Announcing, kind: JobKind, moment: str, payload: dict[str, Any]
) -> None:
    """Create the sending job; `moment` makes its key unique."""
    tournament = setting.tournament
    # Practice events send no notifications.
    if tournament.is_practice:
        return
    job = Job.objects.create(
        tournament=tournament,
        kind=kind,
        key=notification_key(tournament, kind, moment),
        payload={**payload, "sent": 0},
    )
    jobs.enqueue(job)


def notification_key(tournament: Tournament, kind: JobKind, moment: str) -> str:
    return f"{kind}:{tournament.pk}:{moment}"


def next_job_number(tournament: Tournament, kind: JobKind) -> int:
    """Return the number for the key of a new job. Not a count, because old jobs are deleted."""
    newest = tournament.jobs.filter(kind=kind).order_by("-pk").first()
    return 1 if newest is None else int(newest.key.rpartition(":")[2]) + 1


def enqueue_stalled_jobs() -> None:
    """Queue stalled jobs again, after a broker failure or a dead worker."""
    for model in JOB_MODELS:
        _enqueue_waiting(jobs.claim_waiting_jobs(model))


def take_over() -> None:
    """Resume unfinished jobs at start-up. Only for single-process sites."""
    for model in JOB_MODELS:
        _enqueue_waiting(jobs.reset_running_jobs(model))


def _enqueue_waiting(waiting: Iterable[Job | SiteJob]) -> None:
    for job in waiting:
        # Skip unknown kinds of job: workers of a newer release run them.
        if job.kind in {*JobKind.values, *SiteJobKind.values}:
            jobs.enqueue_waiting(job)


def requester_payload(actor: Actor) -> dict[str, int]:
    return {} if actor.user is None else {"by": actor.user.pk}


@transaction.atomic
def retry_job(job: Job, actor: Actor) -> None:
    pairs = job.kind == JobKind.PAIR_ROUND
    lock = history.lock_unfinished if pairs else history.lock
    tournament = lock(job.tournament)
    current = Job.objects.filter(pk=job.pk).first()
    if current is None or not current.has_failed:
        return
    job = current
    if pairs:
        job.payload |= requester_payload(actor)
    jobs.requeue(job)
    subject = job.get_kind_label()
    # Public pages show failed standings.
    is_public = job.kind == JobKind.RECOMPUTE_STANDINGS
    history.record(tournament, actor, LogAction.JOB_TRIED_AGAIN, subject, public=is_public)
    jobs.enqueue(job)


class JobIsNeeded(Refusal):
    """The event depends on the result of this job."""


@transaction.atomic
def delete_job(job: Job, actor: Actor) -> None:
    """Delete a failed job; ignore a job that runs again. Raise JobIsNeeded."""
    tournament = history.lock(job.tournament)
    current = Job.objects.filter(pk=job.pk).first()
    if current is None or not current.has_failed:
        return
    job = current
    if not job.is_disposable:
        raise JobIsNeeded(
            _("The event depends on this job, so it cannot be deleted. Fix the cause and retry it.")
        )
    job.delete()
    history.record(tournament, actor, LogAction.JOB_DELETED, job.get_kind_label())


def request_ratings(tournament: Tournament) -> None:
    """Queue a job that updates the ratings of the event's game, unless one is queued.

    Call inside the transaction that changes a counted game or whether the event counts: finished,
    reopened, corrected, imported, or players merged.
    """
    counts = tournament.rated and tournament.visibility == Visibility.PUBLIC
    if tournament.is_practice or not counts:
        return
    key = f"ratings:{tournament.game}:"
    waiting = Job.objects.filter(kind=JobKind.RECOMPUTE_RATINGS, key__startswith=key)
    # Locked, so that a worker starts it after this transaction and includes its changes.
    if waiting.filter(state=jobs.JobState.QUEUED).select_for_update().first() is not None:
        return
    number = next_job_number(tournament, JobKind.RECOMPUTE_RATINGS)
    job = Job.objects.create(
        tournament=tournament,
        kind=JobKind.RECOMPUTE_RATINGS,
        key=f"{key}{tournament.pk}:{number}",
        payload={"game": tournament.game},
    )
    jobs.enqueue(job)


def request_standings(tournament: Tournament, from_round: int) -> Job:
    """Queue a job that recomputes the standings from a closed round on.

    Call inside the transaction of the change, with the event locked. A queued job is extended to
    include this change. Otherwise the new job replaces an unfinished one, which ends at its next
    step if it is running. It begins at the lower of their rounds.
    """
    unfinished = tournament.jobs.unfinished_standings()
    # Locked: a worker cannot start it before this transaction ends.
    newest = unfinished.select_for_update().first()
    first = from_round if newest is None else min(from_round, newest.payload["from_round"])
    closed = tournament.rounds.closed().exclude(stage__system__in=CUT_SYSTEMS)
    numbers = list(closed.values_list("number", flat=True))
    # Standings rows read and written.
    lines = tournament.registrations.count() * (
        len(numbers) + sum(number >= first for number in numbers)
    )
    is_long = lines > LINES_AT_ONCE
    payload = {"from_round": first, **({"is_long": True} if is_long else {})}
    if newest is not None and newest.state == jobs.JobState.QUEUED:
        newest.payload = payload
        newest.save(update_fields=["payload"])
        return newest
    if newest is not None and newest.has_failed:
        unfinished.update(state=jobs.JobState.DONE, finished_at=timezone.now())
    number = next_job_number(tournament, JobKind.RECOMPUTE_STANDINGS)
    job = Job.objects.create(
        tournament=tournament,
        kind=JobKind.RECOMPUTE_STANDINGS,
        key=f"standings:{tournament.pk}:{number}",
        payload=payload,
    )
    jobs.enqueue(job)
    return job


def restart_standings(tournament: Tournament) -> None:
    """Replace an unfinished job after the set of closed rounds has changed.

    Call inside the transaction of the change, with the event locked.
    """
    first = tournament.standings_outdated_from()
    if first is not None:
        request_standings(tournament, first)


# State of registrations: checked in, dropped, returned.


# Below the limit of variables of any database.
ROWS_PER_STATEMENT = 500


@dataclass(frozen=True)
class StateChange:
    """A change of state and its log action; `dropped_by` is set for a drop."""

    to: RegistrationState
    action: LogAction
    dropped_by: DroppedBy | None = None


def state_change_to_dropped(by: DroppedBy) -> StateChange:
    """Return the change for a drop: no further pairings, but played rounds still count."""
    return StateChange(RegistrationState.DROPPED, LogAction.PLAYER_DROPPED, by)


def change_states(
    tournament: Tournament, registrations: Sequence[Registration], actor: Actor, change: StateChange
) -> None:
    """Change the state of registrations. Requires a locked event and rows read after locking."""
    changes, now = [], timezone.now()
    for registration in registrations:
        before = _logged_state(registration)
        registration.state = change.to
        registration.dropped_by = change.dropped_by or ""
        registration.dropped_at = now if change.to == RegistrationState.DROPPED else None
        if change.to in (RegistrationState.REGISTERED, RegistrationState.WAITING):
            registration.checked_in_at = None
        elif registration.is_active and registration.checked_in_at is None:
            registration.checked_in_at = now
        changes.append(history.LoggedChange(registration, before, _logged_state(registration)))
    Registration.objects.bulk_update(
        registrations,
        ["state", "checked_in_at", "dropped_at", "dropped_by"],
        batch_size=ROWS_PER_STATEMENT,
    )
    history.record_all(tournament, actor, change.action, changes)
    _recompute_head_to_head(tournament)


def _recompute_head_to_head(tournament: Tournament) -> None:
    """Recompute standings if head-to-head counts, as it depends on drops. Cut seeds are fixed."""
    if "head_to_head" not in tournament.tie_breakers:
        return
    newest = tournament.snapshots.newest()
    first = newest.round.number if newest else tournament.standings_outdated_from()
    if first is not None and tournament.get_cut() is None:
        request_standings(tournament, first)


def drop_absent_players(round_: Round) -> None:
    """Drop players who are not checked in when round 1 is published, if the event does so.

    Requires a locked event.
    """
    tournament = round_.stage.tournament
    if round_.number != 1 or not tournament.drops_absent:
        return
    absent = tournament.registrations.select_related("player").filter(
        state=RegistrationState.REGISTERED
    )
    change_states(tournament, list(absent), NOBODY, state_change_to_dropped(DroppedBy.ABSENT))


def _logged_state(registration: Registration) -> dict[str, str]:
    state = {"state": str(registration.state)}
    return state | {"dropped_by": registration.dropped_by} if registration.dropped_by else state


# Deleting events.


def delete_event(event: Tournament) -> None:
    """Delete the locked event with its players, matches and decks."""
    # Guests of this event are deleted with their decks. Players with an account or another event
    # stay, and so do their decklist versions.
    pairings = Pairing.objects.of_event(event)
    matches = list(pairings.tables().values_list("match", flat=True))
    players = list(event.registrations.values_list("player", flat=True))
    # Delete rows with protected foreign keys first.
    pairings.delete()
    event.stages.all().delete()
    DeckCheck.objects.filter(draw__tournament=event).delete()
    # Notes of penalties are not referenced elsewhere.
    notes = list(event.penalties.values_list("note", flat=True))
    event.penalties.all().delete()
    JudgeNote.objects.filter(pk__in=notes).delete()
    Registration.objects.filter(tournament=event).delete()
    event.delete()
    Match.objects.filter(pk__in=matches).delete()
    # Players with an account or a registration elsewhere stay.
    elsewhere = Registration.objects.filter(player__in=players)
    guests = Player.objects.filter(pk__in=players, user=None)
    guests.exclude(pk__in=elsewhere.values("player")).delete()


def delete_incomplete_import(event: Tournament) -> None:
    """Delete an abandoned import in transactions of a bounded size."""
    pairings = Pairing.objects.of_event(event).tables()
    while matches := list(pairings.order_by("pk").values_list("match", flat=True)[:TABLES_AT_ONCE]):
        with transaction.atomic():
            Pairing.objects.filter(match__in=matches).delete()
            Match.objects.filter(pk__in=matches).delete()
    for snapshot in event.snapshots.all():
        snapshot.delete()
    with transaction.atomic():
        # A running import notices the deletion at its next step.
        locked = Tournament.objects.select_for_update().filter(pk=event.pk)
        if unfinished := locked.filter(import_touched_at__isnull=False).first():
            delete_event(unfinished)


def abandoned_imports(before: datetime) -> list[Tournament]:
    return list(Tournament.objects.filter(import_touched_at__lt=before).order_by("pk"))
