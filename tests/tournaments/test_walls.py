"""No small event runs into a wall: while new opponents are left for all planned rounds, nobody
meets again, shown over every size of field and every number of rounds that can be at all."""

import random
from typing import Any

import pytest

from tests.checker import check_event
from tests.checker.samples import event
from tournaments import documents

Json = dict[str, Any]
RESULTS = ((6, 0), (0, 6), (3, 3), (4, 1))


def most_rounds(players: int) -> int:
    """So often everybody can meet somebody new, or have one bye."""
    return players if players % 2 else players - 1


CELLS = [
    (players, rounds) for players in range(4, 11) for rounds in range(2, most_rounds(players) + 1)
]


def play(players: int, rounds: int, seed: int) -> Json:
    """A double-sided event in which everybody stays."""
    document = event("double", players, seed=seed, planned_rounds=rounds)
    chance = random.Random(f"{players}/{rounds}/{seed}")
    for _ in range(rounds):
        pairings = documents.pair(document)["pairings"]
        document["rounds"].append([played(entry, chance) for entry in pairings])
    return document


def played(entry: Json, chance: random.Random) -> Json:
    if "bye" in entry:
        return {"bye": entry["bye"], "points": 6}
    points = chance.choice(RESULTS)
    seats = [{**seat, "points": won} for seat, won in zip(entry["seats"], points, strict=True)]
    return {"table": entry["table"], "seats": seats}


def meetings_and_byes(document: Json) -> list[frozenset[Any]]:
    return [
        frozenset([entry["bye"]] if "bye" in entry else [seat["id"] for seat in entry["seats"]])
        for round_ in document["rounds"]
        for entry in round_
    ]


def assert_nobody_meets_again(document: Json) -> None:
    made = meetings_and_byes(document)
    assert len(set(made)) == len(made)
    assert check_event(document) == []


@pytest.mark.parametrize(("players", "rounds"), CELLS)
def test_a_schedule_that_exists_is_kept(players: int, rounds: int) -> None:
    for seed in range(4):
        assert_nobody_meets_again(play(players, rounds, seed))


@pytest.mark.slow
@pytest.mark.parametrize(("players", "rounds"), CELLS)
def test_a_schedule_that_exists_is_kept_always(players: int, rounds: int) -> None:
    for seed in range(4, 104):
        assert_nobody_meets_again(play(players, rounds, seed))
