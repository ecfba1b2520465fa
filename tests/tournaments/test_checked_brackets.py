"""Cuts of every size played at random through the documents, each answer checked on the way."""

import random
from typing import Any

import pytest

from tests.checker import check_bracket
from tests.checker.brackets import Step, run_faults
from tournaments import documents

Json = dict[str, Any]
SYSTEMS = ("single_elimination", "double_elimination")


def play_cut(document: Json, chance: random.Random) -> list[Step]:
    """Every document of a cut with its answer; games end in any order, roles are told mostly."""
    steps: list[Step] = []
    while not steps or steps[-1][1]["games"]:
        if steps:
            result = result_of(chance.choice(steps[-1][1]["games"]), chance)
            document = {**document, "results": [*document["results"], result]}
        steps.append((document, documents.bracket(document)))
    return steps


def result_of(game: Json, chance: random.Random) -> Json:
    players = [seat["id"] for seat in game["seats"]]
    corps = [seat["id"] for seat in game["seats"] if seat["role"] == "corp"]
    corp = corps[0] if corps else chance.choice(players)
    told = corp if chance.random() < 0.9 else None
    return {"game": game["game"], "winner": chance.choice(players), "corp": told}


def cut(system: str, size: int, seed: int, *, fixed: bool = False) -> Json:
    return {
        "datafort": 1,
        "system": system,
        "seed": seed,
        "seeds": [f"seed {place}" for place in range(1, size + 1)],
        "results": [],
        "fixed": fixed,
    }


def assert_sound(steps: list[Step]) -> None:
    assert [fault for step in steps for fault in check_bracket(*step)] == []
    assert list(run_faults(steps)) == []


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("size", range(2, 19))
def test_a_cut_of_any_size_is_played_to_its_end(size: int, system: str) -> None:
    for seed in range(6):
        assert_sound(play_cut(cut(system, size, seed), random.Random(f"{size}/{seed}")))


@pytest.mark.parametrize("size", range(2, 19))
def test_a_fixed_cut_is_played_to_its_end(size: int) -> None:
    document = cut("single_elimination", size, size, fixed=True)
    assert_sound(play_cut(document, random.Random(size)))


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("size", [4, 8, 16, 23, 32])
def test_many_cuts_are_played_to_their_end(size: int, system: str) -> None:
    for seed in range(100):
        assert_sound(play_cut(cut(system, size, seed), random.Random(f"{size}/{seed}")))
