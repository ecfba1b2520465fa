"""The chance of exactly one unbeaten player, compared with enumeration and simulation."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from engine.round_plan import (
    chance_of_one_unbeaten,
    draw_rate,
    suggest_rounds,
    suggested_rounds,
    usual_cut_size,
)

DRAWS = (Fraction(0), Fraction(1, 20), Fraction(1, 3), Fraction(1, 2), Fraction(1))


def tables_of(beaten: tuple[bool, ...]) -> list[tuple[int, int | None]]:
    """Tables of the unbeaten players, then of the rest; None is a bye."""
    order = sorted(range(len(beaten)), key=lambda player: beaten[player])
    bye = order.pop() if len(order) % 2 else None
    tables: list[tuple[int, int | None]] = [*zip(order[::2], order[1::2], strict=True)]
    return tables if bye is None else [*tables, (bye, None)]


def after_round(beaten: tuple[bool, ...], outcomes: tuple[str, ...]) -> tuple[bool, ...]:
    """Beaten players; outcomes are "1", "2" or "=", in the order of the tables."""
    beaten_after = list(beaten)
    for (first, second), outcome in zip(tables_of(beaten), outcomes, strict=False):
        if second is not None:
            beaten_after[first] |= outcome == "2"
            beaten_after[second] |= outcome == "1"
    return tuple(beaten_after)


def enumerate_outcomes(players: int, rounds: int, draws: Fraction) -> Fraction:
    """Every outcome of every table of every round, with its probability."""
    chances = {"1": (1 - draws) / 2, "2": (1 - draws) / 2, "=": draws}
    weights: dict[tuple[bool, ...], Fraction] = {(False,) * players: Fraction(1)}
    for _ in range(rounds):
        after: dict[tuple[bool, ...], Fraction] = {}
        for beaten, weight in weights.items():
            for outcomes in product(chances, repeat=players // 2):
                chance = weight
                for outcome in outcomes:
                    chance *= chances[outcome]
                # Only the number of players matters.
                field = tuple(sorted(after_round(beaten, outcomes)))
                after[field] = after.get(field, Fraction(0)) + chance
        weights = after
    return sum((w for field, w in weights.items() if field.count(False) == 1), Fraction(0))


@pytest.mark.parametrize("players", range(2, 10))
@pytest.mark.parametrize("draws", DRAWS)
def test_chance_matches_enumeration(players: int, draws: Fraction):
    for rounds in range(1, 5):
        assert chance_of_one_unbeaten(players, rounds, draws) == enumerate_outcomes(
            players, rounds, draws
        )


@pytest.mark.parametrize(
    ("players", "rounds", "draws"),
    [(23, 5, Fraction(1, 20)), (64, 7, Fraction(1, 10)), (51, 6, Fraction(0)), (12, 5, DRAWS[3])],
)
def test_chance_matches_simulation(players: int, rounds: int, draws: Fraction):
    lot, evenings, hits = Random(7), 2_000, 0
    weights = [(1 - draws) / 2, (1 - draws) / 2, draws]
    for _ in range(evenings):
        beaten = (False,) * players
        for _ in range(rounds):
            outcomes = lot.choices(
                ("1", "2", "="), [float(weight) for weight in weights], k=players // 2
            )
            beaten = after_round(beaten, tuple(outcomes))
        hits += beaten.count(False) == 1

    chance = chance_of_one_unbeaten(players, rounds, draws)
    assert chance is not None
    # Four standard errors; the seed is fixed.
    error = 4 * (float(chance * (1 - chance)) / evenings) ** 0.5
    assert abs(hits / evenings - chance) <= error


def test_power_of_two_without_draws_has_one_unbeaten_player():
    assert [chance_of_one_unbeaten(2**rounds, rounds, Fraction(0)) for rounds in range(1, 9)] == [
        1
    ] * 8


def test_large_field_has_rounds_without_a_chance():
    assert suggest_rounds(2_000, Fraction(0)).chance is None
    assert suggest_rounds(2_000, Fraction(0)).rounds == 11


@pytest.mark.parametrize(
    ("players", "rounds", "cut"),
    [(2, 1, 0), (5, 3, 0), (8, 3, 4), (16, 4, 8), (17, 5, 8), (23, 5, 8), (33, 6, 16)],
)
def test_rounds_and_cut_are_suggested_by_field_size(players: int, rounds: int, cut: int):
    suggestion = suggest_rounds(players, draw_rate(1))

    assert (suggestion.rounds, suggestion.cut) == (rounds, cut)
    assert {rounds - 1, rounds, rounds + 1, rounds + 2} - {0} == {
        plan.rounds for plan in suggestion.plans
    }


def test_suggestions_grow_with_the_field():
    sizes = range(1, 300)

    for figure in (suggested_rounds, usual_cut_size):
        assert [*map(figure, sizes)] == sorted(map(figure, sizes))
