"""Suggested number of Swiss rounds and cut size, with the chance of a clear winner.

The chance is that exactly one player is unbeaten after the last round. Each match is decided
evenly, or drawn at a stated rate. Unbeaten players meet each other. An odd unbeaten player meets a
beaten player, or has the bye if there are none. The result is exact, by counting.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb

# Pairs of the minimum number of players and the cut size.
USUAL_CUTS = ((32, 16), (16, 8), (8, 4))
FEWEST_FOR_A_CUT = 8
# Between even players, half of all two-game matches end 1-1.
DRAWS_OF_TWO_GAMES = Fraction(1, 2)
DRAWS_OF_ONE_GAME = Fraction(1, 20)
# Larger fields are not counted: their chance is None.
MOST_PLAYERS_COUNTED = 256


@dataclass(frozen=True)
class RoundPlan:
    """A number of rounds, and the chance of exactly one unbeaten player after them."""

    rounds: int
    chance: Fraction | None


@dataclass(frozen=True)
class RoundSuggestion:
    """Suggestion for a number of players; `cut` is 0 if a cut is not worthwhile.

    `plans` have one round fewer than suggested, the suggested rounds, and one and two more.
    """

    players: int
    rounds: int
    cut: int
    draws: Fraction
    plans: tuple[RoundPlan, ...]

    @property
    def chance(self) -> Fraction | None:
        return next(plan.chance for plan in self.plans if plan.rounds == self.rounds)


def suggested_rounds(players: int) -> int:
    """Return ceil(log2 players), enough for at most one unbeaten player; 1 for two players."""
    return max(1, (players - 1).bit_length())


def usual_cut_size(players: int) -> int:
    """Return the default cut size for this number of players; 2 in a small field."""
    return next((size for least, size in USUAL_CUTS if players >= least), 2)


def draw_rate(games_per_match: int) -> Fraction:
    """Return the share of drawn matches between even players."""
    return DRAWS_OF_TWO_GAMES if games_per_match == 2 else DRAWS_OF_ONE_GAME


def suggest_rounds(players: int, draws: Fraction) -> RoundSuggestion:
    """Return the suggested rounds and cut, with the chance for each number of rounds."""
    rounds = suggested_rounds(players)
    tried = [number for number in range(rounds - 1, rounds + 3) if number > 0]
    return RoundSuggestion(
        players,
        rounds,
        usual_cut_size(players) if players >= FEWEST_FOR_A_CUT else 0,
        draws,
        tuple(
            RoundPlan(number, chance_of_one_unbeaten(players, number, draws)) for number in tried
        ),
    )


@lru_cache(maxsize=2_000)
def chance_of_one_unbeaten(players: int, rounds: int, draws: Fraction) -> Fraction | None:
    """Return the chance of exactly one unbeaten player, or None for too large a field."""
    if players > MOST_PLAYERS_COUNTED:
        return None
    weights, whole = _unbeaten(players, rounds, draws)
    return Fraction(weights.get(1, 0), whole)


@lru_cache(maxsize=500)
def _unbeaten(players: int, rounds: int, draws: Fraction) -> tuple[Mapping[int, int], int]:
    """Return integer weights of each number of unbeaten players, and their sum."""
    if not rounds:
        return {players: 1}, 1
    before, whole = _unbeaten(players, rounds - 1, draws)
    # A further round scales all weights equally, so integers are enough.
    most = (players + 1) // 2
    after: dict[int, int] = {}
    for number, weight in before.items():
        for left, ways in _unbeaten_after_round(number, players, draws, most):
            after[left] = after.get(left, 0) + weight * ways
    return after, whole * (2 * draws.denominator) ** most


@lru_cache(maxsize=4_000)
def _unbeaten_after_round(
    unbeaten: int, players: int, draws: Fraction, most: int
) -> tuple[tuple[int, int], ...]:
    """Return the unbeaten players left after a round, with the number of ways.

    The ways are out of (2 * the denominator) ** most.
    """
    drawn, unit = 2 * draws.numerator, 2 * draws.denominator
    decided = unit - drawn
    tables, odd = divmod(unbeaten, 2)
    # Without an odd player, scale to the same denominator.
    lone = _odd_player_outcomes(unit, drawn) if odd and unbeaten < players else ((0, 1),)
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


def _odd_player_outcomes(unit: int, drawn: int) -> tuple[tuple[int, int], ...]:
    """Return the outcomes of the odd unbeaten player (losses, ways)."""
    lost = (unit - drawn) // 2
    return (0, unit - lost), (1, lost)
