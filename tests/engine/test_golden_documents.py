"""Documents of past faults, each with an answer worked out by hand (see "reckoning").

"expected" states the required answer, or all correct answers where a random draw decides.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.documents import commands
from engine.documents.json_text import DocumentRefused
from tests.checker import check_event, check_pairing, check_standings

Json = dict[str, Any]
GOLDEN = {
    path.stem: json.loads(path.read_text())
    for path in sorted((Path(__file__).parent / "golden").glob("*.json"))
}


def answer_to(golden: Json) -> Any:
    answering = {"pair": commands.pair, "standings": commands.rank}[golden["command"]]
    return answering(golden["document"])


def couples(answer: Json) -> set[frozenset[Any]]:
    return {frozenset(players) for players in tables(answer).values()}


def tables(answer: Json) -> dict[str, list[Any]]:
    return {
        str(entry["table"]): sorted(seat["id"] for seat in entry["seats"])
        for entry in answer["pairings"]
        if "bye" not in entry
    }


def byes(answer: Json) -> list[Any]:
    return sorted(entry["bye"] for entry in answer["pairings"] if "bye" in entry)


def roles(answer: Json) -> dict[str, str]:
    seats = [seat for entry in answer["pairings"] for seat in entry.get("seats", [])]
    return {str(seat["id"]): seat["role"] for seat in seats}


def as_couples(pairs: list[list[Any]]) -> set[frozenset[Any]]:
    return {frozenset(pair) for pair in pairs}


def contains(expected_part: Json, actual: Json) -> bool:
    return expected_part.items() <= actual.items()


PAIRED: dict[str, Callable[[Json, Any], bool]] = {
    "couples": lambda answer, expected: couples(answer) == as_couples(expected),
    "couples_one_of": lambda answer, expected: couples(answer) in map(as_couples, expected),
    "couples_include": lambda answer, expected: frozenset(expected) in couples(answer),
    "couples_not": lambda answer, expected: couples(answer) != as_couples(expected),
    "tables": lambda answer, expected: contains(expected, tables(answer)),
    "table_count": lambda answer, expected: len(tables(answer)) == expected,
    "byes": lambda answer, expected: byes(answer) == expected,
    "byes_include": lambda answer, expected: set(expected) <= set(byes(answer)),
    "bye_one_of": lambda answer, expected: byes(answer) in [[player] for player in expected],
    "bye_count": lambda answer, expected: len(byes(answer)) == expected,
    "roles": lambda answer, expected: roles(answer) == expected,
    "cost": lambda answer, expected: contains(expected, answer["cost"]),
    "relaxations": lambda answer, expected: (
        [row["kind"] for row in answer["relaxations"]] == expected
    ),
}
"""Keys of a paired round that a golden document may state."""

STANDING: dict[str, Callable[[Json, Any], bool]] = {
    "order": lambda answer, expected: [row["id"] for row in answer["standings"]] == expected,
    "rows": lambda answer, expected: all(
        contains(expected[str(row["id"])], row)
        for row in answer["standings"]
        if str(row["id"]) in expected
    ),
}
"""Keys of standings that a golden document may state."""


@pytest.mark.parametrize("name", [n for n, g in GOLDEN.items() if "refused" not in g["expected"]])
def test_golden_document_has_its_answer(name: str) -> None:
    golden = GOLDEN[name]
    answer = answer_to(golden)
    checks = PAIRED if golden["command"] == "pair" else STANDING
    checked = check_pairing if golden["command"] == "pair" else check_standings

    wrong = [
        key for key, expected in golden["expected"].items() if not checks[key](answer, expected)
    ]
    assert wrong == []
    assert checked(golden["document"], answer) == []
    assert check_event({**golden["document"], "x_by_hand": [0]}) == []


@pytest.mark.parametrize("name", [n for n, g in GOLDEN.items() if "refused" in g["expected"]])
def test_invalid_document_is_refused_with_its_path(name: str) -> None:
    with pytest.raises(DocumentRefused) as refusal:
        answer_to(GOLDEN[name])

    assert refusal.value.path == GOLDEN[name]["expected"]["refused"]


def test_every_past_fault_has_a_document() -> None:
    assert len(GOLDEN) == 15
    assert all(golden["about"] and golden["reckoning"] for golden in GOLDEN.values())
