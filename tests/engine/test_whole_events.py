"""Whole random events, step by step or from seeds, with every answer checked.

A failure names the seed; `simulate_event(random_plan(seed))` replays the event.
"""

import copy
from collections import Counter
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from engine.documents import commands
from engine.simulation.events import SimulatedEvent, simulate_event
from tests.checker import Fault, check_event, check_pairing, check_standings
from tests.checker.event import Asked
from tests.engine.simulation.plans import random_plan

Json = dict[str, Any]
MAX_PLAYERS, MAX_ROUNDS = 12, 8
POINTS = st.integers(-3, 20)


class Event(RuleBasedStateMachine):
    """An event as its document; `draft` is a round that is paired but not published."""

    system = "double"

    @initialize(
        players=st.integers(2, 9), planned=st.none() | st.integers(1, 8), seed=st.integers(0, 99)
    )
    def begin(self, players: int, planned: int | None, seed: int) -> None:
        self.document: Json = {
            "datafort": 1,
            "system": self.system,
            "seed": seed,
            "planned_rounds": planned,
            "players": [],
            "rounds": [],
        }
        self.asked: list[Json] = []
        self.draft: list[Json] | None = None
        for _ in range(players):
            self.add_player()

    # --- Who is there ------------------------------------------------------------------------

    def add_player(self, **keys: Any) -> None:
        number = len(self.document["players"]) + 1
        self.document["players"].append({"id": number, "active": True, **keys})

    def active(self) -> list[Json]:
        return [player for player in self.document["players"] if player["active"]]

    @precondition(lambda self: self.draft is None and len(self.document["players"]) < MAX_PLAYERS)
    @rule(promised=st.booleans(), group=st.sampled_from([None, None, "x", "y"]))
    def enter_late(self, promised: bool, group: str | None) -> None:
        self.add_player(first_round_bye=promised, group=group)

    @precondition(lambda self: self.draft is None and len(self.active()) > 2)
    @rule(data=st.data())
    def drop(self, data: st.DataObject) -> None:
        data.draw(st.sampled_from(self.active()))["active"] = False

    @precondition(
        lambda self: self.draft is None and len(self.active()) < len(self.document["players"])
    )
    @rule(data=st.data())
    def come_back(self, data: st.DataObject) -> None:
        dropped = [player for player in self.document["players"] if not player["active"]]
        data.draw(st.sampled_from(dropped))["active"] = True

    # --- Pairing -----------------------------------------------------------------------------

    def is_open(self) -> bool:
        return bool(self.document["rounds"]) and any(
            "points" not in seat for table in self.tables(-1) for seat in table["seats"]
        )

    def ask(self, command: str, **keys: Any) -> Json:
        document = copy.deepcopy({**self.document, **keys})
        answer: Json = commands.COMMANDS[command](document)
        self.asked.append({"command": command, "document": document, "answer": answer})
        return answer

    @precondition(
        lambda self: (
            self.draft is None and not self.is_open() and len(self.document["rounds"]) < MAX_ROUNDS
        )
    )
    @rule()
    def pair(self) -> None:
        self.draft = self.paired()

    def paired(self, **keys: Any) -> list[Json]:
        answer = self.ask("pair", **keys)
        assert check_pairing(self.asked[-1]["document"], answer) == []
        return [bare(entry) for entry in answer["pairings"]]

    @precondition(lambda self: self.draft is not None)
    @rule(data=st.data())
    def lock_some_and_pair_the_rest(self, data: st.DataObject) -> None:
        locked = data.draw(st.lists(st.sampled_from(self.draft or []), unique_by=repr))
        self.draft = self.paired(locked=locked)

    @precondition(lambda self: self.draft is not None and len(self.draft) > 1)
    @rule(data=st.data())
    def swap_two_players_by_hand(self, data: st.DataObject) -> None:
        entries = data.draw(st.permutations(self.draft or []))[:2]
        first, second = (entry.get("seats", [entry])[0] for entry in entries)
        keys = ["id" if "id" in entry_ else "bye" for entry_ in (first, second)]
        first[keys[0]], second[keys[1]] = second[keys[1]], first[keys[0]]

    @precondition(lambda self: self.draft is not None)
    @rule(roles_are_known=st.booleans())
    def publish(self, roles_are_known: bool) -> None:
        for entry in self.draft or []:
            if "bye" in entry:
                entry["points"] = 6
            elif not roles_are_known:
                for seat in entry["seats"]:
                    seat["role"] = None
        self.document["rounds"].append(self.draft)
        self.draft = None

    # --- Results -----------------------------------------------------------------------------

    def tables(self, round_: int) -> list[Json]:
        return [entry for entry in self.document["rounds"][round_] if "seats" in entry]

    @precondition(lambda self: self.is_open())
    @rule(data=st.data())
    def report_all(self, data: st.DataObject) -> None:
        for table in self.tables(-1):
            for seat in table["seats"]:
                seat["points"] = data.draw(POINTS)

    @precondition(lambda self: self.document["rounds"] and not self.is_open())
    @rule(data=st.data())
    def correct_an_old_result(self, data: st.DataObject) -> None:
        number = data.draw(st.integers(0, len(self.document["rounds"]) - 1))
        for table in self.tables(number)[:1]:
            data.draw(st.sampled_from(table["seats"]))["points"] = data.draw(POINTS)

    @precondition(lambda self: self.is_open() and self.draft is None)
    @rule()
    def force_pairing_before_the_results(self) -> None:
        answer = commands.pair({**self.document, "force": True})
        assert check_pairing(self.document, answer) == []

    # --- What is always so -------------------------------------------------------------------

    @rule()
    def rank(self) -> None:
        answer = self.ask("standings")
        assert check_standings(self.asked[-1]["document"], answer) == []

    def teardown(self) -> None:
        """Check the whole event, and that the same questions get the same answers."""
        if not hasattr(self, "document"):
            return
        assert check_event(self.document, self.asked) == []
        for question in self.asked:
            answering = commands.COMMANDS[question["command"]]
            assert answering(question["document"]) == question["answer"]


