"""Records of a tournament file, independent of the program that wrote it."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

from matches.scoring import Role

# The tie-breakers in files.
STRENGTHS = ("strength_of_schedule", "extended_strength_of_schedule")
# Player id, unique within its file only.
PlayerId: TypeAlias = int | str
# Valid years of an event, also for events created here.
YEARS = range(1990, 2201)


class Dialect(StrEnum):
    """The program that wrote the file, as far as it can be detected."""

    COBRA = "cobra"
    AESOPS = "aesops"
    NRTM = "nrtm"
    DATAFORT = "datafort"

    @property
    def label(self) -> str:
        """Display name."""
        return _LABELS[self]


_LABELS = {
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

    id: PlayerId
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

    id: PlayerId
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
    winner: PlayerId | None = None

    @property
    def is_played(self) -> bool:
        return self.winner is not None or any(seat.points is not None for seat in self.seats)


@dataclass(frozen=True)
class FileBye:
    """A bye and its points in the file, such as 6, 7 or 0."""

    id: PlayerId
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
    id: PlayerId | None
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
class Difference:
    """A figure where the file and its own games disagree.

    `field` is "match_points", "strength_of_schedule", "extended_strength_of_schedule" or "rank".
    Both values are formatted as the command prints them.
    """

    id: PlayerId
    field: str
    file: str | int | float | None
    computed: str | int | float | None


@dataclass(frozen=True)
class ComputedRow:
    """Exact figures of a player, computed from the games of the file."""

    id: PlayerId
    rank: int
    match_points: Fraction
    strength_of_schedule: Fraction
    extended_strength_of_schedule: Fraction


@dataclass(frozen=True)
class Read:
    """A parsed file: the event, computed standings, and differences from the file."""

    event: FileEvent
    standings: Sequence[ComputedRow]
    differences: Sequence[Difference] = ()


class FileRefused(Exception):  # noqa: N818 - an answer, not an error
    """The file is invalid; `path` is the location, such as "$.rounds[2][0].player1.id"."""

    def __init__(self, message: str, path: str) -> None:
        super().__init__(message)
        self.path = path
