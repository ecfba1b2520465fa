"""Work that is written down first and done after the commit.

A job is a row. The transaction that needs the work writes the row; the task
queue gets it only after the commit, so a rollback leaves no work behind and
a queue that is down loses nothing: the sweeper queues it again.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, ClassVar, Self

from django.conf import settings
from django.db import connections, models, transaction
from django.utils import timezone
from django.utils.module_loading import import_string

from core.advisory_lock import held
from core.database_errors import Trouble, tried_twice, trouble_of
from core.errors import Refusal
from core.pause_points import pause_point

if TYPE_CHECKING:
    from celery import Task

logger = logging.getLogger(__name__)

_long_computing = Lock()

LEASE = timedelta(seconds=60)
"""Longer than any single step of work aside: each step renews it with `keep`."""
TIME_TO_BEGIN = timedelta(seconds=2)
"""From the lease to the transaction of the work, which then holds the job itself."""
ENQUEUE_AFTER = timedelta(seconds=3)
"""A job that is queued for so long had no message in the queue, or a lost one."""
ENQUEUE_AGAIN = timedelta(seconds=30)
"""Before the sweeper queues a job again that still waits: all workers may be busy."""
MAX_ATTEMPTS = 5
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=15), timedelta(minutes=10)
"""Before work at another site is tried again: doubled each time."""
DATABASE_WAIT = timedelta(seconds=5)
"""Before work is tried again that the database has broken off."""
DATABASE_PATIENCE = timedelta(minutes=30)
"""Age up to which a job counts no attempt that failed because the database was busy or away."""


class JobState(models.TextChoices):
    QUEUED = "queued", "queued"
    RUNNING = "running", "running"
    DONE = "done", "done"
    FAILED = "failed", "failed"
    PARKED = "parked", "parked after five failures"


LIVE = (JobState.QUEUED, JobState.RUNNING)
FAILED = (JobState.FAILED, JobState.PARKED)


class AbstractJob(models.Model):
    """One piece of work; at most one live row for each key."""

    kind = models.CharField(max_length=40)
    key = models.CharField(max_length=120, unique=True)
    payload = models.JSONField(default=dict)
    state = models.CharField(
        max_length=10, choices=JobState.choices, default=JobState.QUEUED, db_index=True
    )
    leased_until = models.DateTimeField(null=True, blank=True)
    enqueued_at = models.DateTimeField(null=True, blank=True)
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
    def task_path(self) -> str:
        """Where the task is that does this job: "tournaments.tasks.pair_round"."""
        raise NotImplementedError

    @property
    def is_long(self) -> bool:
        """True if its work takes long although its task is a quick one."""
        return bool(self.payload.get("is_long"))

    def before_failure(self) -> None:
        """Update what depends on this job, in the transaction that stores its failure.

        The job is not locked yet: a change locks the event before its jobs.
        """

    @property
    def is_live(self) -> bool:
        return self.state in LIVE

    @property
    def has_failed(self) -> bool:
        return self.state in FAILED


class TryLater(Exception):  # noqa: N818 - an answer, not an error
    """The other end cannot take the work now; the text is the reason, `wait` when to try again."""

    def __init__(self, reason: str, wait: timedelta | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


class NotBefore(Exception):  # noqa: N818 - an answer, not an error
    """The work knows itself when it goes on and how often it tries; no attempt is counted."""

    def __init__(self, reason: str, moment: datetime) -> None:
        super().__init__(reason)
        self.moment = moment


def enqueue(job: AbstractJob) -> None:
    """Queue the job's task once the current transaction has committed.

    A broker that does not answer keeps nobody waiting: a thread talks to it,
    unless the task is done here and now.
    """
    transaction.on_commit(partial(_enqueue_now, task_of(job), job.pk, is_long=_is_long(job)))


def task_of(job: AbstractJob) -> "Task":
    """The task that does this job when it is called with its key."""
    task: Task = import_string(job.task_path)
    return task


def enqueue_waiting(job: AbstractJob) -> None:
    """Queue a job that waited; a long one has a thread of its own and delays no other job."""
    if _is_long(job):
        _enqueue_now(task_of(job), job.pk, is_long=True)
    else:
        _send(task_of(job), job.pk)


def _is_long(job: AbstractJob) -> bool:
    """Return whether a request cannot wait for it: a task made with `aside=True`, or a long job."""
    return job.is_long or getattr(task_of(job), "aside", False)


def _enqueue_now(task: "Task", job_id: int, *, is_long: bool) -> None:
    pause_point("job:committed")
    if settings.CELERY_TASK_ALWAYS_EAGER and not is_long:
        _send(task, job_id)
    else:
        Thread(target=_send_alone, args=(task, job_id), daemon=True).start()


def _send_alone(task: "Task", job_id: int) -> None:
    try:
        _send(task, job_id)
    finally:
        # The thread ends, and the database connections it opened with it.
        connections.close_all()


def _send(task: "Task", job_id: int) -> None:
    """A broker that does not answer is logged, and the job waits."""
    from kombu.exceptions import OperationalError  # here somebody has loaded it

    try:
        task.delay(job_id)
    except OperationalError:
        # The row stays queued; the sweeper queues it again when the broker is back.
        logger.warning("broker unreachable, job %s waits for the sweeper", job_id)


def requeue(job: AbstractJob) -> None:
    """Give a finished or failed job another life, with its attempts forgiven."""
    job.state, job.error, job.attempts = JobState.QUEUED, "", 0
    job.leased_until = job.enqueued_at = job.finished_at = None
    # From now on it waits.
    job.created_at = timezone.now()
    job.save()


def start_early(job: AbstractJob) -> None:
    """Let a job that waits for its moment begin when it is queued next; one at work goes on."""
    type(job).objects.filter(pk=job.pk, state=JobState.QUEUED).update(leased_until=None)


def run(model: type[AbstractJob], job_id: int, handler: Callable[[Any], None]) -> None:
    """Do the job once: lease it, run the handler in one transaction, keep the outcome.

    The handler's changes and the word "done" commit together. A failure rolls
    the changes back and leaves its reason on the row. The transaction holds the job: when its
    process dies, the job is free at once, and as long as it lives nobody takes it, however
    long the work is.
    """
    whole = transaction.atomic(partial(_held_by, handler))
    _work(model, job_id, lambda job: tried_twice(partial(whole, job)), TIME_TO_BEGIN)


def run_aside(model: type[AbstractJob], job_id: int, handler: Callable[[Any], None]) -> None:
    """As `run`, for work at another site or long computing: no transaction waits for its answer.

    The handler keeps with `keep` how far it has come, which renews the lease; no step may last
    longer than that. TryLater puts the rest off, a few times, NotBefore until its moment. A
    handler that has to look for more work and end in one transaction says `done` in there.
    """
    _work(model, job_id, partial(_done_by, handler), LEASE)


def run_in_turn(model: type[AbstractJob], job_id: int, handler: Callable[[Any], None]) -> None:
    """As `run_aside`, one job at a time in this process: more would keep requests waiting."""
    # The sweeper queues the job again, so a thread that waits for longer is not needed.
    if _long_computing.acquire(timeout=ENQUEUE_AGAIN.total_seconds()):
        try:
            run_aside(model, job_id, handler)
        finally:
            _long_computing.release()


def _held_by(handler: Callable[[Any], None], job: AbstractJob) -> None:
    # Whoever was slow to begin may find that another worker has it by now.
    if held(_name(type(job), job.pk)) and _mine(job).exists():
        _done_by(handler, job)


def _done_by(handler: Callable[[Any], None], job: AbstractJob) -> None:
    handler(job)
    pause_point(f"{job.kind}:worked")
    _finish(job, JobState.DONE)


def _work(
    model: type[AbstractJob], job_id: int, do: Callable[[AbstractJob], None], lease: timedelta
) -> None:
    job = _lease(model, job_id, lease)
    if job is None:
        return
    pause_point(f"{job.kind}:leased")
    if job.attempts > MAX_ATTEMPTS:
        _finish(job, JobState.PARKED, f"The worker died {MAX_ATTEMPTS} times in the middle of it.")
        return
    try:
        do(job)
    except TryLater as later:
        _put_off(job, later)
    except NotBefore as later:
        _wait_until(job, later.moment, str(later), attempts=0)
    except Refusal as refusal:
        _finish(job, JobState.FAILED, str(refusal))
    except Exception as error:
        logger.exception("job %s (%s) failed", job_id, job.kind)
        _break_off(job, error)
    pause_point(f"{job.kind}:left")


def _break_off(job: AbstractJob, error: Exception) -> None:
    if trouble := trouble_of(error):
        # Nobody has to press a button for what is over in a moment.
        now = timezone.now()
        if trouble is not Trouble.FULL and now - job.created_at < DATABASE_PATIENCE:
            _wait_until(job, now + DATABASE_WAIT, trouble.value, attempts=job.attempts - 1)
        else:
            _put_off(job, TryLater(trouble.value, DATABASE_WAIT))
        return
    state = JobState.PARKED if job.attempts >= MAX_ATTEMPTS else JobState.FAILED
    _finish(job, state, f"{type(error).__name__}: {error}")


def done(job: AbstractJob) -> None:
    """The work is over; for a handler of `run_aside`, inside its own transaction."""
    _finish(job, JobState.DONE)


def keep(job: AbstractJob) -> None:
    """Store the payload of a job at work, and lease the job anew for what is left."""
    until = timezone.now() + LEASE
    kept = _mine(job).update(payload=job.payload, leased_until=until)
    if not kept:
        raise Refusal("The lease ran out, and another worker has this job.")
    job.leased_until = until


def _put_off(job: AbstractJob, later: TryLater) -> None:
    """Queued until the next try, when the sweeper finds it."""
    if job.attempts >= MAX_ATTEMPTS:
        _finish(job, JobState.FAILED, f"{later} Tried {job.attempts} times.")
        return
    wait = later.wait or FIRST_WAIT * 2 ** (job.attempts - 1)
    _wait_until(job, timezone.now() + min(wait, LONGEST_WAIT), str(later), job.attempts)


def _wait_until(job: AbstractJob, moment: datetime, reason: str, attempts: int) -> None:
    _mine(job).update(state=JobState.QUEUED, error=reason, leased_until=moment, attempts=attempts)


@transaction.atomic
def _lease(model: type[AbstractJob], job_id: int, lease: timedelta) -> AbstractJob | None:
    """The job, taken for this worker; None when another has or had it."""
    now = timezone.now()
    taken = model.objects.filter(_free(now), state__in=LIVE, pk=job_id).update(
        state=JobState.RUNNING,
        leased_until=now + lease,
        enqueued_at=None,
        attempts=models.F("attempts") + 1,
    )
    if not taken:
        # Whoever only looks holds nothing: the worker that has the job is about to hold it.
        return None
    if not held(_name(model, job_id)):
        transaction.set_rollback(True)
        return None
    return model.objects.get(pk=job_id)


def _name(model: type[AbstractJob], job_id: int) -> str:
    return f"{model._meta.label}:{job_id}"


def _free(now: datetime) -> models.Q:
    """Leased by nobody, or until a moment that is past."""
    return models.Q(leased_until=None) | models.Q(leased_until__lt=now)


def _finish(job: AbstractJob, state: JobState, error: str = "") -> None:
    tried_twice(partial(_store_end, job, state, error))


@transaction.atomic
def _store_end(job: AbstractJob, state: JobState, error: str) -> None:
    # After its lease a worker changes nothing: the job belongs to the next one.
    mine = _mine(job)
    if state in FAILED and mine.exists():
        job.before_failure()
    mine.update(state=state, error=error, leased_until=None, finished_at=timezone.now())


def _mine(job: AbstractJob) -> models.QuerySet[Any]:
    return type(job).objects.filter(
        pk=job.pk, state=JobState.RUNNING, leased_until=job.leased_until
    )


def waiting(model: type[AbstractJob]) -> models.QuerySet[Any]:
    """Jobs nobody works on: queued for a while, ready now, or leased by a worker that died."""
    now = timezone.now()
    stale = models.Q(state=JobState.QUEUED, leased_until=None, created_at__lt=now - ENQUEUE_AFTER)
    expired = models.Q(state__in=LIVE, leased_until__lt=now)
    return model.objects.filter(stale | expired).order_by("pk")


def to_enqueue(model: type[AbstractJob]) -> list[Any]:
    """Waiting jobs for the sweeper to queue, each once in a while; it says so on the rows."""
    now = timezone.now()
    found = list(waiting(model).exclude(enqueued_at__gt=now - ENQUEUE_AGAIN))
    model.objects.filter(pk__in=[job.pk for job in found]).update(enqueued_at=now)
    return found


def take_over(model: type[AbstractJob]) -> models.QuerySet[Any]:
    """Free every job that was at work, and tell which wait to be queued.

    For the only process of a site, as it starts: whoever worked on them is no more. A job that
    waits for its moment goes on waiting.
    """
    model.objects.filter(state=JobState.RUNNING).update(state=JobState.QUEUED, leased_until=None)
    return model.objects.filter(state=JobState.QUEUED, leased_until=None).order_by("pk")
