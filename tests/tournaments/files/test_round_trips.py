"""Each file is imported, exported and imported again as the same event."""

import json
from pathlib import Path
from typing import Any

import pytest

from players.models import User
from tests.factories.tournaments import make_user
from tests.tournaments.files.abr import match_page
from tournaments.files import event_files, whole_event
from tournaments.files.reading import read_file
from tournaments.files.records import ComputedEvent, FileRound, FileTable
from tournaments.files.services import import_file
from tournaments.models import Tournament

FILES = sorted((Path(__file__).parent / "files").glob("*.json"))
NAMED = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)

Facts = dict[str, Any]


def facts(file: ComputedEvent) -> Facts:
    """Contents of a file, independent of its ids."""
    names = {player.id: player.name for player in file.event.players}
    return {
        "standings": [
            (
                row.rank,
                names[row.id],
                row.match_points,
                row.strength_of_schedule,
                row.extended_strength_of_schedule,
            )
            for row in file.standings
        ],
        "rounds": [_round(round_, names) for round_ in file.event.rounds],
        "byes": [
            sorted((names[bye.id], bye.points) for bye in round_.byes)
            for round_ in file.event.rounds
        ],
        "cut": [_cut_round(round_, names) for round_ in file.event.cut_rounds],
        "places": [
            (place.rank, place.id and names[place.id], place.seed) for place in file.event.placings
        ],
        "system": file.event.system,
        "identities": {
            player.name: (player.corp_identity, player.runner_identity)
            for player in file.event.players
        },
    }


def _round(round_: FileRound, names: dict[Any, str]) -> set[Any]:
    return {_table(table, names, counts=round_.counts) for table in round_.tables}


def _cut_round(round_: FileRound, names: dict[Any, str]) -> set[Any]:
    return {_cut_table(table, names) for table in round_.tables}


def _cut_table(table: FileTable, names: dict[Any, str]) -> Any:
    if table.winner is None:
        # Before a game is played, its sides can change.
        return frozenset(names[seat.id] for seat in table.seats), None
    return frozenset((names[seat.id], seat.role) for seat in table.seats), names[table.winner]


def _table(table: FileTable, names: dict[Any, str], *, counts: bool) -> Any:
    # In a round that counts, a table without a result is 0:0 (docs/reference/tournament-files.md).
    default = 0 if counts else None
    seats = frozenset(
        (names[seat.id], default if seat.points is None else seat.points, seat.role)
        for seat in table.seats
    )
    return seats, table.winner and names[table.winner]


def imported_event(data: bytes) -> Tournament:
    imported = import_file(data, owner=User.objects.first() or make_user("organiser"))
    assert imported.tournament is not None
    return imported.tournament


def export_file(event: Tournament) -> bytes:
    return event_files.nrtm_file(event, None, page="https://example.org/events/one/")


@NAMED
def test_exported_file_equals_the_imported_file(file):
    data = file.read_bytes()
    event = imported_event(data)

    output = export_file(event)

    before, after = facts(read_file(data)), facts(read_file(output))
    for part in before:
        assert after[part] == before[part], part
    assert not read_file(output).differences
    match_page(json.loads(output))
    assert export_file(imported_event(output)) == output
    copy = imported_event(json.dumps(whole_event.event_document(event)).encode())
    assert facts(read_file(export_file(copy))) == after
