"""Opponents and results at a table."""

from engine.standings.ranking import explain_all_players, standings
from engine.standings.records import (
    PlayedTable,
    SeatResult,
    StandingsRecord,
    opponents_at,
    table_entries,
)


def test_opponents_at_a_table_are_in_seat_order():
    assert opponents_at([3, 1, 2]) == {3: (1, 2), 1: (3, 2), 2: (3, 1)}


def test_two_players_compare_their_agenda_points():
    table = table_entries({1: SeatResult(13, 1, 10), 2: SeatResult(10, 1, 7)})

    assert table == {1: PlayedTable((2,), 13, 1, (10, 7)), 2: PlayedTable((1,), 10, 1, (7, 10))}


def test_agenda_points_of_a_single_side_are_not_compared():
    assert table_entries({1: SeatResult(10, 1, 10), 2: SeatResult(0)})[1].agenda_points is None


def test_victory_points_of_all_tables_are_added_up():
    first = table_entries(
        {1: SeatResult(5, victory_points=31), 2: SeatResult(3, victory_points=30)}
    )
    second = table_entries(
        {1: SeatResult(3, victory_points=12), 2: SeatResult(5, victory_points=20)}
    )
    records = [StandingsRecord(player, (first[player], second[player])) for player in (1, 2)]

    table = standings(records, ("match_points", "victory_points"), seed=1)

    assert [(row.id, row.values["victory_points"]) for row in table] == [(2, 50), (1, 43)]
    workings = explain_all_players(records, ("victory_points",), seed=1)
    assert workings[2][0].text == "30 + 20 = 50"


def test_pod_compares_no_agenda_points():
    table = table_entries({1: SeatResult(5), 2: SeatResult(3), 3: SeatResult(2)})

    assert table[2] == PlayedTable((1, 3), 3)
