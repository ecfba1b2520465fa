"""`engine verify`: the answer is confirmed, or the first difference shown."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.documents.commands import bracket, pair, rank, verify
from engine.documents.json_text import DocumentRefused, parse_json, write_json
from tests.engine.documents.builders import event, table

ROUND_1 = [table(1, (1, 20), (2, 4)), table(2, (3, 10), (4, 11))]
EVENT = event(ROUND_1)
PODS = event(system="pods")
CUT = {"system": "double_elimination", "seed": 3, "seeds": [4, 3, 2, 1], "results": []}


def verify_documents(document: Any, answer: Any) -> Any:
    """Answer of `verify` for documents that have been through JSON."""
    return verify(parse_json(write_json({"document": document, "answer": answer})))


@pytest.mark.parametrize(
    ("document", "answering"), [(EVENT, pair), (PODS, pair), (EVENT, rank), (CUT, bracket)]
)
def test_answer_of_the_engine_is_verified(document: Any, answering: Callable[[Any], Any]):
    assert verify_documents(document, answering(document)) == {"ok": True}


def test_certificate_alone_can_be_verified():
    assert verify_documents(EVENT, {"certificate": pair(EVENT)["certificate"]}) == {"ok": True}


def test_first_difference_is_shown_with_both_values():
    answer = pair(EVENT)
    answer["pairings"][1]["seats"].reverse()

    actual, expected = (seat["id"] for seat in answer["pairings"][1]["seats"])
    assert verify_documents(EVENT, answer) == {
        "ok": False,
        "difference": {
            "path": "$.answer.pairings[1].seats[0].id",
            "expected": expected,
            "found": actual,
        },
    }


def test_different_input_shows_in_the_certificate_first():
    answer = verify_documents(event(ROUND_1, seed=8), pair(EVENT))

    assert answer["difference"]["path"].startswith("$.answer.certificate.")


def test_missing_and_extra_elements_are_differences():
    answer = rank(EVENT)
    shorter = answer | {"standings": answer["standings"][:-1]}
    longer = answer | {"notes": "all well"}

    assert verify_documents(EVENT, shorter)["difference"]["path"] == "$.answer.standings[3]"
    assert verify_documents(EVENT, shorter)["difference"]["found"] is None
    assert verify_documents(EVENT, longer)["difference"]["path"] == "$.answer.notes"


def test_empty_place_at_the_end_of_a_list_is_a_difference():
    answer = rank(EVENT)
    answer["standings"].append(None)

    assert verify_documents(EVENT, answer)["difference"]["path"] == "$.answer.standings"


def test_figure_may_be_written_with_fewer_digits():
    answer = json.loads(write_json(rank(EVENT)))

    assert answer["standings"][0]["strength_of_schedule"] == 4.0
    assert verify_documents(EVENT, rank(EVENT))["ok"]
    assert verify(parse_json(json.dumps({"document": EVENT, "answer": answer}).encode()))["ok"]


def test_true_differs_from_1():
    answer = pair(EVENT | {"seed": 1})
    answer["certificate"]["seed"] = True

    difference = verify_documents(EVENT | {"seed": 1}, answer)["difference"]
    assert difference == {"path": "$.answer.certificate.seed", "expected": 1, "found": True}


@pytest.mark.parametrize(
    ("document", "path"),
    [
        ({"answer": {"pairings": []}}, "$.document"),
        ({"document": EVENT}, "$.answer"),
        ({"document": EVENT, "answer": {}}, "$.answer"),
        ({"document": EVENT, "answer": [1]}, "$.answer"),
        ({"document": EVENT | {"seed": -1}, "answer": {"pairings": []}}, "$.document.seed"),
        ({"document": {}, "answer": {"standings": []}}, "$.document.datafort"),
        ({"document": EVENT, "answer": {"games": []}}, "$.document.rounds"),
        ({"document": EVENT, "answer": {"pairings": []}, "anser": 1}, "$.anser"),
        ({"datafort": 3, "document": EVENT, "answer": {"pairings": []}}, "$.datafort"),
    ],
)
def test_invalid_answer_is_refused_with_its_path(document: Any, path: str):
    with pytest.raises(DocumentRefused) as refusal:
        verify(document)

    assert refusal.value.path == path


VERSION_2 = {
    path.stem: parse_json(path.read_bytes())
    for path in sorted((Path(__file__).parent / "version_2").glob("*.json"))
}
"""Documents with the answers of version 2 of the engine."""

TOUCHED = ["more_rounds_than_opponents", "second_meetings", "second_short_table"]


@pytest.mark.parametrize("name", [*TOUCHED, "untouched"])
def test_answers_of_version_2_are_verified(name: str):
    document, answer = VERSION_2[name]["document"], VERSION_2[name]["answer"]

    assert answer["certificate"]["engine_version"] == "2"
    assert verify_documents(document, answer) == {"ok": True}
    assert verify_documents(document, {"certificate": answer["certificate"]}) == {"ok": True}


@pytest.mark.parametrize("name", TOUCHED)
def test_new_rules_have_a_certificate_of_version_3(name: str):
    document, old = VERSION_2[name]["document"], VERSION_2[name]["answer"]
    answer = pair(document)

    assert answer["certificate"]["engine_version"] == "3"
    assert answer["pairings"] != old["pairings"]
    assert verify_documents(document, answer) == {"ok": True}
    assert verify_documents(document, {**old, "certificate": answer["certificate"]})["ok"] is False


def test_round_without_new_rules_has_its_old_answer():
    untouched = VERSION_2["untouched"]

    assert write_json(pair(untouched["document"])) == write_json(untouched["answer"])


@pytest.mark.parametrize("version", ["1", "9", 2, None, ["2"]])
def test_certificate_of_an_unknown_version_differs(version: Any):
    answer = pair(EVENT)
    answer["certificate"]["engine_version"] = version

    assert verify_documents(EVENT, answer)["difference"] == {
        "path": "$.answer.certificate.engine_version",
        "expected": "2",
        "found": version,
    }
