"""`engine bracket`: games and placings from seeds and results; faults have a path."""

from typing import Any

import pytest

from engine.documents.commands import bracket
from engine.documents.json_text import DocumentRefused

FOUR: dict[str, Any] = {
    "datafort": 1,
    "system": "double_elimination",
    "seed": 7,
    "seeds": [11, 12, "c", 14],
    "results": [],
}


def won(game: int, winner: Any, corp: Any = None) -> dict[str, Any]:
    return {"game": game, "winner": winner, "corp": corp}


def test_first_games_wait_for_the_higher_seed_to_choose():
    assert bracket(FOUR) == {
        "games": [
            {
                "game": 1,
                "seats": [{"id": 11, "role": None}, {"id": 14, "role": None}],
                "chooses_role": 11,
            },
            {
                "game": 2,
                "seats": [{"id": 12, "role": None}, {"id": "c", "role": None}],
                "chooses_role": 12,
            },
        ],
        "placings": [{"rank": rank, "id": None} for rank in (1, 2, 3, 4)],
    }


def test_later_games_have_roles_and_placings_fill_from_below():
    results = [won(1, 11, corp=11), won(2, "c", corp=12), won(3, "c"), won(4, 14)]

    answer = bracket(FOUR | {"results": results})

    assert [game["game"] for game in answer["games"]] == [5]
    assert {seat["role"] for seat in answer["games"][0]["seats"]} == {"corp", "runner"}
    assert answer["placings"][3] == {"rank": 4, "id": 12}


def test_answer_may_stay_in_the_document():
    assert bracket(FOUR | bracket(FOUR)) == bracket(FOUR)


def test_version_may_be_left_out():
    unversioned = {key: value for key, value in FOUR.items() if key != "datafort"}

    assert bracket(unversioned) == bracket(FOUR)


@pytest.mark.parametrize(
    ("fixed", "semifinals"), [(False, [{2, 8}, {3, 4}]), (True, [{4, 8}, {2, 3}])]
)
def test_single_elimination_may_be_fixed(fixed: bool, semifinals: list[set[int]]):
    single = FOUR | {"system": "single_elimination", "seeds": list(range(1, 9)), "fixed": fixed}
    games = bracket(single)["games"]
    # Seed 8 beats seed 1; elsewhere the better seed wins.
    winners = [8 if game["seats"][0]["id"] == 1 else game["seats"][0]["id"] for game in games]
    results = [won(game["game"], winner) for game, winner in zip(games, winners, strict=True)]

    answer = bracket(single | {"results": results})

    pairs_ = [{seat["id"] for seat in game["seats"]} for game in answer["games"]]
    assert sorted(pairs_, key=min) == sorted(semifinals, key=min)


@pytest.mark.parametrize(
    ("change", "path", "reason"),
    [
        ({"datafort": 2}, "$.datafort", "later version"),
        ({"system": "double"}, "$.system", "has no bracket"),
        ({"system": "triple_elimination"}, "$.system", "double_elimination"),
        ({"seeds": None}, "$.seeds", "missing"),
        ({"seeds": [1]}, "$.seeds", "at least 2"),
        ({"seeds": [1, 2, 1]}, "$.seeds[2]", "twice"),
        ({"seeds": [1, 2.5]}, "$.seeds[1]", "whole number or a text"),
        ({"seed": "7"}, "$.seed", "whole number"),
        ({"fixed": 1}, "$.fixed", "true or false"),
        ({"result": []}, "$.result", 'Did you mean "results"'),
        ({"players": [{"id": 11}]}, "$.seeds[1]", '"players"'),
        ({"results": {}}, "$.results", "Expected a list"),
        ({"results": [won(0, 11)]}, "$.results[0].game", "from 1"),
        ({"results": [won(99, 11)]}, "$.results[0].game", "no game 99"),
        ({"results": [won(1, 11), won(1, 11)]}, "$.results[1].game", "two results"),
        ({"results": [won(3, 11)]}, "$.results[0].game", "cannot be played yet"),
        ({"results": [won(1, 12)]}, "$.results[0].winner", "does not play"),
        ({"results": [won(1, None)]}, "$.results[0].winner", "missing"),
        ({"results": [won(1, 11, corp=12)]}, "$.results[0].corp", "does not play"),
        ({"results": [{**won(1, 11), "loser": 14}]}, "$.results[0].loser", "Unknown key"),
    ],
)
def test_fault_is_reported_with_its_path(change: dict[str, Any], path: str, reason: str):
    with pytest.raises(DocumentRefused) as refusal:
        bracket(FOUR | change)

    assert refusal.value.path == path
    assert reason in str(refusal.value)
