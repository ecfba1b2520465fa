"""Cheapest matchings of large fields: as good as the one over every pair, in a fraction of time.

A plan says how many pairs each two kinds of players send. It asks nothing about who met whom, so
no matching costs less. When people can be dealt to it as strangers, that matching is proven the
cheapest. Where that fails, those players are named: the plan now knows who of them has met, and
is made anew. After some tries every pair is looked at.
"""

from collections.abc import Iterator, Sequence

from engine.pairing.costs import Level
from engine.pairing.large.dealing import Tables, deal, part_those_who_met
from engine.pairing.large.nodes import Nodes
from engine.pairing.matching import (
    Couple,
    Edge,
    Matching,
    Parts,
    Plan,
    SittingOut,
    bye_parts,
    cheapest_matching,
)
from engine.pairing.records import Entrant
from engine.standings import PlayerId

LARGE = 97
"""From so many players on a plan is quicker than looking at every pair."""

TRIES = 12
_NAMED_TOGETHER = 12


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
    from engine.pairing.large.programs import cheapest_plan  # loads scipy

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
