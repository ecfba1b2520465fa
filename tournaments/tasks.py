"""Tasks take the id of a job and call one function; core.jobs keeps the outcome."""

from collections.abc import Iterable
from datetime import timedelta

from celery import Task

from core import jobs
from core.celery import app
from tournaments import announcements, backing_up, due
from tournaments.drafts import draft_round
from tournaments.due import forgetting
from tournaments.judging import judge_decks as judge_decks_of
from tournaments.models import Job, JobKind
from tournaments.snapshots import snapshot_standings

BACKUP_LEASE = timedelta(minutes=10)
"""A backup is one step, however large the database is."""


@app.task
def pair_round(job_id: int) -> None:
    """Make the draft of the next round."""
    jobs.run(Job, job_id, draft_round)


@app.task
def recompute_standings(job_id: int) -> None:
    """Store the standings anew after a change that counts."""
    jobs.run(Job, job_id, snapshot_standings)


@app.task
def judge_decks(job_id: int) -> None:
    """Judge all deck lists of an event by the rules and card data of now."""
    jobs.run(Job, job_id, judge_decks_of)


@app.task(aside=True)
def notify(job_id: int) -> None:
    """Tell the channel of an event what everybody may read."""
    jobs.run_aside(Job, job_id, announcements.tell_channel)


@app.task(aside=True)
def mail(job_id: int) -> None:
    """Mail the tables of a round to those who asked for it."""
    jobs.run_aside(Job, job_id, announcements.mail_tables)


@app.task(aside=True)
def push(job_id: int) -> None:
    """Tell the phones of a round that asked for it where their players sit."""
    jobs.run_aside(Job, job_id, announcements.tell_phones)


@app.task(aside=True)
def tell_program(job_id: int) -> None:
    """Send a webhook what waits for it."""
    jobs.run_aside(Job, job_id, announcements.tell_program)


@app.task(aside=True)
def upload(job_id: int) -> None:
    """Upload the results of an event to AlwaysBeRunning."""
    jobs.run_aside(Job, job_id, announcements.upload_results)


@app.task(aside=True)
def back_up(job_id: int) -> None:
    """Make the backup that a closed round wants."""
    jobs.run_aside(Job, job_id, backing_up.back_up_after, BACKUP_LEASE)


TASKS: dict[str, Task] = {
    JobKind.PAIR_ROUND: pair_round,
    JobKind.RECOMPUTE_STANDINGS: recompute_standings,
    JobKind.JUDGE_DECKS: judge_decks,
    JobKind.NOTIFY: notify,
    JobKind.MAIL: mail,
    JobKind.PUSH: push,
    JobKind.WEBHOOK: tell_program,
    JobKind.UPLOAD: upload,
    JobKind.BACK_UP: back_up,
}


@app.task
def sweep_jobs() -> None:
    """Ring again for jobs nobody works on: the broker was down, or a worker died."""
    _ring(jobs.unheard(Job))


def take_over() -> None:
    """Do what was left undone; for the only process of a site, as it starts."""
    _ring(jobs.take_over(Job))


def _ring(waiting: Iterable[Job]) -> None:
    for job in waiting:
        task = TASKS.get(job.kind)
        if task is None:
            # Of a newer release, whose workers know it; the others are not to wait for that.
            continue
        # The others do not wait behind a site that does not answer.
        ring = jobs.ring_now if getattr(task, "aside", False) else jobs.send
        ring(task, job.pk)


@app.task
def back_up_when_due() -> None:
    """Make a backup when the newest is too old for what goes on."""
    backing_up.back_up_when_due()


@app.task
def carry_out_due() -> None:
    """Do what the time of day has brought: reports nobody answers, players who did not come."""
    due.carry_out()


@app.task
def forget_absent() -> None:
    """Erase people whom nobody has seen for as long as the site keeps them; and what is over."""
    forgetting.forget_answers()
    forgetting.forget_sessions()
    forgetting.forget_absent()
