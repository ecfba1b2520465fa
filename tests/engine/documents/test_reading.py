"""Each fault of a document is reported with its JSON path and a remedy."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from engine.documents.commands import pair, rank
from engine.documents.json_text import DocumentRefused
from tests.engine.documents.builders import bye, event, table

Json = Any

PLAYED = table(1, (1, 3), (2, 0))


def without(document: Json, key: str) -> Json:
    return {name: value for name, value in document.items() if name != key}


def event_with_table(*seats: Json, system: str = "double", number: Any = 1) -> Json:
    """An event with one table and these seats."""
    return event([{"table": number, "seats": list(seats)}], system=system)


FAULTS: list[tuple[Json, str, str]] = [
    # The document
    ([], "$", "A document is an object, not a list"),
    (None, "$", "not null"),
    ({}, "$.datafort", 'Add "datafort": 1'),
    (event(datafort=2), "$.datafort", "made by a later version"),
    (event(datafort=0), "$.datafort", "from 1"),
    (event(datafort="1"), "$.datafort", "Expected a whole number"),
    (event(datafort=True), "$.datafort", "Expected a whole number, not true"),
    (event(rouns=[]), "$.rouns", 'Did you mean "rounds"'),
    (event() | {"two words": 1}, '$["two words"]', "Unknown key"),
    (without(event(), "system"), "$.system", "missing"),
    (without(event(), "players"), "$.players", "missing"),
    (event(system="swiss"), "$.system", 'Unknown value "swiss"'),
    (event(system="Double"), "$.system", 'Did you mean "double"'),
    (event() | {"system": ["double"]}, "$.system", "Expected a text, not a list"),
    (event(seed=-1), "$.seed", "out of bounds"),
    (event(seed=2**63), "$.seed", "out of bounds"),
    (event(seed=1.5), "$.seed", "whole number"),
    (event(seed=False), "$.seed", "Expected a whole number, not false"),
    (event(planned_rounds=0), "$.planned_rounds", "from 1 to 2000000"),
    (
        event(planned_rounds=500_001),
        "$.planned_rounds",
        "4 players in 500,001 rounds are 2,000,004 places, more than the 2,000,000 that can be "
        "worked through. With these players at most 500,000 rounds are possible.",
    ),
    (
        event(*[[]] * 201, players=10_000),
        "$.rounds",
        "10,000 players in 201 rounds are 2,010,000 places",
    ),
    (event(avoid_second_meetings=True), "$.avoid_second_meetings", 'only "single" has'),
    (event(avoid_second_meetings=False, system="pods"), "$.avoid_second_meetings", 'only "single"'),
    (event(avoid_second_meetings=1, system="single"), "$.avoid_second_meetings", "true or false"),
    (event(force="yes"), "$.force", "true or false"),
    (event(name=7), "$.name", "Expected a text"),
    (event(tie_breakers=[]), "$.tie_breakers", "at least 1"),
    (event(tie_breakers=["lots"]), "$.tie_breakers[0]", 'Did you mean "lot"'),
    (event(tie_breakers=["lot", "lot"]), "$.tie_breakers[1]", "twice"),
    (event([PLAYED], as_of_round=2), "$.as_of_round", "all their results: 1"),
    (event([PLAYED], as_of_round=-1), "$.as_of_round", "from 0"),
    # Players
    (event(players=3) | {"players": {}}, "$.players", "Expected a list, not an object"),
    (event() | {"players": [1]}, "$.players[0]", "Expected an object, not 1"),
    (event() | {"players": [{}]}, "$.players[0].id", "missing"),
    (event() | {"players": [{"id": 1.0}]}, "$.players[0].id", "whole number or a text, not 1.0"),
    (
        event() | {"players": [{"id": Decimal("1e2")}]},
        "$.players[0].id",
        "An id is a whole number in digits alone, or a text in quotes, not 1E+2.",
    ),
    (
        event() | {"players": [{"id": 1, "seed": Decimal("1e2")}]},
        "$.players[0].seed",
        "Expected a whole number in digits alone, not 1E+2.",
    ),
    (event() | {"players": [{"id": True}]}, "$.players[0].id", "not true"),
    (event() | {"players": [{"id": [1]}]}, "$.players[0].id", "not a list"),
    (event() | {"players": [{"id": 2**63}]}, "$.players[0].id", "out of bounds"),
    (event() | {"players": [{"id": "x" * 201}]}, "$.players[0].id", "more than 200 letters"),
    (event() | {"players": [{"id": 1}, {"id": 1}]}, "$.players[1].id", "twice"),
    (event() | {"players": [{"id": 1, "active": 1}]}, "$.players[0].active", "true or false"),
    (event() | {"players": [{"id": 1, "seed": 0}]}, "$.players[0].seed", "from 1"),
    (event() | {"players": [{"id": 1, "seed": "1"}]}, "$.players[0].seed", "whole number"),
    (event() | {"players": [{"id": 1, "group": {}}]}, "$.players[0].group", "not an object"),
    (event() | {"players": [{"id": 1, "grup": 1}]}, "$.players[0].grup", 'Did you mean "group"'),
    (event() | {"players": [{"id": 1, "name": []}]}, "$.players[0].name", "Expected a text"),
    # Rounds
    (event() | {"rounds": {}}, "$.rounds", "Expected a list"),
    (event({}), "$.rounds[0]", "Expected a list"),
    (event([7]), "$.rounds[0][0]", "Expected an object"),
    (event([{}]), "$.rounds[0][0].table", "missing"),
    (event([{"table": 1}]), "$.rounds[0][0].seats", "missing"),
    (event([PLAYED, table(1, (3, 0), (4, 0))]), "$.rounds[0][1].table", "twice"),
    (event([table(0, (1, 0), (2, 0))]), "$.rounds[0][0].table", "from 1"),
    (event([table(-3, (1, 0), (2, 0))]), "$.rounds[0][0].table", "-3 is out of bounds"),
    (event_with_table({"id": 1}, {"id": 2}, number="1"), "$.rounds[0][0].table", "whole number"),
    (
        event_with_table({"id": 1}),
        "$.rounds[0][0].seats",
        '"double" has 2 seats, but table 1 has 1',
    ),
    (event([table(1, (1, 0), (2, 0), (3, 0))]), "$.rounds[0][0].seats", "has 3"),
    (event_with_table({"id": 1}, system="pods"), "$.rounds[0][0].seats", "2 to 5 seats"),
    (
        event([table(1, *((player, 0) for player in range(1, 7)))], players=6, system="pods"),
        "$.rounds[0][0].seats",
        "2 to 5 seats",
    ),
    (event([PLAYED], [table(1, (1, 3), (9, 0))]), "$.rounds[1][0].seats[1].id", '"players"'),
    (
        event_with_table({"id": "1"}, {"id": 2}),
        "$.rounds[0][0].seats[0].id",
        'Player "1" is not in',
    ),
    (event_with_table({}, {"id": 2}), "$.rounds[0][0].seats[0].id", "missing"),
    (event([bye(9)]), "$.rounds[0][0].bye", "not in"),
    (event([bye(None)]), "$.rounds[0][0].bye", "whole number or a text, not null"),
    (event([bye(1, True)]), "$.rounds[0][0].points", "whole number"),
    (event([{**bye(1), "table": 2}]), "$.rounds[0][0].table", "Unknown key"),
    (event([PLAYED, table(2, (1, 0), (3, 0))]), "$.rounds[0][1].seats[0].id", "already sits at"),
    (event([PLAYED, bye(2)]), "$.rounds[0][1].bye", "has a bye, but already sits at table 1"),
    (event([bye(1), bye(1)]), "$.rounds[0][1].bye", "already has a bye"),
    (event([table(1, (1, 3), (1, 0))]), "$.rounds[0][0].seats[1].id", "already sits at table 1"),
    (event([table(1, (1, 3.5), (2, 0))]), "$.rounds[0][0].seats[0].points", "not 3.5"),
    (event([table(1, (1, 3.0), (2, 0))]), "$.rounds[0][0].seats[0].points", "not 3.0"),
    (event([table(1, (1, "3"), (2, 0))]), "$.rounds[0][0].seats[0].points", 'not "3"'),
    (event([table(1, (1, 10**7), (2, 0))]), "$.rounds[0][0].seats[0].points", "out of bounds"),
    (event([table(1, (1, 3), (2, None))]), "$.rounds[0][0].seats[1].points", "Another seat"),
    (
        event([table(1, (1, None), (2, None))], [table(1, (1, 3), (2, 0))]),
        "$.rounds[0][0].seats[0].points",
        "not the last",
    ),
    (event([bye(1, None)], [PLAYED]), "$.rounds[0][0].points", "not the last"),
    (
        event([table(1, (1, 3), (2, 0), roles=("corp", "corp"))]),
        "$.rounds[0][0].seats[1].role",
        "Both seats are Corp. Make one of them Runner",
    ),
    (
        event([table(1, (1, 3), (2, 0), roles=(None, "corp"))]),
        "$.rounds[0][0].seats[0].role",
        "The other seat has a role",
    ),
    (
        event([table(1, (1, 3), (2, 0), roles=("Corp", "runner"))]),
        "$.rounds[0][0].seats[0].role",
        'Did you mean "corp"',
    ),
    (event([PLAYED], system="pods"), "$.rounds[0][0].seats[0].role", "Pods have no roles"),
    (
        event_with_table({"id": 1, "agenda_points": 7}, {"id": 2}, system="pods"),
        "$.rounds[0][0].seats[0].agenda_points",
        "Pods have no agenda points",
    ),
    (
        event_with_table({"id": 1, "victory_points": 7}, {"id": 2}),
        "$.rounds[0][0].seats[0].victory_points",
        "Only pods have victory points",
    ),
    (
        event_with_table({"id": 1, "games_won": -1}, {"id": 2}),
        "$.rounds[0][0].seats[0].games_won",
        "from 0",
    ),
    # Locks
    (event(locked=[table(1, (1, 0), (9, 0))]), "$.locked[0].seats[1].id", "not in"),
    (event(locked=[bye(1), table(1, (1, 0), (2, 0))]), "$.locked[1].seats[0].id", "already"),
    (event(locked=7), "$.locked", "Expected a list"),
]


@pytest.mark.parametrize(("document", "path", "reason"), FAULTS)
@pytest.mark.parametrize("answering", [pair, rank])
def test_fault_is_reported_with_its_path(
    document: Json, path: str, reason: str, answering: Callable[[Json], Json]
):
    with pytest.raises(DocumentRefused) as refusal:
        answering(document)

    assert refusal.value.path == path
    assert reason in str(refusal.value)
    assert str(refusal.value).endswith((".", "?")), "whole sentences"


@pytest.mark.parametrize(
    ("lock", "path"),
    [
        (table(1, (1, None), (2, None)), "$.locked[0].seats[1].id"),
        ({"bye": 2}, "$.locked[0].bye"),
    ],
)
def test_locked_players_must_be_active(lock: Json, path: str):
    document = event(players=5, locked=[lock])
    document["players"][1]["active"] = False

    with pytest.raises(DocumentRefused, match="Player 2 is not active") as refusal:
        pair(document)

    assert refusal.value.path == path


def test_custom_keys_are_ignored():
    document = event([{**PLAYED, "x_slip": 12}], x_made_by={"any": ["thing"]})
    document["players"][0]["x_shirt"] = "L"

    assert rank(document) == rank(event([PLAYED]))


def test_numbers_and_texts_are_different_players():
    document = event([table(1, (1, 9), ("1", -2))])
    document["players"] = [{"id": 1}, {"id": "1"}]

    assert [line["id"] for line in rank(document)["standings"]] == [1, "1"]


def test_names_change_no_answer():
    document = event([PLAYED], name="Winter cup")
    document["players"][0]["name"] = "Ada {0}"

    assert pair(document) == pair(event([PLAYED]))


def test_id_such_as_1e2_is_a_text_in_quotes():
    document = event() | {"players": [{"id": "1e2"}, {"id": 100}]}

    assert {seat["id"] for seat in pair(document)["pairings"][0]["seats"]} == {"1e2", 100}


def test_more_than_200_rounds_of_a_small_field_are_paired_and_ranked():
    document = event(*[[PLAYED]] * 250, players=2, planned_rounds=300)

    assert pair(document)["round"] == 251
    assert [row["match_points"] for row in rank(document)["standings"]] == [750, 0]
