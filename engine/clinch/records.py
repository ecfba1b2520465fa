"""What the last round leaves open, and what is answered about each player."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from engine.standings import PlayerId, Record, Taken
from engine.standings.records import Exact

Ending: TypeAlias = tuple[Taken, ...]
"""One way a table can end: what each seat takes, in the order of the seats."""

Results: TypeAlias = Mapping[int, Ending]
"""How each open table ends, by its number."""


@dataclass(frozen=True)
class OpenTable:
    """A table of the last round without a confirmed result, and every way it can end.

    Verdicts count every ending; examples prefer those in `ordinary`, where that is not empty.
    """

    number: int
    players: tuple[PlayerId, ...]
    endings: tuple[Ending, ...]
    ordinary: tuple[Ending, ...] = ()

    def has_ordinary(self, ending: Ending) -> bool:
        """Return whether this ending is an ordinary one."""
        return not self.ordinary or ending in self.ordinary


@dataclass(frozen=True)
class LastRound:
    """The last round while it is played.

    `records` are everybody's with the results that are confirmed; whoever sits at an open table has
    None for this round. The best `places` go on; `gone` players keep their results and take none.
    Without a cut nobody is gone: who has dropped stays in the standings, first place included.
    """

    records: tuple[Record, ...]
    tables: tuple[OpenTable, ...]
    tie_breakers: tuple[str, ...]
    places: int
    seed: int = 0
    gone: frozenset[PlayerId] = frozenset()


class Verdict(StrEnum):
    """What is certain about a player; OPEN also where nothing was proven."""

    IN = "in"
    OUT = "out"
    OPEN = "open"


@dataclass(frozen=True)
class Example:
    """Results with which a player misses, or makes it.

    With `results` the player comes in at `place`, or at best (at worst, when it is made) where
    they leave other tables out: those may end in any way. `level` are rivals equal on every
    tie-breaker before `decided_by`, which decides then.
    """

    own_points: Exact | None
    results: Results
    place: int
    is_whole: bool
    level: tuple[PlayerId, ...] = ()
    decided_by: str = ""
    is_ordinary: bool = True


@dataclass(frozen=True)
class Need:
    """What is certain about one player, when nobody drops.

    `safe_from` are the least points from the own table with which, and with any more, the player
    is in whatever others do; `possible_from` the least with which it can still happen. Both are
    None where no result does it, and without an open table. `place` is that in the standings,
    set when it is decided and nobody who is gone is ahead; with open tables while nobody is gone.
    `missing` are results with which it goes wrong at the best result that is not safe; `making`
    are results with which it comes true, where nothing is safe. Both are ordinary results where
    some do it; `ordinary_from` are, where nothing is safe, the least points with which ordinary
    results do it, None where they never do. Where the search was given up, `is_proven` is False:
    then some result may be safe, or out of reach, that is not said to be.
    """

    player: PlayerId
    verdict: Verdict
    place: int | None = None
    safe_from: Exact | None = None
    possible_from: Exact | None = None
    missing: Example | None = None
    making: Example | None = None
    ordinary_from: Exact | None = None
    is_proven: bool = True
