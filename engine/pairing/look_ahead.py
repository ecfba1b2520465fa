"""Look-ahead: in small fields the planned rounds stay free of rematches (docs/rules.md).

Consider the matchings that break no heavier rule more than needed. The chosen matching is the
cheapest after which the remaining rounds can still be paired, within the profile's limit of
meetings. A plan computes the openings after a matching and searches rounds for them. If more rounds
are left than the field can play, as many as possible are kept.
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

# The partner of each node in a round; a node without a partner has itself.
Partners: TypeAlias = list[int]

# Search steps per pairing times the square of the players, because steps take longer in a larger
# field. A number of steps, not a time, so that every machine gives the same answer.
STEPS = 40_000_000

# Matchings considered in order of cost, times the square of the players, in larger fields. There it
# takes longer to find the next matching.
CANDIDATES = 10_000

MOST_DRAWN = 20


def drawn_rounds(edges: Sequence[Edge], nodes: int, rounds: int) -> Iterator[list[Edge]]:
    """Yield repeatable random perfect matchings of these edges; nothing if there are none."""
    chance = random.Random(0)  # noqa: S311 - a search to be repeated
    for _ in range(rounds):
        drawn = cheapest_edges({edge: chance.randrange(1 << 20) for edge in edges})
        if 2 * len(drawn) < nodes:
            return
        yield drawn


def cheaper_round(this: Partners, later: Sequence[Partners], costs: Mapping[Edge, int]) -> Partners:
    """Exchange tables with later rounds as long as that makes this round cheaper.

    The tables of two rounds form rings. Exchanging a whole ring keeps the same set of tables over
    all rounds. Only edges with a cost may move.
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
    """Return the connected components of the tables of both rounds."""
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
    """The rounds after this round, for the whole field.

    `settled` groups meet, or sit out alone, in this round in any case. Two players may meet
    `meetings` times, 1 or 2. `weighty` is the number of leading levels that weigh more than the
    plan.
    """

    field: Sequence[Entrant]
    settled: Sequence[tuple[PlayerId, ...]]
    rounds: int
    meetings: int
    weighty: int

    @cached_property
    def free(self) -> list[Entrant]:
        """The players to be matched."""
        bound = {player for group in self.settled for player in group}
        return [entrant for entrant in self.field if entrant.id not in bound]

    def is_kept(self, matching: Matching, budget: Budget) -> bool:
        """Return True if the remaining rounds can be paired. Raise OutOfSteps if unknown."""
        if self._are_too_many:
            return False
        return self._openings_after(matching).is_certain or (
            self.rounds_after(matching, budget) is not None
        )

    def rounds_after(self, matching: Matching, budget: Budget) -> tuple[Pairs, ...] | None:
        """Return the tables of the remaining rounds, or None if impossible.

        Raise OutOfSteps if unknown.
        """
        return schedule(self._openings_after(matching), budget)

    def is_lost(self, cheapest: Matching) -> bool:
        """Return True if no matching can keep the plan; False is inconclusive."""
        if self._are_too_many:
            return True
        if len(self.field) % 2 == 0 and replace(self._before, rounds=self.rounds).is_hopeless:
            # A round removes openings and never adds any.
            return True
        if self.settled or any(any(one.parts[: self.weighty]) for one in cheapest.couples):
            return False
        return self._with_byes(self._before, [one.byes for one in self.field]).is_hopeless

    def pairs_of(self, matching: Matching) -> Pairs:
        """Return all tables of this round, by places in the field."""
        groups = [*self.settled, *((one.first.id, one.second.id) for one in matching.couples)]
        return tuple(
            (self._places[group[0]], self._places[group[1]]) for group in groups if group[1:]
        )

    def partners(self, pairs: Pairs) -> Partners:
        """Return the partner of each place; an odd field has the bye as another node."""
        size = len(self.field)
        partners = list(range(size + size % 2))
        for one, other in pairs:
            partners[one], partners[other] = other, one
        alone = [place for place in range(size) if partners[place] == place]
        if size % 2 and len(alone) == 1:
            partners[alone[0]], partners[size] = size, alone[0]
        return partners

    def costs(self, prices: Prices) -> Mapping[Edge, int]:
        """Return the costs of exchangeable edges, by places in the field; the bye is last."""
        places = [*(self._places[entrant.id] for entrant in prices.field), len(self.field)]
        moved = {}
        for (one, other), cost in prices.packed.items():
            low, high = sorted((places[one], places[other]))
            moved[low, high] = cost
        return moved

    def matching_of(self, partners: Partners, prices: Prices) -> Matching:
        """Return the matching of the players who are not settled."""
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
        """An upper bound: no field can play more rounds."""
        return len(self.field) * self.meetings

    @property
    def _are_too_many(self) -> bool:
        return self.rounds > self.most_rounds

    @cached_property
    def _places(self) -> dict[PlayerId, int]:
        return {entrant.id: place for place, entrant in enumerate(self.field)}

    @cached_property
    def _before(self) -> Openings:
        """The possible meetings before this round is subtracted."""
        size = len(self.field)
        may_meet = [0, 0]
        for one in range(size):
            for other in range(one + 1, size):
                left = self.meetings - times_met(self.field[one], self.field[other])
                for level in range(min(left, 2)):
                    may_meet[level] |= pair_bits(size, one, other)
        return Openings(size, self.rounds + 1, once=may_meet[0], twice=may_meet[1])


