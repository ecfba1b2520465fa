"""Files for spreadsheets, read back."""

import csv
import io

import pytest

from tests.factories.tournaments import (
    fresh,
    make_event,
    owner_of,
    play_round,
    player_number,
)
from tournaments import exports, queries, roster
from tournaments.services import registrations
from tournaments.services.registrations import NewEntry
from tournaments.sheets.tables import standings_table

pytestmark = [pytest.mark.django_db, pytest.mark.check(12)]


def rows_of(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_the_standings_are_those_of_the_page():
    event = make_event(players=5)
    play_round(event)
    registrations.drop(player_number(event, 2), owner_of(event))
    snapshot = queries.newest_snapshot(event)
    assert snapshot is not None

    rows = rows_of(exports.standings_csv(snapshot))

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


def test_a_roster_is_read_again_as_it_was():
    entries = [
        NewEntry("Zo\u00eb; the 2nd", "they/them", seed=2, first_round_bye=True),
        NewEntry('O\'Brien "Bo"', "", seed=1),
        NewEntry("=1+1"),
        NewEntry("@ada"),
        NewEntry("42"),
        NewEntry("\u674e"),
    ]
    event = make_event(players=0)
    registrations.add_entries(event, entries, owner_of(event))

    read = roster.read_csv(roster.decode(exports.roster_csv(event)))

    assert [
        NewEntry(line.name, line.pronouns, line.seed, line.first_round_bye) for line in read
    ] == entries
    assert not [problem for line in read for problem in line.problems]


def test_a_roster_says_number_and_state():
    event = make_event(players=2)
    registrations.drop(player_number(event, 2), owner_of(event))

    rows = rows_of(exports.roster_csv(event))

    assert [(row["number"], row["state"]) for row in rows] == [
        ("1", "checked_in"),
        ("2", "dropped"),
    ]
