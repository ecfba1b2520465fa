"""A round that keeps the plan, made without going through all rounds by their cost."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from tournaments.pairing.matching import Edge, cheapest_edges

Partners: TypeAlias = list[int]
"""For each node its partner in a round; who is by themselves is their own."""


def drawn_rounds(edges: Sequence[Edge], nodes: int, rounds: int) -> Iterator[list[Edge]]:
    """Perfect matchings of these edges by chance, the same each time; nothing if there are none."""
    chance = random.Random(0)  # noqa: S311 - a search to be repeated
    for _ in range(rounds):
        drawn = cheapest_edges({edge: chance.randrange(1 << 20) for edge in edges})
        if 2 * len(drawn) < nodes:
            return
        yield drawn


def cheaper_round(this: Partners, later: Sequence[Partners], costs: Mapping[Edge, int]) -> Partners:
    """Exchange tables with later rounds for as long as that makes this round cheaper.

    The tables of two rounds fall into rings; a whole ring may change places, and then all rounds
    together are still the same tables. Only edges with a cost may move.
    """
    this, later = list(this), [list(partners) for partners in later]
    moved = 1
    while moved:
        moved = sum(
            _exchange(this, other, ring, costs) for other in later for ring in _rings(this, other)
        )
    return this


def _exchange(this: Partners, other: Partners, ring: list[int], costs: Mapping[Edge, int]) -> bool:
    ours, theirs = ({_edge(node, one[node]) for node in ring} for one in (this, other))
    if not costs.keys() >= ours | theirs or _price(theirs, costs) >= _price(ours, costs):
        return False
    for node in ring:
        this[node], other[node] = other[node], this[node]
    return True


def _price(edges: set[Edge], costs: Mapping[Edge, int]) -> int:
    return sum(costs[edge] for edge in edges)


def _rings(this: Partners, other: Partners) -> list[list[int]]:
    """The nodes that hang together by the tables of both rounds."""
    rings, seen = [], set[int]()
    for start in range(len(this)):
        ring, ahead = [], [start]
        while ahead:
            node = ahead.pop()
            if node not in seen:
                seen.add(node)
                ring.append(node)
                ahead += [this[node], other[node]]
        if ring:
            rings.append(ring)
    return rings


def _edge(one: int, other: int) -> Edge:
    return (one, other) if one < other else (other, one)
