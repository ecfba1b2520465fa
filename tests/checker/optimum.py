"""The cheapest round, by trying every round or by a matching of another library."""

from collections.abc import Iterator
from typing import Any

import networkx

from tests.checker.reading import Couple
from tests.checker.swiss_costs import Cost, Costs

# Up to this number of players every round is tried.
SMALL = 10


def every_round(ids: list[Any]) -> Iterator[list[Couple]]:
    """Yield every way to pair these players; in an odd field one of them has the bye."""
    nodes = [*ids, None] if len(ids) % 2 else ids
    if not nodes:
        yield []
        return
    first, other_nodes = nodes[0], nodes[1:]
    for index, partner in enumerate(other_nodes):
        remaining = other_nodes[:index] + other_nodes[index + 1 :]
        # The bye is one of the remaining nodes, so no other bye is added.
        for couples in every_round(remaining):
            yield [(first, partner), *couples]


def least_cost(costs: Costs, ids: list[Any]) -> Cost:
    if len(ids) <= SMALL:
        return min(costs.total(couples) for couples in every_round(ids))
    return costs.total(cheapest_by_networkx(costs, ids))


def cheapest_by_networkx(costs: Costs, ids: list[Any]) -> list[Couple]:
    """Return a least-cost matching; integer weights of any size separate the levels."""
    nodes = [*ids, None] if len(ids) % 2 else ids
    couples = [
        (first, second) for index, first in enumerate(nodes) for second in nodes[index + 1 :]
    ]
    base = 1 + len(nodes) * max(max(costs.of(*couple)) for couple in couples)
    graph = networkx.Graph()
    indexes = {id_: index for index, id_ in enumerate(nodes)}
    for first, second in couples:
        graph.add_edge(
            indexes[first], indexes[second], weight=-_number(costs.of(first, second), base)
        )
    matched = networkx.max_weight_matching(graph, maxcardinality=True)
    return [(nodes[first], nodes[second]) for first, second in matched]


def _number(cost: Cost, base: int) -> int:
    number = 0
    for value in cost:
        number = number * base + value
    return number
