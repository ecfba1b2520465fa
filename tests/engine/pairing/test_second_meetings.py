"""Single-game matches avoid second meetings while a round without them exists."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.documents.commands import clinch, pair
from engine.documents.json_text import DocumentRefused
from engine.pairing.costs import (
    SINGLE_ONCE_PROFILE,
    SINGLE_PROFILE,
    avoids_second_meetings,
    swiss_profile,
)
from engine.pairing.records import Entrant
from engine.pairing.swiss import pair_round
from tests.checker import check_pairing
from tests.checker.optimum import every_round, least_cost
from tests.checker.swiss_costs import Costs
from tests.engine.documents.builders import event, table
from tests.engine.pairing.documents import as_documents, fields

Json = Any


def add_results(pairings: list[Json], chance: random.Random) -> list[Json]:
    """The round with a result at every table."""
    rows = []
    for entry in pairings:
        if "bye" in entry:
            rows.append({"bye": entry["bye"], "points": 3})
            continue
        points = chance.choice([(3, 0), (0, 3), (1, 1)])
        seats = [
            {**seat, "points": seat_points}
            for seat, seat_points in zip(entry["seats"], points, strict=True)
        ]
        rows.append({"table": entry["table"], "seats": seats})
    return rows


def couples_of(rounds: list[Json]) -> list[frozenset[int]]:
    return [
        frozenset(seat["id"] for seat in entry["seats"])
        for round_ in rounds
        for entry in round_
        if "seats" in entry
    ]


def has_fresh_round(rounds: list[Json], players: int) -> bool:
    """Return whether a round exists without a past opponent and without an extra bye."""
    past_couples = set(couples_of(rounds))
    byes = [entry["bye"] for round_ in rounds for entry in round_ if "bye" in entry]
    fewest = min(byes.count(player) for player in range(1, players + 1))
    return any(
        all(
            byes.count(player) == fewest
            if opponent is None
            else frozenset((player, opponent)) not in past_couples
            for player, opponent in couples
        )
        for couples in every_round(list(range(1, players + 1)))
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("keys", [{}, {"avoid_second_meetings": True, "planned_rounds": None}])
def test_second_meetings_are_avoided_while_possible(players: int, seed: int, keys: Json) -> None:
    # Every round is tried. Planned rounds that fit a round robin are all free of rematches.
    robin = players - 1 + players % 2
    chance, rounds = random.Random(seed), list[Json]()
    for _ in range(robin):
        document = event(
            *rounds, players=players, system="single", **{"planned_rounds": robin, **keys}
        )
        answer = pair({**document, "seed": seed})
        new_couples = couples_of([answer["pairings"]])
        repeated = set(new_couples) & set(couples_of(rounds))
        assert bool(repeated) <= (not has_fresh_round(rounds, players))
        assert bool(repeated) <= bool(keys)
        rounds.append(add_results(answer["pairings"], chance))


@settings(max_examples=50)
@given(fields(), st.integers(0, 99))
def test_no_round_without_second_meetings_is_cheaper(entrants: list[Entrant], seed: int) -> None:
    round_ = pair_round(entrants, round_number=2, seed=seed, profile=SINGLE_ONCE_PROFILE)
    costs = Costs(as_documents(entrants), "single_once")

    assert tuple(round_.cost.values()) == least_cost(costs, list(costs.players))


@pytest.mark.parametrize(
    ("setting", "players", "planned", "avoids"),
    [
        (None, 8, 7, True),
        (None, 8, 8, False),
        (None, 7, 7, True),
        (None, 7, 8, False),
        (None, 40, 6, True),
        (None, 8, None, False),
        (True, 8, 20, True),
        (True, 8, None, True),
        (False, 8, 3, False),
    ],
)
def test_second_meetings_are_avoided_where_the_rounds_fit_a_round_robin(
    setting: bool | None, players: int, planned: int | None, avoids: bool
) -> None:
    assert avoids_second_meetings(setting, players=players, planned_rounds=planned) is avoids


def test_only_single_game_matches_have_the_setting() -> None:
    assert swiss_profile("single", avoids_second_meetings=True) is SINGLE_ONCE_PROFILE
    assert swiss_profile("single", avoids_second_meetings=False) is SINGLE_PROFILE
    assert swiss_profile("double", avoids_second_meetings=True).id == "double"


ROUND_1 = [table(1, (1, 3), (2, 3)), table(2, (3, 0), (4, 0))]
FOUR = event(ROUND_1, system="single", planned_rounds=3)


def test_reason_names_the_setting() -> None:
    answer = pair(FOUR)
    texts = [reason["text"] for entry in answer["pairings"] for reason in entry["reasons"]]

    assert any(
        text.endswith("met in round 1, and this event avoids second meetings.") for text in texts
    )
    assert answer["cost"]["second_meeting"] == 0
    assert answer["certificate"]["engine_version"] == "3"
    assert check_pairing(FOUR, answer) == []


def test_allowed_second_meetings_cost_five() -> None:
    document = {**FOUR, "avoid_second_meetings": False}
    answer = pair(document)

    assert set(couples_of([answer["pairings"]])) == set(couples_of([ROUND_1]))
    assert "second_meeting" not in answer["cost"]
    assert answer["certificate"]["engine_version"] == "2"
    assert check_pairing(document, answer) == []


def test_unavoidable_second_meeting_is_reported() -> None:
    document = event([table(1, (1, 3), (2, 0))], players=2, system="single")
    answer = pair({**document, "avoid_second_meetings": True})

    assert [row["kind"] for row in answer["relaxations"]] == ["second_meeting"]
    assert answer["relaxations"][0]["text"].endswith(
        "meet again, meeting number 2: no way to pair the round has fewer second meetings, unless "
        "a rule that weighs more is broken."
    )


def test_drop_does_not_change_the_rule() -> None:
    # Five rounds fit six players. The four who remain still avoid second meetings.
    first = [table(number, (2 * number - 1, 3), (2 * number, 0)) for number in (1, 2, 3)]
    document = event(first, players=6, system="single", planned_rounds=5)
    for player in document["players"][4:]:
        player["active"] = False

    assert "second_meeting" in pair(document)["cost"]


def test_no_show_does_not_count() -> None:
    document = event(players=6, system="single", planned_rounds=5)
    document["players"][5]["active"] = document["players"][4]["active"] = False

    assert "second_meeting" not in pair(document)["cost"]


def test_forecast_uses_the_same_rule() -> None:
    # With one round left, only one pairing of four players has no second meeting.
    second = [table(1, (1, 3), (3, 0)), table(2, (2, 3), (4, 0))]
    document = event(ROUND_1, second, system="single", planned_rounds=3)
    document |= {"scoring_rule": "anr_single", "runs": 20, "places": 1}
    free = clinch({**document, "avoid_second_meetings": False})

    assert clinch(document) == clinch({**document, "avoid_second_meetings": True})
    assert clinch(document) != free


def test_other_systems_refuse_the_key() -> None:
    with pytest.raises(DocumentRefused) as refusal:
        pair(event(avoid_second_meetings=True))

    assert refusal.value.path == "$.avoid_second_meetings"
