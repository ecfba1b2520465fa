"""Store new events and series, and queue an event's jobs."""

from collections.abc import Iterable
from typing import Any, TypeVar

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from core import jobs, web_push
from core.errors import Refusal
from tournaments.event import history, queries
from tournaments.event.actors import Actor
from tournaments.models import (
    JOB_MODELS,
    Announcing,
    Job,
    JobKind,
    LogAction,
    Round,
    Series,
    SiteJob,
    SiteJobKind,
    Tournament,
    Visibility,
)
from tournaments.models.codes import new_join_code

New = TypeVar("New", Tournament, Series)

# A job of this size is done within the request (embedded profile) and in one transaction. It holds
# the write lock for about 0.1 s of processor time; see W11 in docs/dev/performance.md.
LINES_AT_ONCE = 1_500


def save_new(new: New) -> New:
    """Store a new event or series. Append a random suffix if the slug was taken concurrently."""
    try:
        with transaction.atomic():
            new.save(force_insert=True)
    except IntegrityError:
        new.slug = f"{new.slug}-{new_join_code().lower()}"
        new.save(force_insert=True)
    return new


def setting_of(tournament: Tournament) -> Announcing:
    """The notification settings; an unsaved row with defaults if none is stored."""
    stored = Announcing.objects.filter(tournament=tournament).select_related("tournament").first()
    return stored or Announcing(tournament=tournament)


def round_published(round_: Round) -> None:
    """Queue the enabled notifications. Call in the transaction that publishes the round."""
    assert round_.published_at is not None
    setting = setting_of(round_.stage.tournament)
    payload = {"news": "round", "round": round_.pk, "number": round_.number}
    # Publishing a round again notifies again.
    moment = f"{round_.pk}:{round_.published_at.timestamp()}"
    if setting.webhook and setting.tells_pairings:
        ring(setting, JobKind.NOTIFY, moment, payload)
    if setting.allows_mail:
        ring(setting, JobKind.MAIL, moment, payload)
    if setting.allows_push and web_push.is_on():
        ring(setting, JobKind.PUSH, moment, payload)


def event_finished(tournament: Tournament) -> None:
    """Queue the final-standings message. Call in the transaction that finishes the event."""
    assert tournament.finished_at is not None
    setting = setting_of(tournament)
    if setting.webhook and setting.tells_standings:
        moment = f"end:{tournament.finished_at.timestamp()}"
        ring(setting, JobKind.NOTIFY, moment, {"news": "standings"})


def ring(setting: Announcing, kind: JobKind, moment: str, payload: dict[str, Any]) -> None:
    """Create the sending job; `moment` makes its key unique."""
    tournament = setting.tournament
    # Practice events send no notifications.
    if tournament.is_practice:
        return
    job = Job.objects.create(
        tournament=tournament,
        kind=kind,
        key=job_key(tournament, kind, moment),
        payload={**payload, "sent": 0},
    )
    jobs.enqueue(job)


def job_key(tournament: Tournament, kind: JobKind, moment: str) -> str:
    return f"{kind}:{tournament.pk}:{moment}"


def next_job_number(tournament: Tournament, kind: JobKind) -> int:
    """The number for the key of a new job. Not a count, because old jobs are deleted."""
    newest = tournament.jobs.filter(kind=kind).order_by("-pk").first()
    return 1 if newest is None else int(newest.key.rpartition(":")[2]) + 1


def sweep() -> None:
    """Queue stalled jobs again, after a broker failure or a dead worker."""
    for model in JOB_MODELS:
        _enqueue(jobs.to_enqueue(model))


def take_over() -> None:
    """Resume unfinished jobs at start-up. Only for single-process sites."""
    for model in JOB_MODELS:
        _enqueue(jobs.take_over(model))


def _enqueue(waiting: Iterable[Job | SiteJob]) -> None:
    for job in waiting:
        # Skip unknown kinds of job: workers of a newer release run them.
        if job.kind in {*JobKind.values, *SiteJobKind.values}:
            jobs.enqueue_waiting(job)


def asked_by(actor: Actor) -> dict[str, int]:
    """Payload entry with the account that requested a job."""
    return {} if actor.user is None else {"by": actor.user.pk}


@transaction.atomic
def retry_job(job: Job, actor: Actor) -> None:
    """Retry a failed job. Raise EventIsFinished for a pairing job of a finished event."""
    pairs = job.kind == JobKind.PAIR_ROUND
    lock = history.lock_unfinished if pairs else history.lock
    tournament = lock(job.tournament)
    found = Job.objects.filter(pk=job.pk).first()
    if found is None or not found.has_failed:
        return
    job = found
    if pairs:
        job.payload |= asked_by(actor)
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
    found = Job.objects.filter(pk=job.pk).first()
    if found is None or not found.has_failed:
        return
    job = found
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
    own = f"ratings:{tournament.game}:"
    waiting = Job.objects.filter(kind=JobKind.RECOMPUTE_RATINGS, key__startswith=own)
    # Locked, so that a worker starts it after this transaction and includes its changes.
    if waiting.filter(state=jobs.JobState.QUEUED).select_for_update().first() is not None:
        return
    number = next_job_number(tournament, JobKind.RECOMPUTE_RATINGS)
    job = Job.objects.create(
        tournament=tournament,
        kind=JobKind.RECOMPUTE_RATINGS,
        key=f"{own}{tournament.pk}:{number}",
        payload={"game": tournament.game},
    )
    jobs.enqueue(job)


def request_standings(tournament: Tournament, from_round: int) -> Job:
    """Queue a job that recomputes the standings from a closed round on.

    Call inside the transaction of the change, with the event locked. A queued job is extended to
    include this change. Otherwise the new job replaces an unfinished one, which ends at its next
    step if it is running. It begins at the lower of their rounds.
    """
    unfinished = queries.unfinished_standings_jobs(tournament)
    # Locked: a worker cannot start it before this transaction ends.
    newest = unfinished.select_for_update().first()
    first = from_round if newest is None else min(from_round, newest.payload["from_round"])
    is_long = queries.lines_to_compute(tournament, first) > LINES_AT_ONCE
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
    first = queries.standings_outdated_from(tournament)
    if first is not None:
        request_standings(tournament, first)
