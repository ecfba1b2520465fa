"""A report of a single-sided event for chess programs: TRF, fixed columns, one record a line.

Corp is white, Runner black; where the sides are not known there is no colour. The columns are
those of TRF-16. The rounds and what a win and a draw are worth stand twice: in records 142 and 162
of 2026, and in the lines XXR and XXS that older programs read.
"""

from collections.abc import Iterator, Mapping

from core.text import clean
from engine.standings.records import id_order
from matches.scoring import Role
from tournaments.interchange.formats.computing import compute
from tournaments.interchange.formats.records import (
    ComputedRow,
    FileEvent,
    FilePlayer,
    FileRefused,
    FileRound,
    FileSeat,
    FileTable,
    PlayerId,
)

WIN, DRAW, LOSS = 3, 1, 0
MOST_NAME_LETTERS = 33
PROGRAM = "Datafort"

_ABSENT = "0000 - Z"
_WORTH = {"1": WIN, "U": WIN, "F": WIN, "=": DRAW, "H": DRAW}
Numbers = Mapping[PlayerId, int]


def write(event: FileEvent) -> bytes:
    """The report of the rounds that count, in UTF-8.

    Scores other than 3, 1 and 0 are written as who won. Raise FileRefused for an event of any other
    kind: double-sided matches and pods are no games of chess.
    """
    if event.system != "single":
        raise FileRefused("TRF holds single-sided events only.", "$.system")
    return "".join(f"{line}\r\n" for line in _lines(event)).encode()


def _lines(event: FileEvent) -> Iterator[str]:
    yield f"012 {clean(event.name)}"
    if event.date:
        yield f"042 {event.date:%Y/%m/%d}"
    yield f"062 {len(event.players)}"
    yield "092 Individual: Swiss-System"
    yield f"142 {len(event.rounds)}"
    yield f"XXR {len(event.rounds)}"
    yield _scores()
    # What a pairing bye is worth is a record of its own here.
    yield f"XXS W={WIN:.1f} D={DRAW:.1f} PAB={WIN:.1f}"
    yield f"182 {PROGRAM}"
    numbers = _numbers(event.players)
    rounds = [_entries(round_, numbers) for round_ in event.rounds if round_.counts]
    rows = {row.id: row for row in compute(event).standings}
    for player in sorted(event.players, key=lambda one: numbers[one.id]):
        played = [entries.get(player.id, _ABSENT) for entries in rounds]
        yield _player(player, numbers[player.id], rows[player.id], played)


def _scores() -> str:
    """Record 162: a letter in column 6 and every nine from there, its points in the four behind."""
    worth = {"W": WIN, "D": DRAW}
    return "162  " + "    ".join(f"{letter}{points:4.1f}" for letter, points in worth.items())


def _numbers(players: tuple[FilePlayer, ...]) -> Numbers:
    """Pairing numbers without a gap, from 1, in the order of the ids."""
    ids = sorted((player.id for player in players), key=id_order)
    return {id_: number for number, id_ in enumerate(ids, start=1)}


def _player(player: FilePlayer, number: int, row: ComputedRow, entries: list[str]) -> str:
    # Other programs add these points up, so they are those of the results beside them.
    points = sum(_WORTH.get(entry[-1], LOSS) for entry in entries)
    return (
        f"001 {number:4}{'':6}{player.name[:MOST_NAME_LETTERS]:{MOST_NAME_LETTERS}}{'':33}"
        f"{_points(points)} {row.rank:4}  {'  '.join(entries)}"
    ).rstrip()


def _points(points: int) -> str:
    return f"{points:4.1f}" if points < 100 else f"{points:4}"


def _entries(round_: FileRound, numbers: Numbers) -> dict[PlayerId, str]:
    """Opponent, colour and result of everybody in a round: `  12 w 1`."""
    found: dict[PlayerId, str] = {}
    for table in round_.tables:
        found.update(_table(table, numbers))
    allotted = 0
    for bye in round_.byes:
        # Only one bye of a round can be the one that an odd number brings.
        full = "F" if allotted else "U"
        allotted += bye.points >= WIN
        code = full if bye.points >= WIN else "H" if bye.points >= DRAW else "Z"
        found[bye.id] = f"0000 - {code}"
    return found


def _table(table: FileTable, numbers: Numbers) -> Iterator[tuple[PlayerId, str]]:
    first, second = table.seats
    yield first.id, f"{numbers[second.id]:4} {_colour(first, second)} {_result(first, second)}"
    yield second.id, f"{numbers[first.id]:4} {_colour(second, first)} {_result(second, first)}"


def _colour(own: FileSeat, other: FileSeat) -> str:
    if Role.CORP is own.role or Role.RUNNER is other.role:
        return "w"
    return "b" if Role.RUNNER is own.role or Role.CORP is other.role else "-"


def _result(own: FileSeat, other: FileSeat) -> str:
    made, theirs = own.points or 0, other.points or 0
    if made == theirs:
        # Nobody has lost to the other: both are without a point, as when neither came.
        return "=" if made > 0 else "-"
    return "1" if made > theirs else "0"
