"""What do I need: against every way the last round can end, ranked by separate code."""

import pytest

from engine.clinch.answering import needs
from tests.engine.clinch import brute_force


@pytest.mark.parametrize("block", range(6))
def test_every_answer_is_that_of_all_scenarios(block: int) -> None:
    _compare(range(50 * block, 50 * (block + 1)))


def _compare(seeds: range) -> None:
    for seed in seeds:
        last = brute_force.small_round(seed)
        assert [brute_force.bare(one) for one in needs(last)] == brute_force.by_brute_force(last), (
            f"case {seed}"
        )
