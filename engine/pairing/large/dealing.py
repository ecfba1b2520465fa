"""From a plan to people: deal the players of each node to its pairs, and part those who met."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.pairing.large.nodes import Nodes
from engine.pairing.matching import Edge, Plan
from engine.pairing.records import Entrant

Seat: TypeAlias = tuple[int, int]
"""A table, and one of its two sides."""


@dataclass
class Tables:
    """People at tables as the plan wants them, and for each seat the node it belongs to."""

    people: list[list[Entrant]]
    nodes: list[Edge]
    sitting_out: Entrant | None = None


def deal(nodes: Nodes, plan: Plan) -> Tables:
    """Seat the players of each node in the order of the field; its last edge may be a bye."""
    left = [iter(node.members) for node in nodes.all]
    tables = Tables([], [])
    for (one, other), pairs in sorted(plan.items()):
        for _ in range(pairs):
            if other == len(nodes.all):
                tables.sitting_out = next(left[one])
            else:
                tables.people.append([next(left[one]), next(left[other])])
                tables.nodes.append((one, other))
    return tables


def part_those_who_met(tables: Tables, nodes: Nodes) -> list[int]:
    """Swap players of one node until strangers sit together; return the tables where that failed.

    A swap within a node costs nothing. Two named players met as the plan knew.
    """
    seats: defaultdict[int, list[Seat]] = defaultdict(list)
    for table, pair in enumerate(tables.nodes):
        for side, node in enumerate(pair):
            seats[node].append((table, side))
    wrong = [table for table in range(len(tables.people)) if _is_wrong(tables, nodes, table)]
    return [table for table in wrong if not _mended(tables, nodes, seats, table)]


def _is_wrong(tables: Tables, nodes: Nodes, table: int) -> bool:
    if all(nodes.all[node].is_named for node in tables.nodes[table]):
        return False
    return not nodes.are_strangers(*tables.people[table])


def _mended(tables: Tables, nodes: Nodes, seats: Mapping[int, Sequence[Seat]], table: int) -> bool:
    """Whether these two are strangers, by an earlier swap or by one made now."""
    if not _is_wrong(tables, nodes, table):
        return True
    for side, seat in _swaps(tables, nodes, seats, table):
        _swap(tables, (table, side), seat)
        if not (_is_wrong(tables, nodes, table) or _is_wrong(tables, nodes, seat[0])):
            return True
        _swap(tables, (table, side), seat)
    return False


def _swaps(
    tables: Tables, nodes: Nodes, seats: Mapping[int, Sequence[Seat]], table: int
) -> Iterator[tuple[int, Seat]]:
    for side, node in enumerate(tables.nodes[table]):
        if not nodes.all[node].is_named:
            yield from ((side, seat) for seat in seats[node] if seat[0] != table)


def _swap(tables: Tables, seat: Seat, other: Seat) -> None:
    people = tables.people
    people[seat[0]][seat[1]], people[other[0]][other[1]] = (
        people[other[0]][other[1]],
        people[seat[0]][seat[1]],
    )
