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
MIN_PLAYERS_FOR_CUT = 8
# Between even players, half of all two-game matches end 1-1.
DRAWS_OF_TWO_GAMES = Fraction(1, 2)
DRAWS_OF_ONE_GAME = Fraction(1, 20)
# Larger fields are not counted: their chance is None.
MAX_PLAYERS_COUNTED = 256


@dataclass(frozen=True)
class RoundPlan:
    rounds: int
    # Chance of exactly one unbeaten player after these rounds.
    chance: Fraction | None


@dataclass(frozen=True)
class RoundSuggestion:
    players: int
    rounds: int
    # 0 if a cut is not worthwhile.
    cut: int
    draws: Fraction
    # One round fewer than suggested, the suggested rounds, and one and two more.
    plans: tuple[RoundPlan, ...]

    @property
    def chance(self) -> Fraction | None:
        return next(plan.chance for plan in self.plans if plan.rounds == self.rounds)


def suggested_rounds(players: int) -> int:
    """ceil(log2 players), enough for at most one unbeaten player; 1 for two players."""
    return max(1, (players - 1).bit_length())


def usual_cut_size(players: int) -> int:
    """Default cut size for this number of players; 2 in a small field."""
    return next((size for least, size in USUAL_CUTS if players >= least), 2)


def draw_rate(games_per_match: int) -> Fraction:
    return DRAWS_OF_TWO_GAMES if games_per_match == 2 else DRAWS_OF_ONE_GAME


def suggest_rounds(players: int, draws: Fraction) -> RoundSuggestion:
    rounds = suggested_rounds(players)
    tried = [number for number in range(rounds - 1, rounds + 3) if number > 0]
    return RoundSuggestion(
        players,
        rounds,
        usual_cut_size(players) if players >= MIN_PLAYERS_FOR_CUT else 0,
        draws,
        tuple(
            RoundPlan(number, chance_of_one_unbeaten(players, number, draws)) for number in tried
        ),
    )


@lru_cache(maxsize=2_000)
def chance_of_one_unbeaten(players: int, rounds: int, draws: Fraction) -> Fraction | None:
    if players > MAX_PLAYERS_COUNTED:
        return None
    weights, whole = _unbeaten(players, rounds, draws)
    return Fraction(weights.get(1, 0), whole)


@lru_cache(maxsize=500)
def _unbeaten(players: int, rounds: int, draws: Fraction) -> tuple[Mapping[int, int], int]:
    """Integer weights of each number of unbeaten players, and their sum."""
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
    """Return (unbeaten players left, number of ways); ways are out of (2 * denominator) ** most."""
    drawn, unit = 2 * draws.numerator, 2 * draws.denominator
    decided = unit - drawn
    tables, odd = divmod(unbeaten, 2)
    # Losses of the odd unbeaten player, with the number of ways.
    lone: tuple[tuple[int, int], ...] = ((0, 1),)
    if odd and unbeaten < players:
        lone = ((0, unit - decided // 2), (1, decided // 2))
    # Without an odd player, scale to the same denominator.
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
