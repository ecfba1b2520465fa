"""Work that is written down first: leased, done once, found again."""

from datetime import timedelta

import pytest
from django.utils import timezone

from core import jobs
from core.errors import Refusal
from core.jobs import MAX_ATTEMPTS, JobState
from tests.factories.tournaments import make_event, owner_of
from tournaments import queries, tasks
from tournaments.models import Job, JobKind, Tournament
from tournaments.services import rounds


@pytest.fixture
def job(event: Tournament) -> Job:
    return rounds.request_pairing(event, 1, owner_of(event))


def now(job: Job) -> Job:
    return Job.objects.get(pk=job.pk)


def test_a_job_is_done_once(event: Tournament, job: Job):
    tasks.pair_round(job.pk)
    tasks.pair_round(job.pk)

    assert now(job).state == JobState.DONE
    assert now(job).attempts == 1
    assert queries.rounds(event).count() == 1


def test_a_refusal_is_the_reason_on_the_job(job: Job):
    def refuse(job: Job) -> None:
        raise Refusal("Round 3 is still open.")

    jobs.run(Job, job.pk, refuse)

    assert (now(job).state, now(job).error) == (JobState.FAILED, "Round 3 is still open.")


def test_what_a_failed_job_wrote_is_gone(event: Tournament, job: Job):
    def write_and_break(job: Job) -> None:
        Tournament.objects.filter(pk=event.pk).update(name="Half done")
        raise ZeroDivisionError

    jobs.run(Job, job.pk, write_and_break)

    assert Tournament.objects.get(pk=event.pk).name == "Spring Run"
    assert "ZeroDivisionError" in now(job).error


def test_five_failures_park_the_job(job: Job):
    def fail(job: Job) -> None:
        raise RuntimeError("no disk")

    for attempt in range(MAX_ATTEMPTS):
        Job.objects.filter(pk=job.pk).update(state=JobState.QUEUED, attempts=attempt)
        jobs.run(Job, job.pk, fail)

    assert now(job).state == JobState.PARKED
    assert now(job).has_failed


def test_a_leased_job_is_left_to_its_worker(event: Tournament, job: Job):
    later = timezone.now() + timedelta(seconds=30)
    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING, leased_until=later)

    tasks.pair_round(job.pk)

    assert not queries.rounds(event).exists()


def test_the_sweeper_finds_the_job_of_a_worker_that_died(event: Tournament, job: Job):
    past = timezone.now() - timedelta(seconds=1)
    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING, leased_until=past)

    tasks.sweep_jobs()

    assert now(job).state == JobState.DONE
    assert queries.rounds(event).count() == 1


def test_the_sweeper_rings_again_for_a_job_that_was_never_heard(event: Tournament, job: Job):
    tasks.sweep_jobs()
    assert now(job).state == JobState.QUEUED

    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(seconds=30))
    tasks.sweep_jobs()

    assert now(job).state == JobState.DONE


def test_the_desk_shows_jobs_until_they_are_done(event: Tournament, job: Job):
    assert queries.jobs_to_show(event) == [job]

    tasks.pair_round(job.pk)

    assert queries.jobs_to_show(event) == []


def test_a_job_says_what_it_is_for(job: Job):
    assert job.get_kind_label() == "pair the round (round 1)"
    assert job.kind == JobKind.PAIR_ROUND


def test_a_job_of_a_newer_release_holds_up_no_other(event: Tournament, job: Job):
    """During an upgrade two releases share a database."""
    long_ago = timezone.now() - timedelta(seconds=30)
    Job.objects.filter(pk=job.pk).update(kind="of_next_year", created_at=long_ago)
    other = make_event(players=4, name="Autumn Run")
    waiting = rounds.request_pairing(other, 1, owner_of(other))
    Job.objects.filter(pk=waiting.pk).update(created_at=long_ago)

    tasks.sweep_jobs()

    assert now(job).state == JobState.QUEUED
    assert now(waiting).state == JobState.DONE
