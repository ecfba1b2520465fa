"""Write tournament files in Cobra's format, which AlwaysBeRunning and most tools read."""

import json
from collections.abc import Mapping
from typing import Any

from decks.games import GAMES
from matches.scoring import Role
from tournaments.interchange.formats.computing import printed
from tournaments.interchange.formats.records import (
    FileBye,
    FileEvent,
    FilePlacing,
    FilePlayer,
    FileRound,
    FileSeat,
    FileTable,
    PlayerId,
)

PROGRAM = "Datafort"
SCHEMA = "http://steffens.org/nrtm/nrtm-schema.json"
STRAIGHT = str.maketrans(dict.fromkeys("\u201c\u201d\u201e\u201f", '"'))

Document = dict[str, Any]


def write(event: FileEvent) -> bytes:
    """Encode the file in UTF-8."""
    return f"{json.dumps(written(event), ensure_ascii=False, indent=1)}\n".encode()


def written(event: FileEvent) -> Document:
    """Build the JSON object; `game` is added for games that AlwaysBeRunning does not have."""
    names = {player.id: player.name for player in event.players}
    document = {
        "name": event.name,
        "date": event.date.isoformat() if event.date else None,
        "cutToTop": event.cut_size,
        "preliminaryRounds": len(event.rounds),
        "tournamentOrganiser": {"nrdbId": None, "nrdbUsername": event.owner or None},
        "players": [
            _player(player, rank, with_identities=GAMES[event.game].is_on_abr)
            for rank, player in enumerate(event.players, start=1)
        ],
        "eliminationPlayers": [_placing(place, names) for place in event.placings],
        "rounds": [
            *(_swiss_round(one, is_single=event.system == "single") for one in event.rounds),
            *([_cut_table(table) for table in one.tables] for one in event.cut_rounds),
        ],
        "uploadedFrom": PROGRAM,
        "links": [
            {"rel": "schemaderivedfrom", "href": SCHEMA},
            {"rel": "uploadedfrom", "href": event.page},
        ],
    }
    if not GAMES[event.game].is_on_abr:
        document["game"] = event.game
    if event.abr_event is not None:
        document["abrTournamentId"] = event.abr_event
    return document


def _player(player: FilePlayer, rank: int, *, with_identities: bool) -> Document:
    stated = player.stated
    corp, runner = player.corp_identity, player.runner_identity
    document: Document = {
        "id": player.id,
        "name": player.name,
        # Ranks are unique and without gaps: readers match players to their own lists by rank.
        "rank": rank,
        "corpIdentity": _title(corp) if with_identities else None,
        "corpFaction": player.corp_faction if with_identities else None,
        "runnerIdentity": _title(runner) if with_identities else None,
        "runnerFaction": player.runner_faction if with_identities else None,
        "matchPoints": printed(stated.match_points or 0),
        "strengthOfSchedule": printed(stated.strength_of_schedule or 0),
        "extendedStrengthOfSchedule": printed(stated.extended_strength_of_schedule or 0),
    }
    return {**document, "pronouns": player.pronouns} if player.pronouns else document


def _title(identity: str | None) -> str | None:
    return identity.translate(STRAIGHT) if identity else None


def _placing(place: FilePlacing, names: Mapping[PlayerId, str]) -> Document:
    name = None if place.id is None else names.get(place.id)
    return {"id": place.id, "name": name, "rank": place.rank, "seed": place.seed}


def _swiss_round(round_: FileRound, *, is_single: bool) -> list[Document]:
    tables = [_swiss_table(table, is_single=is_single) for table in round_.tables]
    return [*tables, *(_bye(bye, is_single=is_single) for bye in round_.byes)]


def _swiss_table(table: FileTable, *, is_single: bool) -> Document:
    one, two = (_single_seat(seat) if is_single else _double_seat(seat) for seat in table.seats)
    return _table(
        table.number, one, two, drawn=table.intentional_draw, two_for_one=table.two_for_one
    )


def _double_seat(seat: FileSeat) -> Document:
    return {
        "id": seat.id,
        "runnerScore": seat.runner_points,
        "corpScore": seat.corp_points,
        "combinedScore": seat.points,
    }


def _single_seat(seat: FileSeat) -> Document:
    """Write only the score of the player's role, plus the total."""
    return {
        "id": seat.id,
        "role": seat.role.value if seat.role else None,
        "runnerScore": seat.points if seat.role is Role.RUNNER else None,
        "corpScore": seat.points if seat.role is Role.CORP else None,
        "combinedScore": seat.points,
    }


def _bye(bye: FileBye, *, is_single: bool) -> Document:
    seat: Document = {"runnerScore": None, "corpScore": None}
    role: Document = {"role": None} if is_single else {}
    one = {"id": bye.id, **role, **seat, "combinedScore": bye.points}
    return _table(None, one, {"id": None, **role, **seat, "combinedScore": 0})


def _cut_table(table: FileTable) -> Document:
    one, two = (
        {
            "id": seat.id,
            "role": seat.role.value if seat.role else None,
            "winner": None if table.winner is None else table.winner == seat.id,
        }
        for seat in table.seats
    )
    return _table(table.number, one, two, is_cut=True)


def _table(
    number: int | None,
    one: Document,
    two: Document,
    *,
    drawn: bool = False,
    two_for_one: bool = False,
    is_cut: bool = False,
) -> Document:
    return {
        "table": number,
        "player1": one,
        "player2": two,
        "intentionalDraw": drawn,
        "twoForOne": two_for_one,
        "eliminationGame": is_cut,
    }
