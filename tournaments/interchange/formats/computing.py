"""Recompute points and tie-breakers of a file and compare them with its stated figures."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from engine.standings import Bye, Played, Record, RoundRecord, standings
from tournaments.interchange.formats.records import (
    STRENGTHS,
    ComputedRow,
    Difference,
    FileEvent,
    FilePlayer,
    FileRound,
    PlayerId,
    Read,
    StatedFigures,
)

# Bounds on the decimals to compare; otherwise as many as the file states.
FEWEST_DIGITS, MOST_DIGITS = 2, 5
# Percentage of a column's figures; the rest may have been entered by hand.
NEARLY_ALL = 80

_NO_RANK = 10**9


def match_points(event: FileEvent) -> Mapping[PlayerId, int]:
    """Points of each player in the rounds that count."""
    made = dict.fromkeys((player.id for player in event.players), 0)
    for round_ in event.rounds:
        if round_.counts:
            for id_, entry in _entries(round_):
                made[id_] += int(entry.points)
    return made


def compute(event: FileEvent) -> Read:
    """Return the event with computed standings, best first, and differences from the file.

    Players tied on points and both strengths of schedule keep the file's order, because the
    original random draw is unknown.
    """
    rows = _rows(event)
    return Read(event, rows, tuple(_differences(event.players, rows)))


def _rows(event: FileEvent) -> tuple[ComputedRow, ...]:
    table = standings(_records(event), ("match_points",), seed=0)
    figures = {row.id: row for row in table}
    found = [
        (
            -Fraction(figures[player.id].match_points),
            -Fraction(figures[player.id].strength_of_schedule),
            -Fraction(figures[player.id].extended_strength_of_schedule),
            player.stated.rank or _NO_RANK,
            index,
            player.id,
        )
        for index, player in enumerate(event.players)
    ]
    return tuple(
        ComputedRow(id_, rank, -points, -strength, -extended)
        for rank, (points, strength, extended, _, _, id_) in enumerate(sorted(found), start=1)
    )


def _records(event: FileEvent) -> Iterator[Record]:
    entries: dict[PlayerId, list[RoundRecord]] = {player.id: [] for player in event.players}
    for round_ in event.rounds:
        if round_.counts:
            for id_, entry in _entries(round_):
                entries[id_].append(entry)
    return (Record(id_, tuple(found)) for id_, found in entries.items())


def _entries(round_: FileRound) -> Iterator[tuple[PlayerId, Played | Bye]]:
    for bye in round_.byes:
        yield bye.id, Bye(bye.points)
    for table in round_.tables:
        one, other = table.seats
        # A table without a result in a round that counts gives no points.
        yield one.id, Played((other.id,), one.points or 0)
        yield other.id, Played((one.id,), other.points or 0)


def _differences(
    players: Sequence[FilePlayer], rows: Iterable[ComputedRow]
) -> Iterator[Difference]:
    computed = {row.id: row for row in rows}
    usual = {field: _usual_digits(players, field) for field in STRENGTHS}
    excused = _ranks_as_rounded(players, computed, usual)
    for player in players:
        row, stated = computed[player.id], player.stated
        for field in ("match_points", *STRENGTHS, "rank"):
            said, made = getattr(stated, field), getattr(row, field)
            if said is None or _agrees(field, said, made, usual):
                continue
            if field != "rank" or said != excused[player.id]:
                yield Difference(player.id, field, printed(said), printed(made))


def _ranks_as_rounded(
    players: Sequence[FilePlayer],
    computed: Mapping[PlayerId, ComputedRow],
    usual: Mapping[str, int],
) -> Mapping[PlayerId, int]:
    """Ranks by the file's rounded figures, so that rounding causes no differences."""
    keys: list[tuple[list[Fraction], int, int, PlayerId]] = []
    for index, player in enumerate(players):
        row, stated = computed[player.id], player.stated
        strengths = [-_as_rounded(field, stated, row, usual) for field in STRENGTHS]
        figures = [-row.match_points, *strengths]
        keys.append((figures, stated.rank or _NO_RANK, index, player.id))
    return {id_: rank for rank, (*_, id_) in enumerate(sorted(keys), start=1)}


def _as_rounded(
    field: str, stated: StatedFigures, row: ComputedRow, usual: Mapping[str, int]
) -> Fraction:
    """Return the stated figure if it differs only by rounding, else the computed figure."""
    said: Fraction | None = getattr(stated, field)
    made: Fraction = getattr(row, field)
    return made if said is None or not _agrees(field, said, made, usual) else said


def _agrees(field: str, said: Fraction, made: Fraction, usual: Mapping[str, int]) -> bool:
    return abs(said - made) <= _tolerance(field, said, usual)


def _tolerance(field: str, stated: Fraction, usual: Mapping[str, int]) -> Fraction:
    """Largest difference that rounding can explain."""
    if field not in usual:
        return Fraction(0)
    own = _half_a_digit(max(usual[field], _digits(stated)))
    if field == STRENGTHS[0]:
        return own
    # Extended strengths are averages of strengths that may already be rounded.
    return own + _half_a_digit(usual[STRENGTHS[0]])


def _usual_digits(players: Iterable[FilePlayer], field: str) -> int:
    """Number of decimals of most figures in a column, because 1.5 may mean 1.500."""
    figures = [getattr(player.stated, field) for player in players]
    digits = sorted(_digits(figure) for figure in figures if figure is not None)
    return digits[len(digits) * NEARLY_ALL // 100] if digits else FEWEST_DIGITS


def _digits(figure: Fraction) -> int:
    digits = FEWEST_DIGITS
    while digits < MOST_DIGITS and (figure * 10**digits).denominator != 1:
        digits += 1
    return digits


def _half_a_digit(digits: int) -> Fraction:
    return Fraction(5, 10 ** (digits + 1))


def printed(figure: Fraction | int) -> int | float:
    """Convert to int if whole, else to float."""
    exact = Fraction(figure)
    return exact.numerator if exact.denominator == 1 else float(exact)
