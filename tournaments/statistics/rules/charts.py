"""Records of charts: lines with names and exact figures."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TypeVar

from tournaments.statistics.rules.rates import Rate

Key = TypeVar("Key", str, tuple[str, str])


class Kind(StrEnum):
    """The kind of a chart: shares of a whole, rates with an interval, or averages."""

    SHARE = "share"
    RATE = "rate"
    AVERAGE = "average"


class Section(StrEnum):
    """The sections of the page, in order."""

    PLAYED = "played"
    WINS = "wins"
    MATCH_UPS = "match_ups"
    ENDS = "ends"
    LENGTHS = "lengths"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a chart: `hits` of `of`, or an `average` of `of`.

    `group` is a faction, `side` a role. `against` is the opposing name of a match-up, or the winner
    of games that ended this way.
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
        """The hits; None if only the average is meaningful."""
        return None if self.average is not None and not self.hits else self.hits

    @property
    def rate(self) -> Rate:
        """The hits as a rate, with share and interval if the sample is large enough."""
        return Rate(self.hits, self.of)


@dataclass(frozen=True)
class Columns:
    """Headings of the table: the name, the hits and the total.

    Only some charts have the headings `against` and `average`.
    """

    name: str
    hits: str
    of: str
    against: str = ""
    average: str = ""


@dataclass(frozen=True)
class Chart:
    """Lines of the same kind, highest first. The id is part of files and of the API.

    `about` describes what is counted. With `hides_small`, small groups are left out while the event
    is played.
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
    """Sort by count, highest first; ties by name, so that the order is deterministic."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
