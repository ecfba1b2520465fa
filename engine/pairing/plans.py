"""The rounds still planned: what a matching leaves open for them, and rounds that keep them."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from engine.pairing.costs import times_met
from engine.pairing.matching import Edge, Matching, Prices, cheapest_edges
from engine.pairing.records import Entrant
from engine.pairing.schedules import Budget, Openings, Pairs, pair_bits, schedule
from engine.standings import PlayerId

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


@dataclass(frozen=True)
class Plan:
    """The rounds left after this one, for everybody in the field.

    Those `settled` meet, or sit out alone, in this round whatever is matched. Two players may meet
    `meetings` times, 1 or 2. `weighty` is how many of the first levels weigh more than the plan.
    """

    field: Sequence[Entrant]
    settled: Sequence[tuple[PlayerId, ...]]
    rounds: int
    meetings: int
    weighty: int

    @cached_property
    def free(self) -> list[Entrant]:
        """Those who are to be matched."""
        bound = {player for group in self.settled for player in group}
        return [entrant for entrant in self.field if entrant.id not in bound]

    def is_kept(self, matching: Matching, budget: Budget) -> bool:
        """Whether the rounds left can be paired after this one. Raise OutOfSteps if not known."""
        if self._are_too_many:
            return False
        return self._openings_after(matching).is_certain or (
            self.rounds_after(matching, budget) is not None
        )

    def rounds_after(self, matching: Matching, budget: Budget) -> tuple[Pairs, ...] | None:
        """The tables of the rounds left after this one, or None where there is no way.

        Raise OutOfSteps when that is not known.
        """
        return schedule(self._openings_after(matching), budget)

    def is_lost(self, cheapest: Matching) -> bool:
        """Whether it is plain that no matching keeps the plan; False says nothing."""
        if self._are_too_many:
            return True
        if self.settled or any(any(one.parts[: self.weighty]) for one in cheapest.couples):
            return False
        return self._with_byes(self._before, [one.byes for one in self.field]).is_hopeless

    def pairs_of(self, matching: Matching) -> Pairs:
        """All tables of this round, by places in the field."""
        groups = [*self.settled, *((one.first.id, one.second.id) for one in matching.couples)]
        return tuple(
            (self._places[group[0]], self._places[group[1]]) for group in groups if group[1:]
        )

    def partners(self, pairs: Pairs) -> Partners:
        """Who sits with whom; in an odd field one more node is the bye."""
        size = len(self.field)
        partners = list(range(size + size % 2))
        for one, other in pairs:
            partners[one], partners[other] = other, one
        alone = [place for place in range(size) if partners[place] == place]
        if size % 2 and len(alone) == 1:
            partners[alone[0]], partners[size] = size, alone[0]
        return partners

    def costs(self, prices: Prices) -> Mapping[Edge, int]:
        """What may be exchanged, by places in the field; the bye is the last node."""
        places = [*(self._places[entrant.id] for entrant in prices.field), len(self.field)]
        moved = {}
        for (one, other), cost in prices.packed.items():
            low, high = sorted((places[one], places[other]))
            moved[low, high] = cost
        return moved

    def matching_of(self, partners: Partners, prices: Prices) -> Matching:
        """The matching of those who are not settled."""
        nodes = {self._places[entrant.id]: node for node, entrant in enumerate(prices.field)}
        bye = len(prices.field)
        edges = []
        for place, node in nodes.items():
            partner = bye if partners[place] == place else nodes.get(partners[place], bye)
            if node < partner:
                edges.append((node, partner))
        return prices.matching(edges)

    def _openings_after(self, matching: Matching) -> Openings:
        byes = [entrant.byes for entrant in self.field]
        for group in self.settled:
            byes[self._places[group[0]]] += len(group) == 1
        if matching.sitting_out is not None:
            byes[self._places[matching.sitting_out.entrant.id]] += 1
        return self._with_byes(self._before.after(self.pairs_of(matching)), byes)

    @staticmethod
    def _with_byes(openings: Openings, byes: Sequence[int]) -> Openings:
        return openings.with_byes(byes) if openings.size % 2 else openings

    @property
    def _are_too_many(self) -> bool:
        return self.rounds > len(self.field) * self.meetings

    @cached_property
    def _places(self) -> dict[PlayerId, int]:
        return {entrant.id: place for place, entrant in enumerate(self.field)}

    @cached_property
    def _before(self) -> Openings:
        """Who may meet and how often, with this round still to be taken off."""
        size = len(self.field)
        may_meet = [0, 0]
        for one in range(size):
            for other in range(one + 1, size):
                left = self.meetings - times_met(self.field[one], self.field[other])
                for level in range(min(left, 2)):
                    may_meet[level] |= pair_bits(size, one, other)
        return Openings(size, self.rounds + 1, once=may_meet[0], twice=may_meet[1])
