"""Events drawn from seeds, with all the trouble there is: every answer and every round is checked.

A failure names the seed: `simulate_event(random_plan(seed))` plays the same event again.
"""

from collections import Counter

import pytest

from tests.checker import Fault, check_event
from tests.checker.event import Asked
from tournaments.simulation.events import SimulatedEvent, random_plan, simulate_event

EVENTS, MANY_EVENTS, CHUNK = 100, 5_400, 25
DRAWN = 500
"""Among so many plans there is one of every kind."""


def faults_of(event: SimulatedEvent) -> list[Fault]:
    """What the checker finds in an event and in everything that was asked on the way."""
    asked: list[Asked] = [
        {"command": asked.command, "document": asked.document, "answer": asked.answer}
        for asked in event.answers
    ]
    return check_event(event.document, asked)


def assert_sound(seeds: range) -> None:
    wrong = {seed: faults_of(simulate_event(random_plan(seed))) for seed in seeds}
    assert {seed: faults for seed, faults in wrong.items() if faults} == {}


# Chunks, so that every process has its share.
@pytest.mark.goal("G1")
@pytest.mark.parametrize("first", range(0, EVENTS, CHUNK))
def test_no_event_has_a_fault(first: int) -> None:
    assert_sound(range(first, first + CHUNK))


@pytest.mark.goal("G1")
@pytest.mark.slow
@pytest.mark.parametrize("first", range(EVENTS, EVENTS + MANY_EVENTS, 4 * CHUNK))
def test_none_of_many_events_has_a_fault(first: int) -> None:
    assert_sound(range(first, first + 4 * CHUNK))


def test_every_system_and_kind_of_question_is_among_the_events() -> None:
    plans = [random_plan(seed) for seed in range(DRAWN)]
    systems = Counter(plan.system for plan in plans)
    rules = Counter(plan.scoring_rule for plan in plans)

    assert min(systems.values()) >= 10
    assert systems.keys() == {
        "double",
        "single",
        "pods",
        "round_robin",
        "double_elimination",
        "single_elimination",
    }
    assert rules.keys() == {
        "onr_runner_only",
        "onr_either_side",
        "anr_double",
        "anr_single",
        "free_radicals",
    }
