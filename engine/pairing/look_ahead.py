"""Never into a wall: in a small field planned rounds stay free of rematches (docs/rules.md).

Of the matchings that break no weightier rule more than needed, the cheapest is taken after which
the rounds left can still be paired, each two players meeting as often as the profile allows. A
plan says what a matching leaves open for these rounds, and finds rounds that keep them. Where more
rounds are left than the field can play, as many as possible are kept.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import islice
from typing import TypeAlias

from engine.pairing.costs import Level, times_met
from engine.pairing.matching import Edge, Matching, Prices, cheapest_edges, prices_of, ranked
from engine.pairing.records import Entrant
from engine.pairing.schedules import EXACT, Budget, Openings, OutOfSteps, Pairs, pair_bits, schedule
from engine.standings import PlayerId

Partners: TypeAlias = list[int]
"""For each node its partner in a round; who is by themselves is their own."""

STEPS = 40_000_000
"""Of the search in one pairing, times the square of the players, for then they take longer.

A number of steps, not a time: every machine answers the same.
"""

CANDIDATES = 10_000
"""How many matchings are looked at by cost, times the square of the players, where not all are.

The larger the field, the longer it takes to find the next one."""

MOST_DRAWN = 20


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
        if len(self.field) % 2 == 0 and replace(self._before, rounds=self.rounds).is_hopeless:
            # A round takes openings away and adds none.
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
    def most_rounds(self) -> int:
        """A bound: no field can play more rounds than this."""
        return len(self.field) * self.meetings

    @property
    def _are_too_many(self) -> bool:
        return self.rounds > self.most_rounds

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


class Outlook(StrEnum):
    """What is known of the rounds left."""

    CLEAR = "clear"
    """The cheapest matching keeps them free of rematches."""
    KEPT = "kept"
    """A dearer matching does, and no cheaper one."""
    KEPT_SOMEHOW = "kept_somehow"
    """A dearer matching does, and there may be a cheaper one."""
    LOST = "lost"
    """No matching does."""
    UNKNOWN = "unknown"
    """None was found within the budget."""


@dataclass(frozen=True)
class Kept:
    """The matching that is taken, what is known of the `plan`, and the cheapest matching of all.

    `plan` has fewer rounds than are left, or allows one meeting more, where not all can be kept;
    `is_most` says that more is proven impossible.
    """

    matching: Matching
    outlook: Outlook
    cheapest: Matching
    plan: Plan
    is_most: bool = True

    @property
    def is_kept(self) -> bool:
        """True if a matching was found that keeps the plan."""
        return self.outlook in (Outlook.CLEAR, Outlook.KEPT, Outlook.KEPT_SOMEHOW)


MOST_MEETINGS = 2
"""A plan can allow two players this many meetings."""

MOST_PLAYERS_OF_PART = 60
"""The search for the most rounds takes too long in a larger field, which never plans that many."""


def keep_most(plan: Plan, cheapest: Matching, levels: Sequence[Level]) -> Kept:
    """As `keep`, with as much of the plan as possible where all of it cannot be kept.

    First as many of the rounds left as possible; where not even one can be kept free of rematches,
    as many as possible free of third meetings.
    """
    whole = keep(plan, cheapest, levels)
    if whole.is_kept or len(plan.field) > MOST_PLAYERS_OF_PART:
        return whole
    kept = _keep_longest(plan, plan.rounds - 1, cheapest, levels, is_most=_is_lost(whole))
    for meetings in range(plan.meetings + 1, MOST_MEETINGS + 1):
        if kept is None:
            looser = replace(plan, meetings=meetings)
            kept = _keep_longest(looser, plan.rounds, cheapest, levels, is_most=_is_lost(whole))
    return kept or whole


def _is_lost(kept: Kept) -> bool:
    return kept.outlook is Outlook.LOST


def _keep_longest(
    plan: Plan, rounds: int, cheapest: Matching, levels: Sequence[Level], *, is_most: bool
) -> Kept | None:
    """The plan for the most rounds, up to `rounds`, that can be kept; None for no round.

    `is_most` says that a plan for more than `rounds` is proven impossible.
    """
    best, shortest = None, 1
    if rounds > plan.most_rounds:
        rounds, is_most = plan.most_rounds, True
    # A plan that can be kept can be kept for fewer rounds too.
    while shortest <= rounds:
        middle = (shortest + rounds + 1) // 2
        kept = keep(replace(plan, rounds=middle), cheapest, levels)
        if kept.is_kept:
            best, shortest = kept, middle + 1
        else:
            rounds, is_most = middle - 1, _is_lost(kept)
    return replace(best, is_most=is_most) if best else None


def keep(plan: Plan, cheapest: Matching, levels: Sequence[Level]) -> Kept:
    """The cheapest matching that keeps the plan; the `cheapest` of all where none is found."""
    looking = _Looking(plan, _budget(plan))
    if looking.leads_on(cheapest):
        return Kept(cheapest, Outlook.CLEAR, cheapest, plan)
    if plan.is_lost(cheapest):
        return Kept(cheapest, Outlook.LOST, cheapest, plan)
    prices = prices_of(plan.free, levels)
    # The first is the cheapest itself.
    candidates = islice(_candidates(plan, prices), 1, None)
    size = len(plan.field)
    for edges in islice(candidates, None if size <= EXACT else CANDIDATES // size**2):
        matching = prices.matching(edges)
        if looking.leads_on(matching):
            outlook = Outlook.KEPT if looking.is_sure else Outlook.KEPT_SOMEHOW
            return Kept(matching, outlook, cheapest, plan)
    if looking.is_sure and next(candidates, None) is None:
        return Kept(cheapest, Outlook.LOST, cheapest, plan)
    constructed = _constructed(plan, prices)
    outlook = Outlook.KEPT_SOMEHOW if constructed else Outlook.UNKNOWN
    return Kept(constructed or cheapest, outlook, cheapest, plan)


def _budget(plan: Plan) -> Budget:
    return Budget(STEPS // max(EXACT, len(plan.field)) ** 2)


class _Looking:
    """Asks whether the plan is kept, and remembers whether every answer was certain."""

    def __init__(self, plan: Plan, budget: Budget) -> None:
        self.plan, self.budget, self.is_sure = plan, budget, True

    def leads_on(self, matching: Matching) -> bool:
        """Whether the rounds left are known to be free of rematches after this one."""
        try:
            return self.plan.is_kept(matching, self.budget)
        except OutOfSteps:
            self.is_sure = False
            return False


def _candidates(plan: Plan, prices: Prices) -> Iterator[tuple[Edge, ...]]:
    """The matchings by cost, as long as they break weightier rules no more than the cheapest."""
    least = None
    for edges in ranked(prices):
        parts = [prices.costs[edge][: plan.weighty] for edge in edges]
        breaks = tuple(map(sum, zip(*parts, strict=True)))
        least = breaks if least is None else least
        if breaks > least:
            return
        yield edges


def _constructed(plan: Plan, prices: Prices) -> Matching | None:
    """A matching that breaks no weightier rule and keeps the plan, made as cheap as exchanges can.

    Rounds are drawn until one keeps the plan; then its tables are exchanged with those of the
    rounds after it.
    """
    budget = _budget(plan)
    for edges in drawn_rounds(list(_harmless(plan, prices)), prices.nodes, MOST_DRAWN):
        matching = prices.matching(edges)
        try:
            rounds = plan.rounds_after(matching, budget)
        except OutOfSteps:
            continue
        if rounds is not None:
            later = [plan.partners(pairs) for pairs in rounds]
            this = plan.partners(plan.pairs_of(matching))
            return plan.matching_of(cheaper_round(this, later, plan.costs(prices)), prices)
    return None


def _harmless(plan: Plan, prices: Prices) -> Iterator[Edge]:
    """The tables that break no weighty rule, and the byes that break it least."""
    bye = len(prices.field)
    least = min((parts[0] for edge, parts in prices.costs.items() if edge[1] == bye), default=0)
    for edge, parts in prices.costs.items():
        if parts[: plan.weighty] == ((least if edge[1] == bye else 0), *(0,) * (plan.weighty - 1)):
            yield edge
