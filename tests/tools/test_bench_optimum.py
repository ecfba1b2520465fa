"""Random events are matched as well as can be: a sample always, all of them with `make slow`."""

import pytest

from tools.bench.optimum import Outcome, outcome


def is_sound(one: Outcome) -> bool:
    return one.is_best and one.everybody_sits


@pytest.mark.parametrize("seed", range(20))
def test_a_small_event_costs_the_least_there_is(seed: int) -> None:
    assert is_sound(outcome(seed, sizes=(4, 40)))


@pytest.mark.parametrize("seed", range(8))
def test_a_large_event_costs_the_least_there_is_and_proves_it(seed: int) -> None:
    one = outcome(seed, sizes=(120, 150))

    assert is_sound(one)
    assert one.proven


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 1000, 50))
def test_a_thousand_random_events_cost_the_least_there_is(first: int) -> None:
    assert all(is_sound(outcome(seed, sizes=(8, 200))) for seed in range(first, first + 50))