class Outlook(StrEnum):
    # The cheapest matching keeps them free of rematches.
    CLEAR = "clear"
    # A more expensive matching does; no cheaper matching does.
    KEPT = "kept"
    # A more expensive matching does; a cheaper matching may exist.
    KEPT_SOMEHOW = "kept_somehow"
    # No matching does.
    LOST = "lost"
    # None was found within the budget.
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Kept:
    """The chosen matching, the outlook of its `plan`, and the cheapest matching.

    `plan` has fewer rounds than remain, or allows another meeting, if not all can be kept.
    `is_most` means that a longer plan is proven impossible.
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


# The highest number of meetings per pair in a plan.
MOST_MEETINGS = 2

# The search for the most rounds takes too long in larger fields, which never plan that many.
MOST_PLAYERS_OF_PART = 60


def keep_most(plan: Plan, cheapest: Matching, levels: Sequence[Level]) -> Kept:
    """Like `keep`, but keep as much of the plan as possible if not all of it can be kept.

    First keep as many of the remaining rounds as possible. If not even a single round can be free
    of rematches, keep as many as possible free of third meetings.
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
    """Return the longest plan of up to `rounds` rounds that can be kept, or None.

    `is_most` means that a plan for more than `rounds` is proven impossible.
    """
    best, shortest = None, 1
    if rounds > plan.most_rounds:
        rounds, is_most = plan.most_rounds, True
    # A plan that can be kept can also be kept for fewer rounds.
    while shortest <= rounds:
        middle = (shortest + rounds + 1) // 2
        kept = keep(replace(plan, rounds=middle), cheapest, levels)
        if kept.is_kept:
            best, shortest = kept, middle + 1
        else:
            rounds, is_most = middle - 1, _is_lost(kept)
    return replace(best, is_most=is_most) if best else None


def keep(plan: Plan, cheapest: Matching, levels: Sequence[Level]) -> Kept:
    """Return the cheapest matching that keeps the plan, or `cheapest` if none is found."""
    looking = _Looking(plan, _budget(plan))
    if looking.leads_on(cheapest):
        return Kept(cheapest, Outlook.CLEAR, cheapest, plan)
    if plan.is_lost(cheapest):
        return Kept(cheapest, Outlook.LOST, cheapest, plan)
    prices = prices_of(plan.free, levels)
    # Skip the first: it is the cheapest matching itself.
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
    """Check that a plan can be kept, and record if all answers were certain."""

    def __init__(self, plan: Plan, budget: Budget) -> None:
        self.plan, self.budget, self.is_sure = plan, budget, True

    def leads_on(self, matching: Matching) -> bool:
        """Return True if this matching is known to keep the remaining rounds free of rematches."""
        try:
            return self.plan.is_kept(matching, self.budget)
        except OutOfSteps:
            self.is_sure = False
            return False


def _candidates(plan: Plan, prices: Prices) -> Iterator[tuple[Edge, ...]]:
    """Yield matchings by cost that break heavier rules no more than the cheapest matching."""
    least = None
    for edges in ranked(prices):
        parts = [prices.costs[edge][: plan.weighty] for edge in edges]
        breaks = tuple(map(sum, zip(*parts, strict=True)))
        least = breaks if least is None else least
        if breaks > least:
            return
        yield edges


def _constructed(plan: Plan, prices: Prices) -> Matching | None:
    """Return a matching that breaks no heavier rule and keeps the plan, improved by exchanges.

    Rounds are drawn until a round keeps the plan. Then its tables are exchanged with those of the
    later rounds.
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
    """Yield tables that break no heavier rule, and the byes that break it the least."""
    bye = len(prices.field)
    least = min((parts[0] for edge, parts in prices.costs.items() if edge[1] == bye), default=0)
    for edge, parts in prices.costs.items():
        if parts[: plan.weighty] == ((least if edge[1] == bye else 0), *(0,) * (plan.weighty - 1)):
            yield edge
