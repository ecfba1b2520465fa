"""Reports for chess programs, read back by their columns."""

from dataclasses import replace
from typing import Any

import pytest

from tests.factories import files
from tests.tournaments.interchange import fixtures
from tournaments.interchange.formats import trf
from tournaments.interchange.formats.reading import read
from tournaments.interchange.formats.records import FileEvent, FileRefused

WORTH = {"1": 3, "U": 3, "F": 3, "=": 1, "H": 1, "0": 0, "Z": 0}


def columns(line: str, first: int, last: int) -> str:
    """Columns as the standard counts them, from 1, both ends included."""
    return line[first - 1 : last].strip()


def report(event: FileEvent) -> dict[int, dict[str, Any]]:
    """The players of a report by their pairing numbers, each round as (opponent, colour, code)."""
    found = {}
    for line in trf.write(event).decode().split("\r\n"):
        if columns(line, 1, 3) == "001":
            rounds = [line[start : start + 8] for start in range(91, len(line), 10)]
            found[int(columns(line, 5, 8))] = {
                "name": columns(line, 15, 47),
                "points": float(columns(line, 81, 84)),
                "rank": int(columns(line, 86, 89)),
                "rounds": [(int(one[:4]), one[5], one[7]) for one in rounds],
            }
    return found


def single(seed: int, **more: Any) -> tuple[files.PlayedEvent, FileEvent]:
    played = files.played(seed, single=True, **more)
    return played, read(files.as_bytes(files.cobra(played))).event


@pytest.mark.parametrize("seed", range(6))
def test_the_report_has_every_round(seed: int):
    played, event = single(seed, players=5 + seed, rounds=1 + seed)

    players = report(event)

    assert sorted(players) == sorted(played.names)
    for place, round_ in enumerate(played.rounds):
        for entry in round_:
            if "bye" in entry:
                assert players[entry["bye"]]["rounds"][place] == (0, "-", "U")
                continue
            corp, runner = entry["seats"]
            assert players[corp["id"]]["rounds"][place][:2] == (runner["id"], "w")
            assert players[runner["id"]]["rounds"][place][:2] == (corp["id"], "b")


@pytest.mark.parametrize("name", ["cobra_single", "cobra_cut", "aesops", "aesops_by_role", "sass"])
def test_points_are_those_of_the_results_and_of_the_file(name: str):
    found = read(fixtures.data(name))

    players = report(found.event)

    for row in found.standings:
        line = players[int(row.id)]
        assert line["points"] == sum(WORTH[code] for _, _, code in line["rounds"])
        assert (line["points"], line["rank"]) == (row.match_points, row.rank)


def test_the_heading_stands_in_its_columns():
    _, event = single(3)

    lines = trf.write(event).decode().split("\r\n")

    assert lines[:7] == [
        "012 Spring Open",
        "042 2026/03/14",
        "062 6",
        "092 Individual: Swiss-System",
        "142 3",
        "162  W 3.0    D 1.0    L 0.0    A 0.0    P 3.0",
        "182 Datafort",
    ]
    assert (columns(lines[5], 15, 15), columns(lines[5], 16, 19)) == ("D", "1.0")


def test_names_of_any_script_and_length_keep_the_columns():
    document = fixtures.document("cobra_single")
    document["players"][0]["name"] = "דנה 李雷 " * 12

    players = report(read(files.as_bytes(document)).event)

    assert players[document["players"][0]["id"]]["rank"] == 1


def test_absences_second_byes_and_odd_scores_have_the_nearest_code():
    one, two, three, four = ({"id": id_, "name": f"P{id_}"} for id_ in (1, 2, 3, 4))
    game = {
        "player1": {"id": 1, "role": "runner", "combinedScore": 5},
        "player2": {"id": 2, "role": "corp", "combinedScore": 2},
    }
    byes = [{"player1": {"id": id_, "combinedScore": 3}} for id_ in (3, 4)]
    level = [dict(game, player1={"id": 1, "role": "corp", "combinedScore": 0})]
    level[0]["player2"] = {"id": 2, "role": "runner", "combinedScore": 0}
    document = {"players": [one, two, three, four], "rounds": [[game, *byes], level]}

    players = report(read(files.as_bytes(document)).event)

    assert players[1]["rounds"] == [(2, "b", "1"), (2, "w", "0")]
    assert players[2]["rounds"] == [(1, "w", "0"), (1, "b", "0")]
    assert players[3]["rounds"] == [(0, "-", "U"), (0, "-", "Z")]
    assert players[4]["rounds"] == [(0, "-", "F"), (0, "-", "Z")]


def test_a_round_that_does_not_count_is_left_out():
    document = fixtures.document("cobra_single")
    for game in document["rounds"][3]:
        for side in (game["player1"], game["player2"]):
            side.update(corpScore=None, runnerScore=None, combinedScore=None)

    players = report(read(files.as_bytes(document)).event)

    assert {len(line["rounds"]) for line in players.values()} == {3}


def test_a_name_of_several_lines_makes_no_record_of_its_own():
    event = replace(read(fixtures.data("cobra_single")).event, name="Spring\r\n001    9 Nobody")

    lines = trf.write(event).decode().split("\r\n")

    assert lines[0] == "012 Spring 001 9 Nobody"
    assert lines[1].startswith("042")


def test_double_sided_events_have_no_report():
    with pytest.raises(FileRefused) as caught:
        trf.write(read(fixtures.data("cobra_double")).event)

    assert caught.value.path == "$.system"
