"""Counts of the rivals that can end on one side of a player, table by table.

With the player's own points fixed, every table contributes its maximum by points alone. Only rivals
tied on points depend on tie-breakers, and so on other tables. If their bounds are inconclusive, an
integer program searches for a scenario.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from math import gcd
from typing import Any, TypeAlias

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from engine.clinch.figures import RoundFigures

# A rival's lead over the player on this side: a constant and a value per column.
RivalLead: TypeAlias = tuple[int, np.ndarray]

# The side of the player that is counted. Rivals who may be tied count on both sides.
ABOVE, BELOW = 1, -1

# Larger than any difference.
_ABOVE_ANY_LEAD = 2**61


@dataclass(frozen=True)
class RivalQuestion:
    """A question: can `wanted` rivals of `player` end on this side, or tied?"""

    player: int
    # The player's final total in parts.
    points: int
    # Columns of the player's own table that give this total; empty without an open table.
    allowed: np.ndarray
    side: int
    wanted: int


@dataclass(frozen=True)
class RivalCounts:
    """Rivals on this side by points, without and with ties: by column, by table, in total."""

    strict: np.ndarray
    with_level: np.ndarray
    of_table: np.ndarray
    of_table_with_level: np.ndarray
    total: int
    total_with_level: int


@dataclass(frozen=True)
class PointTies:
    # Rivals who count whenever they are tied.
    won: np.ndarray
    # Rivals who count sometimes.
    contested: list[int]
    # Their differences by tie-breaker, starting with the first undecided tie-breaker.
    forms: dict[int, list[RivalLead]] = field(default_factory=dict)


class RivalCounting:
    """The field as NumPy arrays. Dropped players are not counted as rivals."""

    def __init__(self, figures: RoundFigures) -> None:
        self.figures = figures
        self.rivals = np.array([player not in figures.last.dropped for player in figures.players])
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
            [rival for rival in np.flatnonzero(self.rivals) if rival not in figures.table],
            dtype=int,
        )
        self._counts: dict[tuple[int, int], RivalCounts] = {}

    @cached_property
    def size(self) -> int:
        return int(self.rivals.sum())

    def counts(self, points: int, side: int) -> RivalCounts:
        key = points, side
        if key not in self._counts:
            self._counts[key] = self._counted(points, side)
        return self._counts[key]

    def _counted(self, points: int, side: int) -> RivalCounts:
        strict = ((side * (self.points - points) > 0) & self.counted).sum(axis=1)
        with_level = strict + ((self.points == points) & self.counted).sum(axis=1)
        settled = side * (self.figures.points.constants[self.settled] - points)
        by_table, by_table_with_level = self.best(strict), self.best(with_level)
        return RivalCounts(
            strict,
            with_level,
            by_table,
            by_table_with_level,
            int(by_table.sum() + (settled > 0).sum()),
            int(by_table_with_level.sum() + (settled >= 0).sum()),
        )

    def best(self, by_column: np.ndarray) -> np.ndarray:
        if not self.columns:
            return np.zeros(0, dtype=int)
        return np.maximum.reduceat(by_column, self.figures.starts)

    def bounds(self, question: RivalQuestion) -> tuple[int, int]:
        """Return the achievable maximum by points alone, and the maximum with every tied rival."""
        counts = self.counts(question.points, question.side)
        # `with_level` also counts the player.
        if not len(question.allowed):
            return counts.total, counts.total_with_level - 1
        own = self.figures.table_of[question.allowed[0]]
        strict = counts.strict[question.allowed].max() - counts.of_table[own]
        level = counts.with_level[question.allowed].max() - 1 - counts.of_table_with_level[own]
        return counts.total + int(strict), counts.total_with_level + int(level)

    def free(self, question: RivalQuestion) -> np.ndarray:
        """Return the columns that are possible with the result of the player's own table fixed."""
        free = np.ones(self.columns, dtype=bool)
        if len(question.allowed):
            free[self.figures.table_of == self.figures.table_of[question.allowed[0]]] = False
            free[question.allowed] = True
        return free

    def ties(self, question: RivalQuestion, free: np.ndarray) -> PointTies:
        """Sort the rivals who can be tied on points by the bounds of their tie-breakers."""
        ties = PointTies(np.zeros(len(self.rivals), dtype=bool), [])
        for rival in self._level(question, free):
            columns = free
            if rival in self.figures.table:
                own = self._table_of(rival)
                columns = free.copy()
                columns[own] &= self.level_columns(rival, question.points)[own]
            self._sort_in(ties, rival, self._differences(question, rival), columns)
        return ties

    def _level(self, question: RivalQuestion, free: np.ndarray) -> list[int]:
        level = (self.points == question.points) & self.counted & free[:, None]
        points = self.figures.points.constants[self.settled]
        settled = self.settled[points == question.points]
        return sorted({*self.seat[level].tolist(), *settled.tolist()} - {question.player})

    def level_columns(self, rival: int, points: int) -> np.ndarray:
        """Return the columns of the rival's table that give the rival these points."""
        own, level = self._table_of(rival), np.zeros(self.columns, dtype=bool)
        level[own] = ((self.seat[own] == rival) & (self.points[own] == points)).any(axis=1)
        return level

    def _table_of(self, rival: int) -> slice:
        place = self.figures.table[rival]
        return slice(self.ends[place], self.ends[place + 1])

    @cached_property
    def ends(self) -> list[int]:
        return [*map(int, self.figures.starts), self.columns]

    def _differences(self, question: RivalQuestion, rival: int) -> Iterator[RivalLead]:
        for form in self.figures.forms[1:]:
            constant = int(form.constants[rival] - form.constants[question.player])
            columns = form.row(rival) - form.row(question.player)
            yield question.side * constant, question.side * columns

    def _sort_in(
        self, ties: PointTies, rival: int, differences: Iterator[RivalLead], free: np.ndarray
    ) -> None:
        """Let the first tie-breaker that can differ decide, if it always falls on one side."""
        undecided: list[RivalLead] = []
        for difference in differences:
            constant, columns = difference
            least, most = self.least(difference, free), -self.least((-constant, -columns), free)
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

    def least(self, difference: RivalLead, free: np.ndarray) -> int:
        """Return the minimum of this difference over the possible columns."""
        constant, columns = difference
        if not self.columns:
            return constant
        possible = np.where(free, columns, _ABOVE_ANY_LEAD)
        return constant + int(np.minimum.reduceat(possible, self.figures.starts).sum())


