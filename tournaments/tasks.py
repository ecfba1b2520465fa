"""Tasks take the id of a job and call one function; core.jobs keeps the outcome."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from celery import Task
from django.conf import settings
from django.utils import timezone

from core import backups, jobs
from core.celery import app
from tournaments import announcements, due, queries
from tournaments.drafts import draft_round
from tournaments.due import forgetting
from tournaments.judging import judge_decks as judge_decks_of
from tournaments.models import Job, JobKind
from tournaments.snapshots import snapshot_standings


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
    jobs.run_aside(Job, job_id, _back_up_after)


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
    """Queue again the jobs nobody works on: the broker was down, or a worker died."""
    _enqueue(jobs.to_enqueue(Job))


def take_over() -> None:
    """Do what was left undone; for the only process of a site, as it starts."""
    _enqueue(jobs.take_over(Job))


def _enqueue(waiting: Iterable[Job]) -> None:
    for job in waiting:
        task = TASKS.get(job.kind)
        if task is None:
            # Of a newer release, whose workers know it; the others are not to wait for that.
            continue
        # The others do not wait behind a site that does not answer.
        enqueue = jobs.enqueue_now if getattr(task, "aside", False) else jobs.send
        enqueue(task, job.pk)


@app.task
def back_up_when_due() -> None:
    """Make a backup when the newest is too old for what goes on."""
    now = timezone.now()
    if queries.backups_are_made() and not backups.is_being_made(Path(settings.BACKUP_FOLDER), now):
        _back_up_unless_newer(now - queries.backup_interval())


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


def make_backup(folder: Path, goes_on: Callable[[], None] = lambda: None) -> backups.Backup:
    """A backup in this folder; in that of the site old ones are thrown away."""
    now = timezone.now()
    made = backups.make(folder, now, goes_on)
    if settings.BACKUP_FOLDER and folder.resolve() == Path(settings.BACKUP_FOLDER).resolve():
        longest = timedelta(days=settings.BACKUP_DAYS)
        backups.throw_old_away(folder, now, settings.BACKUPS_KEPT, longest)
    return made


def _back_up_after(job: Job) -> None:
    """The backup that a round wanted when it was closed; one that began since holds it already."""
    if not queries.backups_are_made():
        return
    try:
        wanted_at = datetime.fromisoformat(job.payload["wanted_at"])
        _back_up_unless_newer(wanted_at, partial(jobs.keep, job))
    except OSError as error:
        raise backups.BackupRefused(
            f"The folder for backups cannot be written to: {error.strerror}. The event can go on; "
            "tell whoever runs the site."
        ) from error


def _back_up_unless_newer(moment: datetime, goes_on: Callable[[], None] = lambda: None) -> None:
    newest = queries.last_backup()
    if newest is None or newest.began_at <= moment:
        make_backup(Path(settings.BACKUP_FOLDER), goes_on)
