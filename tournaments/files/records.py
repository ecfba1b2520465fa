"""Records of a tournament file, independent of the program that wrote it."""

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

from engine.standings.ranking import standings
from engine.standings.records import Bye, PlayedTable, RoundRecord, StandingsRecord
from matches.scoring.results import Role

# The tie-breakers in files.
STRENGTHS = ("strength_of_schedule", "extended_strength_of_schedule")
# Player id, unique within its file only.
FilePlayerId: TypeAlias = int | str
# Valid years of an event, also for events created here.
VALID_YEARS = range(1990, 2201)


class Dialect(StrEnum):
    """The program that wrote the file, as far as it can be detected."""

    COBRA = "cobra"
    AESOPS = "aesops"
    NRTM = "nrtm"
    DATAFORT = "datafort"

    @property
    def label(self) -> str:
        """Display name."""
        return _DIALECT_LABELS[self]


_DIALECT_LABELS = {
    Dialect.COBRA: "Cobra",
    Dialect.AESOPS: "AesopsTables",
    Dialect.NRTM: "NRTM",
    Dialect.DATAFORT: "Datafort",
}


@dataclass(frozen=True)
class StatedFigures:
    """Figures of a player after Swiss as stated in the file; None if missing."""

    match_points: Fraction | None = None
    strength_of_schedule: Fraction | None = None
    extended_strength_of_schedule: Fraction | None = None
    rank: int | None = None


@dataclass(frozen=True)
class FilePlayer:
    """A player of the file. Identities and factions are unresolved text."""

    id: FilePlayerId
    name: str
    pronouns: str = ""
    corp_identity: str | None = None
    runner_identity: str | None = None
    corp_faction: str | None = None
    runner_faction: str | None = None
    dropped: bool = False
    stated: StatedFigures = StatedFigures()


@dataclass(frozen=True)
class FileSeat:
    """A side of a table.

    `points` is the total, None without a result. `corp_points` and `runner_points` are the points
    by role, if the file has them. `role` is the role in a single game; None if two games are played
    or no side is chosen.
    """

    id: FilePlayerId
    points: int | None = None
    corp_points: int | None = None
    runner_points: int | None = None
    role: Role | None = None


@dataclass(frozen=True)
class FileTable:
    """A table of two players; `winner` is set only in a cut."""

    number: int | None
    seats: tuple[FileSeat, FileSeat]
    intentional_draw: bool = False
    two_for_one: bool = False
    winner: FilePlayerId | None = None

    @property
    def is_played(self) -> bool:
        return self.winner is not None or any(seat.points is not None for seat in self.seats)


@dataclass(frozen=True)
class FileBye:
    """A bye and its points in the file, such as 6, 7 or 0."""

    id: FilePlayerId
    points: int


@dataclass(frozen=True)
class FileRound:
    """A round; `counts` is False if it was not played to its end."""

    tables: tuple[FileTable, ...] = ()
    byes: tuple[FileBye, ...] = ()
    counts: bool = True


@dataclass(frozen=True)
class FilePlacing:
    """A place in the final order of a cut; `id` is None while undecided."""

    rank: int
    id: FilePlayerId | None
    seed: int | None = None


@dataclass(frozen=True)
class FileEvent:
    """An event as written in a file.

    `rounds` are the Swiss rounds, `cut_rounds` the rounds of the cut, in order. `system` is
    "double" or "single". `placings` are the places of the cut, best first. `cut_size` is 0 without
    a cut. `planned_rounds` is the number of Swiss rounds, 0 if unknown. `notices` are sentences
    about values that could not be read as written.
    """

    name: str
    dialect: Dialect
    game: str
    system: str
    players: tuple[FilePlayer, ...]
    rounds: tuple[FileRound, ...] = ()
    planned_rounds: int = 0
    cut_rounds: tuple[FileRound, ...] = ()
    cut_size: int = 0
    placings: tuple[FilePlacing, ...] = ()
    date: datetime.date | None = None
    owner: str = ""
    abr_event: int | None = None
    page: str = ""
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class FigureDifference:
    """A figure where the file and its own games disagree.

    `field` is "match_points", "strength_of_schedule", "extended_strength_of_schedule" or "rank".
    Both values are formatted as the command prints them.
    """

    id: FilePlayerId
    field: str
    file: str | int | float | None
    computed: str | int | float | None


@dataclass(frozen=True)
class ComputedRow:
    """Exact figures of a player, computed from the games of the file."""

    id: FilePlayerId
    rank: int
    match_points: Fraction
    strength_of_schedule: Fraction
    extended_strength_of_schedule: Fraction


@dataclass(frozen=True)
class ComputedEvent:
    """A parsed file: the event, computed standings, and differences from the file."""

    event: FileEvent
    standings: Sequence[ComputedRow]
    differences: Sequence[FigureDifference] = ()


class TournamentFileRefused(Exception):  # noqa: N818 - a refusal, not an error
    """The file is invalid; `path` is the location, such as "$.rounds[2][0].player1.id"."""

    def __init__(self, message: str, path: str) -> None:
        super().__init__(message)
        self.path = path


# Recompute points and tie-breakers of a file and compare them with its stated figures.


# Bounds on the decimals to compare; otherwise as many as the file states.
MIN_DIGITS, MAX_DIGITS = 2, 5
# Percentage of a column's figures; the rest may have been entered by hand.
USUAL_DIGITS_PERCENT = 80

_NO_RANK = 10**9


def counted_match_points(event: FileEvent) -> Mapping[FilePlayerId, int]:
    """Points of each player in the rounds that count."""
    points = dict.fromkeys((player.id for player in event.players), 0)
    for round_ in event.rounds:
        if round_.counts:
            for id_, entry in _round_entries(round_):
                points[id_] += int(entry.points)
    return points


