"""Background jobs: leases, retries and the sweeper."""

from collections.abc import Callable
from datetime import date, timedelta
from runpy import run_path
from threading import Event, Thread, get_ident
from typing import Any

import pytest
import time_machine
from django.db import OperationalError, connection
from django.utils import timezone, translation
from kombu.exceptions import OperationalError as BrokerError

from core import celery, jobs
from core.database import DatabaseTrouble
from core.errors import Refusal
from core.jobs import JobState, TryLater
from tests.moments import in_jobs
from tournaments import tasks
from tournaments.event import services as event_services
from tournaments.models import Job, JobKind, LogEntry, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.check(34)]


@pytest.fixture
def tournament() -> Tournament:
    event = Tournament.objects.create(name="Run", slug="run", starts_on=date(2026, 11, 21))
    event.stages.create(number=1)
    return event


@pytest.fixture
def job(tournament: Tournament) -> Job:
    return Job.objects.create(tournament=tournament, kind="pair_round", key="pair:1:1")


def test_tasks_are_bound_when_they_are_declared():
    # Otherwise a second thread could see a half-bound task during its first use.
    app = run_path(celery.__file__)["app"]
    celery.app.set_current()

    assert app.finalized


def queue_name(task: Any) -> str:
    """Return the queue to which Celery sends a message of the task."""
    routed = celery.app.amqp.router.route({}, task.name, task_type=task)
    name: str = routed["queue"].name
    return name


@pytest.mark.parametrize("kind", JobKind)
def test_only_pairing_and_standings_share_the_default_queue(kind: JobKind):
    is_quick = kind in {JobKind.PAIR_ROUND, JobKind.RECOMPUTE_STANDINGS}

    assert queue_name(jobs.task_of(Job(kind=kind))) == ("default" if is_quick else "slow")


def test_long_timers_are_in_the_slow_queue(settings: Any):
    slow = {
        entry["task"].rpartition(".")[2]
        for entry in settings.CELERY_BEAT_SCHEDULE.values()
        if queue_name(celery.app.tasks[entry["task"]]) == "slow"
    }

    assert slow == {"back_up_when_due", "count_statistics", "forget_absent"}


def write_a_line(job: Job) -> None:
    LogEntry.objects.create(tournament=job.tournament, action="worked")


def run_job(job: Job, act: Callable[[Job], None], run: Any = jobs.run) -> None:
    run(Job, job.pk, act)
    job.refresh_from_db()


class Killed(BaseException):
    """Not an Exception, like the end of a killed process."""


def die(_job: Job) -> None:
    raise Killed


def test_job_queued_twice_runs_once(job: Job) -> None:
    jobs.run(Job, job.pk, write_a_line)
    run_job(job, write_a_line)

    assert job.state == JobState.DONE
    assert LogEntry.objects.count() == 1


def test_refusal_fails_the_job_and_rolls_back(job: Job) -> None:
    def refuse(job: Job) -> None:
        write_a_line(job)
        raise Refusal("Nobody is checked in.")

    run_job(job, refuse)

    assert (job.state, job.error) == (JobState.FAILED, "Nobody is checked in.")
    assert (job.error_code, job.shown_error) == ("refused", "Nobody is checked in.")
    assert not LogEntry.objects.exists()


def test_exception_is_stored_and_parks_the_job_after_five_failures(job: Job) -> None:
    def break_down(_job: Job) -> None:
        raise ZeroDivisionError("seven by nothing")

    states = []
    for _ in range(jobs.MAX_ATTEMPTS):
        Job.objects.filter(pk=job.pk).update(state=JobState.QUEUED)
        run_job(job, break_down)
        states.append(job.state)

    assert states == [JobState.FAILED] * 4 + [JobState.PARKED]
    assert job.error == "ZeroDivisionError: seven by nothing"
    assert job.error_code == "crashed"
    assert job.shown_error.startswith("Something went wrong on this site.")


