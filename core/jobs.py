"""Work that is written down first and done after the commit.

A job is a row. The transaction that needs the work writes the row; the task
queue is only rung after the commit, so a rollback leaves no work behind and
a queue that is down loses nothing: the sweeper rings again.
"""

import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from threading import Thread
from typing import Any, ClassVar, Self

from celery import Task
from django.conf import settings
from django.db import connections, models, transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from core.errors import Refusal

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
MAX_ATTEMPTS = 5
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=15), timedelta(minutes=10)
"""Before work at another site is tried again: doubled each time."""


class JobState(models.TextChoices):
    QUEUED = "queued", "queued"
    RUNNING = "running", "running"
    DONE = "done", "done"
    FAILED = "failed", "failed"
    PARKED = "parked", "parked after five failures"


class AbstractJob(models.Model):
    """One piece of work; at most one live row for each key."""

    kind = models.CharField(max_length=40)
    key = models.CharField(max_length=120, unique=True)
    payload = models.JSONField(default=dict)
    state = models.CharField(
        max_length=10, choices=JobState.choices, default=JobState.QUEUED, db_index=True
    )
    leased_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[models.Manager[Self]]

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.kind} {self.key}: {self.state}"

    @property
    def is_live(self) -> bool:
        return self.state in {JobState.QUEUED, JobState.RUNNING}

    @property
    def has_failed(self) -> bool:
        return self.state in {JobState.FAILED, JobState.PARKED}


class TryLater(Exception):  # noqa: N818 - an answer, not an error
    """The other end cannot take the work now; the text is the reason, `wait` when to try again."""

    def __init__(self, reason: str, wait: timedelta | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


def ring(task: Task, job: AbstractJob) -> None:
    """Queue the job's task once the current transaction has committed.

    A broker that does not answer keeps nobody waiting: a thread talks to it,
    unless the task is done here and now.
    """
    transaction.on_commit(partial(ring_now, task, job.pk))


def ring_now(task: Task, job_id: int) -> None:
    """As `ring`, at once. A task made with `aside=True` talks to strangers: nobody waits for it."""
    if settings.CELERY_TASK_ALWAYS_EAGER and not getattr(task, "aside", False):
        send(task, job_id)
    else:
        Thread(target=_send_alone, args=(task, job_id), daemon=True).start()


def _send_alone(task: Task, job_id: int) -> None:
    try:
        send(task, job_id)
    finally:
        # The thread ends, and the database connections it opened with it.
        connections.close_all()


def send(task: Task, job_id: int) -> None:
    """Ring now; a broker that does not answer is logged, and the job waits."""
    try:
        task.delay(job_id)
    except OperationalError:
        # The row stays queued; the sweeper rings again when the broker is back.
        logger.warning("broker unreachable, job %s waits for the sweeper", job_id)


def requeue(job: AbstractJob) -> None:
    """Give a finished or failed job another life, with its attempts forgiven."""
    job.state, job.error, job.attempts = JobState.QUEUED, "", 0
    job.leased_until = job.finished_at = None
    job.save()


def run(model: type[AbstractJob], job_id: int, handler: Callable[[Any], None]) -> None:
    """Do the job once: lease it, run the handler in one transaction, keep the outcome.

    The handler's changes and the word "done" commit together. A failure rolls
    the changes back and leaves its reason on the row.
    """
    _work(model, job_id, transaction.atomic(partial(_done_by, handler)))


def run_aside(model: type[AbstractJob], job_id: int, handler: Callable[[Any], None]) -> None:
    """As `run`, for work at another site: no transaction waits for its answer.

    The handler keeps with `keep` how far it has come. TryLater puts the rest off, a few times.
    """
    _work(model, job_id, partial(_done_by, handler))


def _done_by(handler: Callable[[Any], None], job: AbstractJob) -> None:
    handler(job)
    _finish(job, JobState.DONE)


def _work(model: type[AbstractJob], job_id: int, do: Callable[[AbstractJob], None]) -> None:
    job = _lease(model, job_id)
    if job is None:
        return
    if job.attempts > MAX_ATTEMPTS:
        _finish(job, JobState.PARKED, f"The worker died {MAX_ATTEMPTS} times in the middle of it.")
        return
    try:
        do(job)
    except TryLater as later:
        _put_off(job, later)
    except Refusal as refusal:
        _finish(job, JobState.FAILED, str(refusal))
    except Exception as error:
        logger.exception("job %s (%s) failed", job_id, job.kind)
        state = JobState.PARKED if job.attempts >= MAX_ATTEMPTS else JobState.FAILED
        _finish(job, state, f"{type(error).__name__}: {error}")


def keep(job: AbstractJob) -> None:
    """Store the payload of a job at work, and lease the job anew for what is left."""
    until = timezone.now() + LEASE
    kept = _mine(job).update(payload=job.payload, leased_until=until)
    if not kept:
        raise Refusal("The lease ran out, and another worker has this job.")
    job.leased_until = until


def _put_off(job: AbstractJob, later: TryLater) -> None:
    """Leased until the next try: then the sweeper finds it as if its worker had died."""
    if job.attempts >= MAX_ATTEMPTS:
        _finish(job, JobState.FAILED, f"{later} Tried {job.attempts} times.")
        return
    wait = later.wait or FIRST_WAIT * 2 ** (job.attempts - 1)
    until = timezone.now() + min(wait, LONGEST_WAIT)
    _mine(job).update(error=str(later), leased_until=until)


def _lease(model: type[AbstractJob], job_id: int) -> AbstractJob | None:
    """The job, taken for this worker; None when another has or had it."""
    now = timezone.now()
    free = models.Q(state=JobState.QUEUED) | models.Q(state=JobState.RUNNING, leased_until__lt=now)
    taken = model.objects.filter(free, pk=job_id).update(
        state=JobState.RUNNING, leased_until=now + LEASE, attempts=models.F("attempts") + 1
    )
    return model.objects.get(pk=job_id) if taken else None


def _finish(job: AbstractJob, state: JobState, error: str = "") -> None:
    # A worker whose lease ran out says nothing on the work of the one that came after it.
    _mine(job).update(state=state, error=error, leased_until=None, finished_at=timezone.now())


def _mine(job: AbstractJob) -> models.QuerySet[Any]:
    return type(job).objects.filter(
        pk=job.pk, state=JobState.RUNNING, leased_until=job.leased_until
    )


def waiting(model: type[AbstractJob]) -> models.QuerySet[Any]:
    """Jobs nobody works on: queued for a while, or leased by a worker that died."""
    now = timezone.now()
    stale = models.Q(state=JobState.QUEUED, created_at__lt=now - timedelta(seconds=10))
    lost = models.Q(state=JobState.RUNNING, leased_until__lt=now)
    return model.objects.filter(stale | lost).order_by("pk")
