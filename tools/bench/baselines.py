"""Baselines: every pair in one graph, and standings in floating point."""

import random
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import networkx
import rustworkx

from engine.pairing.costs import CostLevel, LevelCosts
from engine.pairing.records import Entrant
from engine.standings.records import PlayedTable, PlayerId, StandingsRecord

Graph = Mapping[tuple[int, int], int]
"""Cost of every pair of indexes in the field; the bye comes after the last player."""


def every_pair(
    field: Sequence[Entrant], levels: Sequence[CostLevel]
) -> tuple[Graph, Sequence[int]]:
    """The full graph with its levels packed into one number, and the weight of each level."""
    parts = {
        (first, second): tuple(level.of_pair(field[first], field[second]) for level in levels)
        for first, second in combinations(range(len(field)), 2)
    }
    if len(field) % 2:
        for first, entrant in enumerate(field):
            parts[first, len(field)] = tuple(level.of_bye(entrant) for level in levels)
    weights = [1]
    for level in range(len(levels) - 1, 0, -1):
        largest = max(cost[level] for cost in parts.values())
        weights.append(weights[-1] * (1 + len(field) * largest))
    weights.reverse()
    packed = {
        edge: sum(cost * weight for cost, weight in zip(costs, weights, strict=True))
        for edge, costs in parts.items()
    }
    return packed, weights


def by_networkx(costs: Graph) -> int:
    graph = networkx.Graph()
    graph.add_weighted_edges_from((first, second, -cost) for (first, second), cost in costs.items())
    matched = networkx.max_weight_matching(graph, maxcardinality=True)
    return sum(costs[min(pair), max(pair)] for pair in matched)


def by_rustworkx(costs: Graph) -> int:
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(1 + max(second for _, second in costs)))
    graph.add_edges_from([(first, second, -cost) for (first, second), cost in costs.items()])
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sum(costs[min(pair), max(pair)] for pair in matched)


def packed(parts: Sequence[LevelCosts], weights: Sequence[int]) -> int:
    """A whole matching as one number."""
    return sum(
        value * weight for costs in parts for value, weight in zip(costs, weights, strict=True)
    )


def plain_standings(records: Sequence[StandingsRecord], seed: int) -> list[dict[str, Any]]:
    """The default standings written naively, in floating point."""
    order = [record.id for record in records]
    random.Random(seed).shuffle(order)
    lot = {player: index for index, player in enumerate(order, start=1)}
    points, games, played, byes, manual = {}, {}, {}, {}, {}
    opponents_by_player: dict[PlayerId, list[PlayerId]] = {}
    for record in records:
        points[record.id] = 0.0
        games[record.id] = played[record.id] = byes[record.id] = 0
        opponents_by_player[record.id] = []
        manual[record.id] = record.manual_seed
        for entry in record.rounds:
            if entry is None:
                continue
            points[record.id] += entry.points
            if isinstance(entry, PlayedTable):
                played[record.id] += 1
                games[record.id] += entry.games_won
                opponents_by_player[record.id].extend(entry.opponents)
            else:
                byes[record.id] += 1
    average = {
        player: points[player] / (played[player] + byes[player])
        if played[player] + byes[player]
        else 0.0
        for player in points
    }
    strength = {
        player: sum(average[opponent] for opponent in opponents) / len(opponents)
        if opponents
        else 0.0
        for player, opponents in opponents_by_player.items()
    }
    extended = {
        player: sum(strength[opponent] for opponent in opponents) / len(opponents)
        if opponents
        else 0.0
        for player, opponents in opponents_by_player.items()
    }
    table = sorted(
        points,
        key=lambda player: (
            -points[player],
            manual[player] is None,
            manual[player] or 0,
            -strength[player],
            -extended[player],
            lot[player],
        ),
    )
    return [
        {
            "rank": rank,
            "id": player,
            "match_points": points[player],
            "strength_of_schedule": strength[player],
            "extended_strength_of_schedule": extended[player],
            "games_won": games[player],
            "played": played[player],
            "byes": byes[player],
        }
        for rank, player in enumerate(table, start=1)
    ]
