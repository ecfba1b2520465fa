"""What a tournament file says, whichever program wrote it."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

from matches.scoring import Role

STRENGTHS = ("strength_of_schedule", "extended_strength_of_schedule")
"""The tie-breakers that a file states."""
PlayerId: TypeAlias = int | str
"""The id of a player in the file; unique there and nowhere else."""
YEARS = range(1990, 2201)
"""In which an event can be, here as where it is made by hand."""


class Dialect(StrEnum):
    """Who wrote the file, as far as that can be known."""

    COBRA = "cobra"
    AESOPS = "aesops"
    NRTM = "nrtm"
    DATAFORT = "datafort"

    @property
    def label(self) -> str:
        """As it stands on a page."""
        return _LABELS[self]


_LABELS = {
    Dialect.COBRA: "Cobra",
    Dialect.AESOPS: "AesopsTables",
    Dialect.NRTM: "NRTM",
    Dialect.DATAFORT: "Datafort",
}


@dataclass(frozen=True)
class StatedFigures:
    """What the file says a player has after Swiss; None where it says nothing."""

    match_points: Fraction | None = None
    strength_of_schedule: Fraction | None = None
    extended_strength_of_schedule: Fraction | None = None
    rank: int | None = None


@dataclass(frozen=True)
class FilePlayer:
    """A player of the file, in its order. Identities and factions are text as it stands there."""

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
    """One side of a table.

    `points` is the total, None while there is no result. `corp_points` and `runner_points` are
    those made in each role where the file has them apart. `role` is that of the only game, None
    where two games are played or nobody has chosen.
    """

    id: PlayerId
    points: int | None = None
    corp_points: int | None = None
    runner_points: int | None = None
    role: Role | None = None


@dataclass(frozen=True)
class FileTable:
    """Two players at a table; `winner` is set in a cut alone."""

    number: int | None
    seats: tuple[FileSeat, FileSeat]
    intentional_draw: bool = False
    two_for_one: bool = False
    winner: PlayerId | None = None

    @property
    def is_played(self) -> bool:
        """Whether there is a result."""
        return self.winner is not None or any(seat.points is not None for seat in self.seats)


@dataclass(frozen=True)
class FileBye:
    """Who sits out, and what it brings: 6, 7, 0, whatever the file says."""

    id: PlayerId
    points: int


@dataclass(frozen=True)
class FileRound:
    """One round; `counts` is false for one that was paired and not played to its end."""

    tables: tuple[FileTable, ...] = ()
    byes: tuple[FileBye, ...] = ()
    counts: bool = True


@dataclass(frozen=True)
class FilePlacing:
    """A place in the final order of a cut; `id` is None while it is not decided."""

    rank: int
    id: PlayerId | None
    seed: int | None = None


@dataclass(frozen=True)
class FileEvent:
    """An event as a file has it.

    `rounds` are those of Swiss, `cut_rounds` those after it, both in order. `system` is "double"
    or "single". `placings` are the places of the cut, best first; `cut_size` is how many are in
    it, 0 without one. `planned_rounds` is the number of Swiss rounds that will be played, 0 if it
    is not known. `notices` are sentences about values that were not read as written.
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
    """A figure of a player where the file says one thing and its own games another.

    `field` is "match_points", "strength_of_schedule", "extended_strength_of_schedule" or "rank";
    both values are as the command prints them.
    """

    id: PlayerId
    field: str
    file: str | int | float | None
    computed: str | int | float | None


@dataclass(frozen=True)
class ComputedRow:
    """What the games of the file come to for one player, exactly."""

    id: PlayerId
    rank: int
    match_points: Fraction
    strength_of_schedule: Fraction
    extended_strength_of_schedule: Fraction


@dataclass(frozen=True)
class Read:
    """A file that was read: the event, its standings as computed here, and what differs."""

    event: FileEvent
    standings: Sequence[ComputedRow]
    differences: Sequence[Difference] = ()


class FileRefused(Exception):  # noqa: N818 - an answer, not an error
    """The file is broken: `path` says where ("$.rounds[2][0].player1.id"), the text what."""

    def __init__(self, message: str, path: str) -> None:
        super().__init__(message)
        self.path = path
