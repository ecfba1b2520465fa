"""The web server is killed in the middle of a step, and started again."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.crashes.bench import Bench
from tests.crashes.killing import Step, is_of_job, kill_at
from tests.crashes.served import served

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.check(31, 32, 34)]


@pytest.mark.goal("G4")
def test_a_killed_web_server_goes_on_where_it_was(
    benches: dict[str, Bench], tmp_path: Path, figure: Callable[[str], None]
):
    seconds = killed(benches, ["pair:written"], tmp_path)

    figure(f"mended {seconds:.1f} s after the start")


@pytest.mark.slow
@pytest.mark.goal("G4")
def test_a_web_server_killed_at_every_moment_goes_on_where_it_was(
    benches: dict[str, Bench], tmp_path: Path, figure: Callable[[str], None]
):
    moments = [moment for bench in benches.values() for moment in bench.work.moments]
    seconds = killed(benches, moments, tmp_path)

    figure(f"{len(moments)} moments, each mended within {seconds:.1f} s of the start")


def killed(benches: dict[str, Bench], moments: Iterable[str], folder: Path) -> float:
    """Kill a site at each of these moments; the longest time until it was mended, in seconds."""
    wanted, slowest = set(moments), 0.0
    for bench in benches.values():
        here = [moment for moment in bench.work.moments if moment in wanted]
        step = Step(bench, bench.undisturbed()) if here else None
        for moment in here:
            assert step is not None
            with bench.copy() as name, served(folder, name, with_worker=False) as site:
                slowest = max(slowest, kill_at(site, step, moment, name, folder))
    return slowest


def test_every_moment_of_a_job_is_known_as_one(benches: dict[str, Bench]):
    moments = benches["close"].work.moments

    assert [moment for moment in moments if is_of_job(moment)] == list(moments[5:])
