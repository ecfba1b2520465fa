"""Random events are paired optimally: a sample in every run, more with `make slow`."""

import pytest

from tools.bench.optimum import Outcome, outcome


def is_sound(result: Outcome) -> bool:
    return result.is_best and result.everybody_sits


@pytest.mark.parametrize("seed", range(20))
def test_small_event_is_paired_at_minimum_cost(seed: int) -> None:
    assert is_sound(outcome(seed, sizes=(4, 40)))


@pytest.mark.parametrize("seed", range(8))
def test_large_event_is_paired_at_proven_minimum_cost(seed: int) -> None:
    result = outcome(seed, sizes=(120, 150))

    assert is_sound(result)
    assert result.proven


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 1000, 50))
def test_thousand_random_events_are_paired_at_minimum_cost(first: int) -> None:
    assert all(is_sound(outcome(seed, sizes=(8, 200))) for seed in range(first, first + 50))
