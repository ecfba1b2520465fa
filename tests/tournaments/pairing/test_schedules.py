"""What the search for a schedule sees without searching."""

from itertools import combinations

import pytest

from tournaments.pairing.schedules import Budget, Openings, pair_bits, schedule


def fresh(size: int, rounds: int) -> Openings:
    """A field in which nobody has met, and two may meet twice."""
    everybody = sum(pair_bits(size, *couple) for couple in combinations(range(size), 2))
    return Openings(size, rounds, once=everybody, twice=everybody).with_byes([0] * size)


@pytest.mark.parametrize("size", [3, 5, 7, 9])
def test_byes_that_are_too_few_for_all_are_counted_at_once(size: int) -> None:
    """Meeting everybody twice, with two byes each, takes twice as many rounds as players."""
    assert schedule(fresh(size, 2 * size), Budget(100_000)) is not None
    assert schedule(fresh(size, 2 * size + 1), Budget(0)) is None
