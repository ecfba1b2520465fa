"""One scenario in which enough rivals end on one side: an integer program.

Every ending of a table that matters is 0 or 1, one of each table is 1. A rival counts with an
ending that puts them on the side by points, or with one that leaves them level while every
tie-breaker puts them there. Whole numbers go in; the solver answers in floats and may accept what
is off by a millionth. So what it finds is ranked anew by the exact standings, and when it does not
hold, that scenario is ruled out and the search goes on. That it finds nothing is sound: floats only
loosen the conditions.

scipy is slow to load: import this module where an answer is wanted.
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

MOST_TRIES = 60
"""Scenarios that are ruled out before the search is given up."""

SEARCH_NODES = 500
"""Steps, not seconds, so that a slow machine gives up where a fast one does."""

_LARGE = 1e5
_NEARLY_ONE = 1 - 1e-6
_INFEASIBLE = 2
_GUESSES = 25
Holds = Callable[[np.ndarray], bool]
"""Whether the exact standings say the same of a scenario: a column for each table."""


class GaveUp(Exception):  # noqa: N818 - an answer, not an error
    """Neither a scenario nor a proof that there is none."""


class Program:
    """The scenario of one question; tables that do not matter end at their best."""

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
        """How many rivals each column puts on the side for certain; -1 where it cannot be."""
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
        """The best column of each table, were no rival contested."""
        starts = [*self.figures.starts[1:], self.counting.columns]
        return np.array(
            [
                start + int(np.argmax(self.worth[start:end]))
                for start, end in zip(self.figures.starts, starts, strict=True)
            ],
            dtype=int,
        )

    def most(self) -> int:
        """More rivals than this cannot end on the side, or level with the tie-breakers open."""
        by_column = self.worth + sum(level.astype(int) for level in self.level.values())
        at_no_table = len(self.ties.contested) - len(self.level)
        return self.settled + at_no_table + int(self.counting.best(by_column).sum())

    def scenario(self, holds: Holds) -> np.ndarray | None:
        """A column for each table, or None when none is enough; raises GaveUp."""
        if self.most() < self.asked.wanted:
            return None
        if not self.ties.contested:
            return self.best
        # Most are settled by the first tie-breaker alone; what it finds may fail by a later one.
        search = _Search(self, deep=False)
        for guess in search.guesses():
            if holds(guess):
                return guess
        # Where enough rivals can be ahead by the first, nothing asks for a later one.
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
    """The program itself, by the first tie-breaker that is open for each rival, or by all."""

    def __init__(self, program: Program, *, deep: bool) -> None:
        self.program, self.figures, self.deep = program, program.figures, deep
        forms = program.ties.forms
        self.differences = {
            rival: forms[rival] if deep else forms[rival][:1] for rival in program.ties.contested
        }
        left = list(self._left())
        # A table with one column left is settled.
        self.settled = {place: int(one[0]) for place, one in enumerate(left) if len(one) == 1}
        open_ = [one for one in left if len(one) > 1]
        self.kept = np.concatenate(open_) if open_ else np.zeros(0, dtype=int)
        self.sizes = [len(one) for one in open_]

    def _left(self) -> Iterator[np.ndarray]:
        """The columns of each table that no other one beats in everything that counts.

        Where something else than these sums decides, every column may be needed.
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
        """Scenarios that may be enough, without a search: best for each table by some weights.

        Rivals whose tie-breakers fall short weigh more the next time. Only one that counts enough
        rivals by the first tie-breaker is worth an exact look.
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
        """A column for each table, none of the excluded scenarios; None when there is none.

        With `ahead` only rivals count whom the first tie-breaker puts on the side.
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
        """What the settled tables leave of it."""
        return difference[0] + int(difference[1][list(self.settled.values())].sum())

    def _missing(self) -> int:
        """How many rivals the tables in the program must bring."""
        surely = [int(self.program.worth[column]) for column in self.settled.values()]
        return self.program.asked.wanted - self.program.settled - sum(surely)

    def _level(self, rival: int) -> np.ndarray:
        """The columns that leave the rival level on points; none where no table does."""
        nowhere = np.zeros(self.program.counting.columns, dtype=bool)
        level: np.ndarray = self.program.level.get(rival, nowhere)
        return level

    def _add_rival(self, rows: "_Rows", rival: int, *, ahead: bool) -> None:
        """A rival who is level counts once, by the first tie-breaker that differs, or by none."""
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
        # Whoever is level on all of these may count too: what decides then is looked at exactly.
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
        """At least 0 where a later step counts the rival, and more where this one does."""
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
    """The columns that no other one equals or beats in every row; of equal ones the first."""
    rows = everything[np.any(everything != everything[:, :1], axis=1)]
    # From a common zero and without a common factor, many rows are the same.
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
    """Rows of an integer program whose variables are 0 or 1."""

    def __init__(self, variables: int) -> None:
        self.variables = variables
        self.places: list[np.ndarray] = []
        self.values: list[np.ndarray] = []
        self.least: list[float] = []
        self.most: list[float] = []

    def new(self, count: int) -> range:
        """More variables."""
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
        """The sum of these variables, each times its value, may not be less, or more."""
        self.places.append(np.asarray(places, dtype=int))
        self.values.append(np.broadcast_to(np.asarray(values, dtype=float), len(places)))
        self.least.append(least)
        self.most.append(most)

    def solved(self, objective: np.ndarray, endings: int) -> np.ndarray | None:
        """The first solution that is found; None when there is none. Raises GaveUp.

        Without whole numbers it is solved at once, and few tables are divided then: the others are
        held, and these few searched first, then with half of them held. The first variables are so
        many `endings` of tables.
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
        """The same with these variables held at 1."""
        answer: Any = milp(
            -objective,
            constraints=LinearConstraint(matrix, self.least, self.most),
            integrality=np.full(len(held), int(whole)),
            bounds=Bounds(held, 1),
            # Enough rivals are asked for, not the most.
            options={"mip_rel_gap": 1e9, "node_limit": SEARCH_NODES},
        )
        if answer.status == _INFEASIBLE:
            return None
        if answer.x is None:
            raise GaveUp
        solution: np.ndarray = answer.x
        return solution
