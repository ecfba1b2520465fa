"""A served site killed at one moment of a step: what it leaves, and how soon it goes on."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.crashes.bench import Bench, event_of, jobs_left, shown_events
from tests.crashes.databases import State, files_are_whole, state_of
from tests.crashes.served import PATIENCE, Process, Served, served
from tests.waiting import wait_until

DONE = (200, 201, 202)


@dataclass(frozen=True)
class Step:
    """A step of the evening, and what others see of the event before and after it."""

    bench: Bench
    states: dict[str, State]


def kill_at_each(bench: Bench, moments: Iterable[str], folder: Path, *, with_worker: bool) -> float:
    """Kill a site at each of these moments; the longest time until it was mended, in seconds."""
    step = Step(bench, bench.undisturbed())
    slowest = 0.0
    for moment in moments:
        with bench.copy() as name, served(folder, name, with_worker=with_worker) as site:
            slowest = max(slowest, kill_at(site, step, moment, name, folder))
    return slowest


def kill_at(site: Served, step: Step, moment: str, database: str, folder: Path) -> float:
    """Ask, let it die at this moment, look, start it again, ask again; the seconds to be mended.

    With a worker the moments of a job are in there, and the web server lives on.
    """
    work = step.bench.work
    in_a_job = ":" in moment and is_of_job(moment)
    victim: Process = site.worker if site.worker is not None and in_a_job else site.web
    site.death.write_text(moment)
    status = site.ask("POST", work.path, work.body, dict(work.headers))
    wait_until(lambda: not site.death.exists(), f"killed at {moment}", PATIENCE)
    assert (status is None) == (victim is site.web), f"{moment}: answered {status}"
    victim.kill()
    if victim is site.web:
        site.kill()
        assert files_are_whole(database, folder), moment
    left = state_of(database)
    assert event_of(left) in [event_of(state) for state in step.states.values()], moment
    was_asked = left["tournaments_job"] != step.states[work.moments[0]]["tournaments_job"]
    if victim is site.web:
        site.start()
    else:
        victim.start()
    # Rows of a hidden event are left until no import can be at work on them.
    seen: Callable[[State], object] = shown_events if work.is_hidden else event_of
    is_after = was_asked or event_of(left) == event_of(step.states["end"])
    wanted = seen(step.states["end" if is_after else work.moments[0]])
    seconds = wait_until(lambda: seen(state_of(database)) == wanted, f"{moment}: mended", PATIENCE)
    assert site.ask("POST", work.path, work.body, dict(work.headers)) in DONE, moment
    wait_until(lambda: jobs_left(state_of(database)) == 0, f"{moment}: jobs done", PATIENCE)
    assert seen(state_of(database)) == seen(step.states["end"]), moment
    return seconds


def is_of_job(moment: str) -> bool:
    """Whether this moment is within a job, and not in the request that asks for it."""
    return moment.partition(":")[0] in ("pair", "standings", "pair_round", "recompute_standings")
