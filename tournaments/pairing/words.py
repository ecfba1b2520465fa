"""Counts and points as reasons tell them."""

from fractions import Fraction


def in_points(points: int | Fraction) -> str:
    """The number with its noun: "1 point", "7 points"."""
    return f"{points} point" + ("" if abs(points) == 1 else "s")


def how_often(count: int) -> str:
    """The count as an adverb: "never", "once", "3 times"."""
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")
