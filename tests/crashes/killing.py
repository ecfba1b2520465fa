"""Kill a served site at a moment of a step; check what it leaves and how soon it recovers."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.crashes.bench import Bench, count_unfinished_jobs, event_rows, visible_events
from tests.crashes.databases import State, are_files_intact, state_of
from tests.crashes.served import PATIENCE, Process, ServedSite, serve_site
from tests.waiting import wait_until

DONE = (200, 201, 202)


@dataclass(frozen=True)
class Step:
    """A step of the event, and the state of the event before and after it."""

    bench: Bench
    states: dict[str, State]


def kill_at_each(bench: Bench, moments: Iterable[str], folder: Path, *, with_worker: bool) -> float:
    """Kill a site at each of these moments; return the longest recovery time in seconds."""
    step = Step(bench, bench.states_without_faults())
    slowest = 0.0
    for moment in moments:
        with bench.copy() as name, serve_site(folder, name, with_worker=with_worker) as site:
            slowest = max(slowest, kill_at(site, step, moment, name, folder))
    return slowest


def kill_at(site: ServedSite, step: Step, moment: str, database: str, folder: Path) -> float:
    """Send a request, kill the process at this moment, restart it and retry.

    Return the recovery time in seconds. With a worker, moments of a job kill the worker, and the
    web server stays up.
    """
    work = step.bench.work
    in_a_job = ":" in moment and is_in_job(moment)
    victim: Process = site.worker if site.worker is not None and in_a_job else site.web
    site.death.write_text(moment)
    status = site.send("POST", work.path, work.body, dict(work.headers))
    wait_until(lambda: not site.death.exists(), f"killed at {moment}", PATIENCE)
    assert (status is None) == (victim is site.web), f"{moment}: answered {status}"
    victim.kill()
    if victim is site.web:
        site.kill()
        assert are_files_intact(database, folder), moment
    remaining = state_of(database)
    assert event_rows(remaining) in [event_rows(state) for state in step.states.values()], moment
    was_queued = remaining["tournaments_job"] != step.states[work.moments[0]]["tournaments_job"]
    if victim is site.web:
        site.start()
    else:
        victim.start()
    # Rows of a hidden event remain until no import can be working on them.
    comparable: Callable[[State], object] = visible_events if work.is_hidden else event_rows
    is_after = was_queued or event_rows(remaining) == event_rows(step.states["end"])
    expected = comparable(step.states["end" if is_after else work.moments[0]])
    seconds = wait_until(
        lambda: comparable(state_of(database)) == expected, f"{moment}: mended", PATIENCE
    )
    assert site.send("POST", work.path, work.body, dict(work.headers)) in DONE, moment
    wait_until(
        lambda: count_unfinished_jobs(state_of(database)) == 0, f"{moment}: jobs done", PATIENCE
    )
    assert comparable(state_of(database)) == comparable(step.states["end"]), moment
    return seconds


def is_in_job(moment: str) -> bool:
    """Return True for a moment of a job, and not of the request that queues it."""
    return moment.partition(":")[0] in ("pair", "standings", "pair_round", "recompute_standings")
