"""Any input gets an answer, or a refusal with a path, and never a crash."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.documents.commands import (
    BRACKET_KEYS,
    BRACKET_RESULT_KEYS,
    CommandOutput,
    bracket,
    clinch,
    pair,
    rank,
    run_command,
    verify,
)
from engine.documents.events import (
    BYE_KEYS,
    EVENT_KEYS,
    PLAYER_KEYS,
    ROLE_VALUES,
    SEAT_KEYS,
    TABLE_KEYS,
)
from engine.simulation.events import simulate
from engine.standings.tie_breakers import TIE_BREAKERS
from engine.systems import SYSTEMS
from tests.changing import change_something
from tests.engine.documents.builders import bye, event, table

pytestmark = pytest.mark.goal("G15")

Json = Any
ANSWERS = [pair, rank, bracket, verify, clinch, simulate]

OTHER_KEYS = ("document", "answer", "pairings", "scoring_rule", "incidents", "size", "places")
KEYS = st.sampled_from(
    (
        *(*EVENT_KEYS, *PLAYER_KEYS, *TABLE_KEYS, *SEAT_KEYS),
        *(*BYE_KEYS, *BRACKET_KEYS, *BRACKET_RESULT_KEYS, *OTHER_KEYS),
    )
)
WORDS = st.sampled_from([*SYSTEMS, *TIE_BREAKERS, *ROLE_VALUES, "anr_single"])
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 6)
    | st.integers()
    | st.floats()
    | WORDS
    | st.text(max_size=3)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(KEYS | st.text(max_size=3), inner, max_size=6)
    ),
    max_leaves=25,
)
WHOLE = [
    event(
        [table(1, (1, 3), (2, 0)), table(2, (3, 1), (4, 1)), bye(5, 3)],
        [table(1, (2, 3), (1, -2)), bye(3, 3)],
        players=6,
        locked=[table(4, (1, None), (6, None))],
        planned_rounds=4,
    ),
    event([table(1, (1, 5), (2, 3), (3, 2)), bye(4, 5)], players=5, system="pods"),
    event([table(1, (1, 3), (2, 0))], players=3, system="round_robin"),
    {
        "system": "double_elimination",
        "seeds": [1, 2, 3],
        "results": [{"game": 1, "winner": 2, "corp": 3}],
    },
    {"document": event(players=2), "answer": {"pairings": [], "certificate": {}}},
    {"datafort": 1, "system": "single", "players": 3, "planned_rounds": 2},
    event(
        [table(1, (1, 3), (2, 0)), table(2, (3, 3), (4, 0))],
        [table(1, (1, None), (3, None)), table(2, (2, 3), (4, 0))],
        system="single",
        planned_rounds=2,
        scoring_rule="anr_single",
        places=2,
    ),
    event(
        [table(1, (1, 5), (2, 3), (3, 2)), bye(4, 5)],
        system="pods",
        planned_rounds=2,
        scoring_rule="free_radicals",
        runs=2,
    ),
]


def checked_outcome(answering: Callable[[Json], Json], data: bytes) -> CommandOutput:
    """The outcome, checked against the guarantees of the command."""
    outcome = run_command(answering, data)
    answer = json.loads(outcome.text)
    assert outcome.text.endswith(b"\n")
    if outcome.status == 2:
        assert set(answer) == {"error", "path"}
        assert answer["path"].startswith("$")
    else:
        assert answer.get("ok", True) is (outcome.status == 0)
    return outcome


@pytest.mark.parametrize("answering", ANSWERS)
@given(value=VALUES)
def test_any_value_is_answered_or_refused(answering: Callable[[Json], Json], value: Json):
    checked_outcome(answering, json.dumps(value).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("answering", ANSWERS)
@given(data=st.binary(max_size=40))
def test_any_bytes_are_answered_or_refused(answering: Callable[[Json], Json], data: bytes):
    checked_outcome(answering, data)


@pytest.mark.parametrize("answering", ANSWERS)
@pytest.mark.parametrize("document_index", range(len(WHOLE)))
@settings(max_examples=25)
@given(data=st.data())
def test_changed_document_is_answered_or_refused(
    answering: Callable[[Json], Json], document_index: int, data: st.DataObject
):
    document = json.loads(json.dumps(WHOLE[document_index]))
    change_something(document, VALUES, data)

    checked_outcome(answering, json.dumps(document).encode("utf-8", "surrogatepass"))


@pytest.mark.slow
@pytest.mark.parametrize("answering", ANSWERS)
@settings(max_examples=5_000)
@given(value=VALUES)
def test_many_values_are_answered_or_refused(answering: Callable[[Json], Json], value: Json):
    checked_outcome(answering, json.dumps(value).encode("utf-8", "surrogatepass"))
