"""Simulated events: complete, repeatable, and with the incidents of real events."""

from itertools import pairwise
from typing import Any

import pytest

from engine.documents.commands import COMMANDS, bracket, pair, rank
from engine.documents.json_text import DocumentRefused
from engine.simulation.events import (
    RULES_BY_SYSTEM,
    SimulatedCut,
    SimulatedEvent,
    SimulationPlan,
    simulate,
    simulate_event,
)
from tests.engine.simulation.plans import MANY_INCIDENTS, random_plan

SWISS = {"datafort": 1, "system": "double", "seed": 3, "players": 9, "planned_rounds": 4}


def event_with_incidents(system: str, seed: int, **settings: Any) -> SimulatedEvent:
    plan = SimulationPlan(
        system=system,
        seed=seed,
        players=9,
        rounds=5,
        scoring_rule=RULES_BY_SYSTEM[system][-1],
        incidents=MANY_INCIDENTS,
        **settings,
    )
    return simulate_event(plan)


@pytest.mark.parametrize("system", sorted(RULES_BY_SYSTEM))
def test_every_answer_matches_its_document(system: str):
    for seed in range(4):
        event = simulate_event(random_plan(seed, system))

        assert event.answers
        for answered in event.answers:
            assert COMMANDS[answered.command](answered.document) == answered.answer


@pytest.mark.parametrize("system", sorted(RULES_BY_SYSTEM))
def test_same_plan_gives_the_same_event(system: str):
    plan = random_plan(5, system)

    assert simulate_event(plan) == simulate_event(plan)
    assert random_plan(5, system) == plan


def test_every_incident_occurs():
    notes = " ".join(
        sentence for seed in range(12) for sentence in event_with_incidents("double", seed).notes
    )

    for incident in (
        "intentional_draw",
        "two_for_one",
        "double_loss",
        "no_show",
        "is corrected",
        "has dropped",
        "returns",
        "joins",
        "locked, the rest is paired again",
        "Swapped by hand",
        "without roles",
    ):
        assert incident in notes


def test_rounds_are_paired_before_results_are_in():
    answers = [
        answer for seed in range(12) for answer in event_with_incidents("single", seed).answers
    ]
    early = [answer for answer in answers if answer.document.get("force")]

    assert early
    for answer in early:
        points = [
            seat["points"]
            for entry in answer.document["rounds"][-1]
            for seat in entry.get("seats", [])
        ]
        assert None in points


def test_wrong_result_lasts_for_one_pairing():
    event = next(
        event
        for event in (event_with_incidents("double", seed) for seed in range(20))
        if any("is corrected" in sentence for sentence in event.notes)
    )

    paired = [
        answered.document["rounds"] for answered in event.answers if answered.command == "pair"
    ]
    assert any(
        rounds_before != rounds_after[: len(rounds_before)]
        for rounds_before, rounds_after in pairwise(paired)
    )


def test_cuts_are_played_to_the_end_with_resets():
    cuts = [simulate_event(random_plan(seed, "double_elimination")).cut for seed in range(40)]
    assert all(cuts)
    games = {(len(cut["seeds"]), len(cut["results"])) for cut in cuts}

    assert {(size, 2 * size - 2) for size, _ in games} & games
    assert {(size, 2 * size - 1) for size, _ in games} & games
    for cut in cuts:
        assert bracket(cut)["games"] == []
        assert None not in [placing["id"] for placing in bracket(cut)["placings"]]


def test_next_player_replaces_a_declined_place():
    cut = SimulatedCut("single_elimination", 4)
    events = [event_with_incidents("round_robin", seed, cut=cut) for seed in range(8)]
    declined = [
        (event.cut["seeds"], sentence.split()[1])
        for event in events
        for sentence in event.notes
        if "declines" in sentence
    ]

    assert declined
    for seeds, player in declined:
        assert player not in map(str, seeds)
        assert len(seeds) == 4


# --- The command --------------------------------------------------------------------------


