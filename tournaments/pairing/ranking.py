"""All perfect matchings of a field, the cheapest first."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count

from tournaments.pairing.matching import Edge, Prices, cheapest_edges


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
