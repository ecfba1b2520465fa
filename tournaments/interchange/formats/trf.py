"""Export a single-sided event in TRF, the fixed-column format of chess programs.

Corp is white and Runner black; unknown sides have no colour. The columns follow TRF-16. Round
count, win and draw values, and absences are written twice: in records 142, 162 and 240 of 2026, and
in the XXR, XXS and XXZ lines of older programs.
"""

from collections.abc import Iterator, Mapping

from core.text import clean
from engine.standings.records import id_order
from matches.scoring import Role
from tournaments.interchange.formats.computing import compute
from tournaments.interchange.formats.records import (
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
# Columns 81 to 84 hold one decimal, so 99.9 is the highest score that programs can read.
HIGHEST_SCORE = 99
PROGRAM = "Datafort"

_ABSENT = "0000 - Z"
_WORTH = {"1": WIN, "U": WIN, "F": WIN, "=": DRAW, "H": DRAW}
Numbers = Mapping[PlayerId, int]


def write(event: FileEvent) -> bytes:
    """Encode the rounds that count in UTF-8.

    Scores other than 3, 1 and 0 are reduced to win, draw or loss. Raises FileRefused unless the
    event is single-sided: TRF cannot represent matches of several games.
    """
    if event.system != "single":
        raise FileRefused("TRF holds single-sided events only.", "$.system")
    return "".join(f"{line}\r\n" for line in _lines(event)).encode()


def _lines(event: FileEvent) -> Iterator[str]:
    numbers = _numbers(event.players)
    rounds = [_entries(round_, numbers) for round_ in event.rounds if round_.counts]
    played = {
        player.id: [entries.get(player.id, _ABSENT) for entries in rounds]
        for player in event.players
    }
    # Programs verify scores against the results, so compute them from these.
    scores = {
        id_: sum(_WORTH.get(entry[-1], LOSS) for entry in entries)
        for id_, entries in played.items()
    }
    # Above the highest score, scale all values: a point is written as 0.1.
    tenths = 10 if max(scores.values(), default=0) <= HIGHEST_SCORE else 1
    win, draw = _decimal(WIN * tenths), _decimal(DRAW * tenths)
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
    yield f"182 {PROGRAM}"
    rows = {row.id: row for row in compute(event).standings}
    for player in sorted(event.players, key=lambda one: numbers[one.id]):
        yield (
            f"001 {numbers[player.id]:4}{'':6}"
            f"{player.name[:MOST_NAME_LETTERS]:{MOST_NAME_LETTERS}}{'':33}"
            f"{_decimal(scores[player.id] * tenths):>4} {rows[player.id].rank:4}  "
            f"{'  '.join(played[player.id])}"
        ).rstrip()
    if len(rounds) < number_of_rounds:
        yield from _absences(event.players, numbers, next_round=len(rounds) + 1)


def _absences(players: tuple[FilePlayer, ...], numbers: Numbers, next_round: int) -> Iterator[str]:
    """Zero-point byes for dropped players, so that they are not paired again."""
    left = sorted(numbers[player.id] for player in players if player.dropped)
    if left:
        yield f"240 Z {next_round:3} " + " ".join(f"{number:4}" for number in left)
        yield f"XXZ {' '.join(map(str, left))}"


def _decimal(tenths: int) -> str:
    return f"{tenths // 10}.{tenths % 10}"


def _numbers(players: tuple[FilePlayer, ...]) -> Numbers:
    """Pairing numbers from 1 without gaps, ordered by id."""
    ids = sorted((player.id for player in players), key=id_order)
    return {id_: number for number, id_ in enumerate(ids, start=1)}


def _entries(round_: FileRound, numbers: Numbers) -> dict[PlayerId, str]:
    """Opponent, colour and result of each player in a round: `  12 w 1`."""
    found: dict[PlayerId, str] = {}
    for table in round_.tables:
        found.update(_table(table, numbers))
    allotted = 0
    for bye in round_.byes:
        # A round has at most one pairing-allotted bye.
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
        # No points for either player: recorded as if neither had appeared.
        return "=" if made > 0 else "-"
    return "1" if made > theirs else "0"
