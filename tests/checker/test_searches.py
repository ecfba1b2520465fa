"""Searches of the checker, against known schedules and against each other."""

import random
from typing import Any

import pytest

from tests.checker.ahead import can_go_on
from tests.checker.optimum import cheapest_by_networkx, every_round
from tests.checker.pod_costs import every_seating
from tests.checker.reading import Couple, Player, field_of, players_of
from tests.checker.samples import Json, bye, event, pod, six_in_a_ring, table
from tests.checker.swiss_costs import Costs

RUNGS: list[Couple] = [(1, 4), (2, 5), (3, 6)]


def players(count: int) -> dict[Any, Player]:
    return players_of(event("double", count))


@pytest.mark.parametrize("size", [2, 4, 6, 8, 10])
def test_even_field_can_play_exactly_a_round_robin(size: int) -> None:
    assert can_go_on(players(size), [], size - 1)
    assert not can_go_on(players(size), [], size)


@pytest.mark.parametrize("size", [3, 5, 7, 9])
def test_odd_field_can_play_a_round_robin_with_a_bye_each(size: int) -> None:
    assert can_go_on(players(size), [], size)
    assert not can_go_on(players(size), [], size + 1)


def test_two_triangles_cannot_play_another_round() -> None:
    field = field_of(six_in_a_ring()[0])

    assert can_go_on(field, [(1, 3), (2, 5), (4, 6)], 2)
    assert not can_go_on(field, RUNGS, 1)


def test_single_sided_players_may_meet_twice() -> None:
    assert can_go_on(players(4), [], 6, "single")
    assert not can_go_on(players(4), [], 7, "single")
    assert not can_go_on(players(2), [(1, 2), (2, 1)], 1, "single")


def test_second_byes_come_after_all_first_byes() -> None:
    # Only 1 and 3 have not met, and only 2, who would sit out, has had a bye.
    rounds = [[table(1, 1, 2, 0, 0)], [table(1, 2, 3, 0, 0)]]

    assert can_go_on(players_of(event("double", 3, *rounds)), [], 1)
    assert not can_go_on(players_of(event("double", 3, *rounds, [bye(2, 0)])), [], 1)


def test_long_search_has_no_answer() -> None:
    assert can_go_on(players(10), [], 9, steps=3) is None


@pytest.mark.parametrize(("size", "rounds"), [(2, 1), (4, 3), (5, 15), (6, 15), (8, 105)])
def test_every_round_is_tried_once(size: int, rounds: int) -> None:
    tried = [frozenset(map(frozenset, couples)) for couples in every_round([*range(1, size + 1)])]

    assert len(tried) == len(set(tried)) == rounds


@pytest.mark.parametrize(
    ("sizes", "seatings"), [([4], 1), ([4, 3], 35), ([4, 4], 35), ([3, 3, 3], 280)]
)
def test_every_seating_is_tried_once(sizes: list[int], seatings: int) -> None:
    tried = [frozenset(map(frozenset, pods)) for pods in every_seating([*range(sum(sizes))], sizes)]

    assert len(tried) == len(set(tried)) == seatings


@pytest.mark.parametrize("system", ["double", "single"])
@pytest.mark.parametrize("size", range(2, 9))
def test_another_library_finds_the_same_least_cost(size: int, system: str) -> None:
    for seed in range(10):
        document = random_past(size, system, random.Random(f"{size}/{seed}"))
        costs = Costs(field_of(document), system)
        ids = list(costs.players)
        lowest = min(costs.total(couples) for couples in every_round(ids))

        assert costs.total(cheapest_by_networkx(costs, ids)) == lowest


def random_past(size: int, system: str, chance: random.Random) -> Json:
    """Random rounds with rematches and any byes, with or without roles."""
    rounds = []
    for _ in range(chance.randint(0, 5)):
        order = chance.sample(range(1, size + 1), size)
        makers = [table, lambda *seats: pod(*seats[:3], points=seats[3:])]
        round_ = [
            chance.choice(makers)(number, *couple, chance.randint(-2, 6), chance.randint(-2, 6))
            for number, couple in enumerate(zip(order[::2], order[1::2], strict=False), start=1)
        ]
        rounds.append(round_ + ([bye(order[-1], 3)] if size % 2 else []))
    return event(system, size, *rounds)
