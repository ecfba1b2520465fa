"""Answers and refusals of `engine pair` and `engine standings`."""

from typing import Any

import pytest

from engine.documents.commands import pair, rank
from engine.documents.json_text import DocumentRefused, write_json
from engine.standings.tie_breakers import TIE_BREAKERS
from tests.engine.documents.builders import bye, couples, event, table

ROUND_1 = [table(1, (1, 20), (2, 4)), table(2, (3, 10), (4, 10))]


def seats(*players: Any) -> frozenset[Any]:
    return frozenset(players)


def test_no_rematch_and_corp_first():
    answer = pair(event(ROUND_1))

    assert answer["round"] == 2
    assert couples(answer) & {seats(1, 2), seats(3, 4)} == set()
    assert [entry["table"] for entry in answer["pairings"]] == [1, 2]
    assert [[seat["role"] for seat in entry["seats"]] for entry in answer["pairings"]] == [
        ["corp", "runner"],
        ["corp", "runner"],
    ]


def test_odd_field_has_a_bye_and_reasons_speak_of_players():
    answer = pair(event(ROUND_1, players=5))

    last = answer["pairings"][-1]
    assert last["bye"] == 5
    assert last["reasons"][0]["players"] == [5]
    assert "player 5 has the bye" in last["reasons"][0]["text"]


def test_planned_rounds_that_cannot_be_kept_free_of_rematches_are_noted():
    hopeless = pair(event(ROUND_1, planned_rounds=6))
    feasible = pair(event(ROUND_1, planned_rounds=3))

    assert hopeless["notes"]
    assert feasible["notes"] == []


def test_first_round_byes_are_byes_of_round_1():
    document = event(players=5)
    document["players"][3]["first_round_bye"] = True

    assert seats(4) in couples(pair(document))
    assert len(couples(pair(document))) == 3


def test_seeds_fold_round_1():
    document = event(players=6)
    for player in document["players"]:
        player["seed"] = player["id"]

    assert couples(pair(document)) == {seats(1, 4), seats(2, 5), seats(3, 6)}


def test_players_of_a_group_are_kept_apart():
    document = event(players=4)
    for player, group in zip(document["players"], (1, "1", 2, "2"), strict=True):
        player["group"] = group

    assert couples(pair(document)) & {seats(1, 2), seats(3, 4)} == set()


def test_locked_tables_stay_while_the_rest_is_paired():
    locked = [table(7, (4, None), (1, None)), {"bye": 3}]

    answer = pair(event(ROUND_1, players=7, locked=locked))

    assert {seats(1, 4), seats(3)} < couples(answer)
    locked_table = next(entry for entry in answer["pairings"] if entry.get("table") == 7)
    assert locked_table["locked"]
    assert [seat["id"] for seat in locked_table["seats"]] == [4, 1]


def test_locked_table_needs_roles():
    locked = [table(1, (1, None), (4, None), roles=(None, None))]

    with pytest.raises(DocumentRefused, match="Set the role of each seat") as refusal:
        pair(event(ROUND_1, locked=locked))

    assert refusal.value.path == "$.locked[0].seats"


def test_missing_points_are_refused_without_force():
    latest = [table(1, (1, None), (3, None)), table(2, (2, 20), (4, 0))]

    with pytest.raises(DocumentRefused, match='"force": true') as refusal:
        pair(event(ROUND_1, latest))
    assert refusal.value.path == "$.rounds[1][0].seats[0].points"

    answer = pair(event(ROUND_1, latest, force=True))
    assert couples(answer) == {seats(1, 4), seats(2, 3)}


def test_bye_without_points_is_refused():
    with pytest.raises(DocumentRefused) as refusal:
        pair(event([table(1, (1, 3), (2, 0)), bye(3, None)]))

    assert refusal.value.path == "$.rounds[0][1].points"


@pytest.mark.parametrize("active", [0, 1])
def test_round_needs_two_players(active: int):
    document = event()
    for player in document["players"][active:]:
        player["active"] = False

    with pytest.raises(DocumentRefused, match="at least 2 active players") as refusal:
        pair(document)

    assert refusal.value.path == "$.players"


