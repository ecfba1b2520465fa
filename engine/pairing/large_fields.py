"""Minimum-cost matchings of large fields, as cheap as the full matching but much faster.

A plan sets the number of pairs between any two kinds of players. It ignores past meetings, so no
matching costs less. If players can be assigned to it as strangers, the matching is proven optimal.
Otherwise the plan is made again with these players named, so that it includes their past meetings.
After some tries the full matching is used.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TypeAlias

from engine.pairing.costs import (
    CostLevel,
    Edge,
    LevelCosts,
    MatchedCouple,
    Matching,
    PairCounts,
    SittingOut,
    bye_parts,
    cheapest_matching,
    pair_parts,
)
from engine.pairing.records import Entrant
from engine.standings.records import PlayerId


def match_field(field: Sequence[Entrant], levels: Sequence[CostLevel]) -> Matching:
    """Match everybody at the cost of `cheapest_matching`, in a field of any size."""
    if len(field) < LARGE_FIELD:
        return cheapest_matching(field, levels)
    return planned_matching(field, levels, max_nodes(field)) or cheapest_matching(field, levels)


def max_nodes(field: Sequence[Entrant]) -> int:
    """Return the limit: with more nodes, a plan is hardly faster than the full matching."""
    return len(field) * 2 // 3


# Match points; byes in an odd field; Corp minus Runner games if roles have a cost; big group.
PlayerKind: TypeAlias = tuple[int, int, int, str]

# Swaps may fail to separate a group of more than a third of the field. The plan therefore separates
# the kinds of such a group.
BIG_GROUP = 3

# A table and a side of it.
TableSide: TypeAlias = tuple[int, int]

# From this number of players on, a plan is faster than the full matching.
LARGE_FIELD = 97

MAX_PLANS = 12
_MAX_NAMED_TOGETHER = 12


@dataclass(frozen=True)
class KindNode:
    """Players that the plan need not distinguish, in field order; or a named player."""

    members: tuple[Entrant, ...]
    # Represents any of them, without past meetings.
    stranger: Entrant
    is_named: bool = False


class KindNodes:
    def __init__(
        self, field: Sequence[Entrant], levels: Sequence[CostLevel], named: Collection[PlayerId]
    ) -> None:
        self.levels = levels
        self._big_groups = _big_groups(field)
        self.all = tuple(_nodes(field, levels, named, self._big_groups))

    def are_strangers(self, first: Entrant, second: Entrant) -> bool:
        """Only their kinds determine the cost of this pair."""
        group = first.avoid_group
        apart = group is None or group != second.avoid_group or group in self._big_groups
        return apart and second.id not in first.roles_against

    def parts(self, node: int, partner: int) -> LevelCosts:
        """Return the lower bound for a pair of these nodes; it is exact for named players."""
        first, second = self.all[node], self.all[partner]
        if first.is_named and second.is_named:
            return pair_parts(self.levels, first.members[0], second.members[0])
        return pair_parts(self.levels, first.stranger, second.stranger)

    def bye_parts(self, node: int) -> LevelCosts:
        return bye_parts(self.levels, self.all[node].stranger)


def _nodes(
    field: Sequence[Entrant],
    levels: Sequence[CostLevel],
    named: Collection[PlayerId],
    big_groups: Collection[str],
) -> Iterator[KindNode]:
    roles_count = any(level.by_roles for level in levels)
    kinds: defaultdict[PlayerKind, list[Entrant]] = defaultdict(list)
    for entrant in field:
        balance = entrant.balance if roles_count else 0
        group = entrant.avoid_group if entrant.avoid_group in big_groups else None
        byes = entrant.byes * (len(field) % 2)
        kinds[entrant.match_points, byes, balance, group or ""].append(entrant)
    # Ids that neither the field nor its past opponents use.
    ids = {entrant.id for entrant in field}.union(*(entrant.roles_against for entrant in field))
    unknown = (number for number in count(1) if number not in ids)
    for kind in sorted(kinds, reverse=True):
        members = kinds[kind]
        stranger = replace(members[0], id=next(unknown), avoid_group=kind[-1] or None)
        for entrant in members:
            if entrant.id in named:
                yield KindNode((entrant,), stranger, is_named=True)
        crowd = tuple(entrant for entrant in members if entrant.id not in named)
        if crowd:
            yield KindNode(crowd, stranger)


def _big_groups(field: Sequence[Entrant]) -> set[str]:
    sizes = Counter(entrant.avoid_group for entrant in field)
    return {group for group, size in sizes.items() if group and size * BIG_GROUP > len(field)}


@dataclass
class SeatedTables:
    """Players seated by the plan, and the node of each seat."""

    people: list[list[Entrant]]
    nodes: list[Edge]
    sitting_out: Entrant | None = None


def deal_players(nodes: KindNodes, plan: PairCounts) -> SeatedTables:
    """Seat the players of each node in field order. The last edge of a node may be a bye."""
    left = [iter(node.members) for node in nodes.all]
    tables = SeatedTables([], [])
    for (node, partner), pairs in sorted(plan.items()):
        for _ in range(pairs):
            if partner == len(nodes.all):
                tables.sitting_out = next(left[node])
            else:
                tables.people.append([next(left[node]), next(left[partner])])
                tables.nodes.append((node, partner))
    return tables


def separate_past_opponents(tables: SeatedTables, nodes: KindNodes) -> list[int]:
    """Swap players until only strangers share tables; return the tables that failed."""
    # A swap within a node costs nothing. A meeting of two named players is part of the plan.
    seats: defaultdict[int, list[TableSide]] = defaultdict(list)
    for table, pair in enumerate(tables.nodes):
        for side, node in enumerate(pair):
            seats[node].append((table, side))
    wrong = [table for table in range(len(tables.people)) if _is_wrong(tables, nodes, table)]
    return [table for table in wrong if not _is_separated(tables, nodes, seats, table)]


def _is_wrong(tables: SeatedTables, nodes: KindNodes, table: int) -> bool:
    if all(nodes.all[node].is_named for node in tables.nodes[table]):
        return False
    return not nodes.are_strangers(*tables.people[table])


def _is_separated(
    tables: SeatedTables, nodes: KindNodes, seats: Mapping[int, Sequence[TableSide]], table: int
) -> bool:
    if not _is_wrong(tables, nodes, table):
        return True
    for side, node in enumerate(tables.nodes[table]):
        if nodes.all[node].is_named:
            continue
        for seat in seats[node]:
            if seat[0] != table:
                _swap(tables, (table, side), seat)
                if not (_is_wrong(tables, nodes, table) or _is_wrong(tables, nodes, seat[0])):
                    return True
                _swap(tables, (table, side), seat)
    return False


def _swap(tables: SeatedTables, first: TableSide, second: TableSide) -> None:
    people = tables.people
    people[first[0]][first[1]], people[second[0]][second[1]] = (
        people[second[0]][second[1]],
        people[first[0]][first[1]],
    )


def planned_matching(
    field: Sequence[Entrant], levels: Sequence[CostLevel], most: int | None = None
) -> Matching | None:
    """Return a matching proven optimal by a plan of at most `most` nodes, or None."""
    named: set[PlayerId] = set()
    for _ in range(MAX_PLANS):
        nodes = KindNodes(field, levels, named)
        if most is not None and len(nodes.all) > most:
            return None
        plan = _plan_pairs(nodes)
        if plan is None:
            return None
        tables = deal_players(nodes, plan)
        wrong = separate_past_opponents(tables, nodes)
        if not wrong:
            return _matching(field, nodes, tables)
        named.update(_players_to_name(nodes, tables, wrong))
    return None


def _plan_pairs(nodes: KindNodes) -> PairCounts | None:
    costs = {
        (node, partner): nodes.parts(node, partner)
        for node, first in enumerate(nodes.all)
        for partner in range(node, len(nodes.all))
        if node != partner or len(first.members) > 1
    }
    players = [len(node.members) for node in nodes.all]
    if sum(players) % 2:
        # The bye is another node, connected to players for whom it breaks the least. The heaviest
        # level is about byes only, so its minimum is settled first.
        byes = {(node, len(nodes.all)): nodes.bye_parts(node) for node in range(len(nodes.all))}
        least = min(parts[0] for parts in byes.values())
        costs |= {edge: (0, *parts[1:]) for edge, parts in byes.items() if parts[0] == least}
        players.append(1)
    from engine.pairing.integer_program import cheapest_plan  # loads scipy

    return cheapest_plan(costs, players)


def _players_to_name(
    nodes: KindNodes, tables: SeatedTables, wrong: Sequence[int]
) -> Iterator[PlayerId]:
    """Yield the players at each wrong table, and all players of small kinds."""
    for table in wrong:
        for node, person in zip(tables.nodes[table], tables.people[table], strict=True):
            members = nodes.all[node].members
            few = members if len(members) <= _MAX_NAMED_TOGETHER else (person,)
            yield from (entrant.id for entrant in few)


def _matching(field: Sequence[Entrant], nodes: KindNodes, tables: SeatedTables) -> Matching:
    # The field order breaks ties at random. Table-mates are strangers or both named, so they cost
    # the same as their nodes.
    places = {entrant.id: place for place, entrant in enumerate(field)}
    costs = {edge: nodes.parts(*edge) for edge in set(tables.nodes)}
    couples = []
    for people, edge in zip(tables.people, tables.nodes, strict=True):
        first, second = sorted(people, key=lambda entrant: places[entrant.id])
        couples.append(MatchedCouple(first, second, costs[edge]))
    out = tables.sitting_out
    return Matching(
        couples=tuple(sorted(couples, key=lambda couple: places[couple.first.id])),
        sitting_out=None if out is None else SittingOut(out, bye_parts(nodes.levels, out)),
    )