def test_simulated_event_can_be_read_by_all_commands():
    answer = simulate(SWISS | {"cut": {"system": "double_elimination", "size": 4}})

    assert len(answer["rounds"]) == 4
    assert rank(answer)["standings"] == answer["standings"]
    assert pair(answer | {"planned_rounds": 5})["round"] == 5
    assert bracket(answer["cut"])["placings"] == answer["cut"]["placings"]
    assert answer["cut"]["seeds"] == [line["id"] for line in answer["standings"][:4]]


def test_event_without_incidents_has_all_players_in_every_round():
    answer = simulate(SWISS)

    assert "cut" not in answer
    assert {line["played"] + line["byes"] for line in answer["standings"]} == {4}


def test_incidents_occur_if_requested():
    played = [
        line["played"] + line["byes"]
        for seed in range(9)
        for line in simulate(SWISS | {"seed": seed, "incidents": True})["standings"]
    ]

    assert min(played) < 4


def test_players_can_be_listed():
    players = [{"id": "Ada", "seed": 2}, {"id": "Bo", "seed": 1}, {"id": 3, "active": False}]

    answer = simulate(SWISS | {"players": players})

    assert [player["id"] for player in answer["players"]] == ["Ada", "Bo", 3]
    assert {line["id"] for line in answer["standings"] if line["played"]} == {"Ada", "Bo"}


def test_late_entry_gets_an_unused_id():
    listed = [{"id": number} for number in (1, 2, 3, 5)]

    answers = [
        simulate(SWISS | {"players": listed, "seed": seed, "incidents": True}) for seed in range(9)
    ]

    late = {player["id"] for answer in answers for player in answer["players"][4:]}
    assert min(late) == 6


def test_round_robin_has_no_late_entries():
    listed = [{"id": number, "active": number < 5} for number in range(1, 6)]
    request = {"system": "round_robin", "players": listed, "incidents": True}

    answers = [simulate(request | {"seed": seed}) for seed in range(9)]

    assert not any(answer["players"][4]["active"] for answer in answers)


def test_planned_rounds_count_active_players():
    listed = [{"id": number, "active": number < 5} for number in range(1, 6)]

    rounds = {
        system: len(simulate({"system": system, "players": listed})["rounds"])
        for system in ("round_robin", "double")
    }

    assert rounds == {"round_robin": 3, "double": 2}


def test_elimination_is_a_bracket_document():
    answer = simulate({"datafort": 1, "system": "single_elimination", "players": 6})

    assert answer["seeds"] == [1, 2, 3, 4, 5, 6]
    assert bracket(answer) == {"games": [], "placings": answer["placings"]}


@pytest.mark.parametrize(("system", "rounds"), [("round_robin", 9), ("single", 4), ("pods", 4)])
def test_default_rounds_depend_on_the_field(system: str, rounds: int):
    answer = simulate({"datafort": 1, "system": system, "players": 9})

    assert len(answer["rounds"]) == rounds


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"datafort": 2}, "$.datafort"),
        ({"system": "manual"}, "$.system"),
        ({"system": "chess"}, "$.system"),
        ({"players": None}, "$.players"),
        ({"players": 1}, "$.players"),
        ({"players": 1001}, "$.players"),
        ({"players": "9"}, "$.players"),
        ({"players": [{"id": 1}]}, "$.players"),
        ({"players": [{"id": 1}, {"id": 2, "active": False}]}, "$.players"),
        ({"players": [{"id": 1}, {"id": 1}]}, "$.players[1].id"),
        ({"planned_rounds": 0}, "$.planned_rounds"),
        ({"scoring_rule": "anr_single"}, "$.scoring_rule"),
        ({"incidents": 1}, "$.incidents"),
        ({"cut": 4}, "$.cut"),
        ({"cut": {"size": 4}}, "$.cut.system"),
        ({"cut": {"system": "double", "size": 4}}, "$.cut.system"),
        ({"cut": {"system": "double_elimination", "size": 10}}, "$.cut.size"),
        ({"system": "double_elimination", "cut": {}}, "$.cut"),
        ({"rounds": []}, "$.rounds"),
    ],
)
def test_invalid_simulation_is_refused_with_its_path(change: dict[str, Any], path: str):
    with pytest.raises(DocumentRefused) as refusal:
        simulate(SWISS | change)

    assert refusal.value.path == path