@pytest.mark.parametrize(
    ("system", "advice"),
    [
        ("double_elimination", "engine bracket"),
        ("single_elimination", "engine bracket"),
        ("manual", "by hand"),
    ],
)
def test_systems_without_paired_rounds_are_refused_with_advice(system: str, advice: str):
    with pytest.raises(DocumentRefused, match=advice) as refusal:
        pair(event(system=system))

    assert refusal.value.path == "$.system"


def test_pods_have_seats_in_order_and_no_roles():
    answer = pair(event(players=8, system="pods"))

    assert [len(entry["seats"]) for entry in answer["pairings"]] == [4, 4]
    assert {seat["role"] for entry in answer["pairings"] for seat in entry["seats"]} == {None}


def test_locked_pod_keeps_its_seat_order():
    locked_pod = table(3, (5, None), (2, None), (7, None))

    answer = pair(event(players=9, system="pods", locked=[locked_pod, {"bye": 1}]))

    pod = next(entry for entry in answer["pairings"] if entry.get("table") == 3)
    assert [seat["id"] for seat in pod["seats"]] == [5, 2, 7]
    assert answer["pairings"][-1]["bye"] == 1


# --- Round robin ------------------------------------------------------------------------


def add_results(answer: Any) -> list[Any]:
    """The round of an answer with results."""
    return [
        bye(entry["bye"])
        if "bye" in entry
        else table(entry["table"], *((seat["id"], 10) for seat in entry["seats"]))
        for entry in answer["pairings"]
    ]


@pytest.mark.parametrize(("players", "rounds"), [(2, 1), (5, 5), (6, 5)])
def test_round_robin_has_every_meeting_once(players: int, rounds: int):
    document = event(players=players, system="round_robin")
    meetings = []
    for _ in range(rounds):
        answer = pair(document)
        meetings += [couple for couple in couples(answer) if len(couple) == 2]
        assert answer["relaxations"] == []
        document["rounds"].append(add_results(answer))

    assert len(meetings) == len(set(meetings)) == players * (players - 1) // 2
    with pytest.raises(DocumentRefused, match=f"no round {rounds + 1}") as refusal:
        pair(document)
    assert refusal.value.path == "$.rounds"
    assert pair(document | {"planned_rounds": 2 * rounds})["relaxations"] == []


def test_round_robin_follows_the_seeds():
    document = event(players=4, system="round_robin")
    for player, seed in zip(document["players"], (2, 1, None, 4), strict=True):
        player["seed"] = seed

    assert couples(pair(document)) == {seats(2, 3), seats(1, 4)}


def test_round_robin_refuses_late_entries():
    document = event(players=4, system="round_robin")
    document["rounds"].append(add_results(pair(document)))
    document["players"].append({"id": 5})

    with pytest.raises(DocumentRefused, match="Player 5 has no place") as refusal:
        pair(document)
    assert refusal.value.path == "$.players"


def test_round_robin_reports_meetings_outside_the_schedule():
    document = event(players=4, system="round_robin", seed=1)
    second = pair(event(add_results(pair(document)), players=4, system="round_robin", seed=1))
    # The second round of the table is played first, so it comes again.
    repeated = pair(event(add_results(second), players=4, system="round_robin", seed=1))

    assert [reason["kind"] for reason in repeated["relaxations"]] == ["rematch", "rematch"]


def test_nothing_can_be_locked_in_a_round_robin():
    with pytest.raises(DocumentRefused) as refusal:
        pair(event(system="round_robin", locked=[{"bye": 1}]))

    assert refusal.value.path == "$.locked"


def test_shared_places_have_fractions_of_a_point():
    shared = table(1, (1, 240), (2, 240), (3, 120), (4, 60))
    undivided = table(2, (5, 300), (6, 180), (7, 120), (8, 60))

    answer = pair(event([shared, undivided], players=8, system="pods", point_unit=60))

    texts = [reason["text"] for entry in answer["pairings"] for reason in entry["reasons"]]
    assert any("5" in text and "300" not in text for text in texts)
    assert not any("240" in text for text in texts)


