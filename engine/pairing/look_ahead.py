"""Look-ahead: keep later rounds free of rematches; exact in small fields (docs/reference/rules.md).

Possible meetings are a bit set: bit `place * size + opponent` for each ordered pair of places.
Equal searches take equal steps on every machine.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, cached_property
from itertools import combinations, islice
from typing import TypeAlias

from engine.pairing.costs import (
    CostLevel,
    Edge,
    Matching,
    PairPrices,
    cheapest_edges,
    prices_of,
    ranked_matchings,
    times_met,
)
from engine.pairing.records import Entrant
from engine.standings.records import PlayerId

RoundPairs: TypeAlias = tuple[tuple[int, int], ...]

# Up to this number of players a search is never restarted.
LARGEST_EXACT_FIELD = 10

MAX_STARTS = 40
STEPS_OF_A_START = 2_000


class OutOfSteps(Exception):  # noqa: N818 - an answer: not known
    """The search did not finish within its budget."""


@dataclass
class StepBudget:
    steps: int

    def part(self, steps: int) -> "StepBudget":
        """Take a part of the remaining steps; raise OutOfSteps if there are none."""
        if self.steps <= 0:
            raise OutOfSteps
        part = StepBudget(min(steps, self.steps))
        self.steps -= part.steps
        return part

    def step(self) -> None:
        """Raise OutOfSteps if there were too many."""
        self.steps -= 1
        if self.steps < 0:
            raise OutOfSteps


@dataclass(frozen=True)
class RoundOpenings:
    size: int
    rounds: int
    # Bits of the pairs that may meet at least once, and twice.
    once: int
    twice: int
    # Players of an odd field who will sit out.
    certain_byes: tuple[int, ...] = ()
    # A bit per place for a possible further bye.
    others: int = 0

    def row(self, place: int) -> int:
        return self.once >> place * self.size & (1 << self.size) - 1

    def after(self, pairs: RoundPairs) -> "RoundOpenings":
        once, twice = self.once, self.twice
        for place, opponent in pairs:
            bits = pair_bits(self.size, place, opponent)
            if twice & bits:
                twice &= ~bits
            else:
                once &= ~bits
        return replace(self, rounds=self.rounds - 1, once=once, twice=twice)

    def with_byes(self, byes: Sequence[int]) -> "RoundOpenings":
        """Assign byes to the players with the fewest, as counted by place in `byes`."""
        had = list(byes)
        certain: list[int] = []
        while True:
            fewest = [place for place, count in enumerate(had) if count == min(had)]
            if len(fewest) > self.rounds - len(certain):
                break
            certain += fewest
            had = [count + (place in fewest) for place, count in enumerate(had)]
        return replace(
            self, certain_byes=tuple(certain), others=sum(1 << place for place in fewest)
        )

    @property
    def is_hopeless(self) -> bool:
        # There are too few byes, or some odd group of players has too few ways out: in every round
        # a player of an odd group meets a player outside, or sits out.
        if self.size % 2 and len(self.certain_byes) + self.others.bit_count() < self.rounds:
            return True
        # Byes needed, beyond the certain byes, by players with too few tables left.
        missing = 0
        for place in range(self.size):
            row = (1 << self.size) - 1 << place * self.size
            tables = (self.once & row).bit_count() + (self.twice & row).bit_count()
            missing += max(0, self.rounds - tables - self.certain_byes.count(place))
        if missing > self.rounds - len(self.certain_byes):
            return True
        return any(
            (self.once & ways).bit_count() + (self.twice & ways).bit_count() + self._byes(group)
            < self.rounds
            for group, ways in _odd_groups(self.size)
        )

    @property
    def is_certain(self) -> bool:
        """All players can surely be paired, by Dirac's theorem."""
        if self.certain_byes:
            return False
        # If everybody may meet half of the field, all can be paired. A round removes an opponent.
        odd = self.size % 2
        ways = [self.row(place).bit_count() for place in range(self.size)]
        if odd:
            ways = [count + (self.others >> place & 1) for place, count in enumerate(ways)]
            ways.append(self.others.bit_count())
        return 2 * (min(ways) - self.rounds + 1) >= self.size + odd

    def _byes(self, group: int) -> int:
        certain = sum(group >> place & 1 for place in self.certain_byes)
        return certain + (self.others & group).bit_count()


