"""Cuts of every size, and standings with tie-breakers in any order, all checked."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.documents import commands
from engine.standings.tie_breakers import TIE_BREAKERS
from tests.checker import check_bracket, check_standings
from tests.checker.brackets import Step, run_faults
from tests.checker.samples import bye, event, pod, table

Json = dict[str, Any]
SYSTEMS = ("single_elimination", "double_elimination")


def play_cut(document: Json, chance: random.Random) -> list[Step]:
    """Every document of a cut with its answer; games end in random order."""
    steps: list[Step] = []
    while not steps or steps[-1][1]["games"]:
        if steps:
            result = result_of(chance.choice(steps[-1][1]["games"]), chance)
            document = {**document, "results": [*document["results"], result]}
        steps.append((document, commands.bracket(document)))
    return steps


def result_of(game: Json, chance: random.Random) -> Json:
    players = [seat["id"] for seat in game["seats"]]
    corps = [seat["id"] for seat in game["seats"] if seat["role"] == "corp"]
    corp = corps[0] if corps else chance.choice(players)
    known_corp = corp if chance.random() < 0.9 else None
    return {"game": game["game"], "winner": chance.choice(players), "corp": known_corp}


def cut(system: str, size: int, seed: int, *, fixed: bool = False) -> Json:
    return {
        "datafort": 1,
        "system": system,
        "seed": seed,
        "seeds": [f"seed {number_}" for number_ in range(1, size + 1)],
        "results": [],
        "fixed": fixed,
    }


def assert_sound(steps: list[Step]) -> None:
    assert [fault for step in steps for fault in check_bracket(*step)] == []
    assert list(run_faults(steps)) == []


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("size", range(2, 19))
def test_cut_of_any_size_is_played_to_its_end(size: int, system: str) -> None:
    for seed in range(6):
        assert_sound(play_cut(cut(system, size, seed), random.Random(f"{size}/{seed}")))


@pytest.mark.parametrize("size", range(2, 19))
def test_fixed_cut_is_played_to_its_end(size: int) -> None:
    document = cut("single_elimination", size, size, fixed=True)
    assert_sound(play_cut(document, random.Random(size)))


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("size", [4, 8, 16, 23, 32])
def test_many_cuts_are_played_to_their_end(size: int, system: str) -> None:
    for seed in range(100):
        assert_sound(play_cut(cut(system, size, seed), random.Random(f"{size}/{seed}")))


POINTS = st.integers(-2, 6)
ORDERS = st.permutations(list(TIE_BREAKERS)).flatmap(
    lambda names: st.integers(1, len(names)).map(lambda count: names[:count])
)


@st.composite
def events(draw: st.DrawFn) -> Json:
    """Random rounds that no engine paired: rematches, gaps, any byes, points of few values."""
    size = draw(st.integers(1, 7))
    rounds = []
    for _ in range(draw(st.integers(0, 5))):
        players = draw(st.permutations(range(1, size + 1)))
        players = players[: draw(st.integers(0, size))]
        couples = zip(players[::2], players[1::2], strict=False)
        round_ = [
            table(number, *couple, draw(POINTS), draw(POINTS))
            for number, couple in enumerate(couples, start=1)
        ]
        if len(players) % 2:
            round_.append(bye(players[-1], draw(POINTS)))
        rounds.append(round_)
    document = event("double", size, *rounds, seed=draw(st.integers(0, 9)))
    for row in document["players"]:
        row["active"], row["seed"] = draw(st.booleans()), draw(st.none() | st.integers(1, 3))
    for seat in (seat for round_ in rounds for entry in round_ for seat in entry.get("seats", [])):
        seat["games_won"] = draw(st.integers(0, 2))
        seat["agenda_points"] = draw(st.none() | st.integers(0, 9))
    return document


@given(events(), st.none() | ORDERS)
def test_figures_and_order_match_the_checker(document: Json, order: list[str] | None) -> None:
    document["tie_breakers"] = order

    assert check_standings(document, commands.rank(document)) == []


@given(events(), st.randoms(use_true_random=False))
def test_order_of_the_document_does_not_matter(document: Json, chance: random.Random) -> None:
    # The random draw does not depend on the order either.
    shuffled = {**document, "players": chance.sample(document["players"], len(document["players"]))}

    assert commands.rank(shuffled) == commands.rank(document)


@given(events(), st.data())
def test_standings_of_an_earlier_round_can_be_computed(document: Json, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(document["rounds"])))
    earlier_document = {**document, "rounds": document["rounds"][:number]}
    current_answer = commands.rank({**document, "as_of_round": number})

    assert current_answer["standings"] == commands.rank(earlier_document)["standings"]
    assert check_standings({**document, "as_of_round": number}, current_answer) == []


@given(st.integers(2, 9), st.integers(1, 4), st.randoms(use_true_random=False))
def test_pod_standings_match_the_checker(size: int, rounds: int, chance: random.Random) -> None:
    document = event("pods", size)
    for _ in range(rounds):
        players = chance.sample(range(1, size + 1), size)
        cut = size // 2 if size > 5 else size
        document["rounds"].append(
            [
                pod(number, *seated, points=tuple(chance.choices(range(6), k=len(seated))))
                for number, seated in enumerate((players[:cut], players[cut:]), start=1)
                if seated
            ]
        )

    assert check_standings(document, commands.rank(document)) == []
