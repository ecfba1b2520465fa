"""Every dialect is read; which rounds count, and which figures differ from what a file states."""

from typing import Any

import pytest

from matches.scoring import Role
from tests.factories import files
from tests.tournaments.interchange import fixtures
from tournaments.interchange.formats.reading import read
from tournaments.interchange.formats.records import (
    Dialect,
    Difference,
    FileEvent,
    FileSeat,
    PlayerId,
    Read,
)


def event(name: str) -> FileEvent:
    return read(fixtures.data(name)).event


def read_again(document: Any) -> Read:
    return read(files.as_bytes(document))


def points(round_: Any) -> dict[PlayerId, int | None]:
    """What everybody made in a round, byes included."""
    seats = {seat.id: seat.points for table in round_.tables for seat in table.seats}
    return seats | {bye.id: bye.points for bye in round_.byes}


def winners(told: FileEvent) -> list[list[PlayerId | None]]:
    return [[table.winner for table in round_.tables] for round_ in told.cut_rounds]


@pytest.mark.parametrize("name", fixtures.NAMES)
def test_the_figures_are_those_in_the_file(name: str):
    listed = [one for one in fixtures.document(name)["players"] if not one.get("isBye")]

    found = read(fixtures.data(name))

    assert found.differences == ()
    assert [row.rank for row in found.standings] == list(range(1, len(found.standings) + 1))
    rows = {row.id: row for row in found.standings}
    assert list(rows) == [one["id"] for one in listed]
    for stated in listed:
        row = rows[stated["id"]]
        assert row.match_points == float(stated.get("matchPoints", stated.get("prestige")))
        assert float(row.strength_of_schedule) == pytest.approx(
            float(stated["strengthOfSchedule"]), abs=6e-4
        )
        assert float(row.extended_strength_of_schedule) == pytest.approx(
            float(stated["extendedStrengthOfSchedule"]), abs=1e-3
        )


@pytest.mark.parametrize("dialect", files.DIALECTS)
@pytest.mark.parametrize("seed", range(12))
def test_events_drawn_by_chance_agree_with_the_naive_formulas(dialect: str, seed: int):
    single = dialect.startswith("aesops") or (dialect == "cobra" and seed % 2 == 1)
    played = files.played(
        seed, players=4 + seed, rounds=1 + seed % 5, single=single, cut=(0, 2, 4)[seed % 3]
    )

    found = read_again(files.DIALECTS[dialect](played))

    figures = {
        row.id: (row.match_points, row.strength_of_schedule, row.extended_strength_of_schedule)
        for row in found.standings
    }
    assert figures == {id_: played.figures(id_) for id_ in played.names}
    assert found.event.system == ("single" if single else "double")
    assert winners(found.event) == [[game["winner"] for game in one] for one in played.cut]
    assert (found.differences, found.event.notices) == ((), ())


def test_the_program_is_told_by_its_name():
    told = {name: event(name).dialect for name in ("cobra_double", "aesops", "nrtm", "sass")}

    assert told == {
        "cobra_double": Dialect.COBRA,
        "aesops": Dialect.AESOPS,
        "nrtm": Dialect.NRTM,
        "sass": Dialect.NRTM,
    }


def test_the_heading_is_read():
    told = event("cobra_double")

    assert (told.name, str(told.date), told.owner) == ("Spring Open", "2026-03-14", "the_organiser")
    assert told.page == "https://cobra.example.org/tournaments/7"
    assert (told.game, told.abr_event, told.system) == ("anr", None, "double")


def test_the_game_is_what_is_asked_for_then_what_the_file_says():
    document = fixtures.document("cobra_double")

    assert read(fixtures.data("cobra_double"), game="onr").event.game == "onr"
    assert read_again({**document, "game": "onr"}).event.game == "onr"
    assert read_again({**document, "game": "chess"}).event.game == "anr"


def test_the_event_at_alwaysberunning_is_kept():
    document = fixtures.document("cobra_double")

    assert read_again({**document, "abrTournamentId": "4711"}).event.abr_event == 4711
    assert read_again({**document, "abrTournamentId": "soon"}).event.abr_event is None


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31", "14.3.2026"])
def test_a_date_that_can_be_none_is_left_out_with_a_word(day: str):
    told = read_again({**fixtures.document("cobra_double"), "date": day}).event

    assert told.date is None
    assert [day in notice for notice in told.notices] == [True]