# The integer program


# Excluded scenarios before the search gives up.
MAX_TRIES = 60

# Nodes instead of seconds, so that slow and fast machines give the same answer.
SEARCH_NODES = 500

_LARGE = 1e5
_NEARLY_ONE = 1 - 1e-6
_INFEASIBLE = 2
_MAX_GUESSES = 25
# Checks a scenario (a column for each table) against the exact standings.
ScenarioCheck = Callable[[np.ndarray], bool]


class GaveUp(Exception):  # noqa: N818 - an answer, not an error
    """Neither a scenario nor a proof that there is none was found."""


class ScenarioProgram:
    """The search for a single question. Irrelevant tables end in their best way."""

    def __init__(
        self, counting: RivalCounting, question: RivalQuestion, free: np.ndarray, ties: PointTies
    ) -> None:
        self.counting, self.question, self.free, self.ties = counting, question, free, ties
        self.figures = counting.figures
        self.worth = self._worth()
        points = question.side * (self.figures.points.constants[counting.settled] - question.points)
        # Rivals without an open table who surely end on the side.
        self.settled = int(((points > 0) | (points == 0) & ties.won[counting.settled]).sum())
        self.best = self._best()
        self.level = {
            rival: self.counting.level_columns(rival, question.points) & free
            for rival in ties.contested
            if rival in self.figures.table
        }

    def _worth(self) -> np.ndarray:
        """Return the number of rivals each column puts on the side; -1 if it is impossible."""
        counting, question = self.counting, self.question
        strict = question.side * (counting.points - question.points) > 0
        level = (counting.points == question.points) & self.ties.won[counting.seat]
        worth: np.ndarray = ((strict | level) & counting.counted).sum(axis=1)
        return np.where(self.free, worth, -1)

    def _best(self) -> np.ndarray:
        """Contested rivals are ignored."""
        tables = pairwise(self.counting.ends)
        return np.array(
            [start + int(np.argmax(self.worth[start:end])) for start, end in tables], dtype=int
        )

    def most(self) -> int:
        """Return an upper bound of the rivals on the side, or tied with open tie-breakers."""
        by_column = self.worth + sum(level.astype(int) for level in self.level.values())
        at_no_table = len(self.ties.contested) - len(self.level)
        return self.settled + at_no_table + int(self.counting.best(by_column).sum())

    def scenario(self, holds: ScenarioCheck) -> np.ndarray | None:
        """Return a column for each table, or None if no scenario is enough. Raises GaveUp."""
        if self.most() < self.question.wanted:
            return None
        if not self.ties.contested:
            return self.best
        # The first tie-breaker alone settles most cases, but the result may fail a later one.
        search = _ScenarioSearch(self, deep=False)
        for guess in search.guesses():
            if holds(guess):
                return guess
        # If enough rivals can be ahead by the first tie-breaker, later ones do not matter.
        with suppress(GaveUp):
            scenario = search.find([], ahead=True)
            if scenario is not None and holds(scenario):
                return scenario
        scenario = search.find([])
        if scenario is None or holds(scenario):
            return scenario
        search = _ScenarioSearch(self, deep=True)
        excluded: list[np.ndarray] = []
        for _ in range(MAX_TRIES):
            scenario = search.find(excluded)
            if scenario is None or holds(scenario):
                return scenario
            excluded.append(scenario)
        raise GaveUp


