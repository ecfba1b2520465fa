"""Whole numbers as pages send them."""

import pytest

from core.numbers import whole_number


@pytest.mark.parametrize(("typed", "number"), [("0", 0), ("7", 7), ("0042", 42), ("9999", 9999)])
def test_a_number_that_fits_is_read(typed: str, number: int):
    assert whole_number(typed, 4) == number


@pytest.mark.parametrize("typed", ["", " 7", "-1", "1.5", "7a", "\u0667", "\u00b2", "12345"])
def test_anything_else_is_none(typed: str):
    assert whole_number(typed, 4) is None
