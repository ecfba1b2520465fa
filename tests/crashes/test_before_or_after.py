"""Killed at every named moment: the database is before or after, and the evening goes on.

Each moment has a copy of the database and a process of its own, forked from this one. It gets the
request through the WSGI application and kills itself at the moment. What it has committed is
read from outside; then the next start mends the jobs, and the organiser asks again.
"""

from collections.abc import Callable

import pytest

from tests.crashes.bench import VERSIONS, Bench, all_of, event_of, jobs_left, shown_events
from tests.crashes.databases import State, files_are_whole
from tests.crashes.works import WORKS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.check(31, 32, 34)]

BROKEN = 500
OFTEN = ("pair", "close")
"""Steps of every run; the long one has all."""
OUTSIDE = ("job:committed", ":leased", ":left", "+")
"""Moments at which no transaction is open: raising there breaks nothing off."""


@pytest.mark.goal("G4")
@pytest.mark.parametrize(
    "step",
    [step if step in OFTEN else pytest.param(step, marks=pytest.mark.slow) for step in WORKS],
)
def test_killed_or_broken_off_at_any_moment_the_database_is_before_or_after(
    bench: Bench, step: str, figure: Callable[[str], None]
):
    states = bench.undisturbed()
    seen: Callable[..., object] = shown_events if bench.work.is_hidden else event_of
    assert len(distinct(states, seen)) == 1 + bench.work.changes
    for moment in bench.work.moments:
        kill(bench, moment, states)
        if not moment.endswith(OUTSIDE):
            break_off(bench, moment, states)

    moments = len(bench.work.moments)
    figure(f"{moments} moments of step {step}: 0 half states, each mended by one start")


def distinct(states: dict[str, State], seen: Callable[..., object]) -> list[object]:
    """The different states, as far as they are seen."""
    found: list[object] = []
    for state in map(seen, states.values()):
        if state not in found:
            found.append(state)
    return found


def kill(bench: Bench, moment: str, states: dict[str, State]) -> None:
    """Kill it there, look, start again, look, ask again, look."""
    with bench.copy() as name:
        ended = bench.killed_at(moment, name)
        assert (ended.was_killed, ended.said) == (True, None), f"{moment} answered"
        assert files_are_whole(name, bench.folder), moment
        left = bench.state(name)
        assert all_of(left) == all_of(states[moment]), moment
        mended = bench.started_again(name)
    was_asked = left["tournaments_job"] != states[bench.work.moments[0]]["tournaments_job"]
    before, after = event_of(states[bench.work.moments[0]]), event_of(states["end"])
    is_after = was_asked or event_of(left) == after
    assert event_of(mended.after_start) == (after if is_after else before), moment
    assert (mended.status in (200, 201, 202), jobs_left(mended.after_asking)) == (True, 0), moment
    made, expected = (
        event_of(state, has_other_keys=bench.work.is_hidden)
        for state in (mended.after_asking, states["end"])
    )
    assert made == expected, moment


def break_off(bench: Bench, moment: str, states: dict[str, State]) -> None:
    """Raise there: it is no success, and nothing is half done."""
    with bench.copy() as name:
        status = bench.broken_at(moment, name)
        left = bench.state(name)
    if bench.work.is_hidden:
        assert shown_events(left) == shown_events(states[moment]), moment
    else:
        assert event_of(left, *VERSIONS) == event_of(states[moment], *VERSIONS), moment
    assert status == BROKEN or jobs_left(left) == 1, moment
