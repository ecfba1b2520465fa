"""TRF reports for chess programs, read back by their columns."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from py4swiss.engines import DutchEngine
from py4swiss.trf import TrfParser

from matches.scoring.results import Role
from tests.factories import files
from tests.tournaments.files import fixtures
from tournaments.files import writing
from tournaments.files.reading import read_file
from tournaments.files.records import (
    FileEvent,
    FileRound,
    FileSeat,
    FileTable,
    TournamentFileRefused,
)

POINTS_BY_CODE = {"1": 3, "U": 3, "F": 3, "=": 1, "H": 1, "0": 0, "-": 0, "Z": 0}


def columns(line: str, first: int, last: int) -> str:
    """Columns as in the standard: from 1, both ends included."""
    return line[first - 1 : last].strip()


def report(event: FileEvent) -> dict[int, dict[str, Any]]:
    """Players by pairing number, each round as (opponent, colour, code)."""
    players = {}
    for line in writing.write_trf(event).decode().split("\r\n"):
        if columns(line, 1, 3) == "001":
            rounds = [line[start : start + 8] for start in range(91, len(line), 10)]
            players[int(columns(line, 5, 8))] = {
                "name": columns(line, 15, 47),
                "points": float(columns(line, 81, 84)),
                "rank": int(columns(line, 86, 89)),
                "rounds": [(int(entry[:4]), entry[5], entry[7]) for entry in rounds],
            }
    return players


def numbers_of(ids: Iterable[Any]) -> dict[Any, int]:
    """Pairing numbers from 1 in the order of the ids."""
    return {id_: number for number, id_ in enumerate(sorted(ids), start=1)}


def single(seed: int, **more: Any) -> tuple[files.PlayedEvent, FileEvent]:
    played = files.played(seed, single=True, **more)
    return played, read_file(files.as_bytes(files.cobra(played))).event


@pytest.mark.parametrize("seed", range(6))
def test_report_has_every_round(seed: int):
    played, event = single(seed, players=5 + seed, rounds=1 + seed)

    players = report(event)

    numbers = numbers_of(played.names)
    assert sorted(players) == sorted(numbers.values())
    for place, round_ in enumerate(played.rounds):
        for entry in round_:
            if "bye" in entry:
                assert players[numbers[entry["bye"]]]["rounds"][place] == (0, "-", "U")
                continue
            corp, runner = (numbers[seat["id"]] for seat in entry["seats"])
            assert players[corp]["rounds"][place][:2] == (runner, "w")
            assert players[runner]["rounds"][place][:2] == (corp, "b")


@pytest.mark.parametrize("name", ["cobra_single", "cobra_cut", "aesops", "aesops_by_role", "sass"])
def test_points_equal_those_of_results_and_file(name: str):
    event = read_file(fixtures.data(name))

    players = report(event.event)

    numbers = numbers_of(row.id for row in event.standings)
    for row in event.standings:
        line = players[numbers[row.id]]
        assert line["points"] == sum(POINTS_BY_CODE[code] for _, _, code in line["rounds"])
        assert (line["points"], line["rank"]) == (row.match_points, row.rank)


def test_heading_is_in_its_columns():
    _, event = single(3)

    lines = writing.write_trf(event).decode().split("\r\n")

    assert lines[:9] == [
        "012 Spring Open",
        "042 2026/03/14",
        "062 6",
        "092 Individual: Swiss-System",
        "142 3",
        "XXR 3",
        "162  W 3.0    D 1.0",
        "XXS W=3.0 D=1.0 PAB=3.0",
        "182 Datafort",
    ]
    assert (columns(lines[6], 15, 15), columns(lines[6], 16, 19)) == ("D", "1.0")


def test_names_of_any_script_and_length_keep_the_columns():
    document = fixtures.document("cobra_single")
    document["players"][0]["name"] = "דנה 李雷 " * 12

    players = report(read_file(files.as_bytes(document)).event)

    number = numbers_of(player["id"] for player in document["players"])[
        document["players"][0]["id"]
    ]
    assert players[number]["rank"] == 1


def test_absences_second_byes_and_odd_scores_get_the_nearest_code():
    players = [{"id": id_, "name": f"P{id_}"} for id_ in (1, 2, 3, 4)]
    game = {
        "player1": {"id": 1, "role": "runner", "combinedScore": 5},
        "player2": {"id": 2, "role": "corp", "combinedScore": 2},
    }
    byes = [{"player1": {"id": id_, "combinedScore": 3}} for id_ in (3, 4)]
    tied = {
        "player1": {"id": 1, "role": "corp", "combinedScore": 0},
        "player2": {"id": 2, "role": "runner", "combinedScore": 0},
    }
    document = {"players": players, "rounds": [[game, *byes], [tied]]}

    lines = report(read_file(files.as_bytes(document)).event)

    assert lines[1]["rounds"] == [(2, "b", "1"), (2, "w", "-")]
    assert lines[2]["rounds"] == [(1, "w", "0"), (1, "b", "-")]
    assert lines[3]["rounds"] == [(0, "-", "U"), (0, "-", "Z")]
    assert lines[4]["rounds"] == [(0, "-", "F"), (0, "-", "Z")]


def test_round_that_does_not_count_is_left_out():
    document = fixtures.document("cobra_single")
    for game in document["rounds"][3]:
        for side in (game["player1"], game["player2"]):
            side.update(corpScore=None, runnerScore=None, combinedScore=None)

    players = report(read_file(files.as_bytes(document)).event)

    assert {len(line["rounds"]) for line in players.values()} == {3}


def test_name_of_several_lines_adds_no_record():
    event = replace(
        read_file(fixtures.data("cobra_single")).event, name="Spring\r\n001    9 Nobody"
    )

    lines = writing.write_trf(event).decode().split("\r\n")

    assert lines[0] == "012 Spring 001 9 Nobody"
    assert lines[1].startswith("042")


@pytest.mark.parametrize("name", ["cobra_single", "cobra_cut", "aesops", "aesops_by_role", "sass"])
def test_pairing_program_reads_the_report(name: str, tmp_path: Path):
    event = read_file(fixtures.data(name)).event
    path = tmp_path / "report.trf"
    path.write_bytes(writing.write_trf(event))

    # The parser refuses gaps in the numbers, wrong sums and contradicting results or colours.
    parsed = TrfParser.parse(path)

    own_report = report(event)
    players = {player.starting_number: player for player in parsed.player_sections}
    assert sorted(players) == list(range(1, len(event.players) + 1))
    assert parsed.x_section.number_of_rounds == len(event.rounds)
    for number, player in players.items():
        assert (player.points_times_ten, player.rank) == (
            10 * own_report[number]["points"],
            own_report[number]["rank"],
        )
        assert [
            (result.id, result.color.value, result.result.value) for result in player.results
        ] == own_report[number]["rounds"]


def test_pairing_numbers_have_no_gaps():
    event = read_file(fixtures.data("cobra_single")).event
    names = {player.id: player.name for player in event.players}

    players = report(event)

    assert sorted(names) != list(range(1, len(names) + 1))
    assert {number: line["name"] for number, line in players.items()} == {
        number: names[id_] for id_, number in numbers_of(names).items()
    }


def without_sides(round_: FileRound) -> FileRound:
    tables = []
    for table in round_.tables:
        first, second = table.seats
        seats = (replace(first, role=None), replace(second, role=None))
        tables.append(replace(table, seats=seats))
    return replace(round_, tables=tuple(tables))


def test_report_without_sides_has_no_colours():
    event = read_file(fixtures.data("cobra_single")).event
    bare = replace(event, rounds=tuple(map(without_sides, event.rounds)))

    rounds = [entry for line in report(bare).values() for entry in line["rounds"]]

    assert {colour for _, colour, _ in rounds} == {"-"}
    assert {code for opponent, _, code in rounds if opponent} <= {"1", "=", "0", "-"}


def test_double_sided_event_is_refused():
    with pytest.raises(TournamentFileRefused) as caught:
        writing.write_trf(read_file(fixtures.data("cobra_double")).event)

    assert caught.value.path == "$.system"


def planned(rounds: int, *, dropped: int, planned_rounds: int) -> FileEvent:
    """Six players after these rounds; the players with the highest numbers have dropped."""
    _, event = single(5, players=6, rounds=rounds)
    numbers = numbers_of(player.id for player in event.players)
    players = tuple(
        replace(player, dropped=numbers[player.id] > len(numbers) - dropped)
        for player in event.players
    )
    return replace(event, system="single", players=players, planned_rounds=planned_rounds)


@pytest.mark.parametrize(
    ("rounds", "plan", "announced"), [(0, 0, 1), (0, 5, 5), (2, 5, 5), (3, 2, 3)]
)
def test_number_of_rounds_is_planned_or_played(rounds: int, plan: int, announced: int):
    lines = (
        writing.write_trf(planned(rounds, dropped=0, planned_rounds=plan)).decode().split("\r\n")
    )

    assert f"142 {announced}" in lines
    assert f"XXR {announced}" in lines


def test_next_round_is_paired_without_dropped_players(tmp_path: Path):
    path = tmp_path / "report.trf"
    path.write_bytes(writing.write_trf(planned(2, dropped=2, planned_rounds=5)))

    pairings = DutchEngine.generate_pairings(TrfParser.parse(path))

    assert {number for pair in pairings for number in (pair.white, pair.black)} == {1, 2, 3, 4}


def test_dropped_players_are_absent_from_the_next_round_in_both_records():
    lines = writing.write_trf(planned(2, dropped=2, planned_rounds=5)).decode().split("\r\n")

    (record,) = [line for line in lines if line.startswith("240")]
    assert (columns(record, 5, 5), columns(record, 7, 9)) == ("Z", "3")
    assert [columns(record, start, start + 3) for start in (11, 16)] == ["5", "6"]
    assert "XXZ 5 6" in lines


def test_no_absences_are_written_after_the_last_round():
    report_of_all = writing.write_trf(planned(2, dropped=2, planned_rounds=2)).decode()

    assert "240" not in report_of_all
    assert "XXZ" not in report_of_all


def test_scores_of_a_hundred_and_more_are_scaled(tmp_path: Path):
    _, event = single(7, players=2, rounds=1)
    first, second = (player.id for player in event.players)
    won = FileTable(1, (FileSeat(first, 3, role=Role.CORP), FileSeat(second, 0, role=Role.RUNNER)))
    event = replace(event, rounds=(FileRound((won,)),) * 34)
    path = tmp_path / "report.trf"
    path.write_bytes(writing.write_trf(event))

    parsed = TrfParser.parse(path)

    assert sorted(player.points_times_ten for player in parsed.player_sections) == [0, 102]
    assert "162  W 0.3    D 0.1" in writing.write_trf(event).decode()
