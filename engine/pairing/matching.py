"""Exact minimum-cost perfect matching of a field, with a bye node if its size is odd."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from itertools import combinations, count
from typing import TypeAlias

from engine.pairing.costs import Level
from engine.pairing.records import Entrant, PointsTooLarge

# rustworkx uses 128-bit integers and overflows silently from 2**126 on.
WEIGHT_LIMIT = 2**120

# Cost per level, in level order.
Parts: TypeAlias = tuple[int, ...]

Edge: TypeAlias = tuple[int, int]

# Pairs per edge, including the bye; edges without pairs are left out.
Plan: TypeAlias = Mapping[Edge, int]


@dataclass(frozen=True)
class Couple:
    first: Entrant
    second: Entrant
    parts: Parts


@dataclass(frozen=True)
class SittingOut:
    entrant: Entrant
    parts: Parts


@dataclass(frozen=True)
class Matching:
    """A matched field. A player sits out if the field is odd."""

    couples: tuple[Couple, ...] = ()
    sitting_out: SittingOut | None = None


def pair_parts(levels: Sequence[Level], first: Entrant, second: Entrant) -> Parts:
    return tuple(level.of_pair(first, second) for level in levels)


def seated_parts(levels: Sequence[Level], corp: Entrant, runner: Entrant) -> Parts:
    """Return the cost of a table with given roles on every level."""
    return tuple((level.of_seats or level.of_pair)(corp, runner) for level in levels)


def bye_parts(levels: Sequence[Level], entrant: Entrant) -> Parts:
    return tuple(level.of_bye(entrant) for level in levels)


@dataclass(frozen=True)
class Prices:
    """The cost of every pair of a field, and of every bye if the field is odd.

    An edge is two places in `field`, the lower first. The bye is an additional place after the
    last.
    """

    field: Sequence[Entrant]
    costs: Mapping[Edge, Parts]

    @property
    def nodes(self) -> int:
        """The number of players, plus the bye in an odd field."""
        return len(self.field) + len(self.field) % 2

    @cached_property
    def packed(self) -> Mapping[Edge, int]:
        """Each cost as a single integer. Raise PointsTooLarge if that cannot be exact."""
        weights = _level_weights(list(self.costs.values()), couples=self.nodes // 2)
        return {edge: _packed(parts, weights) for edge, parts in self.costs.items()}

    def matching(self, edges: Sequence[Edge]) -> Matching:
        """Return the couples of a perfect matching in field order."""
        bye = len(self.field)
        pairs = [(self.field[one], other, self.costs[one, other]) for one, other in sorted(edges)]
        out = [SittingOut(first, parts) for first, other, parts in pairs if other == bye]
        return Matching(
            couples=tuple(
                Couple(first, self.field[other], parts)
                for first, other, parts in pairs
                if other != bye
            ),
            sitting_out=out[0] if out else None,
        )


def prices_of(field: Sequence[Entrant], levels: Sequence[Level]) -> Prices:
    """Return the cost of every pair and bye of a field on each level."""
    costs = {
        (one, two): pair_parts(levels, field[one], field[two])
        for one, two in combinations(range(len(field)), 2)
    }
    bye = len(field)
    if bye % 2:
        costs |= {(one, bye): bye_parts(levels, field[one]) for one in range(bye)}
    return Prices(field, costs)


def cheapest_matching(field: Sequence[Entrant], levels: Sequence[Level]) -> Matching:
    """Match everybody at the lowest total cost, levels compared in order.

    The order of `field` breaks ties between equal matchings, so shuffle it for a random draw. The
    couples are in the same order. Raise PointsTooLarge if the costs cannot be separated exactly.
    """
    prices = prices_of(field, levels)
    return prices.matching(cheapest_edges(prices.packed))


def cheapest_edges(costs: Mapping[Edge, int]) -> list[Edge]:
    """Return the edges of a maximum matching of minimum cost."""
    import rustworkx  # slow to load, and unused before the first pairing

    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(1 + max((node for edge in costs for node in edge), default=-1)))
    graph.add_edges_from([(*edge, cost) for edge, cost in costs.items()])
    matched = rustworkx.max_weight_matching(
        graph, max_cardinality=True, weight_fn=lambda cost: -cost, verify_optimum=False
    )
    return sorted((min(pair), max(pair)) for pair in matched)


def _level_weights(costs: Sequence[Parts], couples: int) -> Parts:
    """Return a weight per level that exceeds any sum over all lower levels."""
    if not costs:
        return ()
    largest = [max(level) for level in zip(*costs, strict=True)]
    weights = [1]
    for value in reversed(largest[1:]):
        weights.append(weights[-1] * (1 + couples * value))
    weights.reverse()
    if couples * _packed(largest, weights) >= WEIGHT_LIMIT:
        raise PointsTooLarge(
            "The scores are too far apart to be paired exactly. Look for a mistyped result."
        )
    return tuple(weights)


def _packed(parts: Sequence[int], weights: Sequence[int]) -> int:
    return sum(part * weight for part, weight in zip(parts, weights, strict=True))


@dataclass(frozen=True, order=True)
class _Candidate:
    """The cheapest matching with all `fixed` edges and otherwise only `open` edges."""

    cost: int
    place: int
    edges: tuple[Edge, ...] = field(compare=False)
    fixed: tuple[Edge, ...] = field(compare=False)
    open: Mapping[Edge, int] = field(compare=False)


def ranked(prices: Prices) -> Iterator[tuple[Edge, ...]]:
    """Yield the edges of every perfect matching by cost; the field decides the order of ties.

    After each matching the rest is split: matchings without its first edge, matchings with the
    first but without the second edge, and so on. A queue holds the cheapest of each part.
    """
    places = count()
    queue: list[_Candidate] = []

    def add(fixed: tuple[Edge, ...], still_open: Mapping[Edge, int]) -> None:
        edges = (*fixed, *cheapest_edges(still_open))
        if 2 * len(edges) == prices.nodes:
            cost = sum(prices.packed[edge] for edge in edges)
            heappush(queue, _Candidate(cost, next(places), edges, fixed, still_open))

    add((), prices.packed)
    while queue:
        best = heappop(queue)
        yield best.edges
        fixed, still_open = best.fixed, best.open
        for edge in best.edges[len(fixed) :]:
            add(fixed, {pair: cost for pair, cost in still_open.items() if pair != edge})
            fixed, still_open = (*fixed, edge), _apart_from(edge, still_open)


def _apart_from(edge: Edge, costs: Mapping[Edge, int]) -> dict[Edge, int]:
    return {pair: cost for pair, cost in costs.items() if not set(pair) & set(edge)}
