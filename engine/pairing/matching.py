"""One exact minimum-cost perfect matching over a field, with a bye node when it is odd."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from itertools import combinations, count
from typing import TypeAlias

from engine.pairing.costs import Level
from engine.pairing.records import Entrant, PointsTooLarge

WEIGHT_LIMIT = 2**120
"""rustworkx counts in 128 bits and goes wrong silently from 2**126 on."""

Parts: TypeAlias = tuple[int, ...]
"""Cost per level, in the order of the levels."""

Edge: TypeAlias = tuple[int, int]

Plan: TypeAlias = Mapping[Edge, int]
"""Pairs per edge, a bye among them; edges without a pair are left out."""


@dataclass(frozen=True)
class Couple:
    """Two who meet, and what that costs."""

    first: Entrant
    second: Entrant
    parts: Parts


@dataclass(frozen=True)
class SittingOut:
    """Who has the bye, and what that costs."""

    entrant: Entrant
    parts: Parts


@dataclass(frozen=True)
class Matching:
    """A whole field matched; somebody sits out when it is odd."""

    couples: tuple[Couple, ...] = ()
    sitting_out: SittingOut | None = None


def pair_parts(levels: Sequence[Level], first: Entrant, second: Entrant) -> Parts:
    """The cost of two who meet, on every level."""
    return tuple(level.of_pair(first, second) for level in levels)


def seated_parts(levels: Sequence[Level], corp: Entrant, runner: Entrant) -> Parts:
    """The cost of two whose roles are given, on every level."""
    return tuple((level.of_seats or level.of_pair)(corp, runner) for level in levels)


def bye_parts(levels: Sequence[Level], entrant: Entrant) -> Parts:
    """The cost of one who sits out, on every level."""
    return tuple(level.of_bye(entrant) for level in levels)


@dataclass(frozen=True)
class Prices:
    """What every pair of a field costs, and every bye when it is odd.

    An edge is two places in `field`, the lower first; the bye is one more place, after the last.
    """

    field: Sequence[Entrant]
    costs: Mapping[Edge, Parts]

    @property
    def nodes(self) -> int:
        """The players, and the bye in an odd field."""
        return len(self.field) + len(self.field) % 2

    @cached_property
    def packed(self) -> Mapping[Edge, int]:
        """Each cost as one number. Raise PointsTooLarge when that cannot be exact."""
        weights = _level_weights(list(self.costs.values()), couples=self.nodes // 2)
        return {edge: _packed(parts, weights) for edge, parts in self.costs.items()}

    def matching(self, edges: Sequence[Edge]) -> Matching:
        """The couples of a perfect matching in the order of the field."""
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
    """Every pair and bye of a field with its cost on each level."""
    costs = {
        (one, two): pair_parts(levels, field[one], field[two])
        for one, two in combinations(range(len(field)), 2)
    }
    bye = len(field)
    if bye % 2:
        costs |= {(one, bye): bye_parts(levels, field[one]) for one in range(bye)}
    return Prices(field, costs)


def cheapest_matching(field: Sequence[Entrant], levels: Sequence[Level]) -> Matching:
    """Match everybody at the least total cost, levels compared in order.

    Among matchings of equal cost the order of `field` decides, so a shuffled field makes a lot.
    The couples come in that order as well. Raise PointsTooLarge when the costs cannot be kept
    apart exactly.
    """
    prices = prices_of(field, levels)
    return prices.matching(cheapest_edges(prices.packed))


def cheapest_edges(costs: Mapping[Edge, int]) -> list[Edge]:
    """The edges of a matching of least cost among those that leave the fewest nodes over."""
    import rustworkx  # slow to load, and not wanted before anybody is paired

    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(1 + max((node for edge in costs for node in edge), default=-1)))
    graph.add_edges_from([(*edge, cost) for edge, cost in costs.items()])
    matched = rustworkx.max_weight_matching(
        graph, max_cardinality=True, weight_fn=lambda cost: -cost, verify_optimum=False
    )
    return sorted((min(pair), max(pair)) for pair in matched)


def _level_weights(costs: Sequence[Parts], couples: int) -> Parts:
    """A weight per level that no sum over all lower levels can reach."""
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
    """The cheapest matching that has the `fixed` edges and none but the `open` ones besides."""

    cost: int
    place: int
    edges: tuple[Edge, ...] = field(compare=False)
    fixed: tuple[Edge, ...] = field(compare=False)
    open: Mapping[Edge, int] = field(compare=False)


def ranked(prices: Prices) -> Iterator[tuple[Edge, ...]]:
    """The edges of every perfect matching, by cost; equals in an order that the field decides.

    After each one the rest is split: matchings without its first edge, with the first but without
    the second, and so on. The cheapest of each part waits in a queue.
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