@cache
def pair_bits(size: int, place: int, opponent: int) -> int:
    return 1 << place * size + opponent | 1 << opponent * size + place


@cache
def _odd_groups(size: int) -> tuple[tuple[int, int], ...]:
    """Odd groups as bits of places, with the bits of all pairs that lead out of them."""
    # A small field has all groups, a larger field only single players.
    most = size if size <= LARGEST_EXACT_FIELD else 1
    groups = (
        sum(1 << place for place in places)
        for count in range(1, most + 1, 2)
        for places in combinations(range(size), count)
    )

    def ways_out(group: int) -> int:
        outside = (1 << size) - 1 & ~group
        return sum(outside << place * size for place in range(size) if group >> place & 1)

    return tuple((group, ways_out(group)) for group in groups)


def schedule_rounds(openings: RoundOpenings, budget: StepBudget) -> tuple[RoundPairs, ...] | None:
    """Return the tables of all rounds, or None if impossible. Raise OutOfSteps if unknown."""
    if openings.is_hopeless:
        return None
    if openings.size <= LARGEST_EXACT_FIELD:
        return _RoundSearch(openings, random.Random(0), budget).rounds()  # noqa: S311
    for start in range(MAX_STARTS):
        own = budget.part(STEPS_OF_A_START)
        try:
            return _RoundSearch(openings, random.Random(start), own).rounds()  # noqa: S311
        except OutOfSteps:
            continue
    raise OutOfSteps


class _RoundSearch:
    """Backtracking search that pairs round after round, in any order of the rounds."""

    def __init__(self, openings: RoundOpenings, chance: random.Random, budget: StepBudget) -> None:
        self.openings, self.chance, self.budget = openings, chance, budget
        self.dead: set[tuple[int, ...]] = set()
        places = range(openings.size)
        # The rounds follow the opponents of this player; in an odd field, the players who sit out.
        self.pivot = min(places, key=lambda place: openings.row(place).bit_count())

    def rounds(self) -> tuple[RoundPairs, ...] | None:
        return self._rounds(self.openings, (1 << self.openings.size) - 1)

    def _rounds(self, left: RoundOpenings, later: int) -> tuple[RoundPairs, ...] | None:
        if left.rounds == 0:
            return ()
        key = (left.once, left.twice, left.rounds, left.others, later)
        if key in self.dead or left.is_hopeless:
            return None
        for pairs, rest, then in self._next_rounds(left, later):
            found = self._rounds(rest.after(pairs), then)
            if found is not None:
                return (pairs, *found)
        self.dead.add(key)
        return None

    def _next_rounds(
        self, left: RoundOpenings, later: int
    ) -> Iterator[tuple[RoundPairs, RoundOpenings, int]]:
        everybody = (1 << left.size) - 1
        if left.certain_byes:
            rest = replace(left, certain_byes=left.certain_byes[1:])
            for pairs in self._tables(left, everybody & ~(1 << left.certain_byes[0])):
                yield pairs, rest, later
        elif left.size % 2:
            for place in _bits(left.others):
                rest = replace(left, others=left.others >> place + 1 << place + 1)
                for pairs in self._tables(left, everybody & ~(1 << place)):
                    yield pairs, rest, later
        else:
            for place in _bits(left.row(self.pivot) & later):
                rest_of_pivot = later >> place << place
                row = rest_of_pivot << self.pivot * left.size
                if (left.once & row).bit_count() + (left.twice & row).bit_count() < left.rounds:
                    return
                table = (self.pivot, place)
                for pairs in self._tables(left, everybody & ~(1 << self.pivot | 1 << place)):
                    yield (table, *pairs), left, rest_of_pivot

    def _tables(self, left: RoundOpenings, waiting: int) -> Iterator[RoundPairs]:
        """Yield every way to pair the waiting players, in random order."""
        self.budget.step()
        if not waiting:
            yield ()
            return
        place = min(_bits(waiting), key=lambda place: (left.row(place) & waiting).bit_count())
        opponents = list(_bits(left.row(place) & waiting))
        self.chance.shuffle(opponents)
        for opponent in opponents:
            for pairs in self._tables(left, waiting & ~(1 << place | 1 << opponent)):
                yield ((place, opponent), *pairs)


