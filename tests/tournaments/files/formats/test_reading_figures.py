"""Rounds of a file that count, and differences between its figures and its games."""

from typing import Any

from tests.factories import files
from tests.tournaments.files import fixtures
from tests.tournaments.files.fixtures import read_again
from tournaments.files.reading import read_file
from tournaments.files.records import ComputedEvent, FigureDifference


def counting(event: ComputedEvent) -> list[bool]:
    return [round_.counts for round_ in event.event.rounds]


def clear_result(game: Any) -> None:
    for side in (game["player1"], game["player2"]):
        side.update(corpScore=None, runnerScore=None, combinedScore=None)


def player(document: Any, id_: int) -> Any:
    return next(row for row in document["players"] if row["id"] == id_)


def test_unplayed_round_does_not_count():
    event = read_file(fixtures.data("cobra_unplayed_round"))

    assert counting(event) == [True, True, False]
    assert event.event.notices == ("Round 3 was paired and not played. It does not count.",)


def test_open_last_round_does_not_count_if_excluded_from_the_stated_points():
    event = read_file(fixtures.data("cobra_open_round"))

    assert counting(event) == [True, True, True, False]
    assert event.event.notices == (
        "Round 4 has tables without a result: 1. By the points that the file states it does "
        "not count.",
    )


def test_open_last_round_counts_if_included_in_the_stated_points():
    event = read_file(fixtures.data("cobra_forced_round"))

    assert counting(event) == [True, True, True]
    assert "it counts" in event.event.notices[0]


def test_open_last_round_counts_without_stated_points():
    document = fixtures.document("cobra_open_round")
    for row in document["players"]:
        for key in ("matchPoints", "strengthOfSchedule", "extendedStrengthOfSchedule"):
            del row[key]

    assert counting(read_again(document)) == [True, True, True, True]


def test_open_round_before_the_last_counts():
    document = fixtures.document("cobra_double")
    clear_result(document["rounds"][0][0])

    assert counting(read_again(document)) == [True, True, True]


def test_complete_last_round_does_not_count_if_excluded_from_the_stated_points():
    event = read_file(fixtures.data("cobra_not_closed"))

    assert counting(event) == [True, True, False]
    assert "are those before it" in event.event.notices[0]


def test_single_wrong_total_does_not_exclude_a_round():
    document = fixtures.document("cobra_not_closed")
    document["players"][0]["matchPoints"] += 1

    assert counting(read_again(document)) == [True, True, True]


def test_stated_zeros_do_not_exclude_a_round():
    document = files.cobra(files.played(3, players=4, rounds=1))
    for row in document["players"]:
        row["matchPoints"] = 0

    assert counting(read_again(document)) == [True]


def test_wrong_figures_are_listed_with_both_values():
    document = fixtures.document("cobra_double")
    first = document["players"][0]
    right = read_file(fixtures.data("cobra_double")).standings[0]
    first.update(matchPoints=first["matchPoints"] + 1, strengthOfSchedule="9.5")

    assert read_again(document).differences == (
        FigureDifference(
            first["id"], "match_points", first["matchPoints"], int(right.match_points)
        ),
        FigureDifference(
            first["id"], "strength_of_schedule", 9.5, float(right.strength_of_schedule)
        ),
    )


def test_wrong_game_changes_points_and_strengths():
    document = fixtures.document("cobra_single")
    game = document["rounds"][0][0]
    game["player1"].update(combinedScore=1, corpScore=1)
    game["player2"].update(combinedScore=1, runnerScore=1)

    differences = {(row.id, row.field) for row in read_again(document).differences}

    assert (game["player1"]["id"], "match_points") in differences
    assert (game["player2"]["id"], "match_points") in differences
    assert any(field == "extended_strength_of_schedule" for _, field in differences)


def test_only_unrounded_figures_are_differences():
    document = fixtures.document("aesops")
    assert read_again(document).differences == ()
    document["players"][0]["strengthOfSchedule"] += 0.001

    assert [row.field for row in read_again(document).differences] == ["strength_of_schedule"]


def test_tied_players_keep_the_order_of_the_file():
    ada, ben = {"id": 1, "name": "Ada"}, {"id": 2, "name": "Ben"}
    drawn = {"player1": {"id": 1, "combinedScore": 3}, "player2": {"id": 2, "combinedScore": 3}}
    for listed in ([ada, ben], [ben, ada]):
        event = read_again({"players": listed, "rounds": [[drawn]]})
        assert [row.id for row in event.standings] == [player["id"] for player in listed]


def test_stated_rank_breaks_a_tie():
    listed = [{"id": 1, "name": "Ada", "rank": 2}, {"id": 2, "name": "Ben", "rank": 1}]

    event = read_again({"players": listed})

    assert [(row.id, row.rank) for row in event.standings] == [(2, 1), (1, 2)]
    assert event.differences == ()


def test_swapped_ranks_are_two_differences():
    document = fixtures.document("cobra_double")
    first, second = document["players"][:2]
    first["rank"], second["rank"] = 2, 1

    assert read_again(document).differences == (
        FigureDifference(first["id"], "rank", 2, 1),
        FigureDifference(second["id"], "rank", 1, 2),
    )


def test_missing_figures_are_no_differences():
    document = fixtures.document("cobra_double")
    del player(document, 11)["matchPoints"]
    player(document, 12)["strengthOfSchedule"] = None
    player(document, 13)["strengthOfSchedule"] = ""

    assert read_again(document).differences == ()


def test_order_due_to_rounding_is_no_difference():
    document = files.aesops(files.played(60, players=9, rounds=5, single=True))
    listed = sorted(
        document["players"],
        key=lambda row: (
            -row["matchPoints"],
            -round(row["strengthOfSchedule"], 1),
            -round(row["extendedStrengthOfSchedule"], 1),
        ),
    )
    for rank, row in enumerate(listed, start=1):
        row["rank"] = rank
        for key in ("strengthOfSchedule", "extendedStrengthOfSchedule"):
            row[key] = round(row[key], 1)

    assert {row.field for row in read_again(document).differences} <= {
        "strength_of_schedule",
        "extended_strength_of_schedule",
    }
