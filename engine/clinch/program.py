"""Integer program that searches for a scenario with enough rivals on one side.

Every relevant ending is a 0-1 variable, and the endings of each table sum to 1. A rival counts in
two cases. An ending puts them on the side by points, or it leaves them tied and every tie-breaker
puts them there.

The solver computes in floats and may accept solutions that are off by a millionth. Each solution is
therefore checked against the exact standings. If it fails, that scenario is excluded and the search
continues. A result of "infeasible" is sound: floats only loosen the conditions.

scipy is slow to load: import this module only where it is used.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from math import gcd
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from engine.clinch.counting import Counting, Difference, Question, Ties

# Excluded scenarios before the search gives up.
MOST_TRIES = 60

# Nodes instead of seconds, so that slow and fast machines give the same answer.
SEARCH_NODES = 500

_LARGE = 1e5
_NEARLY_ONE = 1 - 1e-6
_INFEASIBLE = 2
_GUESSES = 25
# Checks a scenario (a column for each table) against the exact standings.
Holds = Callable[[np.ndarray], bool]


class GaveUp(Exception):  # noqa: N818 - an answer, not an error
    """Neither a scenario nor a proof that there is none was found."""


class Program:
    """The search for a single question. Irrelevant tables end in their best way."""

    def __init__(self, counting: Counting, asked: Question, free: np.ndarray, ties: Ties) -> None:
        self.counting, self.asked, self.free, self.ties = counting, asked, free, ties
        self.figures = counting.figures
        self.worth = self._worth()
        self.settled = self._settled()
        self.best = self._best()
        self.level = {
            rival: self.counting.level_columns(rival, asked.points) & free
            for rival in ties.contested
            if rival in self.figures.table
        }

    def _worth(self) -> np.ndarray:
        """The number of rivals each column surely puts on the side; -1 for an impossible column."""
        counting, asked = self.counting, self.asked
        strict = asked.side * (counting.points - asked.points) > 0
        level = (counting.points == asked.points) & self.ties.won[counting.seat]
        worth: np.ndarray = ((strict | level) & counting.counted).sum(axis=1)
        return np.where(self.free, worth, -1)

    def _settled(self) -> int:
        counting, asked = self.counting, self.asked
        points = asked.side * (self.figures.points.constants[counting.settled] - asked.points)
        return int(((points > 0) | (points == 0) & self.ties.won[counting.settled]).sum())

    def _best(self) -> np.ndarray:
        """The best column of each table, ignoring contested rivals."""
        starts = [*self.figures.starts[1:], self.counting.columns]
        return np.array(
            [
                start + int(np.argmax(self.worth[start:end]))
                for start, end in zip(self.figures.starts, starts, strict=True)
            ],
            dtype=int,
        )

    def most(self) -> int:
        """Return an upper bound of the rivals on the side, or tied with open tie-breakers."""
        by_column = self.worth + sum(level.astype(int) for level in self.level.values())
        at_no_table = len(self.ties.contested) - len(self.level)
        return self.settled + at_no_table + int(self.counting.best(by_column).sum())

    def scenario(self, holds: Holds) -> np.ndarray | None:
        """Return a column for each table, or None if no scenario is enough. Raises GaveUp."""
        if self.most() < self.asked.wanted:
            return None
        if not self.ties.contested:
            return self.best
        # The first tie-breaker alone settles most cases, but the result may fail a later one.
        search = _Search(self, deep=False)
        for guess in search.guesses():
            if holds(guess):
                return guess
        # If enough rivals can be ahead by the first tie-breaker, later ones do not matter.
        with suppress(GaveUp):
            found = search.found([], ahead=True)
            if found is not None and holds(found):
                return found
        found = search.found([])
        if found is None or holds(found):
            return found
        search = _Search(self, deep=True)
        excluded: list[np.ndarray] = []
        for _ in range(MOST_TRIES):
            found = search.found(excluded)
            if found is None or holds(found):
                return found
            excluded.append(found)
        raise GaveUp


class _Search:
    """The integer program, with the first open tie-breaker of each rival, or with all if `deep`."""

    def __init__(self, program: Program, *, deep: bool) -> None:
        self.program, self.figures, self.deep = program, program.figures, deep
        forms = program.ties.forms
        self.differences = {
            rival: forms[rival] if deep else forms[rival][:1] for rival in program.ties.contested
        }
        left = list(self._left())
        # A table with a single column left is settled.
        self.settled = {place: int(one[0]) for place, one in enumerate(left) if len(one) == 1}
        open_ = [one for one in left if len(one) > 1]
        self.kept = np.concatenate(open_) if open_ else np.zeros(0, dtype=int)
        self.sizes = [len(one) for one in open_]

    def _left(self) -> Iterator[np.ndarray]:
        """Yield the columns of each table that no other column dominates.

        If anything other than these sums decides, every column may be needed.
        """
        program = self.program
        levels = [level.astype(np.int64) for level in program.level.values()]
        sums = [columns for rows in self.differences.values() for _, columns in rows]
        everything = np.array([program.worth, *levels, *sums])
        all_may_count = self.deep and not self.figures.is_whole
        ends = [*self.figures.starts[1:], program.counting.columns]
        for start, end in zip(self.figures.starts, ends, strict=True):
            free = start + np.flatnonzero(program.free[start:end])
            yield free if all_may_count else free[_unbeaten(everything[:, free])]

    def guesses(self) -> Iterator[np.ndarray]:
        """Yield promising scenarios without a search: the best column of each table by weights.

        Rivals whose tie-breakers fall short get a higher weight in the next step. Only a scenario
        with enough rivals by the first tie-breaker is worth an exact check.
        """
        if not len(self.kept):
            return
        rivals = [one for one in self.program.ties.contested if self.differences[one]]
        if len(rivals) < len(self.program.ties.contested):
            return
        columns = np.array([self.differences[one][0][1][self.kept] for one in rivals], dtype=float)
        constants = np.array([self._constant(self.differences[one][0]) for one in rivals])
        scale = np.maximum(np.abs(columns).max(axis=1), 1)
        levels = np.array([self._level(one)[self.kept] for one in rivals])
        surely = np.array([self._level(one)[list(self.settled.values())].any() for one in rivals])
        surely |= np.array([one not in self.program.level for one in rivals])
        of_table = np.repeat(np.arange(len(self.sizes)), self.sizes)
        starts = np.cumsum([0, *self.sizes])[:-1]
        worth = self.program.worth[self.kept]
        weights = np.full(len(rivals), 1 / len(rivals))
        for _ in range(_GUESSES):
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

    def found(self, excluded: Sequence[np.ndarray], *, ahead: bool = False) -> np.ndarray | None:
        """Return a column for each table that is not an excluded scenario, or None.

        With `ahead`, only rivals that the first tie-breaker puts on the side count.
        """
        rows = _Rows(len(self.kept))
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
        solution = rows.solved(objective, len(self.kept))
        if solution is None:
            return None
        return self._scenario(np.flatnonzero(solution[: len(self.kept)] > 0.5))

    def _scenario(self, chosen: np.ndarray) -> np.ndarray:
        columns = np.zeros(len(self.figures.seats), dtype=int)
        for place, column in self.settled.items():
            columns[place] = column
        columns[self.figures.table_of[self.kept[chosen]]] = self.kept[chosen]
        return columns

    def _constant(self, difference: Difference) -> int:
        """The constant of a difference, including the settled tables."""
        return difference[0] + int(difference[1][list(self.settled.values())].sum())

    def _missing(self) -> int:
        """The number of rivals the tables in the program must contribute."""
        surely = [int(self.program.worth[column]) for column in self.settled.values()]
        return self.program.asked.wanted - self.program.settled - sum(surely)

    def _level(self, rival: int) -> np.ndarray:
        """The columns that leave the rival tied on points; none without an open table."""
        nowhere = np.zeros(self.program.counting.columns, dtype=bool)
        level: np.ndarray = self.program.level.get(rival, nowhere)
        return level

    def _add_rival(self, rows: "_Rows", rival: int, *, ahead: bool) -> None:
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
        self, rows: "_Rows", difference: Difference, behind: Sequence[int], ahead: int | None = None
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


def _unbeaten(everything: np.ndarray) -> np.ndarray:
    """Return the undominated columns: no other column is at least as high in every row.

    Of equal columns the first remains.
    """
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


class _Rows:
    """Constraints of an integer program with 0-1 variables."""

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
        """Bound the weighted sum of these variables from below and above."""
        self.places.append(np.asarray(places, dtype=int))
        self.values.append(np.broadcast_to(np.asarray(values, dtype=float), len(places)))
        self.least.append(least)
        self.most.append(most)

    def solved(self, objective: np.ndarray, endings: int) -> np.ndarray | None:
        """Return the first solution found, or None if there is none. Raises GaveUp.

        The linear relaxation is fast and leaves few tables fractional. Fix the integral tables, or
        half of them, and search the rest first. The first `endings` variables are the endings of
        tables.
        """
        if not self.variables:
            return np.zeros(0) if all(least <= 0 for least in self.least) else None
        ends = np.cumsum([0, *map(len, self.places)])
        cells = np.concatenate(self.values), np.concatenate(self.places), ends
        matrix = csr_array(cells, (len(self.least), self.variables))
        matrix.eliminate_zeros()
        relaxed = self._solved(objective, matrix, np.zeros(self.variables), whole=False)
        if relaxed is None:
            return None
        whole = np.flatnonzero(relaxed[:endings] > _NEARLY_ONE)
        for kept in (whole, whole[::2]):
            held = np.zeros(self.variables)
            held[kept] = 1
            with suppress(GaveUp):
                found = self._solved(objective, matrix, held)
                if found is not None:
                    return found
        return self._solved(objective, matrix, np.zeros(self.variables))

    def _solved(
        self, objective: np.ndarray, matrix: csr_array, held: np.ndarray, *, whole: bool = True
    ) -> np.ndarray | None:
        """Solve with these variables fixed at 1."""
        answer: Any = milp(
            -objective,
            constraints=LinearConstraint(matrix, self.least, self.most),
            integrality=np.full(len(held), int(whole)),
            bounds=Bounds(held, 1),
            # Stop at the first feasible solution.
            options={"mip_rel_gap": 1e9, "node_limit": SEARCH_NODES},
        )
        if answer.status == _INFEASIBLE:
            return None
        if answer.x is None:
            raise GaveUp
        solution: np.ndarray = answer.x
        return solution
