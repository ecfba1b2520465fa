"""The matching is optimal, compared with every round and with networkx."""

import random

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.pairing.records import Entrant, PairedRound
from engine.pairing.swiss import pair_round
from engine.standings.records import PlayerId
from tests.checker import pairing as checker
from tests.engine.pairing.documents import (
    History,
    as_document,
    as_documents,
    fields,
    play_round,
)


def assert_sound(entrants: list[Entrant], round_: PairedRound) -> None:
    """Assert that the round has no fault and the cost that the checker computes."""
    players, document = as_documents(entrants), as_document(round_)
    assert list(checker.faults(players, document)) == []
    assert tuple(round_.cost.values()) == checker.cost(players, checker.couples_of(document))


def assert_cheapest(entrants: list[Entrant], round_: PairedRound) -> None:
    assert_sound(entrants, round_)
    assert tuple(round_.cost.values()) == checker.least_cost(as_documents(entrants))


def least_cost_by_networkx(entrants: list[Entrant]) -> tuple[int, ...]:
    """The optimum of another library, with weights wide enough to keep the levels apart."""
    players = as_documents(entrants)
    nodes = [*players, None] if len(players) % 2 else [*players]
    graph = networkx.Graph()
    for index, first in enumerate(nodes):
        for second in nodes[index + 1 :]:
            weight = 0
            for value in checker.cost(players, [(first, second)]):
                weight = weight * 10**12 + value
            graph.add_edge(first or "bye", second or "bye", weight=-weight)
    matched = networkx.max_weight_matching(graph, maxcardinality=True)
    couples = [
        tuple(sorted((None if node == "bye" else node for node in couple), key=lambda id_: not id_))
        for couple in matched
    ]
    return checker.cost(players, [(couple[0], couple[1]) for couple in couples])


@pytest.mark.goal("G1")
@settings(max_examples=120)
@given(fields(), st.integers(2, 6), st.integers(0, 99))
def test_no_round_is_cheaper(entrants: list[Entrant], round_number: int, seed: int) -> None:
    assert_cheapest(entrants, pair_round(entrants, round_number=round_number, seed=seed))


@pytest.mark.slow
@pytest.mark.goal("G1")
@settings(max_examples=2_000, derandomize=False)
@given(fields(max_players=10), st.integers(2, 6), st.integers())
def test_no_round_of_many_is_cheaper(entrants: list[Entrant], round_number: int, seed: int) -> None:
    assert_cheapest(entrants, pair_round(entrants, round_number=round_number, seed=seed))


@settings(max_examples=40)
@given(fields(min_players=9, max_players=20), st.integers(0, 99))
def test_networkx_finds_no_cheaper_round(entrants: list[Entrant], seed: int) -> None:
    round_ = pair_round(entrants, round_number=3, seed=seed)

    assert_sound(entrants, round_)
    assert tuple(round_.cost.values()) == least_cost_by_networkx(entrants)


@given(fields(), st.integers(0, 99))
def test_every_broken_rule_is_reported_once(entrants: list[Entrant], seed: int) -> None:
    round_ = pair_round(entrants, round_number=2, seed=seed)
    costs = [table.cost for table in round_.pairings] + [bye.cost for bye in round_.byes]
    broken = [
        rule for cost in costs for rule, value in cost.items() if value and rule != "point_gap"
    ]

    assert sorted(reason.kind for reason in round_.relaxations) == sorted(broken)
    assert bool(broken) == any(list(round_.cost.values())[:-1])


@pytest.mark.parametrize("size", [2, 3, 4, 5, 8, 13])
def test_whole_event_is_paired_without_a_fault(size: int) -> None:
    history, chance = History(list(range(1, size + 1))), random.Random(size)
    for number in range(1, 8):
        round_ = pair_round(history.entrants(), round_number=number, seed=number)
        assert_sound(history.entrants(), round_)
        play_round(history, round_, chance)

    assert max(history.byes.values()) - min(history.byes.values()) <= 1


@pytest.mark.goal("G1")
@pytest.mark.slow
@pytest.mark.parametrize("size", range(9, 60, 3))
def test_big_events_are_paired_at_the_optimum(size: int) -> None:
    players: list[PlayerId] = list(range(1, size + 1))
    for event in range(4):
        history, chance = History(players), random.Random(f"{size}/{event}")
        for number in range(1, 7):
            entrants = history.entrants()
            round_ = pair_round(entrants, round_number=number, seed=event)
            assert_sound(entrants, round_)
            assert tuple(round_.cost.values()) == least_cost_by_networkx(entrants)
            play_round(history, round_, chance)
