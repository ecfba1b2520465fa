"""Tasks take the id of a job and call one function; core.jobs keeps the outcome."""

from celery import shared_task

from core import jobs
from tournaments.drafts import draft_round
from tournaments.judging import judge_decks as judge_decks_of
from tournaments.models import Job, JobKind
from tournaments.snapshots import snapshot_standings


@shared_task
def pair_round(job_id: int) -> None:
    """Make the draft of the next round."""
    jobs.run(Job, job_id, draft_round)


@shared_task
def recompute_standings(job_id: int) -> None:
    """Store the standings anew after a change that counts."""
    jobs.run(Job, job_id, snapshot_standings)


@shared_task
def judge_decks(job_id: int) -> None:
    """Judge all deck lists of an event by the rules and card data of now."""
    jobs.run(Job, job_id, judge_decks_of)


TASKS = {
    JobKind.PAIR_ROUND: pair_round,
    JobKind.RECOMPUTE_STANDINGS: recompute_standings,
    JobKind.JUDGE_DECKS: judge_decks,
}


@shared_task
def sweep_jobs() -> None:
    """Ring again for jobs nobody works on: the broker was down, or a worker died."""
    for job in jobs.waiting(Job):
        jobs.send(TASKS[JobKind(job.kind)], job.pk)
