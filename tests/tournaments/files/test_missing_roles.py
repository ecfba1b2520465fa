"""Tables of a single-sided file without roles."""

import csv
import io
import json
from typing import Any

import pytest
from django.test import Client

from matches.scoring.results import GameEnd, GameResult, MatchResult, Role
from tests.factories import files
from tests.factories.tournaments import enter_result, fresh, get_round, make_user, table
from tests.tournaments.files.fixtures import document
from tests.tournaments.pages import text_of, url
from tournaments.files import event_files, whole_event
from tournaments.files import services as files_services
from tournaments.files.records import TournamentFileRefused
from tournaments.models import Tournament
from tournaments.rounds.pages import table_lines


def without_roles() -> bytes:
    """The file without roles at table 1 of round 1."""
    content = document("cobra_single")
    game = content["rounds"][0][0]
    for key in ("player1", "player2"):
        game[key].update(role=None, corpScore=None, runnerScore=None)
    return files.as_bytes(content)


def import_file(data: bytes) -> Tournament:
    event = files_services.import_file(data, owner=make_user()).tournament
    assert event is not None
    return event


@pytest.fixture
def event(db: None) -> Tournament:
    return import_file(without_roles())


def seats(event: Tournament) -> list[dict[str, Any]]:
    """Seats of the game at table 1 of round 1 in the Datafort document."""
    document = whole_event.event_document(event)["event"]
    pairing = document["stages"][0]["rounds"][0]["pairings"][0]
    game_seats: list[dict[str, Any]] = pairing["match"]["games"][0]["seats"]
    return game_seats


def test_import_keeps_the_points_and_gives_no_role(event: Tournament):
    pairing = table(get_round(event, 1), 1)

    assert [seat.points for seat in pairing.match.seats.all()] == [3, 0]
    assert {seat.role for seat in pairing.match.games.get().seats.all()} == {""}
    assert event.imported_file.differences == []


def test_missing_roles_change_no_figure_of_the_standings():
    with_roles = files_services.import_file(files.as_bytes(document("cobra_single")), preview=True)
    without = files_services.import_file(without_roles(), preview=True)

    assert without.answer["standings"] == with_roles.answer["standings"]


def test_pages_show_no_side_at_the_table(event: Tournament):
    reader = Client()
    lines = {line.table: line for line in table_lines(get_round(event, 1))}

    assert [seat.role for seat in lines[1].seats] == [None, None]
    assert [seat.role for seat in lines[2].seats] == [Role.CORP, Role.RUNNER]
    assert not lines[1].is_pod
    player = text_of(reader.get(url("player", event, lines[1].numbers[0])))
    assert "side not recorded" in player
    assert "faction not recorded" not in player
    assert reader.get(url("table", event, 1, 1)).status_code == 200
    assert reader.get(url("standings", event)).status_code == 200
    assert reader.get(url("statistics", event)).status_code == 200


def test_page_shows_the_side_of_a_file_that_names_the_runner_first(db: None):
    content = document("cobra_single")
    game = content["rounds"][0][0]
    game["player1"], game["player2"] = game["player2"], game["player1"]
    event = import_file(files.as_bytes(content))

    line = table_lines(get_round(event, 1))[0]

    assert [seat.role for seat in line.seats] == [Role.RUNNER, Role.CORP]


def test_cobra_export_names_no_role_and_reads_in_again(event: Tournament):
    exported = event_files.nrtm_file(fresh(event))

    first, second = (json.loads(exported)["rounds"][0][0][f"player{n}"] for n in (1, 2))
    assert (first["role"], first["corpScore"], first["runnerScore"]) == (None, None, None)
    assert (second["role"], second["corpScore"], second["runnerScore"]) == (None, None, None)
    assert (first["combinedScore"], second["combinedScore"]) == (3, 0)
    again = import_file(exported)
    assert [seat["role"] for seat in seats(again)] == ["", ""]


def test_own_document_keeps_the_missing_roles(event: Tournament):
    exported = whole_event.event_document(event)
    assert "role" not in exported["rounds"][0][0]["seats"][0]

    again = import_file(json.dumps(exported).encode())

    assert [seat["role"] for seat in seats(again)] == ["", ""]
    assert whole_event.event_document(again)["standings"] == exported["standings"]


def test_tables_as_csv_name_no_role(event: Tournament):
    text = Client().get(url("export_csv_results", event)).content.decode("utf-8-sig")

    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["round"] == "1"]
    assert {row["role_or_faction"] for row in rows if row["table"] == "1"} == {""}
    assert {row["role_or_faction"] for row in rows if row["table"] == "2"} == {"corp", "runner"}


def test_result_that_staff_enter_gives_the_roles(event: Tournament):
    pairing = table(get_round(event, 1), 1)

    enter_result(pairing, MatchResult((GameResult(1, 2, Role.RUNNER, GameEnd.NOT_RECORDED),)))

    roles = {
        game_seat.seat.position: game_seat.role
        for game_seat in pairing.match.games.get().seats.all()
    }
    assert roles == {1: "runner", 2: "corp"}


def test_table_of_the_cut_without_roles_keeps_its_winner(db: None):
    content = document("cobra_single_cut")
    for round_ in content["rounds"]:
        for game in round_:
            if game["eliminationGame"]:
                game["player1"]["role"] = game["player2"]["role"] = None

    event = import_file(files.as_bytes(content))

    exported = json.loads(event_files.nrtm_file(fresh(event)))
    cut = [game for games in exported["rounds"] for game in games if game["eliminationGame"]]
    sides = [side for game in cut for side in (game["player1"], game["player2"])]
    assert {side["role"] for side in sides if side["winner"] is not None} == {None}
    assert {side["winner"] for side in sides} >= {True, False}
    assert Client().get(url("bracket", event)).status_code == 200


@pytest.mark.parametrize(
    ("with_winner", "message"),
    [
        (False, "One seat must be Corp and the other Runner"),
        (True, "A game with a winner needs an end"),
    ],
)
def test_game_with_one_role_or_a_winner_without_an_end_is_refused(event, with_winner, message):
    exported = whole_event.event_document(event)
    match = exported["event"]["stages"][0]["rounds"][0]["pairings"][0]["match"]
    if with_winner:
        match["games"][0]["winner"] = match["seats"][0]["id"]
    else:
        match["games"][0]["seats"][0]["role"] = "corp"
    del exported["rounds"]

    with pytest.raises(TournamentFileRefused, match=message):
        files_services.import_file(json.dumps(exported).encode())
