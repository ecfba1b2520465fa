"""How many rounds of Swiss and which cut so many players want, and what the chance of it is.

The chance is that exactly one player is unbeaten after the last round. Each match is decided
evenly, or drawn at a stated rate. Unbeaten players meet each other; of an odd number one meets
somebody who was beaten before, or has the bye while nobody was. Exact, by counting through.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb

USUAL_CUTS = ((32, 16), (16, 8), (8, 4))
"""From so many players on, so many are in the cut."""
FEWEST_FOR_A_CUT = 8
DRAWS_OF_TWO_GAMES = Fraction(1, 2)
"""Of even players one half of all matches of two games end 1-1."""
DRAWS_OF_ONE_GAME = Fraction(1, 20)
MOST_COUNTED = 256
"""A larger field is not counted through: its chance is None."""


@dataclass(frozen=True)
class RoundPlan:
    """A number of rounds, and the chance of exactly one unbeaten player after them."""

    rounds: int
    chance: Fraction | None


@dataclass(frozen=True)
class Suggestion:
    """What so many players want; `cut` is 0 where a cut is not worth it.

    `plans` are one round fewer, as suggested, and one and two more.
    """

    players: int
    rounds: int
    cut: int
    draws: Fraction
    plans: tuple[RoundPlan, ...]

    @property
    def chance(self) -> Fraction | None:
        """That of the rounds suggested."""
        return next(plan.chance for plan in self.plans if plan.rounds == self.rounds)


def suggested_rounds(players: int) -> int:
    """ceil(log2 players): enough for one unbeaten player at most; 1 for a field of two."""
    return max(1, (players - 1).bit_length())


def usual_cut(players: int) -> int:
    """How large a cut of so many players is when nobody says; 2 in a small field."""
    return next((size for least, size in USUAL_CUTS if players >= least), 2)


def draws_of(games_per_match: int) -> Fraction:
    """The share of matches that are drawn between even players."""
    return DRAWS_OF_TWO_GAMES if games_per_match == 2 else DRAWS_OF_ONE_GAME


def suggestion(players: int, draws: Fraction) -> Suggestion:
    """The rounds and the cut for so many, with the chance beside each number of rounds."""
    rounds = suggested_rounds(players)
    tried = [number for number in range(rounds - 1, rounds + 3) if number > 0]
    return Suggestion(
        players,
        rounds,
        usual_cut(players) if players >= FEWEST_FOR_A_CUT else 0,
        draws,
        tuple(RoundPlan(number, chance_of_one(players, number, draws)) for number in tried),
    )


@lru_cache(maxsize=2_000)
def chance_of_one(players: int, rounds: int, draws: Fraction) -> Fraction | None:
    """The chance of exactly one unbeaten player after so many rounds; None of too large a field."""
    if players > MOST_COUNTED:
        return None
    weights, whole = _unbeaten(players, rounds, draws)
    return Fraction(weights.get(1, 0), whole)


@lru_cache(maxsize=500)
def _unbeaten(players: int, rounds: int, draws: Fraction) -> tuple[Mapping[int, int], int]:
    """How likely each number of unbeaten players is: whole weights, and their sum."""
    if not rounds:
        return {players: 1}, 1
    before, whole = _unbeaten(players, rounds - 1, draws)
    # One more round multiplies every weight by the same, so that whole numbers are enough.
    most = (players + 1) // 2
    after: dict[int, int] = {}
    for number, weight in before.items():
        for left, ways in _one_round(number, players, draws, most):
            after[left] = after.get(left, 0) + weight * ways
    return after, whole * (2 * draws.denominator) ** most


@lru_cache(maxsize=4_000)
def _one_round(
    unbeaten: int, players: int, draws: Fraction, most: int
) -> tuple[tuple[int, int], ...]:
    """What becomes of so many unbeaten players: those left, and in how many ways out of
    (2 * the denominator) ** most.
    """
    drawn, unit = 2 * draws.numerator, 2 * draws.denominator
    decided = unit - drawn
    tables, odd = divmod(unbeaten, 2)
    # Whoever has a bye, or nobody, leaves the rest of the ways open.
    lone = _lone(unit, drawn) if odd and unbeaten < players else ((0, 1),)
    scale = unit ** (most - tables - (len(lone) - 1))
    return tuple(
        (
            unbeaten - losers - lost,
            comb(tables, losers) * decided**losers * drawn ** (tables - losers) * ways * scale,
        )
        for losers in range(tables + 1)
        if drawn or losers == tables
        for lost, ways in lone
    )


def _lone(unit: int, drawn: int) -> tuple[tuple[int, int], ...]:
    """Against a beaten player: beaten themself or not, and the ways of each."""
    lost = (unit - drawn) // 2
    return (0, unit - lost), (1, lost)
