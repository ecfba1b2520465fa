"""The checker accepts correct answers and finds every kind of damage."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.checker import Fault, check_bracket, check_event, check_pairing, check_standings, samples
from tests.checker.brackets import run_faults
from tests.checker.damages import (
    CUTS,
    DAMAGED_CUTS,
    DAMAGED_EVENTS,
    DAMAGED_ROUNDS,
    DAMAGED_RUNS,
    DAMAGED_STANDINGS,
    PAIRINGS,
    Damage,
    whole_event,
)
from tests.checker.samples import Json, Sample, table


def apply_damage(sample: Sample, damage: Damage) -> Sample:
    document, answer = copy.deepcopy(sample)
    damage(document, answer)
    return document, answer


def codes(faults: list[Fault]) -> set[str]:
    return {fault.code for fault in faults}


@pytest.mark.parametrize("sample", PAIRINGS)
def test_correct_round_has_no_fault(sample: Callable[[], Sample]) -> None:
    assert check_pairing(*sample()) == []


@pytest.mark.parametrize(("code", "sample", "damage"), DAMAGED_ROUNDS)
def test_damaged_round_is_caught(code: str, sample: Callable[[], Sample], damage: Damage) -> None:
    assert code in codes(check_pairing(*apply_damage(sample(), damage)))


def test_correct_standings_have_no_fault() -> None:
    assert check_standings(*samples.standings_of_three()) == []


@pytest.mark.parametrize(("code", "damage"), DAMAGED_STANDINGS)
def test_damaged_standings_are_caught(code: str, damage: Damage) -> None:
    assert code in codes(check_standings(*apply_damage(samples.standings_of_three(), damage)))


@pytest.mark.parametrize("cut", CUTS)
def test_correct_cut_has_no_fault(cut: Callable[[], list[Sample]]) -> None:
    assert [check_bracket(*step) for step in cut()] == [[] for _ in cut()]
    assert list(run_faults(cut())) == []


@pytest.mark.parametrize(("code", "step", "damage"), DAMAGED_CUTS)
def test_damaged_cut_is_caught(code: str, step: int, damage: Damage) -> None:
    assert code in codes(check_bracket(*apply_damage(samples.cut_of_four()[step], damage)))


@pytest.mark.parametrize(("code", "step", "damage"), DAMAGED_RUNS)
def test_contradicting_answers_are_caught(code: str, step: int, damage: Damage) -> None:
    steps = samples.cut_of_four()
    steps[step] = apply_damage(steps[step], damage)

    assert code in codes(list(run_faults(steps)))


def test_correct_event_has_no_fault() -> None:
    assert check_event(whole_event()) == []


@pytest.mark.parametrize(("code", "damage"), DAMAGED_EVENTS)
def test_damaged_event_is_caught(code: str, damage: Callable[[Json], Any]) -> None:
    document = whole_event()
    damage(document)

    assert code in codes(check_event(document))


def test_round_made_by_hand_may_break_rules() -> None:
    document = whole_event()
    document["rounds"][2] = [table(1, 2, 1), table(2, 4, 3)]

    assert check_event({**document, "x_by_hand": [2]}) == []


def test_field_is_known_from_the_questions() -> None:
    document, answer = samples.five_players()
    played = {**document, "rounds": [*document["rounds"], answer["pairings"][:2]]}
    question = {"command": "pair", "document": document, "answer": answer}

    assert codes(check_event(played, [question])) == {"seat_missing"}


def test_answer_is_checked_with_the_event() -> None:
    document, answer = samples.standings_of_three()
    answer["standings"][0]["match_points"] = 8
    question = {"command": "standings", "document": document, "answer": answer}

    assert codes(check_event(document, [question])) == {"figure"}
