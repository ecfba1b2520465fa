"""A web server that is killed in the middle of a step and restarted."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.crashes.bench import Bench
from tests.crashes.killing import kill_at_each
from tests.crashes.works import WORKS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.check(31, 32, 34)]


@pytest.mark.goal("G4")
@pytest.mark.parametrize("step", ["pair"])
def test_killed_web_server_resumes_its_work(
    bench: Bench, tmp_path: Path, figure: Callable[[str], None]
):
    seconds = kill_at_each(bench, ["pair:written"], tmp_path, with_worker=False)

    figure(f"mended {seconds:.1f} s after the start")


@pytest.mark.slow
@pytest.mark.goal("G4")
@pytest.mark.parametrize("step", WORKS)
def test_web_server_killed_at_any_moment_resumes_its_work(
    bench: Bench, step: str, tmp_path: Path, figure: Callable[[str], None]
):
    moments = bench.work.moments
    seconds = kill_at_each(bench, moments, tmp_path, with_worker=False)

    figure(f"{len(moments)} moments of step {step}, each mended within {seconds:.1f} s")