ROUND_2 = [table(1, (1, 10), (3, 13)), table(2, (2, 20), (4, 0))]


def lines(document: Any) -> dict[Any, Any]:
    return {line["id"]: line for line in rank(document)["standings"]}


def test_figures_are_decimals_with_nine_digits_and_exact():
    line = lines(event(ROUND_1, ROUND_2, [table(1, (1, 3), (4, 1)), bye(2)]))[1]

    # (44/3 + 23/2 + 11/3) / 3
    assert line["strength_of_schedule_exact"] == "179/18"
    assert b'"strength_of_schedule": 9.944444444,' in write_json(line)
    assert float(line["strength_of_schedule"]) == pytest.approx(179 / 18)


def test_tied_players_share_a_rank_without_the_draw():
    answer = rank(event(ROUND_1, tie_breakers=["match_points"]))

    assert [line["rank"] for line in answer["standings"]] == [1, 2, 2, 4]
    assert answer["tie_breakers"] == ["match_points"]


def test_open_round_does_not_count():
    paired = [table(1, (1, 3), (4, 3)), table(2, (2, None), (3, None))]
    with_bye = [table(1, (1, None), (2, None)), bye(4, 3)]

    for latest in (paired, with_bye):
        answer = rank(event(ROUND_1, latest))
        assert answer == rank(event(ROUND_1))
        assert answer["round"] == 1


def test_dropped_players_keep_rounds_and_late_entries_have_fewer():
    document = event(ROUND_1, [*ROUND_2[:1], bye(5, 20)], players=5)
    document["players"][1]["active"] = False

    assert (lines(document)[2]["match_points"], lines(document)[2]["active"]) == (4, False)
    assert (lines(document)[5]["played"], lines(document)[5]["byes"]) == (0, 1)
    assert lines(document)[5]["strength_of_schedule_exact"] == "0/1"
    # Player 2 was in one round: 4 points in it, not 2 in each of two.
    assert lines(document)[1]["strength_of_schedule_exact"] == "31/4"


@pytest.mark.parametrize("system", ["double_elimination", "single_elimination"])
def test_elimination_has_no_standings(system: str):
    with pytest.raises(DocumentRefused, match="engine bracket") as refusal:
        rank(event(system=system))

    assert refusal.value.path == "$.system"


def test_agenda_points_count_if_both_are_reported():
    complete, incomplete, missing = (
        table(number, (2 * number - 1, 10), (2 * number, 10)) for number in (1, 2, 3)
    )
    for seat, points in zip(complete["seats"], (3, 9), strict=True):
        seat["agenda_points"] = points
    incomplete["seats"][0]["agenda_points"] = 5

    document = event(
        [complete, incomplete, missing], players=6, tie_breakers=["agenda_point_difference"]
    )

    figures = {id_: line["agenda_point_difference"] for id_, line in lines(document).items()}
    assert figures == {1: -6, 2: 6, 3: 0, 4: 0, 5: 0, 6: 0}


@pytest.mark.parametrize("id_", sorted(TIE_BREAKERS))
def test_every_tie_breaker_can_be_requested(id_: str):
    line = lines(event(ROUND_1, ROUND_2, tie_breakers=[id_]))[1]

    assert id_ in line
    assert (f"{id_}_exact" in line) >= TIE_BREAKERS[id_].is_mean


def test_table_without_roles_gives_neither_player_a_side() -> None:
    # The order of the seats does not show which player was Corp.
    first, second = {"id": 1, "points": 3}, {"id": 2, "points": 0}
    with_roles = table(2, (3, 3), (4, 0))
    answers = [
        pair(event([{"table": 1, "seats": seats}, with_roles], system="single"))
        for seats in ([first, second], [second, first])
    ]

    texts = [reason["text"] for entry in answers[0]["pairings"] for reason in entry["reasons"]]
    assert answers[0] == answers[1]
    assert any("player 1 0 before" in text for text in texts)
    assert any("player 2 0 before" in text for text in texts)