class _ScenarioSearch:
    """The integer program, with the first open tie-breaker of each rival, or with all if `deep`."""

    def __init__(self, program: ScenarioProgram, *, deep: bool) -> None:
        self.program, self.figures, self.deep = program, program.figures, deep
        forms = program.ties.forms
        self.differences = {
            rival: forms[rival] if deep else forms[rival][:1] for rival in program.ties.contested
        }
        left = list(self._left())
        # A table with a single column left is settled.
        self.settled = {
            place: int(columns[0]) for place, columns in enumerate(left) if len(columns) == 1
        }
        open_ = [columns for columns in left if len(columns) > 1]
        self.kept = np.concatenate(open_) if open_ else np.zeros(0, dtype=int)
        self.sizes = [len(columns) for columns in open_]

    def _left(self) -> Iterator[np.ndarray]:
        # The columns of each table that no other column dominates. If anything other than these
        # sums decides, every column may be needed.
        program = self.program
        levels = [level.astype(np.int64) for level in program.level.values()]
        sums = [columns for rows in self.differences.values() for _, columns in rows]
        everything = np.array([program.worth, *levels, *sums])
        all_may_count = self.deep and not self.figures.is_whole
        ends = [*self.figures.starts[1:], program.counting.columns]
        for start, end in zip(self.figures.starts, ends, strict=True):
            free = start + np.flatnonzero(program.free[start:end])
            yield free if all_may_count else free[_undominated_columns(everything[:, free])]

    def guesses(self) -> Iterator[np.ndarray]:
        """Yield promising scenarios without a search: the best column of each table by weights."""
        if not len(self.kept):
            return
        rivals = self.program.ties.contested
        if not all(self.differences[rival] for rival in rivals):
            return
        leads = [self.differences[rival][0] for rival in rivals]
        columns = np.array([values[self.kept] for _, values in leads], dtype=float)
        constants = np.array([self._constant(lead) for lead in leads])
        scale = np.maximum(np.abs(columns).max(axis=1), 1)
        settled = list(self.settled.values())
        levels = np.array([self._level(rival)[self.kept] for rival in rivals])
        surely = np.array([self._level(rival)[settled].any() for rival in rivals])
        surely |= np.array([rival not in self.program.level for rival in rivals])
        of_table = np.repeat(np.arange(len(self.sizes)), self.sizes)
        starts = np.cumsum([0, *self.sizes])[:-1]
        worth = self.program.worth[self.kept]
        weights = np.full(len(rivals), 1 / len(rivals))
        # Rivals whose tie-breakers fall short get a higher weight in the next step. Only a scenario
        # with enough rivals by the first tie-breaker is worth an exact check.
        for _ in range(_MAX_GUESSES):
            score = worth + levels.T @ (weights > 0) * 0.9 + (weights / scale) @ columns
            best = np.maximum.reduceat(score, starts)[of_table]
            chosen = np.flatnonzero(score == best)
            chosen = chosen[np.unique(of_table[chosen], return_index=True)[1]]
            sums = constants + columns[:, chosen].sum(axis=1)
            enough = (surely | levels[:, chosen].any(axis=1)) & (sums >= 0)
            if worth[chosen].sum() + enough.sum() >= self._missing():
                yield self._scenario(chosen)
                return
            weights = np.where(sums < 0, weights * 1.5, weights)
            weights /= weights.sum()

    def find(self, excluded: Sequence[np.ndarray], *, ahead: bool = False) -> np.ndarray | None:
        """With `ahead`, only rivals that the first tie-breaker puts on the side count."""
        rows = _ConstraintRows(len(self.kept))
        ends = np.cumsum([0, *self.sizes])
        for start, end in pairwise(ends):
            rows.add(range(start, end), 1, 1, 1)
        for scenario in excluded:
            chosen = np.flatnonzero(np.isin(self.kept, scenario))
            rows.add(chosen, 1, 0, len(chosen) - 1)
        for rival in self.program.ties.contested:
            self._add_rival(rows, rival, ahead=ahead)
        objective = np.ones(rows.variables)
        objective[: len(self.kept)] = self.program.worth[self.kept]
        rows.add(range(rows.variables), objective, self._missing())
        solution = rows.solve(objective, len(self.kept))
        if solution is None:
            return None
        return self._scenario(np.flatnonzero(solution[: len(self.kept)] > 0.5))

    def _scenario(self, chosen: np.ndarray) -> np.ndarray:
        columns = np.zeros(len(self.figures.seats), dtype=int)
        for place, column in self.settled.items():
            columns[place] = column
        columns[self.figures.table_of[self.kept[chosen]]] = self.kept[chosen]
        return columns

    def _constant(self, difference: RivalLead) -> int:
        return difference[0] + int(difference[1][list(self.settled.values())].sum())

    def _missing(self) -> int:
        """Return the number of rivals the tables in the program must contribute."""
        surely = [int(self.program.worth[column]) for column in self.settled.values()]
        return self.program.question.wanted - self.program.settled - sum(surely)

    def _level(self, rival: int) -> np.ndarray:
        # The columns that leave the rival tied on points; none without an open table.
        nowhere = np.zeros(self.program.counting.columns, dtype=bool)
        level: np.ndarray = self.program.level.get(rival, nowhere)
        return level

    def _add_rival(self, rows: "_ConstraintRows", rival: int, *, ahead: bool) -> None:
        """Count a tied rival once: by the first tie-breaker that differs, or by none."""
        if ahead and not self.differences[rival]:
            return
        level = self.program.level.get(rival)
        endings = np.zeros(0, dtype=int)
        if level is not None:
            settled = self.settled.get(self.figures.table[rival])
            if settled is None:
                endings = np.flatnonzero(level[self.kept])
            if not len(endings) and (settled is None or not level[settled]):
                return
        differences = self.differences[rival]
        # A rival tied on all differences may count too; the exact standings decide then.
        steps = rows.new(len(differences) + 1 if self.deep else 1)
        signs = np.repeat([-1, 1], [len(steps), len(endings)])
        rows.add([*steps, *endings], signs, 0 if len(endings) else -1)
        for place, difference in enumerate(differences):
            if self.deep or ahead:
                self._add_difference(rows, difference, steps[place + 1 :], steps[place])
            else:
                self._add_difference(rows, difference, steps)

    def _add_difference(
        self,
        rows: "_ConstraintRows",
        difference: RivalLead,
        behind: Sequence[int],
        ahead: int | None = None,
    ) -> None:
        """Require at least 0 if a later step counts the rival, and more if this step does."""
        kept = difference[1][self.kept]
        constant = self._constant(difference)
        least = self.program.counting.least(difference, self.program.free)
        shared = gcd(constant, least, int(np.gcd.reduce(kept)) if len(kept) else 0) or 1
        largest = int(np.abs(kept).max()) if len(kept) else 1
        scale = 1 / max(shared, largest / _LARGE)
        endings = np.flatnonzero(kept)
        steps, values = list(behind), [least] * len(behind)
        if ahead is not None:
            steps.append(ahead)
            values.append(least - shared)
        rows.add(
            [*endings, *steps],
            np.array([*kept[endings], *values]) * scale,
            (least - constant) * scale,
        )


