"""Write tournament files in Cobra's format, which AlwaysBeRunning and most tools read."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from core.text import clean
from decks.games import GAMES
from engine.standings.records import id_order
from matches.scoring.results import Role
from tournaments.files.records import (
    FileBye,
    FileEvent,
    FilePlayer,
    FilePlayerId,
    FileRound,
    FileSeat,
    FileTable,
    TournamentFileRefused,
    compute_standings,
    printed_number,
)

PROGRAM = "Datafort"
NRTM_SCHEMA = "http://steffens.org/nrtm/nrtm-schema.json"
STRAIGHT_QUOTES = str.maketrans(dict.fromkeys("\u201c\u201d\u201e\u201f", '"'))

Document = dict[str, Any]


def write_cobra(event: FileEvent) -> bytes:
    """Encode the file in UTF-8."""
    return f"{json.dumps(cobra_document(event), ensure_ascii=False, indent=1)}\n".encode()


def cobra_document(event: FileEvent) -> Document:
    """Build the JSON object; `game` is added for games that AlwaysBeRunning does not have."""
    names: dict[FilePlayerId | None, str] = {player.id: player.name for player in event.players}
    document = {
        "name": event.name,
        "date": event.date.isoformat() if event.date else None,
        "cutToTop": event.cut_size,
        "preliminaryRounds": len(event.rounds),
        "tournamentOrganiser": {"nrdbId": None, "nrdbUsername": event.owner or None},
        "players": [
            _cobra_player(player, rank, with_identities=GAMES[event.game].is_on_abr)
            for rank, player in enumerate(event.players, start=1)
        ],
        "eliminationPlayers": [
            {"id": place.id, "name": names.get(place.id), "rank": place.rank, "seed": place.seed}
            for place in event.placings
        ],
        "rounds": [
            *(_swiss_round(round_, is_single=event.system == "single") for round_ in event.rounds),
            *([_cut_table(table) for table in round_.tables] for round_ in event.cut_rounds),
        ],
        "uploadedFrom": PROGRAM,
        "links": [
            {"rel": "schemaderivedfrom", "href": NRTM_SCHEMA},
            {"rel": "uploadedfrom", "href": event.page},
        ],
    }
    if not GAMES[event.game].is_on_abr:
        document["game"] = event.game
    if event.abr_event is not None:
        document["abrTournamentId"] = event.abr_event
    return document


def _cobra_player(player: FilePlayer, rank: int, *, with_identities: bool) -> Document:
    stated = player.stated
    corp, runner = player.corp_identity, player.runner_identity
    document: Document = {
        "id": player.id,
        "name": player.name,
        # Ranks are unique and without gaps: readers match players to their own lists by rank.
        "rank": rank,
        "corpIdentity": _straight_quotes(corp) if with_identities else None,
        "corpFaction": player.corp_faction if with_identities else None,
        "runnerIdentity": _straight_quotes(runner) if with_identities else None,
        "runnerFaction": player.runner_faction if with_identities else None,
        "matchPoints": printed_number(stated.match_points or 0),
        "strengthOfSchedule": printed_number(stated.strength_of_schedule or 0),
        "extendedStrengthOfSchedule": printed_number(stated.extended_strength_of_schedule or 0),
    }
    return {**document, "pronouns": player.pronouns} if player.pronouns else document


def _straight_quotes(identity: str | None) -> str | None:
    return identity.translate(STRAIGHT_QUOTES) if identity else None


def _swiss_round(round_: FileRound, *, is_single: bool) -> list[Document]:
    tables = [_swiss_table(table, is_single=is_single) for table in round_.tables]
    return [*tables, *(_bye_table(bye, is_single=is_single) for bye in round_.byes)]


def _swiss_table(table: FileTable, *, is_single: bool) -> Document:
    first, second = (
        _single_seat(seat) if is_single else _double_seat(seat) for seat in table.seats
    )
    return _cobra_table(
        table.number, first, second, drawn=table.intentional_draw, two_for_one=table.two_for_one
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


def _bye_table(bye: FileBye, *, is_single: bool) -> Document:
    seat: Document = {"runnerScore": None, "corpScore": None}
    role: Document = {"role": None} if is_single else {}
    player = {"id": bye.id, **role, **seat, "combinedScore": bye.points}
    return _cobra_table(None, player, {"id": None, **role, **seat, "combinedScore": 0})


def _cut_table(table: FileTable) -> Document:
    first, second = (
        {
            "id": seat.id,
            "role": seat.role.value if seat.role else None,
            "winner": None if table.winner is None else table.winner == seat.id,
        }
        for seat in table.seats
    )
    return _cobra_table(table.number, first, second, is_cut=True)


def _cobra_table(
    number: int | None,
    first: Document,
    second: Document,
    *,
    drawn: bool = False,
    two_for_one: bool = False,
    is_cut: bool = False,
) -> Document:
    return {
        "table": number,
        "player1": first,
        "player2": second,
        "intentionalDraw": drawn,
        "twoForOne": two_for_one,
        "eliminationGame": is_cut,
    }


# Export a single-sided event in TRF, the fixed-column format of chess programs.


WIN, DRAW, LOSS = 3, 1, 0
TRF_NAME_LETTERS = 33
# Columns 81 to 84 hold one decimal, so 99.9 is the highest score that programs can read.
HIGHEST_SCORE = 99
TRF_PROGRAM = "Datafort"

_ABSENT_ENTRY = "0000 - Z"
_RESULT_POINTS = {"1": WIN, "U": WIN, "F": WIN, "=": DRAW, "H": DRAW}
PairingNumbers = Mapping[FilePlayerId, int]


def write_trf(event: FileEvent) -> bytes:
    """Encode the rounds that count in UTF-8.

    Scores other than 3, 1 and 0 are reduced to win, draw or loss. Raises TournamentFileRefused
    unless the event is single-sided: TRF cannot represent matches of several games.
    """
    if event.system != "single":
        raise TournamentFileRefused(
            _("TRF files support only events with one game per match."), "$.system"
        )
    return "".join(f"{line}\r\n" for line in _trf_lines(event)).encode()


def _trf_lines(event: FileEvent) -> Iterator[str]:
    # Pairing numbers have no gaps and follow the ids.
    ids = sorted((player.id for player in event.players), key=id_order)
    numbers = {id_: number for number, id_ in enumerate(ids, start=1)}
    rounds = [_trf_entries(round_, numbers) for round_ in event.rounds if round_.counts]
    played = {
        player.id: [entries.get(player.id, _ABSENT_ENTRY) for entries in rounds]
        for player in event.players
    }
    # Programs verify scores against the results, so compute them from these.
    scores = {
        id_: sum(_RESULT_POINTS.get(entry[-1], LOSS) for entry in entries)
        for id_, entries in played.items()
    }
    # Above the highest score, scale all values: a point is written as 0.1.
    tenths = 10 if max(scores.values(), default=0) <= HIGHEST_SCORE else 1
    win, draw = _tenths_as_decimal(WIN * tenths), _tenths_as_decimal(DRAW * tenths)
    # Programs pair the next round only if more rounds are announced than played.
    number_of_rounds = max(event.planned_rounds, len(event.rounds), 1)
    yield f"012 {clean(event.name)}"
    if event.date:
        yield f"042 {event.date:%Y/%m/%d}"
    yield f"062 {len(event.players)}"
    yield "092 Individual: Swiss-System"
    yield f"142 {number_of_rounds}"
    yield f"XXR {number_of_rounds}"
    # Letters in column 6 and every nine columns from there, each followed by four for its value.
    yield f"162  W{win:>4}    D{draw:>4}"
    # The older line has a separate value for a pairing-allotted bye.
    yield f"XXS W={win} D={draw} PAB={win}"
    yield f"182 {TRF_PROGRAM}"
    rows = {row.id: row for row in compute_standings(event).standings}
    for player in sorted(event.players, key=lambda player: numbers[player.id]):
        yield (
            f"001 {numbers[player.id]:4}{'':6}"
            f"{player.name[:TRF_NAME_LETTERS]:{TRF_NAME_LETTERS}}{'':33}"
            f"{_tenths_as_decimal(scores[player.id] * tenths):>4} {rows[player.id].rank:4}  "
            f"{'  '.join(played[player.id])}"
        ).rstrip()
    if len(rounds) < number_of_rounds:
        yield from _absence_lines(event.players, numbers, next_round=len(rounds) + 1)


def _absence_lines(
    players: tuple[FilePlayer, ...], numbers: PairingNumbers, next_round: int
) -> Iterator[str]:
    """Zero-point byes for dropped players, so that they are not paired again."""
    left = sorted(numbers[player.id] for player in players if player.dropped)
    if left:
        yield f"240 Z {next_round:3} " + " ".join(f"{number:4}" for number in left)
        yield f"XXZ {' '.join(map(str, left))}"


def _tenths_as_decimal(tenths: int) -> str:
    return f"{tenths // 10}.{tenths % 10}"


def _trf_entries(round_: FileRound, numbers: PairingNumbers) -> dict[FilePlayerId, str]:
    """Opponent, colour and result of each player in a round: `  12 w 1`."""
    entries: dict[FilePlayerId, str] = {}
    for table in round_.tables:
        entries.update(_trf_table(table, numbers))
    allotted = 0
    for bye in round_.byes:
        # A round has at most one pairing-allotted bye.
        full = "F" if allotted else "U"
        allotted += bye.points >= WIN
        code = full if bye.points >= WIN else "H" if bye.points >= DRAW else "Z"
        entries[bye.id] = f"0000 - {code}"
    return entries


def _trf_table(table: FileTable, numbers: PairingNumbers) -> Iterator[tuple[FilePlayerId, str]]:
    first, second = table.seats
    for own, opponent in ((first, second), (second, first)):
        colour, result = _trf_colour(own, opponent), _trf_result(own, opponent)
        yield own.id, f"{numbers[opponent.id]:4} {colour} {result}"


def _trf_colour(own: FileSeat, opponent: FileSeat) -> str:
    if Role.CORP is own.role or Role.RUNNER is opponent.role:
        return "w"
    return "b" if Role.RUNNER is own.role or Role.CORP is opponent.role else "-"


def _trf_result(own: FileSeat, opponent: FileSeat) -> str:
    points, opponent_points = own.points or 0, opponent.points or 0
    if points == opponent_points:
        # No points for either player: recorded as if neither had appeared.
        return "=" if points > 0 else "-"
    return "1" if points > opponent_points else "0"
