"""Cheapest matchings of large fields: as good as the one over every pair, in a fraction of time.

A plan says how many pairs each two kinds of players send. It asks nothing about who met whom, so
no matching costs less. When people can be dealt to it as strangers, that matching is proven the
cheapest. Where that fails, those players are named: the plan now knows who of them has met, and
is made anew. After some tries every pair is looked at.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TypeAlias

from engine.pairing.costs import Level
from engine.pairing.matching import (
    Couple,
    Edge,
    Matching,
    Parts,
    Plan,
    SittingOut,
    bye_parts,
    cheapest_matching,
    pair_parts,
)
from engine.pairing.records import Entrant
from engine.standings import PlayerId

Kind: TypeAlias = tuple[int, int, int, str]
"""Match points; byes in an odd field; Corp games minus Runner games where roles cost; a big group.
"""

BIG_GROUP = 3
"""A group of more than a third of the field may not be kept apart by swaps: its kinds are kept
apart, so that the plan knows."""

Seat: TypeAlias = tuple[int, int]
"""A table, and one of its two sides."""

LARGE = 97
"""From so many players on a plan is quicker than looking at every pair."""

TRIES = 12
_NAMED_TOGETHER = 12


@dataclass(frozen=True)
class Node:
    """Players whom the plan need not tell apart, in the order of the field; or one by name.

    `stranger` stands for any of them and has met nobody.
    """

    members: tuple[Entrant, ...]
    stranger: Entrant
    is_named: bool = False


class Nodes:
    """The nodes of a field, and what their pairs cost."""

    def __init__(
        self, field: Sequence[Entrant], levels: Sequence[Level], named: Collection[PlayerId]
    ) -> None:
        self.levels = levels
        self._big_groups = _big_groups(field)
        self.all = tuple(_nodes(field, levels, named, self._big_groups))

    def are_strangers(self, first: Entrant, second: Entrant) -> bool:
        """Whether nothing but their kinds decides what these two cost."""
        group = first.avoid_group
        apart = group is None or group != second.avoid_group or group in self._big_groups
        return apart and second.id not in first.roles_against

    def parts(self, one: int, other: int) -> Parts:
        """The least cost of a pair from these two nodes; between named players it is exact."""
        first, second = self.all[one], self.all[other]
        if first.is_named and second.is_named:
            return pair_parts(self.levels, first.members[0], second.members[0])
        return pair_parts(self.levels, first.stranger, second.stranger)

    def bye_parts(self, one: int) -> Parts:
        """The cost of a bye for a player of this node."""
        return bye_parts(self.levels, self.all[one].stranger)


def _nodes(
    field: Sequence[Entrant],
    levels: Sequence[Level],
    named: Collection[PlayerId],
    big_groups: Collection[str],
) -> Iterator[Node]:
    """Best score first."""
    roles_count = any(level.by_roles for level in levels)
    kinds: defaultdict[Kind, list[Entrant]] = defaultdict(list)
    for entrant in field:
        balance = entrant.balance if roles_count else 0
        group = entrant.avoid_group if entrant.avoid_group in big_groups else None
        byes = entrant.byes * (len(field) % 2)
        kinds[entrant.match_points, byes, balance, group or ""].append(entrant)
    unknown = _unknown_ids(field)
    for kind in sorted(kinds, reverse=True):
        members = kinds[kind]
        stranger = replace(members[0], id=next(unknown), avoid_group=kind[-1] or None)
        for entrant in members:
            if entrant.id in named:
                yield Node((entrant,), stranger, is_named=True)
        crowd = tuple(entrant for entrant in members if entrant.id not in named)
        if crowd:
            yield Node(crowd, stranger)


def _big_groups(field: Sequence[Entrant]) -> set[str]:
    sizes = Counter(entrant.avoid_group for entrant in field)
    return {group for group, size in sizes.items() if group and size * BIG_GROUP > len(field)}


def _unknown_ids(field: Sequence[Entrant]) -> Iterator[int]:
    """Numbers that nobody in the field has, nor anybody whom they met."""
    ids = {entrant.id for entrant in field}
    known = ids.union(*(entrant.roles_against for entrant in field))
    return (number for number in count(1) if number not in known)


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


def cheapest(field: Sequence[Entrant], levels: Sequence[Level]) -> Matching:
    """Match everybody at the least total cost, whatever the size of the field.

    As `cheapest_matching`, whose answer has the same cost; chance comes from the order of `field`
    alone.
    """
    if len(field) < LARGE:
        return cheapest_matching(field, levels)
    return planned(field, levels, most_nodes(field)) or cheapest_matching(field, levels)


def most_nodes(field: Sequence[Entrant]) -> int:
    """With more nodes a plan is hardly smaller than the field, and no quicker."""
    return len(field) * 2 // 3


def planned(
    field: Sequence[Entrant], levels: Sequence[Level], most: int | None = None
) -> Matching | None:
    """A matching proven the cheapest by a plan, or None when no proof was found.

    `most` is how many nodes the plan may have, by default any number.
    """
    named: set[PlayerId] = set()
    for _ in range(TRIES):
        nodes = Nodes(field, levels, named)
        if most is not None and len(nodes.all) > most:
            return None
        plan = _plan(nodes)
        if plan is None:
            return None
        tables = deal(nodes, plan)
        wrong = part_those_who_met(tables, nodes)
        if not wrong:
            return _matching(field, nodes, tables)
        named.update(_to_be_named(nodes, tables, wrong))
    return None


def _plan(nodes: Nodes) -> Plan | None:
    costs = {
        (one, other): nodes.parts(one, other)
        for one, first in enumerate(nodes.all)
        for other in range(one, len(nodes.all))
        if one != other or len(first.members) > 1
    }
    players = [len(node.members) for node in nodes.all]
    if sum(players) % 2:
        costs |= _bye_edges(nodes)
        players.append(1)
    from engine.pairing.integer_program import cheapest_plan  # loads scipy

    return cheapest_plan(costs, players)


def _bye_edges(nodes: Nodes) -> dict[Edge, Parts]:
    """The bye as one more node, met by those for whom it breaks least."""
    byes = {(one, len(nodes.all)): nodes.bye_parts(one) for one in range(len(nodes.all))}
    # The bye has the weightiest level for itself, so what it breaks there is settled first.
    least = min(parts[0] for parts in byes.values())
    return {edge: (0, *parts[1:]) for edge, parts in byes.items() if parts[0] == least}


def _to_be_named(nodes: Nodes, tables: Tables, wrong: Sequence[int]) -> Iterator[PlayerId]:
    """The two at each table, and everybody else of a small kind."""
    for table in wrong:
        for node, person in zip(tables.nodes[table], tables.people[table], strict=True):
            members = nodes.all[node].members
            few = members if len(members) <= _NAMED_TOGETHER else (person,)
            yield from (entrant.id for entrant in few)


def _matching(field: Sequence[Entrant], nodes: Nodes, tables: Tables) -> Matching:
    """The couples in the order of the field, as a lot among equals wants it.

    Whoever sits together are strangers, or both named: they cost what their nodes do.
    """
    places = {entrant.id: place for place, entrant in enumerate(field)}
    costs = {edge: nodes.parts(*edge) for edge in set(tables.nodes)}
    couples = []
    for people, edge in zip(tables.people, tables.nodes, strict=True):
        first, second = sorted(people, key=lambda entrant: places[entrant.id])
        couples.append(Couple(first, second, costs[edge]))
    out = tables.sitting_out
    return Matching(
        couples=tuple(sorted(couples, key=lambda couple: places[couple.first.id])),
        sitting_out=None if out is None else SittingOut(out, bye_parts(nodes.levels, out)),
    )