def _undominated_columns(everything: np.ndarray) -> np.ndarray:
    """No other column is at least as high in every row; of equal columns the first remains."""
    rows = everything[np.any(everything != everything[:, :1], axis=1)]
    # Shift and divide the rows, so that equivalent rows become equal.
    rows = rows - rows[:, :1]
    rows //= np.gcd.reduce(rows, axis=1, keepdims=True)
    different = {row.tobytes(): row for row in rows}
    if not different:
        return np.zeros(1, dtype=int)
    rows = np.array([*different.values()])
    at_least = np.all(rows[:, None, :] >= rows[:, :, None], axis=0)
    equal = at_least & at_least.T
    first = np.tril(equal, -1)
    beaten = (at_least & ~equal) | first
    return np.flatnonzero(~beaten.any(axis=1))


class _ConstraintRows:
    def __init__(self, variables: int) -> None:
        self.variables = variables
        self.places: list[np.ndarray] = []
        self.values: list[np.ndarray] = []
        self.least: list[float] = []
        self.most: list[float] = []

    def new(self, count: int) -> range:
        first = self.variables
        self.variables += count
        return range(first, self.variables)

    def add(
        self,
        places: Sequence[int] | np.ndarray,
        values: float | np.ndarray,
        least: float,
        most: float = np.inf,
    ) -> None:
        self.places.append(np.asarray(places, dtype=int))
        self.values.append(np.broadcast_to(np.asarray(values, dtype=float), len(places)))
        self.least.append(least)
        self.most.append(most)

    def solve(self, objective: np.ndarray, endings: int) -> np.ndarray | None:
        """Return the first solution found, or None if there is none. Raises GaveUp."""
        if not self.variables:
            return np.zeros(0) if all(least <= 0 for least in self.least) else None
        ends = np.cumsum([0, *map(len, self.places)])
        cells = np.concatenate(self.values), np.concatenate(self.places), ends
        matrix = csr_array(cells, (len(self.least), self.variables))
        matrix.eliminate_zeros()
        # The linear relaxation is fast and leaves few tables fractional. Fix the integral tables,
        # or half of them, and search the rest first.
        relaxed = self._solve_fixed(objective, matrix, np.zeros(self.variables), whole=False)
        if relaxed is None:
            return None
        # The first `endings` variables are the endings of tables.
        whole = np.flatnonzero(relaxed[:endings] > _NEARLY_ONE)
        for places in (whole, whole[::2]):
            fixed = np.zeros(self.variables)
            fixed[places] = 1
            with suppress(GaveUp):
                solution = self._solve_fixed(objective, matrix, fixed)
                if solution is not None:
                    return solution
        return self._solve_fixed(objective, matrix, np.zeros(self.variables))

    def _solve_fixed(
        self, objective: np.ndarray, matrix: csr_array, fixed: np.ndarray, *, whole: bool = True
    ) -> np.ndarray | None:
        """Solve with these variables fixed at 1."""
        answer: Any = milp(
            -objective,
            constraints=LinearConstraint(matrix, self.least, self.most),
            integrality=np.full(len(fixed), int(whole)),
            bounds=Bounds(fixed, 1),
            # Stop at the first feasible solution.
            options={"mip_rel_gap": 1e9, "node_limit": SEARCH_NODES},
        )
        if answer.status == _INFEASIBLE:
            return None
        if answer.x is None:
            raise GaveUp
        solution: np.ndarray = answer.x
        return solution
