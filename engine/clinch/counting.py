"""Counts of the rivals that can end on one side of a player, table by table.

With the player's own points fixed, every table contributes its maximum by points alone. Only rivals
tied on points depend on tie-breakers, and so on other tables. If their bounds are inconclusive,
`engine.clinch.program` searches.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np

from engine.clinch.figures import Figures

# A rival's lead over the player on this side: a constant and a value per column.
Difference: TypeAlias = tuple[int, np.ndarray]

# The side of the player that is counted. Rivals who may be tied count on both sides.
ABOVE, BELOW = 1, -1

# Larger than any difference.
_NEVER = 2**61


@dataclass(frozen=True)
class Question:
    """A question: can `wanted` rivals of `player` end on this side, or tied?

    `points` is the player's final total in parts. `allowed` has the columns of the player's own
    table that give this total. It is empty for a player without an open table.
    """

    player: int
    points: int
    allowed: np.ndarray
    side: int
    wanted: int


@dataclass(frozen=True)
class Counts:
    """Rivals on this side by points, without and with ties: by column, by table, in total."""

    strict: np.ndarray
    with_level: np.ndarray
    of_table: np.ndarray
    of_table_with_level: np.ndarray
    total: int
    total_with_level: int


@dataclass(frozen=True)
class Ties:
    """The effect of the tie-breakers on rivals who can be tied on points.

    `won` rivals count whenever they are tied; `by_lot` has those that only the random draw
    separates. `contested` rivals count sometimes. `forms` has their differences by tie-breaker,
    starting with the first undecided tie-breaker.
    """

    won: np.ndarray
    contested: list[int]
    forms: dict[int, list[Difference]] = field(default_factory=dict)
    by_lot: set[int] = field(default_factory=set)


class Counting:
    """The field as NumPy arrays. Dropped players are not counted as rivals."""

    def __init__(self, figures: Figures) -> None:
        self.figures = figures
        self.rivals = np.array([one not in figures.last.gone for one in figures.players])
        self.columns = len(figures.table_of)
        width = max(map(len, figures.seats), default=0)
        self.seat = np.full((self.columns, width), -1)
        for column, place, _ in figures.endings:
            self.seat[column, : len(figures.seats[place])] = figures.seats[place]
        points = figures.points
        of_columns = points.columns.toarray()[self.seat, np.arange(self.columns)[:, None]]
        self.points = points.constants[self.seat] + of_columns
        self.counted = (self.seat >= 0) & self.rivals[self.seat]
        self.settled = np.array(
            [one for one in np.flatnonzero(self.rivals) if one not in figures.table], dtype=int
        )
        self._counts: dict[tuple[int, int], Counts] = {}

    @cached_property
    def size(self) -> int:
        """The number of players who compete for places."""
        return int(self.rivals.sum())

    def counts(self, points: int, side: int) -> Counts:
        key = points, side
        if key not in self._counts:
            self._counts[key] = self._counted(points, side)
        return self._counts[key]

    def _counted(self, points: int, side: int) -> Counts:
        strict = ((side * (self.points - points) > 0) & self.counted).sum(axis=1)
        with_level = strict + ((self.points == points) & self.counted).sum(axis=1)
        settled = side * (self.figures.points.constants[self.settled] - points)
        by_table, by_table_with_level = self.best(strict), self.best(with_level)
        return Counts(
            strict,
            with_level,
            by_table,
            by_table_with_level,
            int(by_table.sum() + (settled > 0).sum()),
            int(by_table_with_level.sum() + (settled >= 0).sum()),
        )

    def best(self, by_column: np.ndarray) -> np.ndarray:
        """The maximum of each table."""
        if not self.columns:
            return np.zeros(0, dtype=int)
        return np.maximum.reduceat(by_column, self.figures.starts)

    def bounds(self, asked: Question) -> tuple[int, int]:
        """The achievable maximum by points alone, and the maximum with every tied rival."""
        counts = self.counts(asked.points, asked.side)
        # `with_level` also counts the player.
        if not len(asked.allowed):
            return counts.total, counts.total_with_level - 1
        own = self.figures.table_of[asked.allowed[0]]
        strict = counts.strict[asked.allowed].max() - counts.of_table[own]
        level = counts.with_level[asked.allowed].max() - 1 - counts.of_table_with_level[own]
        return counts.total + int(strict), counts.total_with_level + int(level)

    def free(self, asked: Question) -> np.ndarray:
        """The columns that are possible with the result of the player's own table fixed."""
        free = np.ones(self.columns, dtype=bool)
        if len(asked.allowed):
            free[self.figures.table_of == self.figures.table_of[asked.allowed[0]]] = False
            free[asked.allowed] = True
        return free

    def ties(self, asked: Question, free: np.ndarray) -> Ties:
        """Sort the rivals who can be tied on points by the bounds of their tie-breakers."""
        found = Ties(np.zeros(len(self.rivals), dtype=bool), [])
        for rival in self._level(asked, free):
            mine = free
            if rival in self.figures.table:
                own = self._table_of(rival)
                mine = free.copy()
                mine[own] &= self.level_columns(rival, asked.points)[own]
            self._sort_in(found, rival, self._differences(asked, rival), mine)
        return found

    def _level(self, asked: Question, free: np.ndarray) -> list[int]:
        level = (self.points == asked.points) & self.counted & free[:, None]
        points = self.figures.points.constants[self.settled]
        settled = self.settled[points == asked.points]
        everybody = {*self.seat[level].tolist(), *settled.tolist()}
        return sorted(everybody - {asked.player})

    def level_columns(self, rival: int, points: int) -> np.ndarray:
        """The columns of the rival's table that give the rival these points."""
        own, level = self._table_of(rival), np.zeros(self.columns, dtype=bool)
        level[own] = ((self.seat[own] == rival) & (self.points[own] == points)).any(axis=1)
        return level

    def _table_of(self, rival: int) -> slice:
        place = self.figures.table[rival]
        return slice(self._ends[place], self._ends[place + 1])

    @cached_property
    def _ends(self) -> list[int]:
        """The first column of each table, and the end of the last table's columns."""
        return [*map(int, self.figures.starts), self.columns]

    def _differences(self, asked: Question, rival: int) -> Iterator[Difference]:
        for form in self.figures.forms[1:]:
            constant = int(form.constants[rival] - form.constants[asked.player])
            columns = form.row(rival) - form.row(asked.player)
            yield asked.side * constant, asked.side * columns

    def _sort_in(
        self, ties: Ties, rival: int, differences: Iterator[Difference], free: np.ndarray
    ) -> None:
        """Let the first tie-breaker that can differ decide, if it always falls on one side."""
        undecided: list[Difference] = []
        for difference in differences:
            least, most = self.least(difference, free), -self.least(_turned(difference), free)
            if not undecided and most < 0:
                return
            if not undecided and least > 0:
                ties.won[rival] = True
                return
            if undecided or least < most:
                undecided.append(difference)
        if undecided or not self.figures.is_whole:
            ties.contested.append(rival)
            ties.forms[rival] = undecided
        else:
            ties.won[rival] = True
            ties.by_lot.add(rival)

    def least(self, difference: Difference, free: np.ndarray) -> int:
        """The minimum of this difference over the possible columns."""
        constant, columns = difference
        if not self.columns:
            return constant
        possible = np.where(free, columns, _NEVER)
        return constant + int(np.minimum.reduceat(possible, self.figures.starts).sum())


def _turned(difference: Difference) -> Difference:
    return -difference[0], -difference[1]
