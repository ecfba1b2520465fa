"""Charts as records: what each line is called, and its exact figures."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TypeVar

from tournaments.statistics.rules.rates import Rate

Key = TypeVar("Key", str, tuple[str, str])


class Kind(StrEnum):
    """How a chart is drawn: shares of a whole, rates with their interval, or averages."""

    SHARE = "share"
    RATE = "rate"
    AVERAGE = "average"


class Section(StrEnum):
    """The parts of the page, in order."""

    PLAYED = "played"
    WINS = "wins"
    MATCH_UPS = "match_ups"
    ENDS = "ends"
    LENGTHS = "lengths"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class Line:
    """One line: `hits` of `of`, or an `average` of `of`. `group` is a faction, `side` a role.

    `against` is the other side of a match-up, or who won games that ended so.
    """

    name: str
    of: int
    hits: int = 0
    average: Fraction | None = None
    against: str = ""
    group: str = ""
    side: str = ""

    @property
    def count(self) -> int | None:
        """Its hits; None where only the average says something."""
        return None if self.average is not None and not self.hits else self.hits

    @property
    def rate(self) -> Rate:
        """Its hits among all, with their share and interval where these are enough."""
        return Rate(self.hits, self.of)


@dataclass(frozen=True)
class Columns:
    """The heads of the table beside a chart: the name, what was counted, and of how many.

    `against` and `average` head columns that only some charts have.
    """

    name: str
    hits: str
    of: str
    against: str = ""
    average: str = ""


@dataclass(frozen=True)
class Chart:
    """Lines of one kind, most first. The id is part of files and of the API.

    `about` says what is counted. `hides_small`: smaller groups are left out while the event is
    played.
    """

    id: str
    section: Section
    kind: Kind
    title: str
    about: str
    columns: Columns
    lines: tuple[Line, ...]
    hides_small: bool = False


def most_first(counts: Mapping[Key, int]) -> list[tuple[Key, int]]:
    """The largest first; equal ones by name, so that no order is accidental."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
