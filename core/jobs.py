"""Background jobs, stored as rows and run after the commit."""

# The transaction that needs the work writes the row. The task queue gets it only after the commit,
# so a rollback leaves no job behind. If the queue is down, the sweeper queues the job again.

import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, ClassVar, Self

from django.conf import settings
from django.db import connections, models, transaction
from django.utils import timezone, translation
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from core.database import DatabaseTrouble, find_trouble, retry_on_conflict, try_lock
from core.errors import Refusal

if TYPE_CHECKING:
    from celery import Task

logger = logging.getLogger(__name__)

_long_computation = Lock()

# Must exceed the longest step of a `run_aside` job; each step renews it.
LEASE = timedelta(seconds=60)
# Limit between the lease and the transaction of the work, which locks the job.
TIME_TO_BEGIN = timedelta(seconds=2)
# A job queued longer than this has lost its broker message.
ENQUEUE_AFTER = timedelta(seconds=3)
# Interval before the sweeper queues a waiting job again: all workers may be busy.
ENQUEUE_AGAIN = timedelta(seconds=30)
MAX_ATTEMPTS = 5
# Delay before work at another site is tried again, doubled each time.
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=15), timedelta(minutes=10)
# Delay before work that the database aborted is tried again.
DATABASE_WAIT = timedelta(seconds=5)
# Until this age of a job, attempts that fail because the database is busy or away do not count.
DATABASE_PATIENCE = timedelta(minutes=30)


class JobState(models.TextChoices):
    QUEUED = "queued", gettext_lazy("queued")
    RUNNING = "running", gettext_lazy("running")
    DONE = "done", gettext_lazy("done")
    FAILED = "failed", gettext_lazy("failed")
    PARKED = "parked", gettext_lazy("stopped after five failures")


# Sentences by `error_code`. All other errors are shown as stored.
ERROR_SENTENCES = {
    "crashed": gettext_lazy(
        "Something went wrong on this site. Try again, or contact the site's administrator."
    ),
    "worker_died": gettext_lazy(
        "The background process stopped %(attempts)s times while working on this. Try again, or "
        "contact the site's administrator."
    ),
    "mail_refused": gettext_lazy("The mail server is refusing all emails."),
    "mail_not_accepted": gettext_lazy("The mail server does not accept emails: %(name)s."),
    "gave_up": ngettext_lazy(
        "%(reason)s Tried %(attempts)s time.", "%(reason)s Tried %(attempts)s times.", "attempts"
    ),
    **{
        f"database_{trouble.name.lower()}": gettext_lazy(trouble.value)
        for trouble in DatabaseTrouble
    },
}

LIVE_STATES = (JobState.QUEUED, JobState.RUNNING)
FAILED_STATES = (JobState.FAILED, JobState.PARKED)


class AbstractJob(models.Model):
    """A background job; at most one live row per key."""

    kind = models.CharField(max_length=40)
    key = models.CharField(max_length=120, unique=True)
    payload = models.JSONField(default=dict)
    state = models.CharField(
        max_length=10, choices=JobState.choices, default=JobState.QUEUED, db_index=True
    )
    leased_until = models.DateTimeField(null=True, blank=True)
    enqueued_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    # In English; also technical texts that only administrators see.
    error = models.TextField(blank=True)
    # Key of ERROR_SENTENCES, or the code of a refusal.
    error_code = models.CharField(max_length=60, blank=True, default="", db_default="")
    error_params = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[models.Manager[Self]]

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.kind} {self.key}: {self.state}"

    @property
    def task_path(self) -> str:
        """Path of the task that runs this job, such as "tournaments.tasks.pair_round"."""
        raise NotImplementedError

    @property
    def is_long(self) -> bool:
        """True if the work takes long although its task counts as quick."""
        return bool(self.payload.get("is_long"))

    def before_failure(self) -> None:
        """Update what depends on this job, before its failure is stored."""
        # The job is not locked yet: a change locks the event before its jobs.

    @property
    def shown_error(self) -> str:
        """The error for users, in the active language if its sentence is known."""
        return _error_in_words(self.error, self.error_code, self.error_params)

    @property
    def is_live(self) -> bool:
        return self.state in LIVE_STATES

    @property
    def has_failed(self) -> bool:
        return self.state in FAILED_STATES


def _error_in_words(text: str, code: str, params: Mapping[str, Any] | None) -> str:
    sentence = ERROR_SENTENCES.get(code)
    if sentence is None:
        return text
    values = dict(params or {})
    if "reason" in values:
        values["reason"] = _error_in_words(
            values["reason"], values.get("reason_code", ""), values.get("reason_params")
        )
    return sentence % values


