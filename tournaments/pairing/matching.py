"""One exact minimum-cost perfect matching over a field, with a bye node when it is odd."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import rustworkx

from tournaments.pairing.costs import Level
from tournaments.pairing.records import Entrant
from tournaments.pairing.refusals import PointsTooLarge

WEIGHT_LIMIT = 2**120
"""rustworkx counts in 128 bits and goes wrong silently from 2**126 on."""

Parts: TypeAlias = tuple[int, ...]
"""Cost per level, in the order of the levels."""

Edge: TypeAlias = tuple[int, int]


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


def bye_parts(levels: Sequence[Level], entrant: Entrant) -> Parts:
    """The cost of one who sits out, on every level."""
    return tuple(level.of_bye(entrant) for level in levels)


def cheapest_matching(field: Sequence[Entrant], levels: Sequence[Level]) -> Matching:
    """Match everybody at the least total cost, levels compared in order.

    Among matchings of equal cost the order of `field` decides, so a shuffled field makes a lot.
    The couples come in that order as well. Raise PointsTooLarge when the costs cannot be kept
    apart exactly.
    """
    costs = {
        (one, two): pair_parts(levels, field[one], field[two])
        for one, two in combinations(range(len(field)), 2)
    }
    # The bye is one more node, after the last player.
    bye = len(field)
    if len(field) % 2:
        costs |= {(one, bye): bye_parts(levels, field[one]) for one in range(bye)}
    matched = sorted(_minimum_cost_pairs(len(field) + len(field) % 2, costs))
    out = [SittingOut(field[one], costs[one, two]) for one, two in matched if two == bye]
    return Matching(
        couples=tuple(
            Couple(field[one], field[two], costs[one, two]) for one, two in matched if two != bye
        ),
        sitting_out=out[0] if out else None,
    )


def _minimum_cost_pairs(nodes: int, costs: Mapping[Edge, Parts]) -> list[Edge]:
    """The edges of a perfect matching of least cost; the lower node of each comes first."""
    if not costs:
        return []
    weights = _level_weights(list(costs.values()), couples=nodes // 2)
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from([(*edge, _packed(parts, weights)) for edge, parts in costs.items()])
    matched = rustworkx.max_weight_matching(
        graph, max_cardinality=True, weight_fn=lambda cost: -cost, verify_optimum=False
    )
    return [(min(pair), max(pair)) for pair in matched]


def _level_weights(costs: Sequence[Parts], couples: int) -> Parts:
    """A weight per level that no sum over all lower levels can reach."""
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
