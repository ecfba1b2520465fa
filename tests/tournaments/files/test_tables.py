"""CSV exports of an event."""

import csv
import io

import pytest
from django.test import Client

from matches.scoring.results import MatchResult, Role
from tests.factories.cuts import event_with_cut, play_cut_round
from tests.factories.penalties import penalise
from tests.factories.tournaments import (
    add_staff,
    draft_round,
    enter_result,
    fresh,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    tables_of,
    won_game,
)
from tests.tournaments.pages import FRAGMENT, url
from tournaments.event.permissions import NOBODY, Actor
from tournaments.files import spreadsheets
from tournaments.files.exports import FORMATS, ExportRequest, build_file
from tournaments.judging import report
from tournaments.models import StaffRole, Tournament
from tournaments.registration import pasted_roster, roster_changes
from tournaments.registration import services as registration_services
from tournaments.registration.roster_changes import NewEntry
from tournaments.results.standings_pages import standings_table


def make_scene() -> Tournament:
    event = make_event(players=4)
    play_round(event)
    return event


def rows_of(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_pairings_have_a_row_per_table_and_results_a_row_per_player():
    event = make_event(players=3)
    play_round(event)
    start_round(event)

    pairings, rows = (
        rows_of(table(event)) for table in (spreadsheets.pairings_csv, spreadsheets.results_csv)
    )

    first, bye, *_ = pairings
    assert (first["round"], first["table"], first["bye"]) == ("1", "1", "no")
    assert {first["role_or_faction_1"], first["role_or_faction_2"]} == {"corp", "runner"}
    assert (bye["table"], bye["bye"], bye["player_2"]) == ("", "yes", "")
    assert [row["round"] for row in pairings] == ["1", "1", "2", "2"]
    seats = [(row["round"], row["player"], row["match_points"], row["bye"]) for row in rows]
    assert len(seats) == 6
    assert all(points for round_, _, points, _ in seats if round_ == "1")
    assert [points for round_, _, points, bye in seats if (round_, bye) == ("2", "no")] == ["", ""]
    first = rows[0]
    assert int(first["corp_points"]) + int(first["runner_points"]) == int(first["match_points"])


def test_games_have_sides_winner_and_end():
    event = make_event(players=2)
    play_round(event)

    rows = rows_of(spreadsheets.games_csv(event))

    assert [(row["game"], row["winner"], row["end"]) for row in rows] == [
        ("1", "corp", "agenda"),
        ("2", "runner", "agenda"),
    ]
    assert rows[0]["corp"] == rows[1]["runner"] != rows[0]["runner"]


def test_pods_have_columns_for_each_seat():
    event = make_event(
        players=5, game="free_radicals", scoring_rule="free_radicals", decks_required=False
    )
    (table,) = tables_of(start_round(event))
    enter_result(table, MatchResult(victory_points=(9, 7, 7, 2, 1)))

    (pairing,) = rows_of(spreadsheets.pairings_csv(event))
    results = rows_of(spreadsheets.results_csv(event))

    assert {pairing[f"player_{n}"] for n in range(1, 6)} == {"Ada", "Bo", "Cy", "Di", "Ed"}
    assert [row["victory_points"] for row in results] == ["9", "7", "7", "2", "1"]
    assert rows_of(spreadsheets.games_csv(event)) == []


def test_cut_lists_its_places_and_leaves_undecided_places_empty():
    event = event_with_cut(4, system="single_elimination")
    assert rows_of(spreadsheets.cut_csv(event)) == []

    play_cut_round(event, winners=[1, 2])

    rows = rows_of(spreadsheets.cut_csv(event))
    places = [(row["place"], row["seed"]) for row in rows]
    assert places == [("1", ""), ("2", ""), ("3", "3"), ("4", "4")]


def test_drafts_are_not_exported(event: Tournament):
    tables = (spreadsheets.pairings_csv, spreadsheets.results_csv, spreadsheets.games_csv)
    before = [table(event) for table in tables]

    draft_round(event)

    assert [table(event) for table in tables] == before


def test_penalties_have_their_text(event: Tournament):
    start_round(event)
    penalise(player_number(event, 1), text="=SUM(A1)")

    (row,) = rows_of(report.penalties_csv(event))

    assert (row["player"], row["text"]) == ("Ada", "'=SUM(A1)")


def test_log_depends_on_the_role(event: Tournament):
    start_round(event)
    penalise(player_number(event, 1), text="Canary")
    scorekeeper, judge = (
        Actor(user=add_staff(event, role)) for role in (StaffRole.SCOREKEEPER, StaffRole.JUDGE)
    )

    logs = {
        actor: build_file(FORMATS["csv-log"], ExportRequest(fresh(event), actor)).decode()
        for actor in (NOBODY, scorekeeper, judge)
    }

    assert "Penalty given" not in logs[NOBODY] + logs[scorekeeper]
    assert "Penalty given" in logs[judge]
    assert "Round published" in logs[scorekeeper]


@pytest.mark.check(12)
def test_standings_equal_those_of_the_page():
    event = make_event(players=5)
    play_round(event)
    registration_services.drop_player(player_number(event, 2), owner_of(event))
    snapshot = event.snapshots.newest()
    assert snapshot is not None

    rows = rows_of(spreadsheets.standings_csv(snapshot))

    shown = standings_table(fresh(event), snapshot)
    assert [(row["rank"], row["number"], row["name"], row["match_points"]) for row in rows] == [
        (str(line.rank), str(line.number), line.name, str(line.match_points))
        for line in shown.lines
    ]
    assert [row["strength_of_schedule"] for row in rows] == [
        dict(line.figures)["SoS"] for line in shown.lines
    ]
    assert [row["dropped"] for row in rows] == [
        "yes" if line.number == 2 else "no" for line in shown.lines
    ]


@pytest.mark.check(12)
def test_roster_can_be_imported_again():
    entries = [
        NewEntry("Zo\u00eb; the 2nd", "they/them", seed=2, first_round_bye=True),
        NewEntry('O\'Brien "Bo"', "", seed=1),
        NewEntry("=1+1"),
        NewEntry("@ada"),
        NewEntry("42"),
        NewEntry("\u674e"),
    ]
    event = make_event(players=0)
    roster_changes.add_entries(event, entries, owner_of(event))
    registration_services.drop_player(player_number(event, 2), owner_of(event))

    rows = rows_of(spreadsheets.roster_csv(event))
    read = pasted_roster.read_csv(pasted_roster.decode_upload(spreadsheets.roster_csv(event)))

    assert [NewEntry.of_line(line) for line in read] == entries
    assert not [problem for line in read for problem in line.problems]
    states = [(row["number"], row["state"]) for row in rows[:2]]
    assert states == [("1", "registered"), ("2", "dropped")]


def test_head_to_head_average_is_a_decimal_number(client: Client):
    # Two players met twice and won once each: the mean is 3/2.
    event = make_event(
        players=2, game="anr", scoring_rule="anr_single", bye_points=3, decks_required=False
    )
    Tournament.objects.filter(pk=event.pk).update(
        tie_breakers=["match_points", "head_to_head", "lot"]
    )
    for _ in range(2):
        play_round(fresh(event), play=lambda _: MatchResult((won_game(1, Role.CORP),)))

    answer = client.get(url("standings_csv", event))

    rows = rows_of(answer.content)
    assert [row["head_to_head"] for row in rows] == ["1.5000", "1.5000"]


def test_standings_file_is_named_after_its_round(client: Client, event: Tournament):
    play_round(event)

    answer = client.get(url("standings_csv", event))
    first = client.get(url("standings_csv", event) + "?round=1")

    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="spring-run-standings-2.csv"'
    assert first["Content-Disposition"] == 'attachment; filename="spring-run-standings-1.csv"'
    snapshot = event.snapshots.newest(1)
    assert snapshot is not None
    assert first.content == spreadsheets.standings_csv(snapshot)


def test_fragment_request_returns_the_file(client: Client, event: Tournament):
    answers = [client.get(url("standings_csv", event), headers=FRAGMENT) for _ in range(2)]

    for answer in answers:
        assert answer["Content-Type"] == "text/csv; charset=utf-8"
        assert answer["Content-Disposition"].startswith("attachment")


def test_round_without_standings_is_404(client: Client, event: Tournament):
    start_round(event)
    empty = url("standings_csv", make_event(players=2))
    address = url("standings_csv", event)

    assert client.get(empty).status_code == 404
    for number in ("abc", "2", "-1", "99999999"):
        assert client.get(address, {"round": number}).status_code == 404, number


def test_standings_and_roster_link_to_their_files(client: Client, event: Tournament):
    page = client.get(url("standings", event)).text
    assert f'href="{url("standings_csv", event)}?round=1"' in page
    client.force_login(add_staff(event, StaffRole.ORGANISER))

    page = client.get(url("roster", event)).text
    answer = client.get(url("roster_export", event))

    assert f'href="{url("roster_export", event)}"' in page
    assert answer["Content-Disposition"] == 'attachment; filename="spring-run-roster.csv"'
    assert answer.content == spreadsheets.roster_csv(event)


def test_standings_with_a_cut_begin_with_the_places(client):
    event = event_with_cut(2, players=4, system="single_elimination")
    play_cut_round(event, winners=[2])

    table = rows_of(client.get(url("standings_csv", event)).content)

    assert [row["place"] for row in table] == ["2", "1", "3", "4"]
    assert [row["rank"] for row in table] == ["1", "2", "3", "4"]
