"""A large field in few nodes: players of one kind are one node, whoever matters alone is another.

Two players who have never met and are kept apart by no group are strangers. What strangers cost
depends on their kind alone, and nobody costs less than strangers of the same kinds would.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TypeAlias

from engine.pairing.costs import Level
from engine.pairing.matching import Parts, bye_parts, pair_parts
from engine.pairing.records import Entrant
from engine.standings import PlayerId

Kind: TypeAlias = tuple[int, int, int, str]
"""Match points; byes in an odd field; Corp games minus Runner games where roles cost; a big group.
"""

BIG_GROUP = 3
"""A group of more than a third of the field may not be kept apart by swaps: its kinds are told
apart, so that the plan knows."""


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
