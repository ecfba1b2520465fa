"""The cheapest round there is: by trying every round, or by a matching of another library."""

from collections.abc import Iterator
from typing import Any

import networkx

from tests.checker.reading import Couple
from tests.checker.swiss_costs import Cost, Costs

# Up to so many players every round is tried.
SMALL = 10


def every_round(ids: list[Any]) -> Iterator[list[Couple]]:
    """Every way to pair these players, one of them with the bye when they are odd."""
    nodes = [*ids, None] if len(ids) % 2 else ids
    if not nodes:
        yield []
        return
    first, rest = nodes[0], nodes[1:]
    for place, other in enumerate(rest):
        left = rest[:place] + rest[place + 1 :]
        # The bye is among those left, so nobody adds another.
        for couples in every_round(left):
            yield [(first, other), *couples]


def least_cost(costs: Costs, ids: list[Any]) -> Cost:
    """The least cost of pairing these players."""
    if len(ids) <= SMALL:
        return min(costs.total(couples) for couples in every_round(ids))
    return costs.total(cheapest_by_networkx(costs, ids))


def cheapest_by_networkx(costs: Costs, ids: list[Any]) -> list[Couple]:
    """A least-cost matching; weights are integers of any size, so no level runs into the next."""
    nodes = [*ids, None] if len(ids) % 2 else ids
    couples = [(one, other) for place, one in enumerate(nodes) for other in nodes[place + 1 :]]
    base = 1 + len(nodes) * max(max(costs.of(*couple)) for couple in couples)
    graph = networkx.Graph()
    places = {id_: place for place, id_ in enumerate(nodes)}
    for one, other in couples:
        graph.add_edge(places[one], places[other], weight=-_number(costs.of(one, other), base))
    matched = networkx.max_weight_matching(graph, maxcardinality=True)
    return [(nodes[one], nodes[other]) for one, other in matched]


def _number(cost: Cost, base: int) -> int:
    number = 0
    for value in cost:
        number = number * base + value
    return number
