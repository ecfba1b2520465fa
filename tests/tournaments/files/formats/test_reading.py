"""Reading of every dialect: heading, players, rounds, byes and cuts."""

from typing import Any

import pytest

from matches.scoring.results import Role
from tests.factories import files
from tests.tournaments.files import fixtures
from tests.tournaments.files.fixtures import event, read_again
from tournaments.files.reading import read_file
from tournaments.files.records import Dialect, FileEvent, FilePlayerId, FileSeat


def points(round_: Any) -> dict[FilePlayerId, int | None]:
    """Points of each player in a round, including byes."""
    seats = {seat.id: seat.points for table in round_.tables for seat in table.seats}
    return seats | {bye.id: bye.points for bye in round_.byes}


def winners(file: FileEvent) -> list[list[FilePlayerId | None]]:
    return [[table.winner for table in round_.tables] for round_ in file.cut_rounds]


@pytest.mark.parametrize("name", fixtures.NAMES)
def test_computed_figures_equal_those_of_the_file(name: str):
    listed = [row for row in fixtures.document(name)["players"] if not row.get("isBye")]

    event = read_file(fixtures.data(name))

    assert event.differences == ()
    assert [row.rank for row in event.standings] == list(range(1, len(event.standings) + 1))
    rows = {row.id: row for row in event.standings}
    assert list(rows) == [row["id"] for row in listed]
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
def test_random_events_agree_with_the_naive_formulas(dialect: str, seed: int):
    single = dialect.startswith("aesops") or (dialect == "cobra" and seed % 2 == 1)
    played = files.played(
        seed, players=4 + seed, rounds=1 + seed % 5, single=single, cut=(0, 2, 4)[seed % 3]
    )

    event = read_again(files.DIALECTS[dialect](played))

    figures = {
        row.id: (row.match_points, row.strength_of_schedule, row.extended_strength_of_schedule)
        for row in event.standings
    }
    assert figures == {id_: played.figures(id_) for id_ in played.names}
    assert event.event.system == ("single" if single else "double")
    assert winners(event.event) == [[game["winner"] for game in games] for games in played.cut]
    assert (event.differences, event.event.notices) == ((), ())


def test_dialect_is_detected_by_the_program_name():
    dialects = {name: event(name).dialect for name in ("cobra_double", "aesops", "nrtm", "sass")}

    assert dialects == {
        "cobra_double": Dialect.COBRA,
        "aesops": Dialect.AESOPS,
        "nrtm": Dialect.NRTM,
        "sass": Dialect.NRTM,
    }


def test_heading_is_read():
    file = event("cobra_double")

    assert (file.name, str(file.date), file.owner) == ("Spring Open", "2026-03-14", "the_organiser")
    assert file.page == "https://cobra.example.org/tournaments/7"
    assert (file.game, file.abr_event, file.system) == ("anr", None, "double")


def test_requested_game_takes_precedence_over_the_file():
    document = fixtures.document("cobra_double")

    assert read_file(fixtures.data("cobra_double"), game="onr").event.game == "onr"
    assert read_again({**document, "game": "onr"}).event.game == "onr"
    assert read_again({**document, "game": "chess"}).event.game == "anr"


def test_number_at_alwaysberunning_is_read():
    document = fixtures.document("cobra_double")

    assert read_again({**document, "abrTournamentId": "4711"}).event.abr_event == 4711
    assert read_again({**document, "abrTournamentId": "soon"}).event.abr_event is None


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31", "14.3.2026"])
def test_invalid_date_is_left_out_with_a_notice(day: str):
    file = read_again({**fixtures.document("cobra_double"), "date": day}).event

    assert file.date is None
    assert [day in notice for notice in file.notices] == [True]


def test_totals_count_without_points_by_role():
    first = event("cobra_totals_only").rounds[0].tables[0]

    assert sum(seat.points or 0 for seat in first.seats) > 0
    assert [(seat.corp_points, seat.runner_points) for seat in first.seats] == [(None, None)] * 2


def test_points_by_role_count_without_a_total():
    winner, loser = event("nrtm").rounds[0].tables[0].seats

    assert winner.points == (winner.corp_points or 0) + (winner.runner_points or 0)
    assert loser.points is not None


@pytest.mark.parametrize(
    ("corp", "runner", "total", "expected", "notices"),
    [
        (3, 2, 0, 5, ()),
        (
            1,
            0,
            6,
            6,
            ("Tables where the points by role do not add up to the total (the total counts): 1.",),
        ),
    ],
)
def test_total_counts_unless_zero(corp, runner, total, expected, notices):
    document = fixtures.document("cobra_double")
    side = document["rounds"][0][0]["player1"]
    side.update(corpScore=corp, runnerScore=runner, combinedScore=total)

    event = read_again(document).event

    assert points(event.rounds[0])[side["id"]] == expected
    assert event.notices == notices