def test_totals_count_where_roles_say_nothing():
    first = event("cobra_totals_only").rounds[0].tables[0]

    assert sum(seat.points or 0 for seat in first.seats) > 0
    assert [(seat.corp_points, seat.runner_points) for seat in first.seats] == [(None, None)] * 2


def test_points_by_role_count_where_there_is_no_total():
    winner, loser = event("nrtm").rounds[0].tables[0].seats

    assert winner.points == (winner.corp_points or 0) + (winner.runner_points or 0)
    assert loser.points is not None


def test_a_total_of_nothing_beside_points_by_role_is_no_total():
    document = fixtures.document("cobra_double")
    side = document["rounds"][0][0]["player1"]
    side.update(corpScore=3, runnerScore=2, combinedScore=0)

    assert points(read_again(document).event.rounds[0])[side["id"]] == 5


def test_a_total_counts_against_points_by_role():
    document = fixtures.document("cobra_double")
    side = document["rounds"][0][0]["player1"]
    side.update(corpScore=1, runnerScore=0, combinedScore=6)

    found = read_again(document).event

    assert points(found.rounds[0])[side["id"]] == 6
    assert found.notices == (
        "Tables where the points by role do not make the total, which counts: 1.",
    )


def test_odd_scores_and_byes_at_either_side_are_taken():
    one, two, three = event("cobra_odd_scores").rounds

    assert points(one) == {11: -2, 12: 8, 13: 5, 14: 1, 15: 7}
    assert points(two) == {12: 9, 13: 0, 15: 0, 14: 0, 11: 0}
    assert points(three) == {15: 6, 12: 0, 13: 6, 14: 6}
    assert [len(round_.byes) for round_ in (one, two, three)] == [1, 1, 2]
    assert two.tables[1].intentional_draw
    assert three.tables[0].two_for_one


def test_roles_of_single_games_are_kept():
    corp, runner = event("cobra_single").rounds[0].tables[0].seats

    assert (corp.role, runner.role) == (Role.CORP, Role.RUNNER)
    assert (corp.corp_points, corp.runner_points) == (corp.points, None)
    assert all(seat.role for round_ in event("aesops").rounds for seat in round_.tables[0].seats)


def test_the_word_bye_stands_at_either_side():
    assert sum(len(round_.byes) for round_ in event("aesops").rounds) == 4


def test_a_player_who_stands_for_the_bye_is_no_player():
    told = event("nrtm_texts")

    assert [player.id for player in told.players] == ["11", "12", "15", "13", "14"]
    assert [len(round_.byes) for round_ in told.rounds] == [1, 1, 1]
    assert [player.dropped for player in told.players] == [True, False, False, False, False]


def test_nought_is_an_id_when_a_player_has_it():
    document = fixtures.document("nrtm")
    document["players"].append({"id": 0, "name": "Zero"})

    assert all(not round_.byes for round_ in read_again(document).event.rounds)


def test_names_of_any_script_are_kept_without_outer_spaces():
    told = {player.id: player.name for player in event("cobra_any_script").players}

    assert set(told.values()) == {
        "Zoë",
        "דנה כהן",
        "李雷",
        "Ünal Demir",
        "🦊 Fox",
        "Анна",
        "Never Paired",
    }


def test_identities_stay_text_as_it_stands_there():
    first, second, third, *_ = event("cobra_any_script").players

    assert (first.corp_identity, first.runner_identity) == (None, None)
    assert second.runner_identity == "Rene Loup Arcemont: Party Animal"
    assert (second.pronouns, second.corp_faction) == ("she/her", "jinteki")
    assert third.corp_identity == "An Identity Nobody Knows"


def test_a_player_without_a_name_is_called_by_the_id():
    found = read_again({"players": [{"id": 11, "name": None}, {"id": 12, "name": " \u200b "}]})

    assert [player.name for player in found.event.players] == ["Player 11", "Player 12"]
    assert "Players without a name, called by their id: 2." in found.event.notices


