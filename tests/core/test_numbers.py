"""Mixed numbers."""

from fractions import Fraction

import pytest

from core.numbers import mixed_number


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0, "0"),
        (7, "7"),
        (Fraction(5, 2), "2½"),
        (Fraction(10, 3), "3⅓"),
        (Fraction(1, 2), "½"),
        (Fraction(-3, 2), "-1½"),
        (Fraction(55, 12), "4 7/12"),
        (Fraction(7, 12), "7/12"),
    ],
)
def test_mixed_number_has_its_whole_part_first(value: int | Fraction, written: str):
    assert mixed_number(value) == written
