"""Exact integer program for the number of pairs between two nodes.

The linear relaxation comes first and gives a lower bound for using each edge. Edges that cannot
improve the plan are left out of the integer search. The node limit counts steps, not seconds, so a
slow machine finds the same plan.

scipy is slow to load: import this module only where a plan is made.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import csr_array, vstack

from engine.pairing.costs import Edge, LevelCosts, PairCounts

EXACT_IN_FLOATS = 2**50
SEARCH_NODES = 5000
_EDGES_PER_NODE = 8
_TINY = 1e-6


@dataclass(frozen=True)
class _PairProgram:
    """The allowed edges, the players per node, and the fixed totals of heavier levels."""

    edges: np.ndarray
    parts: np.ndarray
    players: np.ndarray
    totals: tuple[tuple[int, int], ...] = ()

    def only(self, kept: np.ndarray) -> "_PairProgram":
        return replace(self, edges=self.edges[kept], parts=self.parts[kept])

    @cached_property
    def equalities(self) -> tuple[csr_array, np.ndarray]:
        """Constraints: every player sits once, and heavier levels stay at their minimum."""
        first, second = self.edges.T
        number = np.arange(len(self.edges))
        # An edge from a node to itself takes two of its players: duplicate entries are summed.
        seats = csr_array(
            (
                np.ones(2 * len(number)),
                (np.concatenate([first, second]), np.concatenate([number, number])),
            ),
            shape=(len(self.players), len(number)),
        )
        fixed = [csr_array(self.parts[None, :, level], dtype=float) for level, _ in self.totals]
        right = [*self.players, *(total for _, total in self.totals)]
        return vstack([seats, *fixed], format="csr"), np.array(right, dtype=float)

    def odd_cuts(self) -> csr_array:
        """At least one pair must lead out of an odd set of players."""
        # The sets are every single node and every prefix of the nodes.
        first, second = self.edges.T
        places = np.arange(len(self.players))[:, None]
        alone = (first == places) ^ (second == places)
        prefix = (first <= places) & (second > places)
        odd_alone = self.players % 2 == 1
        odd_prefix = np.cumsum(self.players) % 2 == 1
        rows = np.concatenate([alone[odd_alone], prefix[odd_prefix]])
        return csr_array(rows.astype(float))


def cheapest_plan(costs: Mapping[Edge, LevelCosts], players: Sequence[int]) -> PairCounts | None:
    """Return the cheapest plan, levels compared in order, or None without a proof.

    `players` is the number of players per node. `costs` has an edge for every two nodes that may
    meet, the lower node first.
    """
    if max(map(max, costs.values())) * sum(players) >= EXACT_IN_FLOATS:
        return None
    program = _PairProgram(
        np.array(list(costs), dtype=np.int64).reshape(-1, 2),
        np.array([*costs.values()], dtype=np.int64),
        np.array(players, dtype=np.int64),
    )
    # Usually only the aim has a cost, and a single search is enough.
    clean = program.only(np.logical_not(program.parts[:, :-1].any(axis=1)))
    last = program.parts.shape[1] - 1
    counts = _cheapest(clean, last)
    if counts is not None:
        return _pair_counts(clean, counts)
    for level in range(last + 1):
        counts = _cheapest(program, level)
        if counts is None:
            return None
        total = int(counts @ program.parts[:, level])
        chosen = _pair_counts(program, counts)
        if total:
            program = replace(program, totals=(*program.totals, (level, total)))
        else:
            program = program.only(program.parts[:, level] == 0)
    return chosen


def _pair_counts(program: _PairProgram, counts: np.ndarray) -> PairCounts:
    used = np.nonzero(counts)[0]
    return {
        (int(first), int(second)): int(counts[place])
        for place, (first, second) in zip(used, program.edges[used], strict=True)
    }


def _cheapest(program: _PairProgram, level: int) -> np.ndarray | None:
    """Return the pairs per edge at the lowest cost of a level, or None if there are none."""
    if not len(program.edges):
        return None
    bound = _bound(program, level)
    if bound is None:
        return None
    # The relaxed solution is often integral, so that no search is needed.
    counts = _whole_counts(program, bound.fractions)
    if counts is not None and np.abs(counts - bound.fractions).max() < _TINY:
        return counts
    few = min(len(program.edges), _EDGES_PER_NODE * len(program.players)) - 1
    slack = float(np.partition(bound.dearer_by, few)[few])
    while True:
        kept = bound.dearer_by <= slack + _TINY
        counts = _solve(program.only(kept), level)
        if counts is None and kept.all():
            return None
        if counts is None:
            slack = np.inf
            continue
        # A left-out edge can only be in a better plan if it costs less than the difference.
        needed = int(counts @ program.parts[kept, level]) - 1 - bound.least
        if kept.all() or needed <= slack:
            everywhere = np.zeros(len(kept), dtype=np.int64)
            everywhere[kept] = counts
            return everywhere
        slack = needed


@dataclass(frozen=True)
class _Bound:
    """The minimum fractional cost, and the extra cost of any plan that uses an edge."""

    least: float
    dearer_by: np.ndarray
    fractions: np.ndarray


def _bound(program: _PairProgram, level: int) -> _Bound | None:
    seats, right = program.equalities
    cuts = program.odd_cuts()
    found: Any = linprog(
        program.parts[:, level].astype(float),
        A_eq=seats,
        b_eq=right,
        A_ub=-cuts,
        b_ub=-np.ones(cuts.shape[0]),
        method="highs",
    )
    if found.status != 0:
        return None
    return _Bound(float(found.fun), np.maximum(found.lower.marginals, 0.0), found.x)


def _solve(program: _PairProgram, level: int) -> np.ndarray | None:
    """Return integer pairs at the lowest cost, or None if optimality was not proven."""
    seats, right = program.equalities
    rules = [
        LinearConstraint(seats, right, right),
        LinearConstraint(program.odd_cuts(), 1, np.inf),
    ]
    found: Any = milp(
        program.parts[:, level].astype(float),
        constraints=rules,
        integrality=np.ones(len(program.edges)),
        bounds=Bounds(0, np.inf),
        options={"mip_rel_gap": 0.0, "node_limit": SEARCH_NODES},
    )
    return _whole_counts(program, found.x) if found.status == 0 else None


def _whole_counts(program: _PairProgram, fractions: np.ndarray) -> np.ndarray | None:
    """Round to integers; return None unless everybody is seated once."""
    counts = np.rint(fractions).astype(np.int64)
    seats, right = program.equalities
    return counts if (seats @ counts == right).all() else None