def test_requeued_job_starts_over(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(state=JobState.PARKED, attempts=5, error="no")
    job.refresh_from_db()

    jobs.requeue(job)
    run_job(job, write_a_line)

    assert (job.state, job.error, job.attempts) == (JobState.DONE, "", 1)


def test_leased_job_is_not_taken_by_a_second_worker(job: Job) -> None:
    def run_second_worker(job: Job) -> None:
        jobs.run(Job, job.pk, write_a_line)

    jobs.run(Job, job.pk, run_second_worker)

    assert not LogEntry.objects.exists()


def test_job_of_a_dead_worker_is_run_again(job: Job) -> None:
    expired = timezone.now() - timedelta(seconds=1)
    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING, leased_until=expired)

    assert list(jobs.waiting_jobs(Job)) == [job]
    run_job(job, write_a_line)

    assert job.state == JobState.DONE


def test_sweeper_leaves_fresh_and_finished_jobs_alone(job: Job) -> None:
    assert not jobs.waiting_jobs(Job).exists()
    Job.objects.filter(pk=job.pk).update(
        state=JobState.DONE, created_at=timezone.now() - timedelta(hours=1)
    )
    assert not jobs.waiting_jobs(Job).exists()


@pytest.mark.check(35)
@pytest.mark.goal("G12")
def test_job_waits_while_the_broker_is_down(
    job: Job, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    def unreachable(*_args: object) -> None:
        raise BrokerError("connection refused")

    monkeypatch.setattr(tasks.pair_round, "delay", unreachable)

    with django_capture_on_commit_callbacks(execute=True):
        jobs.enqueue(job)

    job.refresh_from_db()
    assert job.state == JobState.QUEUED


@pytest.mark.check(35)
@pytest.mark.goal("G12")
def test_sweeper_queues_a_job_with_a_lost_message(tournament: Tournament) -> None:
    job_without_message = Job.objects.create(
        tournament=tournament, kind="pair_round", key="pair:1:2", payload={"number": 1}
    )
    Job.objects.filter(pk=job_without_message.pk).update(
        created_at=timezone.now() - timedelta(minutes=1)
    )

    tasks.sweep_jobs()

    job_without_message.refresh_from_db()
    assert job_without_message.state == JobState.FAILED
    assert "at least 2 active players" in job_without_message.error


def test_sweeper_queues_a_waiting_job_once_per_half_minute(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    queued: list[int] = []
    monkeypatch.setattr(tasks.pair_round, "delay", queued.append)
    start = timezone.now() + timedelta(minutes=1)

    for seconds in range(0, 65, 5):
        with time_machine.travel(start + timedelta(seconds=seconds), tick=False):
            tasks.sweep_jobs()

    assert queued == [job.pk] * 3


def test_sweeper_queues_the_job_of_a_dead_worker_immediately(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    queued: list[int] = []
    monkeypatch.setattr(tasks.pair_round, "delay", queued.append)
    start = timezone.now() + timedelta(minutes=1)

    with time_machine.travel(start, tick=False):
        tasks.sweep_jobs()
        with pytest.raises(Killed):
            jobs.run(Job, job.pk, die)
    with time_machine.travel(start + timedelta(seconds=5), tick=False):
        tasks.sweep_jobs()

    assert queued == [job.pk] * 2


def test_job_that_kills_five_workers_is_parked(job: Job) -> None:
    expired = timezone.now() - timedelta(seconds=1)
    Job.objects.filter(pk=job.pk).update(
        state=JobState.RUNNING, leased_until=expired, attempts=jobs.MAX_ATTEMPTS
    )

    run_job(job, write_a_line)

    assert job.state == JobState.PARKED
    assert "died 5 times" in job.error
    assert "stopped 5 times" in job.shown_error
    assert not LogEntry.objects.exists()


def test_late_worker_cannot_overwrite_the_outcome(job: Job) -> None:
    lease_end = timezone.now() + timedelta(minutes=5)

    def lose_the_lease(_job: Job) -> None:
        Job.objects.filter(pk=job.pk).update(leased_until=lease_end)

    run_job(job, lose_the_lease)

    assert (job.state, job.leased_until) == (JobState.RUNNING, lease_end)


@pytest.mark.check(35)
@pytest.mark.goal("G12")
def test_hanging_broker_delays_no_request(
    job: Job,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = False
    answers, was_sent = Event(), Event()

    def hang(_job_id: int) -> None:
        answers.wait(10)
        was_sent.set()

    monkeypatch.setattr(tasks.pair_round, "delay", hang)
    with django_capture_on_commit_callbacks(execute=True):
        jobs.enqueue(job)

    assert not was_sent.is_set()
    answers.set()
    assert was_sent.wait(10)


@pytest.mark.check(35)
@pytest.mark.goal("G12")
def test_no_transaction_is_open_during_work_at_another_site(job: Job) -> None:
    depths: dict[str, int] = {}

    def look(job: Job) -> None:
        depths[job.key] = len(connection.savepoint_ids)

    other_job = Job.objects.create(tournament=job.tournament, kind="pair_round", key="pair:1:2")
    depths["around"] = len(connection.savepoint_ids)
    jobs.run_aside(Job, job.pk, look)
    jobs.run(Job, other_job.pk, look)

    assert depths[job.key] == depths["around"] < depths[other_job.key]


def test_postponed_job_is_swept_when_due(job: Job) -> None:
    def busy(_job: Job) -> None:
        raise TryLater("It is busy.", timedelta(seconds=40))

    run_job(job, busy, jobs.run_aside)

    assert (job.state, job.error, job.attempts) == (JobState.QUEUED, "It is busy.", 1)
    assert not jobs.waiting_jobs(Job).exists()
    with time_machine.travel(timezone.now() + timedelta(seconds=41)):
        assert jobs.waiting_jobs(Job).get() == job


@pytest.mark.parametrize(
    ("error", "run", "reason"),
    [
        (TryLater("It is busy."), jobs.run_aside, "It is busy."),
        (OperationalError("database or disk is full"), jobs.run, DatabaseTrouble.FULL.value),
    ],
)
def test_job_postponed_too_often_fails_with_its_last_reason(
    job: Job, error: Exception, run: Any, reason: str
) -> None:
    def fail(_job: Job) -> None:
        raise error

    for _ in range(jobs.MAX_ATTEMPTS):
        run_job(job, fail, run)
        jobs.start_early(job)

    job.refresh_from_db()
    assert (job.state, job.error) == (JobState.FAILED, f"{reason} Tried 5 times.")
    assert job.shown_error == job.error


def test_errors_of_postponed_and_failed_jobs_are_in_the_language_of_the_reader(job: Job) -> None:
    def fail(_job: Job) -> None:
        reason = "The mail server does not accept emails: OSError."
        raise TryLater(reason, code="mail_not_accepted", params={"name": "OSError"})

    run_job(job, fail, jobs.run_aside)
    with translation.override("de"):
        assert job.shown_error == "Der Mailserver nimmt keine E-Mails an: OSError."
    for _ in range(jobs.MAX_ATTEMPTS):
        jobs.start_early(job)
        run_job(job, fail, jobs.run_aside)

    assert job.state == JobState.FAILED
    with translation.override("de"):
        assert job.shown_error == (
            "Der Mailserver nimmt keine E-Mails an: OSError. 5-mal versucht."
        )


@pytest.mark.parametrize("run", [jobs.run, jobs.run_aside])
def test_busy_database_counts_no_attempt_for_half_an_hour(job: Job, run: Any) -> None:
    def busy(_job: Job) -> None:
        raise OperationalError("database is locked")

    def try_often() -> None:
        for _ in range(jobs.MAX_ATTEMPTS):
            run_job(job, busy, run)
            jobs.start_early(job)

    for _ in range(2):
        try_often()
    assert (job.state, job.attempts) == (JobState.QUEUED, 0)
    assert job.error == "The database is busy."
    assert job.error_code == "database_busy"
    with time_machine.travel(job.created_at + jobs.DATABASE_PATIENCE):
        try_often()
    assert (job.state, job.attempts) == (JobState.FAILED, jobs.MAX_ATTEMPTS)


def test_long_jobs_of_a_process_run_one_at_a_time(job: Job) -> None:
    is_locked = []
    run_job(job, lambda _: is_locked.append(jobs._long_computation.locked()), jobs.run_in_turn)

    assert (is_locked, jobs._long_computation.locked()) == ([True], False)


def test_progress_survives_a_failure(job: Job) -> None:
    def half(job: Job) -> None:
        job.payload["sent"] = 1
        jobs.renew_lease(job)
        raise Refusal("Gone.")

    run_job(job, half, jobs.run_aside)

    assert (job.state, job.payload) == (JobState.FAILED, {"sent": 1})


def test_worker_that_lost_its_lease_stops(job: Job) -> None:
    def slow(job: Job) -> None:
        Job.objects.filter(pk=job.pk).update(leased_until=timezone.now())
        jobs.renew_lease(job)

    run_job(job, slow, jobs.run_aside)

    assert job.state == JobState.RUNNING  # The second worker stores the outcome.


@pytest.mark.parametrize("aside", [False, True])
@pytest.mark.check(35)
@pytest.mark.goal("G12")
def test_aside_task_never_runs_in_the_request(
    job: Job, aside: bool, monkeypatch, django_capture_on_commit_callbacks
) -> None:
    threads: list[int] = []

    class AnyTask:
        def delay(self, _job_id: int) -> None:
            threads.append(get_ident())
            queued.set()

    queued, task = Event(), AnyTask()
    task.aside = aside  # type: ignore[attr-defined]
    monkeypatch.setattr(tasks, "pair_round", task)

    with django_capture_on_commit_callbacks(execute=True):
        jobs.enqueue(job)
        assert threads == []

    assert queued.wait(5)
    assert (threads == [get_ident()]) is not aside


def test_not_before_waits_without_counting_an_attempt(job: Job) -> None:
    moment = timezone.now() + timedelta(hours=2)

    def wait(_job: Job) -> None:
        raise jobs.NotBefore("Nobody answers.", moment)

    for _ in range(jobs.MAX_ATTEMPTS + 1):
        jobs.run_aside(Job, job.pk, wait)
    run_job(job, write_a_line, jobs.run_aside)

    assert (job.state, job.attempts, job.error) == (JobState.QUEUED, 0, "Nobody answers.")
    assert not LogEntry.objects.exists()
    assert list(jobs.waiting_jobs(Job)) == []
    with time_machine.travel(moment + timedelta(seconds=1), tick=False):
        assert list(jobs.waiting_jobs(Job)) == [job]
        run_job(job, write_a_line, jobs.run_aside)

    assert job.state == JobState.DONE


def test_worker_that_starts_too_late_leaves_the_job_to_the_next(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "TIME_TO_BEGIN", timedelta(0))
    runs: list[int] = []

    def start_another_worker(moment: str) -> None:
        if moment == "pair_round:leased" and not runs:
            runs.append(job.pk)
            jobs.run(Job, job.pk, write_a_line)

    with in_jobs(start_another_worker):
        run_job(job, write_a_line)

    assert (runs, job.state, job.attempts) == ([job.pk], JobState.DONE, 2)
    assert LogEntry.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_job_is_locked_during_its_transaction(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "TIME_TO_BEGIN", timedelta(0))

    def take() -> None:
        jobs.run(Job, job.pk, write_a_line)
        connection.close()

    def slow(job: Job) -> None:
        thief.start()
        if connection.vendor == "postgresql":
            # Returns immediately; on SQLite it waits for this transaction.
            thief.join(30)
        write_a_line(job)

    thief = Thread(target=take)
    jobs.run(Job, job.pk, slow)
    thief.join(30)

    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.DONE, 1)
    assert LogEntry.objects.count() == 1


@pytest.mark.goal("G4")
def test_leftover_jobs_resume_within_ten_seconds(settings: Any) -> None:
    sweep = settings.CELERY_BEAT_SCHEDULE["sweep-jobs"]["schedule"]

    assert max(jobs.TIME_TO_BEGIN, jobs.ENQUEUE_AFTER) + sweep <= timedelta(seconds=10)


def test_single_process_site_resets_running_jobs(job: Job, tournament: Tournament) -> None:
    restart_time = timezone.now() + timedelta(seconds=50)
    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING, leased_until=restart_time)
    put_off = Job.objects.create(
        tournament=tournament, kind="notify", key="news", leased_until=restart_time
    )

    event_services.take_over()

    job.refresh_from_db()
    put_off.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.FAILED, 1)  # There are no players to pair.
    assert (put_off.state, put_off.attempts) == (JobState.QUEUED, 0)
