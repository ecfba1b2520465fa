"""Records of the last round: open tables, verdicts and needs."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from engine.standings import PlayerId, Record, Taken
from engine.standings.records import Exact

# One way a table can end: the result of each seat, in seat order.
Ending: TypeAlias = tuple[Taken, ...]

# The ending of each open table, by table number.
Results: TypeAlias = Mapping[int, Ending]


@dataclass(frozen=True)
class OpenTable:
    """A table of the last round without a confirmed result, and every way it can end.

    Verdicts count every ending. Examples prefer the endings in `ordinary`, unless it is empty.
    """

    number: int
    players: tuple[PlayerId, ...]
    endings: tuple[Ending, ...]
    ordinary: tuple[Ending, ...] = ()

    def has_ordinary(self, ending: Ending) -> bool:
        return not self.ordinary or ending in self.ordinary


@dataclass(frozen=True)
class LastRound:
    """The last round while it is played.

    `records` has all players with their confirmed results, and None in this round for players at
    open tables. The best `places` advance. `gone` players have results but cannot take a place.
    Without a cut `gone` is empty: dropped players stay in the standings, even in first place.
    """

    records: tuple[Record, ...]
    tables: tuple[OpenTable, ...]
    tie_breakers: tuple[str, ...]
    places: int
    seed: int = 0
    gone: frozenset[PlayerId] = frozenset()


class Verdict(StrEnum):
    """The certain outcome of a player. OPEN also covers cases without a proof."""

    IN = "in"
    OUT = "out"
    OPEN = "open"


@dataclass(frozen=True)
class Example:
    """Results with which a player misses or makes it.

    `place` is the player's place with these results. If they leave tables out, it is the best
    possible place for a miss and the worst possible for a success. `level` has the rivals equal on
    every tie-breaker before `decided_by`, which then decides.
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
    """The certain facts about a player, provided that nobody drops.

    `safe_from` is the lowest score from the player's own table that surely is enough, as is any
    higher score. `possible_from` is the lowest score with which the player can still make it. Both
    are None if no result does it, and without an open table.

    `place` is the decided place in the standings. It is not set if a dropped player is ahead. With
    open tables it is set only if nobody has dropped.

    `missing` has results with which the player misses despite the best unsafe result. `making` has
    results with which the player makes it, if nothing is safe. Both are ordinary results if
    possible. `ordinary_from` is the lowest score with which ordinary results do it, if nothing is
    safe; None if they never do.

    If the search gave up, `is_proven` is False: some results may then be safe, or out of reach,
    without being reported.
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