def test_whoever_was_never_paired_has_nothing():
    row = read(fixtures.data("cobra_any_script")).standings[-1]

    assert row.id == 99
    assert row.match_points == row.strength_of_schedule == 0


def test_a_cut_in_one_array_is_taken_apart():
    told = event("cobra_totals_only")

    assert [len(round_.tables) for round_ in told.cut_rounds] == [2, 2, 1, 1, 1]
    assert [place.id for place in told.placings] == [16, 13, 11, 12]


def test_an_array_with_both_kinds_makes_a_round_of_each():
    told = event("cobra_mixture")

    assert (len(told.rounds), len(told.cut_rounds)) == (3, 1)


def test_a_cut_without_a_mark_is_told_by_its_round():
    told = event("sass")

    assert winners(told) == [[14]]
    assert [place.id for place in told.placings] == [14, 12]


def test_open_games_and_places_of_a_cut_stay_open():
    told = event("cobra_single_cut")

    assert winners(told) == [[18, 14], [None]]
    assert [place.id for place in told.placings] == [None, None, 11, 17]


def test_winners_named_by_their_places_in_the_cut_are_found():
    assert winners(event("aesops_cut_places")) == [[13, 12], [13]]


def test_players_named_by_their_places_in_the_cut_are_found_by_seed():
    told = event("aesops_cut_all_places")

    assert winners(told) == [[13, 11], [13]]
    assert told.cut_rounds[1].tables[0].seats == (
        FileSeat(13, role=Role.CORP),
        FileSeat(11, role=Role.RUNNER),
    )


def test_cut_games_of_players_nobody_knows_are_left_out_with_a_word():
    told = event("aesops_cut_unknown")

    assert told.cut_rounds == ()
    assert told.cut_size == 4
    assert told.notices == ("Games of the cut whose players are not known, left out: 3.",)


def test_numbers_written_as_text_are_numbers():
    plain, texts = read(fixtures.data("nrtm")), fixtures.document("nrtm")
    for round_ in texts["rounds"][:3]:
        for game in round_:
            for side in (game["player1"], game["player2"]):
                side.update({key: str(value) for key, value in side.items()})

    assert read_again(texts).event.rounds == plain.event.rounds


def test_a_mark_at_the_start_of_the_file_is_no_matter():
    assert read(b"\xef\xbb\xbf" + fixtures.data("nrtm")) == read(fixtures.data("nrtm").decode())


def counting(found: Read) -> list[bool]:
    return [round_.counts for round_ in found.event.rounds]


def unreported(game: Any) -> None:
    """Take the result of a table away."""
    for side in (game["player1"], game["player2"]):
        side.update(corpScore=None, runnerScore=None, combinedScore=None)


def player(document: Any, id_: int) -> Any:
    return next(one for one in document["players"] if one["id"] == id_)


def test_a_round_paired_and_not_played_counts_nowhere():
    found = read(fixtures.data("cobra_unplayed_round"))

    assert counting(found) == [True, True, False]
    assert found.event.notices == ("Round 3 was paired and not played. It does not count.",)


def test_an_open_last_round_does_not_count_when_the_points_stated_are_those_before_it():
    found = read(fixtures.data("cobra_open_round"))

    assert counting(found) == [True, True, True, False]
    assert found.event.notices == (
        "Round 4 has tables without a result: 1. By the points that the file states it does "
        "not count.",
    )


def test_an_open_last_round_counts_when_the_points_stated_are_those_after_it():
    found = read(fixtures.data("cobra_forced_round"))

    assert counting(found) == [True, True, True]
    assert "it counts" in found.event.notices[0]


def test_an_open_last_round_counts_when_nothing_is_stated():
    document = fixtures.document("cobra_open_round")
    for one in document["players"]:
        for key in ("matchPoints", "strengthOfSchedule", "extendedStrengthOfSchedule"):
            del one[key]

    assert counting(read_again(document)) == [True, True, True, True]


def test_an_open_round_before_the_last_counts():
    document = fixtures.document("cobra_double")
    unreported(document["rounds"][0][0])

    assert counting(read_again(document)) == [True, True, True]