def compute_standings(event: FileEvent) -> ComputedEvent:
    """Return the event with computed standings, best first, and differences from the file.

    Players tied on points and both strengths of schedule keep the file's order, because the
    original random draw is unknown.
    """
    rows = _computed_rows(event)
    return ComputedEvent(event, rows, tuple(_figure_differences(event.players, rows)))


def _computed_rows(event: FileEvent) -> tuple[ComputedRow, ...]:
    table = standings(_standings_records(event), ("match_points",), seed=0)
    figures = {row.id: row for row in table}
    keys = [
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
        for rank, (points, strength, extended, _, _, id_) in enumerate(sorted(keys), start=1)
    )


def _standings_records(event: FileEvent) -> Iterator[StandingsRecord]:
    entries: dict[FilePlayerId, list[RoundRecord]] = {player.id: [] for player in event.players}
    for round_ in event.rounds:
        if round_.counts:
            for id_, entry in _round_entries(round_):
                entries[id_].append(entry)
    return (StandingsRecord(id_, tuple(rounds)) for id_, rounds in entries.items())


def _round_entries(round_: FileRound) -> Iterator[tuple[FilePlayerId, PlayedTable | Bye]]:
    for bye in round_.byes:
        yield bye.id, Bye(bye.points)
    for table in round_.tables:
        first, second = table.seats
        # A table without a result in a round that counts gives no points.
        yield first.id, PlayedTable((second.id,), first.points or 0)
        yield second.id, PlayedTable((first.id,), second.points or 0)


def _figure_differences(
    players: Sequence[FilePlayer], rows: Iterable[ComputedRow]
) -> Iterator[FigureDifference]:
    rows_by_id = {row.id: row for row in rows}
    usual = {field: _usual_digits(players, field) for field in STRENGTHS}
    rounded_ranks = _ranks_as_rounded(players, rows_by_id, usual)
    for player in players:
        for field in ("match_points", *STRENGTHS, "rank"):
            stated = getattr(player.stated, field)
            computed = getattr(rows_by_id[player.id], field)
            if stated is None or _is_equal_when_rounded(field, stated, computed, usual):
                continue
            if field != "rank" or stated != rounded_ranks[player.id]:
                yield FigureDifference(
                    player.id, field, printed_number(stated), printed_number(computed)
                )


def _ranks_as_rounded(
    players: Sequence[FilePlayer],
    rows_by_id: Mapping[FilePlayerId, ComputedRow],
    usual: Mapping[str, int],
) -> Mapping[FilePlayerId, int]:
    """Ranks by the file's rounded figures, so that rounding causes no differences."""
    keys: list[tuple[list[Fraction], int, int, FilePlayerId]] = []
    for index, player in enumerate(players):
        row = rows_by_id[player.id]
        figures = [-row.match_points]
        for field in STRENGTHS:
            stated, computed = getattr(player.stated, field), getattr(row, field)
            is_rounded = stated is not None and _is_equal_when_rounded(
                field, stated, computed, usual
            )
            figures.append(-(stated if is_rounded else computed))
        keys.append((figures, player.stated.rank or _NO_RANK, index, player.id))
    return {id_: rank for rank, (*_, id_) in enumerate(sorted(keys), start=1)}


def _is_equal_when_rounded(
    field: str, stated: Fraction, computed: Fraction, usual: Mapping[str, int]
) -> bool:
    return abs(stated - computed) <= _tolerance(field, stated, usual)


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
    """Return the number of decimals of most figures in a column, because 1.5 may mean 1.500."""
    figures = [getattr(player.stated, field) for player in players]
    digits = sorted(_digits(figure) for figure in figures if figure is not None)
    return digits[len(digits) * USUAL_DIGITS_PERCENT // 100] if digits else MIN_DIGITS


def _digits(figure: Fraction) -> int:
    digits = MIN_DIGITS
    while digits < MAX_DIGITS and (figure * 10**digits).denominator != 1:
        digits += 1
    return digits


def _half_a_digit(digits: int) -> Fraction:
    return Fraction(5, 10 ** (digits + 1))


def printed_number(figure: Fraction | int) -> int | float:
    """Convert to int if whole, else to float."""
    exact = Fraction(figure)
    return exact.numerator if exact.denominator == 1 else float(exact)


# Find first-round byes that a file counts but does not list.


def unlisted_byes(event: FileEvent, usual_points: int) -> tuple[FileBye, ...]:
    """Return the byes that explain the stated points of players absent from round 1.

    The stated points of such a player exceed those of their games by exactly one bye. It is worth
    `usual_points` or as much as another bye in the file.
    """
    if not event.rounds or not event.rounds[0].counts:
        return ()
    worth = {usual_points, *(bye.points for round_ in event.rounds for bye in round_.byes)} - {0}
    first = event.rounds[0]
    present = {seat.id for table in first.tables for seat in table.seats}
    present |= {bye.id for bye in first.byes}
    computed = counted_match_points(event)
    missing = {
        player.id: player.stated.match_points - computed[player.id]
        for player in event.players
        if player.id not in present and player.stated.match_points is not None
    }
    return tuple(FileBye(id_, int(points)) for id_, points in missing.items() if points in worth)


def with_first_round_byes(event: FileEvent, byes: Sequence[FileBye]) -> FileEvent:
    """Add these byes to round 1."""
    first, *rest = event.rounds
    return replace(event, rounds=(replace(first, byes=(*first.byes, *byes)), *rest))
