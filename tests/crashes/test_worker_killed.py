"""A Celery worker killed in the middle of a job, next to a web server that stays up."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from core.jobs import MAX_ATTEMPTS
from tests.crashes.bench import Bench, event_rows
from tests.crashes.databases import state_of
from tests.crashes.killing import is_in_job, kill_at_each
from tests.crashes.served import PATIENCE, serve_site
from tests.crashes.works import WITH_JOBS
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.check(31, 34),
    pytest.mark.skipif(
        not (os.environ.get("REDIS_URL") and os.environ.get("DATABASE_URL")),
        reason="Needs PostgreSQL and Redis: TEST_DATABASE_URL, TEST_REDIS_URL.",
    ),
]


@pytest.mark.goal("G4")
@pytest.mark.parametrize("step", ["pair"])
def test_next_worker_does_the_job_of_a_killed_worker_once(
    bench: Bench, tmp_path: Path, figure: Callable[[str], None]
):
    seconds = kill_at_each(bench, ["pair:written"], tmp_path, with_worker=True)

    figure(f"done {seconds:.1f} s after the next worker started")


@pytest.mark.slow
@pytest.mark.goal("G4")
@pytest.mark.parametrize("step", WITH_JOBS)
def test_next_worker_does_the_job_of_a_worker_killed_at_any_moment_once(
    bench: Bench, step: str, tmp_path: Path, figure: Callable[[str], None]
):
    moments = [
        moment for moment in bench.work.moments if is_in_job(moment) and moment != "job:committed"
    ]
    seconds = kill_at_each(bench, moments, tmp_path, with_worker=True)

    figure(f"{len(moments)} moments of step {step}, each job done within {seconds:.1f} s")


@pytest.mark.slow
@pytest.mark.parametrize("step", ["pair"])
def test_job_that_kills_five_workers_is_parked(bench: Bench, tmp_path: Path):
    before = event_rows(bench.states_without_faults()["job:committed"])
    with bench.copy() as name, serve_site(tmp_path, name, with_worker=True) as site:
        assert site.worker is not None
        site.death.write_text("pair:drafted!")
        work = bench.work
        assert site.send("POST", work.path, work.body, dict(work.headers)) == 202
        for _ in range(MAX_ATTEMPTS):
            wait_until(lambda: site.worker.running.poll() is not None, "the worker died", PATIENCE)
            site.worker.kill()
            site.worker.start()
        wait_until(lambda: job_in(name)["state"] == "parked", "the job is parked", PATIENCE)
        assert "died 5 times" in job_in(name)["error"]
        assert event_rows(state_of(name)) == before


def job_in(name: str) -> dict[str, str]:
    """The unfinished pairing job."""
    jobs = state_of(name)["tournaments_job"]
    return next(job for job in jobs if job["kind"] == "pair_round" and job["state"] != "done")