def _bits(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


# Exchanges between rounds


# The partner of each node in a round; a node without a partner has itself.
Partners: TypeAlias = list[int]

# Search steps per pairing times the square of the players, because steps take longer in a larger
# field. A number of steps, not a time, so that every machine gives the same answer.
MAX_STEPS = 40_000_000

# Matchings considered in order of cost, times the square of the players, in larger fields. There it
# takes longer to find the next matching.
MAX_CANDIDATES = 10_000

MAX_DRAWN = 20


def draw_rounds(edges: Sequence[Edge], nodes: int, rounds: int) -> Iterator[list[Edge]]:
    """Yield repeatable random perfect matchings of these edges; nothing if there are none."""
    chance = random.Random(0)  # noqa: S311 - a search to be repeated
    for _ in range(rounds):
        drawn = cheapest_edges({edge: chance.randrange(1 << 20) for edge in edges})
        if 2 * len(drawn) < nodes:
            return
        yield drawn


def cheaper_round(this: Partners, later: Sequence[Partners], costs: Mapping[Edge, int]) -> Partners:
    """Exchange tables with later rounds as long as that makes this round cheaper."""
    # The tables of two rounds form rings. Exchanging a whole ring keeps the same set of tables over
    # all rounds. Only edges with a cost may move.
    this, later = list(this), [list(partners) for partners in later]
    is_changed = True
    while is_changed:
        is_changed = False
        for later_round in later:
            for ring in _rings(this, later_round):
                ours = {_edge(node, this[node]) for node in ring}
                theirs = {_edge(node, later_round[node]) for node in ring}
                if costs.keys() >= ours | theirs and sum(map(costs.__getitem__, theirs)) < sum(
                    map(costs.__getitem__, ours)
                ):
                    for node in ring:
                        this[node], later_round[node] = later_round[node], this[node]
                    is_changed = True
    return this


def _rings(first: Partners, second: Partners) -> list[list[int]]:
    rings, seen = [], set[int]()
    for start in range(len(first)):
        ring, ahead = [], [start]
        while ahead:
            node = ahead.pop()
            if node not in seen:
                seen.add(node)
                ring.append(node)
                ahead += [first[node], second[node]]
        if ring:
            rings.append(ring)
    return rings


def _edge(place: int, opponent: int) -> Edge:
    return (place, opponent) if place < opponent else (opponent, place)


# Plans


@dataclass(frozen=True)
class LookAheadPlan:
    """The rounds after this round, for the whole field."""

    field: Sequence[Entrant]
    # Groups that meet, or sit out alone, in this round in any case.
    settled: Sequence[tuple[PlayerId, ...]]
    rounds: int
    # How often two players may meet: 1 or 2.
    meetings: int
    # Number of leading levels that weigh more than the plan.
    weighty: int

    @cached_property
    def free(self) -> list[Entrant]:
        bound = {player for group in self.settled for player in group}
        return [entrant for entrant in self.field if entrant.id not in bound]

    def is_kept(self, matching: Matching, budget: StepBudget) -> bool:
        """Return True if the remaining rounds can be paired. Raise OutOfSteps if unknown."""
        if self._are_too_many:
            return False
        return self._openings_after(matching).is_certain or (
            self.rounds_after(matching, budget) is not None
        )

    def rounds_after(self, matching: Matching, budget: StepBudget) -> tuple[RoundPairs, ...] | None:
        """Return None if impossible. Raise OutOfSteps if unknown."""
        return schedule_rounds(self._openings_after(matching), budget)

    def is_lost(self, cheapest: Matching) -> bool:
        """No matching can keep the plan; False is inconclusive."""
        if self._are_too_many:
            return True
        if len(self.field) % 2 == 0 and replace(self._before, rounds=self.rounds).is_hopeless:
            # A round removes openings and never adds any.
            return True
        if self.settled or any(any(couple.parts[: self.weighty]) for couple in cheapest.couples):
            return False
        byes = [entrant.byes for entrant in self.field]
        return self._with_byes(self._before, byes).is_hopeless

    def pairs_of(self, matching: Matching) -> RoundPairs:
        couples = ((couple.first.id, couple.second.id) for couple in matching.couples)
        groups = [*self.settled, *couples]
        return tuple(
            (self._places[group[0]], self._places[group[1]]) for group in groups if group[1:]
        )

    def partners(self, pairs: RoundPairs) -> Partners:
        """Return the partner of each place; an odd field has the bye as another node."""
        size = len(self.field)
        partners = list(range(size + size % 2))
        for place, opponent in pairs:
            partners[place], partners[opponent] = opponent, place
        alone = [place for place in range(size) if partners[place] == place]
        if size % 2 and len(alone) == 1:
            partners[alone[0]], partners[size] = size, alone[0]
        return partners

    def costs(self, prices: PairPrices) -> Mapping[Edge, int]:
        """Return the costs of exchangeable edges, by places in the field; the bye is last."""
        places = [*(self._places[entrant.id] for entrant in prices.field), len(self.field)]
        moved = {}
        for (node, partner), cost in prices.packed.items():
            low, high = sorted((places[node], places[partner]))
            moved[low, high] = cost
        return moved

    def matching_of(self, partners: Partners, prices: PairPrices) -> Matching:
        nodes = {self._places[entrant.id]: node for node, entrant in enumerate(prices.field)}
        bye = len(prices.field)
        edges = []
        for place, node in nodes.items():
            partner = bye if partners[place] == place else nodes.get(partners[place], bye)
            if node < partner:
                edges.append((node, partner))
        return prices.matching(edges)

    def _openings_after(self, matching: Matching) -> RoundOpenings:
        byes = [entrant.byes for entrant in self.field]
        for group in self.settled:
            byes[self._places[group[0]]] += len(group) == 1
        if matching.sitting_out is not None:
            byes[self._places[matching.sitting_out.entrant.id]] += 1
        return self._with_byes(self._before.after(self.pairs_of(matching)), byes)

    @staticmethod
    def _with_byes(openings: RoundOpenings, byes: Sequence[int]) -> RoundOpenings:
        return openings.with_byes(byes) if openings.size % 2 else openings

    @property
    def max_rounds(self) -> int:
        return len(self.field) * self.meetings

    @property
    def _are_too_many(self) -> bool:
        return self.rounds > self.max_rounds

    @cached_property
    def _places(self) -> dict[PlayerId, int]:
        return {entrant.id: place for place, entrant in enumerate(self.field)}

    @cached_property
    def _before(self) -> RoundOpenings:
        size = len(self.field)
        may_meet = [0, 0]
        for place in range(size):
            for opponent in range(place + 1, size):
                left = self.meetings - times_met(self.field[place], self.field[opponent])
                for level in range(min(left, 2)):
                    may_meet[level] |= pair_bits(size, place, opponent)
        return RoundOpenings(size, self.rounds + 1, once=may_meet[0], twice=may_meet[1])


class PlanOutlook(StrEnum):
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
class KeptPlan:
    matching: Matching
    outlook: PlanOutlook
    cheapest: Matching
    # Has fewer rounds than remain, or allows another meeting, if not all can be kept.
    plan: LookAheadPlan
    # A longer plan is proven impossible.
    is_most: bool = True

    @property
    def is_kept(self) -> bool:
        return self.outlook in (PlanOutlook.CLEAR, PlanOutlook.KEPT, PlanOutlook.KEPT_SOMEHOW)


# The highest number of meetings per pair in a plan.
MAX_MEETINGS = 2

# The search for the most rounds takes too long in larger fields, which never plan that many.
MAX_PLAYERS_OF_PART = 60


def keep_most_of_plan(
    plan: LookAheadPlan, cheapest: Matching, levels: Sequence[CostLevel]
) -> KeptPlan:
    """Like `keep_plan`, but keep as much of the plan as possible if not all can be kept."""
    # First keep as many of the remaining rounds as possible. If not even a single round can be free
    # of rematches, keep as many as possible free of third meetings.
    whole = keep_plan(plan, cheapest, levels)
    if whole.is_kept or len(plan.field) > MAX_PLAYERS_OF_PART:
        return whole
    kept = _keep_longest(plan, plan.rounds - 1, cheapest, levels, is_most=_is_plan_lost(whole))
    for meetings in range(plan.meetings + 1, MAX_MEETINGS + 1):
        if kept is None:
            looser = replace(plan, meetings=meetings)
            kept = _keep_longest(
                looser, plan.rounds, cheapest, levels, is_most=_is_plan_lost(whole)
            )
    return kept or whole


def _is_plan_lost(kept: KeptPlan) -> bool:
    return kept.outlook is PlanOutlook.LOST


def _keep_longest(
    plan: LookAheadPlan,
    rounds: int,
    cheapest: Matching,
    levels: Sequence[CostLevel],
    *,
    is_most: bool,
) -> KeptPlan | None:
    """`is_most` means that a plan for more than `rounds` is proven impossible."""
    best, shortest = None, 1
    if rounds > plan.max_rounds:
        rounds, is_most = plan.max_rounds, True
    # A plan that can be kept can also be kept for fewer rounds.
    while shortest <= rounds:
        middle = (shortest + rounds + 1) // 2
        kept = keep_plan(replace(plan, rounds=middle), cheapest, levels)
        if kept.is_kept:
            best, shortest = kept, middle + 1
        else:
            rounds, is_most = middle - 1, _is_plan_lost(kept)
    return replace(best, is_most=is_most) if best else None


def keep_plan(plan: LookAheadPlan, cheapest: Matching, levels: Sequence[CostLevel]) -> KeptPlan:
    """Return the cheapest matching that keeps the plan, or `cheapest` if none is found."""
    check = _PlanCheck(plan, _budget(plan))
    if check.leads_on(cheapest):
        return KeptPlan(cheapest, PlanOutlook.CLEAR, cheapest, plan)
    if plan.is_lost(cheapest):
        return KeptPlan(cheapest, PlanOutlook.LOST, cheapest, plan)
    prices = prices_of(plan.free, levels)
    # Skip the first: it is the cheapest matching itself.
    candidates = islice(_candidates(plan, prices), 1, None)
    size = len(plan.field)
    for edges in islice(
        candidates, None if size <= LARGEST_EXACT_FIELD else MAX_CANDIDATES // size**2
    ):
        matching = prices.matching(edges)
        if check.leads_on(matching):
            outlook = PlanOutlook.KEPT if check.is_sure else PlanOutlook.KEPT_SOMEHOW
            return KeptPlan(matching, outlook, cheapest, plan)
    if check.is_sure and next(candidates, None) is None:
        return KeptPlan(cheapest, PlanOutlook.LOST, cheapest, plan)
    constructed = _construct_matching(plan, prices)
    outlook = PlanOutlook.KEPT_SOMEHOW if constructed else PlanOutlook.UNKNOWN
    return KeptPlan(constructed or cheapest, outlook, cheapest, plan)


def _budget(plan: LookAheadPlan) -> StepBudget:
    return StepBudget(MAX_STEPS // max(LARGEST_EXACT_FIELD, len(plan.field)) ** 2)


class _PlanCheck:
    """Check that a plan can be kept, and record if all answers were certain."""

    def __init__(self, plan: LookAheadPlan, budget: StepBudget) -> None:
        self.plan, self.budget, self.is_sure = plan, budget, True

    def leads_on(self, matching: Matching) -> bool:
        """Return True if the remaining rounds certainly need no rematch after this matching."""
        try:
            return self.plan.is_kept(matching, self.budget)
        except OutOfSteps:
            self.is_sure = False
            return False


def _candidates(plan: LookAheadPlan, prices: PairPrices) -> Iterator[tuple[Edge, ...]]:
    """Yield matchings by cost that break heavier rules no more than the cheapest matching."""
    least = None
    for edges in ranked_matchings(prices):
        parts = [prices.costs[edge][: plan.weighty] for edge in edges]
        breaks = tuple(map(sum, zip(*parts, strict=True)))
        least = breaks if least is None else least
        if breaks > least:
            return
        yield edges


def _construct_matching(plan: LookAheadPlan, prices: PairPrices) -> Matching | None:
    # Rounds are drawn until a round keeps the plan. Then its tables are exchanged with those of the
    # later rounds.
    budget = _budget(plan)
    # Tables that break no heavier rule, and the byes that break it the least.
    bye = len(prices.field)
    least = min((parts[0] for edge, parts in prices.costs.items() if edge[1] == bye), default=0)
    no_breach = (0,) * (plan.weighty - 1)
    harmless = [
        edge
        for edge, parts in prices.costs.items()
        if parts[: plan.weighty] == ((least if edge[1] == bye else 0), *no_breach)
    ]
    for edges in draw_rounds(harmless, prices.nodes, MAX_DRAWN):
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
