"""Rates of statistics, compared with scipy."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from core.numbers import wilson_interval
from tournaments.statistics.rules import MIN_FOR_RATE, Rate, format_percent


@given(of=st.integers(1, 5_000), data=st.data())
def test_interval_equals_that_of_wilson(of: int, data: st.DataObject):
    hits = data.draw(st.integers(0, of))

    low, high = wilson_interval(hits, of)

    expected = binomtest(hits, of).proportion_ci(0.95, method="wilson")
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-9)
    assert 0 <= low <= hits / of <= high <= 1


@given(of=st.integers(1, 500), data=st.data())
def test_interval_of_losses_mirrors_that_of_wins(of: int, data: st.DataObject):
    hits = data.draw(st.integers(0, of))

    low, high = wilson_interval(hits, of)

    assert wilson_interval(of - hits, of) == pytest.approx((1 - high, 1 - low))


@pytest.mark.parametrize(("hits", "of"), [(0, 0), (1, 0), (3, 2), (-1, 4)])
def test_invalid_share_has_no_interval(hits: int, of: int):
    with pytest.raises(ValueError, match=f"{hits} of {of}"):
        wilson_interval(hits, of)


def test_small_sample_has_no_percentage():
    few, enough = Rate(4, MIN_FOR_RATE - 1), Rate(4, MIN_FOR_RATE)

    assert (few.share, few.interval) == (None, None)
    assert (enough.share, enough.is_enough) == (Fraction(2, 5), True)


@pytest.mark.parametrize(
    ("share", "words"),
    [(Fraction(0), "0 %"), (Fraction(1, 200), "1 %"), (Fraction(1, 3), "33 %"), (0.996, "100 %")],
)
def test_percentage_is_rounded_half_up(share: Fraction | float, words: str):
    assert format_percent(share) == words
