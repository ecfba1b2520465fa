"""New events and series; and jobs of an event: its news, its standings, those that wait."""

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
    """Store a new event or series. Was its slug taken at the same moment, a lot goes behind it."""
    try:
        with transaction.atomic():
            new.save(force_insert=True)
    except IntegrityError:
        new.slug = f"{new.slug}-{new_join_code().lower()}"
        new.save(force_insert=True)
    return new


def setting_of(tournament: Tournament) -> Announcing:
    """What is switched on; a row that is not stored when nothing ever was."""
    stored = Announcing.objects.filter(tournament=tournament).select_related("tournament").first()
    return stored or Announcing(tournament=tournament)


def round_published(round_: Round) -> None:
    """For the transaction that publishes: what is switched on hears of it after the commit."""
    assert round_.published_at is not None
    setting = setting_of(round_.stage.tournament)
    payload = {"news": "round", "round": round_.pk, "number": round_.number}
    # A round that is taken back and published again is news again.
    moment = f"{round_.pk}:{round_.published_at.timestamp()}"
    if setting.webhook and setting.tells_pairings:
        ring(setting, JobKind.NOTIFY, moment, payload)
    if setting.allows_mail:
        ring(setting, JobKind.MAIL, moment, payload)
    if setting.allows_push and web_push.is_on():
        ring(setting, JobKind.PUSH, moment, payload)


def event_finished(tournament: Tournament) -> None:
    """For the transaction that finishes the event."""
    assert tournament.finished_at is not None
    setting = setting_of(tournament)
    if setting.webhook and setting.tells_standings:
        moment = f"end:{tournament.finished_at.timestamp()}"
        ring(setting, JobKind.NOTIFY, moment, {"news": "standings"})


def ring(setting: Announcing, kind: JobKind, moment: str, payload: dict[str, Any]) -> None:
    """Write down the job that sends this; `moment` tells it from others of its kind."""
    tournament = setting.tournament
    # A sandbox tells nobody.
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
    """What the job is found by."""
    return f"{kind}:{tournament.pk}:{moment}"


def next_job_number(tournament: Tournament, kind: JobKind) -> int:
    """The number for the key of a new job; a count would repeat one, as old jobs are deleted."""
    newest = tournament.jobs.filter(kind=kind).order_by("-pk").first()
    return 1 if newest is None else int(newest.key.rpartition(":")[2]) + 1


def sweep() -> None:
    """Queue again the jobs nobody works on: the broker was down, or a worker died."""
    for model in JOB_MODELS:
        _enqueue(jobs.to_enqueue(model))


def take_over() -> None:
    """Do what was left undone; for the only process of a site, as it starts."""
    for model in JOB_MODELS:
        _enqueue(jobs.take_over(model))


def _enqueue(waiting: Iterable[Job | SiteJob]) -> None:
    for job in waiting:
        # One of a newer release is known to its workers; the others are not to wait for that.
        if job.kind in {*JobKind.values, *SiteJobKind.values}:
            jobs.enqueue_waiting(job)


def asked_by(actor: Actor) -> dict[str, int]:
    """What the payload of a job says of who asked."""
    return {} if actor.user is None else {"by": actor.user.pk}


@transaction.atomic
def retry_job(job: Job, actor: Actor) -> None:
    """Staff try a failed job again. Raise EventIsFinished where it would pair a round."""
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
    # Public pages name failed standings.
    is_public = job.kind == JobKind.RECOMPUTE_STANDINGS
    history.record(tournament, actor, LogAction.JOB_TRIED_AGAIN, subject, public=is_public)
    jobs.enqueue(job)


class JobIsNeeded(Refusal):
    """The event depends on the result of this job."""


@transaction.atomic
def delete_job(job: Job, actor: Actor) -> None:
    """Delete a failed job; a job that runs again is left alone. Raise JobIsNeeded."""
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
    """Request a job that updates the ratings of the event's game, unless one waits already.

    Call inside the transaction of what changes a game that counts, or makes events count or not:
    finished, opened again, corrected, imported, players merged.
    """
    counts = tournament.rated and tournament.visibility == Visibility.PUBLIC
    if tournament.is_practice or not counts:
        return
    own = f"ratings:{tournament.game}:"
    waiting = Job.objects.filter(kind=JobKind.RECOMPUTE_RATINGS, key__startswith=own)
    # Held: whoever begins it now waits for this transaction, and sees what it changed.
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
    """Queue a job that stores the standings again from a closed round on.

    Call inside the transaction of the change, with the event locked. A queued job is extended to
    include this change. Otherwise the new job replaces an unfinished one, which ends at its next
    step if it is at work. It begins at the lower of their rounds.
    """
    unfinished = queries.unfinished_standings_jobs(tournament)
    # Locked: a worker that is about to begin it waits for this transaction.
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