def test_odd_scores_and_byes_on_either_side_are_read():
    first, second, third = event("cobra_odd_scores").rounds

    assert points(first) == {11: -2, 12: 8, 13: 5, 14: 1, 15: 7}
    assert points(second) == {12: 9, 13: 0, 15: 0, 14: 0, 11: 0}
    assert points(third) == {15: 6, 12: 0, 13: 6, 14: 6}
    assert [len(round_.byes) for round_ in (first, second, third)] == [1, 1, 2]
    assert second.tables[1].intentional_draw
    assert third.tables[0].two_for_one


def test_roles_of_single_games_are_read():
    corp, runner = event("cobra_single").rounds[0].tables[0].seats

    assert (corp.role, runner.role) == (Role.CORP, Role.RUNNER)
    assert (corp.corp_points, corp.runner_points) == (corp.points, None)
    assert all(seat.role for round_ in event("aesops").rounds for seat in round_.tables[0].seats)


def test_word_bye_is_recognised_on_either_side():
    assert sum(len(round_.byes) for round_ in event("aesops").rounds) == 4


def test_entry_marked_as_bye_is_not_a_player():
    file = event("nrtm_texts")

    assert [player.id for player in file.players] == ["11", "12", "15", "13", "14"]
    assert [len(round_.byes) for round_ in file.rounds] == [1, 1, 1]
    assert [player.dropped for player in file.players] == [True, False, False, False, False]


def test_zero_is_a_valid_player_id():
    document = fixtures.document("nrtm")
    document["players"].append({"id": 0, "name": "Zero"})

    assert all(not round_.byes for round_ in read_again(document).event.rounds)


def test_names_of_any_script_are_stripped():
    names = {player.id: player.name for player in event("cobra_any_script").players}

    assert set(names.values()) == {
        "Zoë",
        "דנה כהן",
        "李雷",
        "Ünal Demir",
        "🦊 Fox",
        "Анна",
        "Never Paired",
    }


def test_identities_stay_text():
    first, second, third, *_ = event("cobra_any_script").players

    assert (first.corp_identity, first.runner_identity) == (None, None)
    assert second.runner_identity == "Rene Loup Arcemont: Party Animal"
    assert (second.pronouns, second.corp_faction) == ("she/her", "jinteki")
    assert third.corp_identity == "An Identity Nobody Knows"


def test_player_without_a_name_gets_the_id_as_name():
    event = read_again({"players": [{"id": 11, "name": None}, {"id": 12, "name": " \u200b "}]})

    assert [player.name for player in event.event.players] == ["Player 11", "Player 12"]
    assert "Players without a name, called by their id: 2." in event.event.notices


def test_player_who_was_never_paired_has_zero_points():
    row = read_file(fixtures.data("cobra_any_script")).standings[-1]

    assert row.id == 99
    assert row.match_points == row.strength_of_schedule == 0


def test_cut_in_one_array_is_split_into_rounds():
    file = event("cobra_totals_only")

    assert [len(round_.tables) for round_ in file.cut_rounds] == [2, 2, 1, 1, 1]
    assert [place.id for place in file.placings] == [16, 13, 11, 12]


def test_array_with_both_kinds_becomes_a_round_of_each():
    file = event("cobra_mixture")

    assert (len(file.rounds), len(file.cut_rounds)) == (3, 1)


def test_cut_without_marks_is_detected_by_its_round():
    file = event("sass")

    assert winners(file) == [[14]]
    assert [place.id for place in file.placings] == [14, 12]


def test_open_games_and_places_of_a_cut_stay_open():
    file = event("cobra_single_cut")

    assert winners(file) == [[18, 14], [None]]
    assert [place.id for place in file.placings] == [None, None, 11, 17]


def test_winners_named_by_cut_places_are_resolved():
    assert winners(event("aesops_cut_places")) == [[13, 12], [13]]


def test_players_named_by_cut_places_are_resolved_by_seed():
    file = event("aesops_cut_all_places")

    assert winners(file) == [[13, 11], [13]]
    assert file.cut_rounds[1].tables[0].seats == (
        FileSeat(13, role=Role.CORP),
        FileSeat(11, role=Role.RUNNER),
    )


def test_cut_games_of_unknown_players_are_left_out_with_a_notice():
    file = event("aesops_cut_unknown")

    assert file.cut_rounds == ()
    assert file.cut_size == 4
    assert file.notices == ("Games of the cut with unknown players, left out: 3.",)


def test_numbers_written_as_text_are_read_as_numbers():
    plain, texts = read_file(fixtures.data("nrtm")), fixtures.document("nrtm")
    for round_ in texts["rounds"][:3]:
        for game in round_:
            for side in (game["player1"], game["player2"]):
                side.update({key: str(value) for key, value in side.items()})

    assert read_again(texts).event.rounds == plain.event.rounds


def test_byte_order_mark_is_ignored():
    assert read_file(b"\xef\xbb\xbf" + fixtures.data("nrtm")) == read_file(
        fixtures.data("nrtm").decode()
    )