def bare(entry: Json) -> Json:
    """A table or bye of an answer in the format of a round."""
    if "bye" in entry:
        return {"bye": entry["bye"]}
    return {"table": entry["table"], "seats": [dict(seat) for seat in entry["seats"]]}


class SingleSidedEvent(Event):
    system = "single"


@pytest.mark.goal("G1")
@pytest.mark.parametrize("kind", [Event, SingleSidedEvent])
def test_random_event_passes_the_checker(kind: type[Event]) -> None:
    run_state_machine_as_test(kind, settings=settings(max_examples=10, stateful_step_count=25))


@pytest.mark.goal("G1")
@pytest.mark.slow
@pytest.mark.parametrize("kind", [Event, SingleSidedEvent])
def test_many_random_events_pass_the_checker(kind: type[Event]) -> None:
    run_state_machine_as_test(kind, settings=settings(max_examples=250, stateful_step_count=50))


EVENTS, MANY_EVENTS, CHUNK = 100, 5_000, 25
# This number of plans includes every kind.
DRAWN = 500


def faults_of(event: SimulatedEvent) -> list[Fault]:
    """Faults found by the checker in an event and all its answers."""
    answered: list[Asked] = [
        {"command": answered.command, "document": answered.document, "answer": answered.answer}
        for answered in event.answers
    ]
    return check_event(event.document, answered)


def assert_sound(seeds: range) -> None:
    wrong = {seed: faults_of(simulate_event(random_plan(seed))) for seed in seeds}
    assert {seed: faults for seed, faults in wrong.items() if faults} == {}


# Chunks let every process have a share.
@pytest.mark.goal("G1")
@pytest.mark.parametrize("first", range(0, EVENTS, CHUNK))
def test_no_event_has_a_fault(first: int) -> None:
    assert_sound(range(first, first + CHUNK))


@pytest.mark.goal("G1")
@pytest.mark.slow
@pytest.mark.parametrize("first", range(EVENTS, EVENTS + MANY_EVENTS, 4 * CHUNK))
def test_none_of_many_events_has_a_fault(first: int) -> None:
    assert_sound(range(first, first + 4 * CHUNK))


def test_every_system_and_kind_of_question_is_among_the_events() -> None:
    plans = [random_plan(seed) for seed in range(DRAWN)]
    systems = Counter(plan.system for plan in plans)
    rules = Counter(plan.scoring_rule for plan in plans)

    assert min(systems.values()) >= 10
    assert systems.keys() == {
        "double",
        "single",
        "pods",
        "round_robin",
        "double_elimination",
        "single_elimination",
    }
    assert rules.keys() == {
        "onr_runner_only",
        "onr_either_side",
        "anr_double",
        "anr_single",
        "free_radicals",
    }