class TryLater(Exception):  # noqa: N818 - an answer, not an error
    """Retry later. `wait` overrides the exponential back-off.

    `code` is a key of ERROR_SENTENCES, and `params` are the values of its sentence.
    """

    def __init__(
        self,
        reason: str,
        wait: timedelta | None = None,
        code: str = "",
        params: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(reason)
        self.wait, self.code, self.params = wait, code, params


class NotBefore(Exception):  # noqa: N818 - an answer, not an error
    """Continue at `moment`, as the work schedules its own retries. No attempt is counted."""

    def __init__(self, reason: str, moment: datetime) -> None:
        super().__init__(reason)
        self.moment = moment


def enqueue(job: AbstractJob) -> None:
    """Queue the job's task once the current transaction has committed."""
    transaction.on_commit(partial(_enqueue_now, task_of(job), job.pk, is_long=_is_long(job)))


def task_of(job: AbstractJob) -> "Task":
    """Return the task that runs this job when called with its key."""
    task: Task = import_string(job.task_path)
    return task


def enqueue_waiting(job: AbstractJob) -> None:
    if _is_long(job):
        _enqueue_now(task_of(job), job.pk, is_long=True)
    else:
        _send(task_of(job), job.pk)


def _is_long(job: AbstractJob) -> bool:
    return job.is_long or getattr(task_of(job), "aside", False)


def _enqueue_now(task: "Task", job_id: int, *, is_long: bool) -> None:
    def send_and_disconnect() -> None:
        try:
            _send(task, job_id)
        finally:
            # Close the database connections that this thread opened.
            connections.close_all()

    if settings.CELERY_TASK_ALWAYS_EAGER and not is_long:
        _send(task, job_id)
    else:
        Thread(target=send_and_disconnect, daemon=True).start()


def _send(task: "Task", job_id: int) -> None:
    from kombu.exceptions import OperationalError  # Celery has loaded it by now

    try:
        task.delay(job_id)
    except OperationalError:
        # The row stays queued; the sweeper queues it again when the broker is back.
        logger.warning("broker unreachable, job %s waits for the sweeper", job_id)


def requeue(job: AbstractJob) -> None:
    """Queue a finished or failed job again, with its attempts reset."""
    job.state, job.attempts = JobState.QUEUED, 0
    job.error, job.error_code, job.error_params = "", "", None
    job.leased_until = job.enqueued_at = job.finished_at = None
    # The sweeper measures waiting time from here.
    job.created_at = timezone.now()
    job.save()


def start_early(job: AbstractJob) -> None:
    """Drop the start time of a queued job."""
    type(job).objects.filter(pk=job.pk, state=JobState.QUEUED).update(leased_until=None)


def run(model: type[AbstractJob], job_id: int, handler: Callable[[Any], None]) -> None:
    """Lease the job, call the handler in one transaction and store the outcome.

    The handler's changes and the state "done" commit together. A failure rolls the changes back and
    stores its reason in the row. The transaction locks the job for as long as its process lives, so
    no other worker takes it, however long the work is.
    """

    @transaction.atomic
    def run_locked(job: AbstractJob) -> None:
        # Another worker may have taken it since we leased it.
        if try_lock(_lock_name(model, job_id)) and _leased_row(job).exists():
            _run_and_finish(handler, job)

    _lease_and_run(
        model, job_id, lambda job: retry_on_conflict(partial(run_locked, job)), TIME_TO_BEGIN
    )


def run_aside(model: type[AbstractJob], job_id: int, handler: Callable[[Any], None]) -> None:
    """Run a job outside a transaction, for requests to other sites and long computations.

    The handler stores its progress with `renew_lease`; no step may take longer than the lease.
    TryLater retries a few times, NotBefore at its moment. A handler that must check for more work
    and finish in one transaction calls `finish` there.
    """
    _lease_and_run(model, job_id, partial(_run_and_finish, handler), LEASE)


def run_in_turn(model: type[AbstractJob], job_id: int, handler: Callable[[Any], None]) -> None:
    """Run as `run_aside`, one job at a time in this process, to leave time for requests."""
    # The sweeper queues the job again, so a thread that waits for longer is not needed.
    if _long_computation.acquire(timeout=ENQUEUE_AGAIN.total_seconds()):
        try:
            run_aside(model, job_id, handler)
        finally:
            _long_computation.release()


def _run_and_finish(handler: Callable[[Any], None], job: AbstractJob) -> None:
    handler(job)
    _finish(job, JobState.DONE)


def _lease_and_run(
    model: type[AbstractJob], job_id: int, do: Callable[[AbstractJob], None], lease: timedelta
) -> None:
    job = _lease(model, job_id, lease)
    if job is None:
        return
    if job.attempts > MAX_ATTEMPTS:
        _finish(
            job,
            JobState.PARKED,
            f"The worker died {MAX_ATTEMPTS} times in the middle of it.",
            "worker_died",
            {"attempts": MAX_ATTEMPTS},
        )
        return
    try:
        # Without a broker, jobs run in the request, whose language must not be stored.
        with translation.override(settings.LANGUAGE_CODE):
            do(job)
    except TryLater as later:
        _retry_later(job, later)
    except NotBefore as later:
        _wait_until(job, later.moment, str(later), attempts=0)
    except Refusal as refusal:
        _finish(job, JobState.FAILED, str(refusal), refusal.code)
    except Exception as error:
        logger.exception("job %s (%s) failed", job_id, job.kind)
        _handle_error(job, error)


def _handle_error(job: AbstractJob, error: Exception) -> None:
    if trouble := find_trouble(error):
        # A short outage needs no action by a user.
        now = timezone.now()
        code = f"database_{trouble.name.lower()}"
        if trouble is not DatabaseTrouble.FULL and now - job.created_at < DATABASE_PATIENCE:
            _wait_until(
                job,
                now + DATABASE_WAIT,
                trouble.value,
                attempts=job.attempts - 1,
                code=code,
            )
        else:
            _retry_later(job, TryLater(trouble.value, DATABASE_WAIT, code))
        return
    state = JobState.PARKED if job.attempts >= MAX_ATTEMPTS else JobState.FAILED
    _finish(job, state, f"{type(error).__name__}: {error}", "crashed")


def finish(job: AbstractJob) -> None:
    """Finish the job, from a `run_aside` handler inside its own transaction."""
    _finish(job, JobState.DONE)


def renew_lease(job: AbstractJob) -> None:
    """Store the payload of a running job and renew its lease. Raises Refusal if it is lost."""
    until = timezone.now() + LEASE
    if not _leased_row(job).update(payload=job.payload, leased_until=until):
        raise Refusal(_("The lease has expired, and another worker has taken this job."))
    job.leased_until = until


def _retry_later(job: AbstractJob, later: TryLater) -> None:
    if job.attempts >= MAX_ATTEMPTS:
        _finish(
            job,
            JobState.FAILED,
            f"{later} Tried {job.attempts} times.",
            "gave_up",
            {
                "reason": str(later),
                "reason_code": later.code,
                "reason_params": later.params,
                "attempts": job.attempts,
            },
        )
        return
    wait = later.wait or FIRST_WAIT * 2 ** (job.attempts - 1)
    moment = timezone.now() + min(wait, LONGEST_WAIT)
    _wait_until(job, moment, str(later), job.attempts, later.code, later.params)


def _wait_until(
    job: AbstractJob,
    moment: datetime,
    reason: str,
    attempts: int,
    code: str = "",
    params: Mapping[str, Any] | None = None,
) -> None:
    _leased_row(job).update(
        state=JobState.QUEUED,
        error=reason,
        error_code=code,
        error_params=params,
        leased_until=moment,
        attempts=attempts,
    )


@transaction.atomic
def _lease(model: type[AbstractJob], job_id: int, lease: timedelta) -> AbstractJob | None:
    """Lease the job for this worker. Return None if another worker has it or has finished it."""
    now = timezone.now()
    is_unleased = models.Q(leased_until=None) | models.Q(leased_until__lt=now)
    taken = model.objects.filter(is_unleased, state__in=LIVE_STATES, pk=job_id).update(
        state=JobState.RUNNING,
        leased_until=now + lease,
        enqueued_at=None,
        attempts=models.F("attempts") + 1,
    )
    if not taken:
        # Take the lock only after winning the lease.
        return None
    if not try_lock(_lock_name(model, job_id)):
        transaction.set_rollback(True)
        return None
    return model.objects.get(pk=job_id)


def _lock_name(model: type[AbstractJob], job_id: int) -> str:
    return f"{model._meta.label}:{job_id}"


def _finish(
    job: AbstractJob,
    state: JobState,
    error: str = "",
    code: str = "",
    params: dict[str, Any] | None = None,
) -> None:
    @transaction.atomic
    def store() -> None:
        # Filters on our lease, so a late worker cannot overwrite the outcome.
        row = _leased_row(job)
        if state in FAILED_STATES and row.exists():
            job.before_failure()
        row.update(
            state=state,
            error=error,
            error_code=code,
            error_params=params,
            leased_until=None,
            finished_at=timezone.now(),
        )

    retry_on_conflict(store)


def _leased_row(job: AbstractJob) -> models.QuerySet[Any]:
    return type(job).objects.filter(
        pk=job.pk, state=JobState.RUNNING, leased_until=job.leased_until
    )


def waiting_jobs(model: type[AbstractJob]) -> models.QuerySet[Any]:
    """Return jobs to queue: queued for a while, due now, or leased by a worker that died."""
    now = timezone.now()
    stale = models.Q(state=JobState.QUEUED, leased_until=None, created_at__lt=now - ENQUEUE_AFTER)
    expired = models.Q(state__in=LIVE_STATES, leased_until__lt=now)
    return model.objects.filter(stale | expired).order_by("pk")


def claim_waiting_jobs(model: type[AbstractJob]) -> list[Any]:
    """Return waiting jobs for the sweeper, each once in ENQUEUE_AGAIN."""
    now = timezone.now()
    waiting = list(waiting_jobs(model).exclude(enqueued_at__gt=now - ENQUEUE_AGAIN))
    model.objects.filter(pk__in=[job.pk for job in waiting]).update(enqueued_at=now)
    return waiting


def reset_running_jobs(model: type[AbstractJob]) -> models.QuerySet[Any]:
    """Reset running jobs at the start of a site with one process; return those to queue."""
    model.objects.filter(state=JobState.RUNNING).update(state=JobState.QUEUED, leased_until=None)
    return model.objects.filter(state=JobState.QUEUED, leased_until=None).order_by("pk")
