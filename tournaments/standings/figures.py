"""Exact figures of a whole field, kept as whole numbers so that they compare fast."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TypeAlias

from tournaments.standings.lots import PlayerId
from tournaments.standings.records import Exact

Equals: TypeAlias = Mapping[PlayerId, Sequence[PlayerId]]
"""For each player all who are equal to them so far, they themselves among them."""


@dataclass(frozen=True)
class Figures:
    """One figure for each player who has one: a number, or one over the denominator.

    The numbers are whole unless points themselves are shares.
    """

    numerators: Mapping[PlayerId, Exact]
    denominator: int | None = None

    @cached_property
    def exact(self) -> Mapping[PlayerId, Exact]:
        """The figures themselves, lowest terms."""
        below = self.denominator
        if below is None:
            return self.numerators
        return {player: Fraction(above, below) for player, above in self.numerators.items()}


def sums(figures: Figures, of_each: Mapping[PlayerId, Sequence[PlayerId]]) -> Figures:
    """For each player the sum of others' figures."""
    numerator = figures.numerators.__getitem__
    return Figures(
        {player: sum(map(numerator, others)) for player, others in of_each.items()},
        figures.denominator,
    )


def means(figures: Figures, of_each: Mapping[PlayerId, Sequence[PlayerId]]) -> Figures:
    """For each player the mean of others' figures; 0 of nobody's."""
    totals = sums(figures, of_each)
    return ratios(
        totals.numerators,
        {player: len(others) for player, others in of_each.items()},
        figures.denominator or 1,
    )


def ratios(
    above: Mapping[PlayerId, Exact], below: Mapping[PlayerId, int], denominator: int = 1
) -> Figures:
    """One number over another for each player; 0 where the lower one is 0."""
    counts = set(below.values())
    scale = lcm_of(counts)
    factors = {count: scale // (count or 1) for count in counts}
    return Figures(
        {player: above[player] * factors[count] for player, count in below.items()},
        scale * denominator,
    )


def lcm_of(counts: Iterable[int]) -> int:
    """The least number that each of these divides; nothing divides by 0, so 0 is left out."""
    return lcm(*set(counts) - {0})
