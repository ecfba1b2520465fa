"""Kill the site at every named moment: the database is in the state before or after the step.

Each moment has its own copy of the database and a forked child. The child receives the request
through the WSGI application and kills itself at the moment. Its committed state is read from
outside; then the site is restarted, recovers the jobs, and the request is sent again.
"""

from collections.abc import Callable

import pytest

from tests.crashes.bench import (
    VERSION_COLUMNS,
    Bench,
    count_unfinished_jobs,
    event_rows,
    visible_events,
    without_random_values,
)
from tests.crashes.databases import State, are_files_intact
from tests.crashes.works import WORKS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.check(31, 32, 34)]

BROKEN = 500
QUICK_STEPS = ("pair", "close")
"""Steps of every run; the long run has all steps."""
OUTSIDE = ("job:committed", ":leased", ":left", "+")
"""Moments without an open transaction, where an error rolls nothing back."""


@pytest.mark.goal("G4")
@pytest.mark.parametrize(
    "step",
    [step if step in QUICK_STEPS else pytest.param(step, marks=pytest.mark.slow) for step in WORKS],
)
def test_kill_or_error_at_any_moment_leaves_no_half_done_step(
    bench: Bench, step: str, figure: Callable[[str], None]
):
    states = bench.states_without_faults()
    comparable: Callable[..., object] = visible_events if bench.work.is_hidden else event_rows
    assert len(distinct(states, comparable)) == 1 + bench.work.changes
    for moment in bench.work.moments:
        kill(bench, moment, states)
        if not moment.endswith(OUTSIDE):
            break_off(bench, moment, states)

    moments = len(bench.work.moments)
    figure(f"{moments} moments of step {step}: 0 half states, each mended by one start")


def distinct(states: dict[str, State], comparable: Callable[..., object]) -> list[object]:
    """The distinct states, as far as they can be compared."""
    different: list[object] = []
    for state in map(comparable, states.values()):
        if state not in different:
            different.append(state)
    return different


def kill(bench: Bench, moment: str, states: dict[str, State]) -> None:
    """Kill the process at a moment, check its state, restart, check, retry, and check again."""
    with bench.copy() as name:
        result = bench.kill_at_moment(moment, name)
        assert (result.was_killed, result.value) == (True, None), f"{moment} answered"
        assert are_files_intact(name, bench.folder), moment
        remaining = bench.state(name)
        assert without_random_values(remaining) == without_random_values(states[moment]), moment
        outcome = bench.restart(name)
    was_queued = remaining["tournaments_job"] != states[bench.work.moments[0]]["tournaments_job"]
    before, after = event_rows(states[bench.work.moments[0]]), event_rows(states["end"])
    is_after = was_queued or event_rows(remaining) == after
    assert event_rows(outcome.after_start) == (after if is_after else before), moment
    assert (outcome.status in (200, 201, 202), count_unfinished_jobs(outcome.after_retry)) == (
        True,
        0,
    ), moment
    actual, expected = (
        event_rows(state, has_other_keys=bench.work.is_hidden)
        for state in (outcome.after_retry, states["end"])
    )
    assert actual == expected, moment


def break_off(bench: Bench, moment: str, states: dict[str, State]) -> None:
    """Raise an error at a moment: the request fails, and nothing is half done."""
    with bench.copy() as name:
        status = bench.raise_at_moment(moment, name)
        remaining = bench.state(name)
    if bench.work.is_hidden:
        assert visible_events(remaining) == visible_events(states[moment]), moment
    else:
        assert event_rows(remaining, *VERSION_COLUMNS) == event_rows(
            states[moment], *VERSION_COLUMNS
        ), moment
    assert status == BROKEN or count_unfinished_jobs(remaining) == 1, moment