def test_a_last_round_with_all_results_that_nobody_closed_does_not_count():
    found = read(fixtures.data("cobra_not_closed"))

    assert counting(found) == [True, True, False]
    assert "are those before it" in found.event.notices[0]


def test_one_wrong_total_does_not_take_a_round_away():
    document = fixtures.document("cobra_not_closed")
    document["players"][0]["matchPoints"] += 1

    assert counting(read_again(document)) == [True, True, True]


def test_points_stated_as_nothing_do_not_take_a_round_away():
    document = files.cobra(files.played(3, players=4, rounds=1))
    for one in document["players"]:
        one["matchPoints"] = 0

    assert counting(read_again(document)) == [True]


def test_wrong_figures_are_told_each_with_both_values():
    document = fixtures.document("cobra_double")
    first = document["players"][0]
    right = read(fixtures.data("cobra_double")).standings[0]
    first.update(matchPoints=first["matchPoints"] + 1, strengthOfSchedule="9.5")

    assert read_again(document).differences == (
        Difference(first["id"], "match_points", first["matchPoints"], int(right.match_points)),
        Difference(first["id"], "strength_of_schedule", 9.5, float(right.strength_of_schedule)),
    )


def test_a_wrong_game_shows_in_the_points_and_the_schedules():
    document = fixtures.document("cobra_single")
    game = document["rounds"][0][0]
    game["player1"].update(combinedScore=1, corpScore=1)
    game["player2"].update(combinedScore=1, runnerScore=1)

    told = {(one.id, one.field) for one in read_again(document).differences}

    assert (game["player1"]["id"], "match_points") in told
    assert (game["player2"]["id"], "match_points") in told
    assert any(field == "extended_strength_of_schedule" for _, field in told)


def test_rounded_figures_are_no_difference_and_others_are():
    document = fixtures.document("aesops")
    assert read_again(document).differences == ()
    document["players"][0]["strengthOfSchedule"] += 0.001

    assert [one.field for one in read_again(document).differences] == ["strength_of_schedule"]


def test_players_equal_on_everything_stay_in_the_order_of_the_file():
    one, two = {"id": 1, "name": "Ada"}, {"id": 2, "name": "Ben"}
    drawn = {"player1": {"id": 1, "combinedScore": 3}, "player2": {"id": 2, "combinedScore": 3}}
    for listed in ([one, two], [two, one]):
        found = read_again({"players": listed, "rounds": [[drawn]]})
        assert [row.id for row in found.standings] == [player["id"] for player in listed]


def test_a_stated_rank_parts_equal_players_before_their_order():
    listed = [{"id": 1, "name": "Ada", "rank": 2}, {"id": 2, "name": "Ben", "rank": 1}]

    found = read_again({"players": listed})

    assert [(row.id, row.rank) for row in found.standings] == [(2, 1), (1, 2)]
    assert found.differences == ()


def test_exchanged_ranks_are_two_differences():
    document = fixtures.document("cobra_double")
    first, second = document["players"][:2]
    first["rank"], second["rank"] = 2, 1

    assert read_again(document).differences == (
        Difference(first["id"], "rank", 2, 1),
        Difference(second["id"], "rank", 1, 2),
    )


def test_nothing_stated_is_no_difference():
    document = fixtures.document("cobra_double")
    del player(document, 11)["matchPoints"]
    player(document, 12)["strengthOfSchedule"] = None
    player(document, 13)["strengthOfSchedule"] = ""

    assert read_again(document).differences == ()


def test_an_order_that_rounding_made_is_no_difference():
    document = files.aesops(files.played(60, players=9, rounds=5, single=True))
    listed = sorted(
        document["players"],
        key=lambda one: (
            -one["matchPoints"],
            -round(one["strengthOfSchedule"], 1),
            -round(one["extendedStrengthOfSchedule"], 1),
        ),
    )
    for rank, one in enumerate(listed, start=1):
        one["rank"] = rank
        one["strengthOfSchedule"] = round(one["strengthOfSchedule"], 1)
        one["extendedStrengthOfSchedule"] = round(one["extendedStrengthOfSchedule"], 1)

    assert {one.field for one in read_again(document).differences} <= {
        "strength_of_schedule",
        "extended_strength_of_schedule",
    }
