"""Costs by level, Swiss profiles as data, and exact matching (docs/reference/rules.md).

A hard rule is a cost, not a missing edge: a field can always be paired, and broken rules are
reported. Levels are compared in order; only ties go to the next level. The choice of Corp in game 1
is also a cost: a rematch reverses the roles, otherwise they even out over the event.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from itertools import combinations, count
from typing import Any, TypeAlias

from core.text import gettext_noop
from engine.pairing.records import Entrant, PairingReason, PointsTooLarge
from engine.pairing.round_robin import rounds_needed
from matches.scoring.results import Role

# The count to be evened out: the player with the lower count is Corp.
SideCount: TypeAlias = Callable[[Entrant], int]

PairCost: TypeAlias = Callable[[Entrant, Entrant], int]
ByeCost: TypeAlias = Callable[[Entrant], int]
BYE_SCORE = -1
REMATCH_PRICE = 5
SIDE_PRICE = 50
# A higher power would not leave room for exact arithmetic. No real imbalance reaches ten games.
MAX_WORSENING = 10


def times_corp(entrant: Entrant) -> int:
    """For matches with a game for each role."""
    return entrant.corp_first


def side_balance(entrant: Entrant) -> int:
    """Corp minus Runner games, for matches of a single game."""
    return entrant.balance


def corp_by_rule(first: Entrant, second: Entrant, side_count: SideCount) -> Entrant | None:
    """Return the player who must be Corp, or None for a random draw."""
    # A rematch reverses the roles. Otherwise the player with the lower count is Corp.
    last = _last_role(first, second)
    if last is not None:
        return second if last is Role.CORP else first
    counts = side_count(first), side_count(second)
    if counts[0] == counts[1]:
        return None
    return first if counts[0] < counts[1] else second


def corp_and_runner(
    first: Entrant, second: Entrant, side_count: SideCount, chance: random.Random
) -> tuple[Entrant, Entrant, PairingReason]:
    """Return Corp and Runner of game 1, and the reason. Ties are drawn at random."""
    corp = corp_by_rule(first, second, side_count) or chance.choice((first, second))
    runner = second if corp is first else first
    return corp, runner, _role_reason(corp, runner, side_count)


def must_swap_roles(first: Entrant, second: Entrant) -> bool:
    """Return True if the players have met in known roles, which a rematch reverses."""
    return _last_role(first, second) is not None


def _last_role(first: Entrant, second: Entrant) -> Role | None:
    past = first.roles_against.get(second.id, ())
    return next((role for role in reversed(past) if role), None)


def _role_reason(corp: Entrant, runner: Entrant, side_count: SideCount) -> PairingReason:
    counts = side_count(corp), side_count(runner)
    if must_swap_roles(corp, runner):
        code = "corp_reversed"
    elif counts[0] != counts[1]:
        code = "corp_owed"
    else:
        code = "corp_random"
    if side_count is side_balance:
        code = f"single_{code}"
        params: dict[str, Any] = {"corp_balance": counts[0], "runner_balance": counts[1]}
        params["details"] = ["side_balances"]
    else:
        if code == "corp_random" and not counts[0]:
            code = "corp_random_never"
        params = {"corp_times": counts[0], "runner_times": counts[1]}
    return PairingReason("roles", (corp.id, runner.id), code, params)


@dataclass(frozen=True)
class CostLevel:
    """A rule or aim as a cost that is never negative and symmetric in the players."""

    id: str
    # Plural name of violations of a hard rule; an aim has none.
    name: str = ""
    of_pair: PairCost = lambda _first, _second: 0
    of_bye: ByeCost = lambda _entrant: 0
    # Cost of a table whose Corp and Runner were seated by hand; None if roles do not matter.
    of_seats: PairCost | None = None
    # Balances of roles matter even for players who have never met.
    by_roles: bool = False


def times_met(first: Entrant, second: Entrant) -> int:
    return len(first.roles_against.get(second.id, ()))


def same_group_cost(first: Entrant, second: Entrant) -> int:
    return int(first.avoid_group is not None and first.avoid_group == second.avoid_group)


def point_gap(first: Entrant, second: Entrant) -> int:
    return abs(first.match_points - second.match_points)


def squared_gap_level(field: Sequence[Entrant]) -> CostLevel:
    """Return the costs of Swiss pairing: equal scores meet, and the lowest score has the bye."""
    # Below all players, even if penalties have made a score negative.
    foot = min((BYE_SCORE, *(entrant.match_points - 1 for entrant in field)))
    return CostLevel(
        "point_gap",
        of_pair=lambda first, second: point_gap(first, second) ** 2,
        of_bye=lambda entrant: (entrant.match_points - foot) ** 2,
    )


def closeness_level(field: Sequence[Entrant]) -> CostLevel:
    """Return the costs of single-sided Swiss: gap^2 + 5 for a rematch + 50^m.

    m measures how far the role makes an imbalance (Corp minus Runner games) worse. For a player who
    is moved further from zero it is the imbalance before the game, otherwise 0. A pair has the
    larger m of the two. For a player with an excess Corp game who is Corp again, m = 1. From a
    balance of zero m = 0, so a table costs at least 50^0 = 1. A bye costs only its gap.
    """
    gaps = squared_gap_level(field)

    def of_seats(corp: Entrant, runner: Entrant) -> int:
        met = REMATCH_PRICE if times_met(corp, runner) else 0
        worst = min(max(_worsened_imbalances(corp, runner)), MAX_WORSENING)
        sides: int = SIDE_PRICE**worst
        return gaps.of_pair(corp, runner) + met + sides

    return CostLevel(
        "closeness",
        of_pair=_by_rule(of_seats),
        of_bye=gaps.of_bye,
        of_seats=of_seats,
        by_roles=True,
    )


def _by_rule(of_seats: PairCost) -> PairCost:
    """Derive the cost of a pair from the cost of Corp and Runner, seated by the rule."""

    def of_pair(first: Entrant, second: Entrant) -> int:
        # Balances are equal if there is a draw, and then both ways cost the same.
        corp = corp_by_rule(first, second, side_balance) or first
        return of_seats(corp, second if corp is first else first)

    return of_pair


def _worsened_imbalances(corp: Entrant, runner: Entrant) -> tuple[int, int]:
    """Imbalances that this table makes worse, with 0 for the rest."""
    return max(0, corp.balance), max(0, -runner.balance)


def _over_the_limit(corp: Entrant, runner: Entrant) -> int:
    # A growing imbalance of 1 becomes 2.
    return sum(before >= 1 for before in _worsened_imbalances(corp, runner))


def fold_level(field: Sequence[Entrant]) -> CostLevel:
    """Return the costs of a seeded round 1: the top half against the bottom half, in order."""
    # The field has even size and is in seed order, with equal seeds in random order.
    places = {entrant.id: place for place, entrant in enumerate(field)}
    half = len(field) // 2

    def off_the_fold(first: Entrant, second: Entrant) -> int:
        return (abs(places[first.id] - places[second.id]) - half) ** 2

    return CostLevel("fold", of_pair=off_the_fold)


SECOND_BYE = CostLevel("second_bye", "second byes", of_bye=lambda entrant: entrant.byes)


THIRD_MEETING = CostLevel(
    "third_meeting",
    "third meetings",
    # A fourth meeting is worse than a third.
    of_pair=lambda first, second: max(0, times_met(first, second) - 1),
)

SAME_ROLES = CostLevel(
    "same_roles",
    "rematches in the same roles",
    # A rematch swaps the roles. After both ways were played, a way must repeat.
    of_pair=lambda first, second: int(
        {Role.CORP, Role.RUNNER} <= set(first.roles_against.get(second.id, ()))
    ),
    of_seats=lambda corp, runner: int(Role.CORP in corp.roles_against.get(runner.id, ())),
)


REMATCH = CostLevel(
    "rematch",
    "rematches",
    of_pair=lambda first, second: int(times_met(first, second) > 0),
)


SECOND_MEETING = CostLevel("second_meeting", "second meetings", of_pair=REMATCH.of_pair)


SIDE_IMBALANCE = CostLevel(
    "side_imbalance",
    "side imbalances made worse to two or more",
    of_pair=_by_rule(_over_the_limit),
    of_seats=_over_the_limit,
    by_roles=True,
)


AVOID_GROUP = CostLevel("avoid_group", "tables within one group", of_pair=same_group_cost)


@dataclass(frozen=True)
class PairingProfile:
    """A pairing method: the hard rules in order, then the aim."""

    id: str
    rules: tuple[CostLevel, ...]
    # May depend on the field.
    aim: Callable[[Sequence[Entrant]], CostLevel]
    explanation: str = ""
    # The player with the lower count is Corp.
    side_count: SideCount = times_corp
    # Two players meet at most this often if possible.
    meetings: int = 1
    # Rules up to this one weigh more than preserving `meetings` for later rounds; the rules after
    # it weigh less.
    last_before_plan: CostLevel = REMATCH

    def levels(self, field: Sequence[Entrant]) -> tuple[CostLevel, ...]:
        return (*self.rules, self.aim(field))


DOUBLE_PROFILE = PairingProfile(
    id="double",
    explanation=gettext_noop(
        "No player has a second bye before everyone has had one, and rematches are avoided as long "
        "as possible. Groups of friends are kept apart. Then the sum of the squared point gaps is "
        "as small as possible; a bye counts as an opponent with -1 points. In a match each player "
        "is Corp once, so sides are always even."
    ),
    rules=(SECOND_BYE, THIRD_MEETING, SAME_ROLES, REMATCH, AVOID_GROUP),
    aim=squared_gap_level,
)


SINGLE_PROFILE = PairingProfile(
    id="single",
    explanation=gettext_noop(
        "No player has a second bye before everyone has had one. Two players may play each other a "
        "second time with sides swapped, but a third match is avoided as long as possible. Groups "
        "of friends are kept apart. If possible, no player gets two more games on one side than on "
        "the other. Then the sum over all tables of the squared point gap, 5 for a rematch, and 50 "
        "to the power of the imbalance made worse is as small as possible. The player who was Corp "
        "less often, compared with Runner, is Corp; ties are drawn at random."
    ),
    rules=(SECOND_BYE, THIRD_MEETING, SAME_ROLES, AVOID_GROUP, SIDE_IMBALANCE),
    aim=closeness_level,
    side_count=side_balance,
    meetings=2,
    last_before_plan=SAME_ROLES,
)


SINGLE_ONCE_PROFILE = PairingProfile(
    id="single_once",
    explanation=gettext_noop(
        "No player has a second bye before everyone has had one. This event avoids rematches as "
        "long as possible; players who do play each other again swap sides. Groups of friends are "
        "kept apart. If possible, no player gets two more games on one side than on the other. "
        "Then the sum over all tables of the squared point gap and 50 to the power of the "
        "imbalance made worse is as small as possible. The player who was Corp less often, "
        "compared with Runner, is Corp; ties are drawn at random."
    ),
    rules=(SECOND_BYE, THIRD_MEETING, SAME_ROLES, SECOND_MEETING, AVOID_GROUP, SIDE_IMBALANCE),
    aim=closeness_level,
    side_count=side_balance,
    meetings=1,
    last_before_plan=SECOND_MEETING,
)


PROFILES: Mapping[str, PairingProfile] = {
    profile.id: profile for profile in (DOUBLE_PROFILE, SINGLE_PROFILE, SINGLE_ONCE_PROFILE)
}


def avoids_second_meetings(
    setting: bool | None, *, players: int, planned_rounds: int | None
) -> bool:
    """Decide whether a single-sided event avoids second meetings.

    Without a `setting` it does if the planned rounds fit a round robin of all `players`. They
    include dropped players, so that a drop does not change the rule.
    """
    if setting is not None:
        return setting
    return planned_rounds is not None and planned_rounds <= rounds_needed(players)


def swiss_profile(system: str, *, avoids_second_meetings: bool) -> PairingProfile:
    """Only the system "single" has two profiles."""
    if system == SINGLE_PROFILE.id and avoids_second_meetings:
        return SINGLE_ONCE_PROFILE
    return PROFILES[system]


# Matching


# rustworkx uses 128-bit integers and overflows silently from 2**126 on.
WEIGHT_LIMIT = 2**120

# Cost per level, in level order.
LevelCosts: TypeAlias = tuple[int, ...]

Edge: TypeAlias = tuple[int, int]

# Pairs per edge, including the bye; edges without pairs are left out.
PairCounts: TypeAlias = Mapping[Edge, int]


@dataclass(frozen=True)
class MatchedCouple:
    first: Entrant
    second: Entrant
    parts: LevelCosts


@dataclass(frozen=True)
class SittingOut:
    entrant: Entrant
    parts: LevelCosts


@dataclass(frozen=True)
class Matching:
    couples: tuple[MatchedCouple, ...] = ()
    # Set in an odd field.
    sitting_out: SittingOut | None = None


def pair_parts(levels: Sequence[CostLevel], first: Entrant, second: Entrant) -> LevelCosts:
    return tuple(level.of_pair(first, second) for level in levels)


def seated_parts(levels: Sequence[CostLevel], corp: Entrant, runner: Entrant) -> LevelCosts:
    return tuple((level.of_seats or level.of_pair)(corp, runner) for level in levels)


def bye_parts(levels: Sequence[CostLevel], entrant: Entrant) -> LevelCosts:
    return tuple(level.of_bye(entrant) for level in levels)


@dataclass(frozen=True)
class PairPrices:
    """The cost of every pair of a field, and of every bye if the field is odd."""

    field: Sequence[Entrant]
    # An edge is two places in the field, the lower first. The bye is a place after the last.
    costs: Mapping[Edge, LevelCosts]

    @property
    def nodes(self) -> int:
        """Number of players, plus the bye in an odd field."""
        return len(self.field) + len(self.field) % 2

    @cached_property
    def packed(self) -> Mapping[Edge, int]:
        """Each cost as a single integer. Raise PointsTooLarge if that cannot be exact."""
        weights = _level_weights(list(self.costs.values()), couples=self.nodes // 2)
        return {edge: _packed_cost(parts, weights) for edge, parts in self.costs.items()}

    def matching(self, edges: Sequence[Edge]) -> Matching:
        """Return the couples of a perfect matching in field order."""
        bye = len(self.field)
        couples: list[MatchedCouple] = []
        sitting_out = None
        for edge in sorted(edges):
            first, parts = self.field[edge[0]], self.costs[edge]
            if edge[1] == bye:
                sitting_out = SittingOut(first, parts)
            else:
                couples.append(MatchedCouple(first, self.field[edge[1]], parts))
        return Matching(tuple(couples), sitting_out)


def prices_of(field: Sequence[Entrant], levels: Sequence[CostLevel]) -> PairPrices:
    costs = {
        (first, second): pair_parts(levels, field[first], field[second])
        for first, second in combinations(range(len(field)), 2)
    }
    bye = len(field)
    if bye % 2:
        costs |= {(place, bye): bye_parts(levels, field[place]) for place in range(bye)}
    return PairPrices(field, costs)


def cheapest_matching(field: Sequence[Entrant], levels: Sequence[CostLevel]) -> Matching:
    """Match everybody at the lowest total cost, levels compared in order.

    The order of `field` breaks ties between equal matchings, so shuffle it for a random draw. The
    couples are in the same order. Raise PointsTooLarge if the costs cannot be separated exactly.
    """
    prices = prices_of(field, levels)
    return prices.matching(cheapest_edges(prices.packed))


def cheapest_edges(costs: Mapping[Edge, int]) -> list[Edge]:
    import rustworkx  # slow to load, and unused before the first pairing

    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(1 + max((node for edge in costs for node in edge), default=-1)))
    graph.add_edges_from([(*edge, cost) for edge, cost in costs.items()])
    matched = rustworkx.max_weight_matching(
        graph, max_cardinality=True, weight_fn=lambda cost: -cost, verify_optimum=False
    )
    return sorted((min(pair), max(pair)) for pair in matched)


def _level_weights(costs: Sequence[LevelCosts], couples: int) -> LevelCosts:
    """Return a weight per level that exceeds any sum over all lower levels."""
    if not costs:
        return ()
    largest = [max(level) for level in zip(*costs, strict=True)]
    weights = [1]
    for value in reversed(largest[1:]):
        weights.append(weights[-1] * (1 + couples * value))
    weights.reverse()
    if couples * _packed_cost(largest, weights) >= WEIGHT_LIMIT:
        raise PointsTooLarge(
            "The scores are too far apart to be paired exactly. Look for a mistyped result."
        )
    return tuple(weights)


def _packed_cost(parts: Sequence[int], weights: Sequence[int]) -> int:
    return sum(part * weight for part, weight in zip(parts, weights, strict=True))


@dataclass(frozen=True, order=True)
class _CandidateMatching:
    """The cheapest matching with all `fixed` edges and otherwise only `open` edges."""

    cost: int
    place: int
    edges: tuple[Edge, ...] = field(compare=False)
    fixed: tuple[Edge, ...] = field(compare=False)
    open: Mapping[Edge, int] = field(compare=False)


def ranked_matchings(prices: PairPrices) -> Iterator[tuple[Edge, ...]]:
    """Yield the edges of every perfect matching by cost; the field decides the order of ties."""
    # After each matching the rest is split: matchings without its first edge, matchings with the
    # first but without the second edge, and so on. The queue holds the cheapest of each part.
    places = count()
    queue: list[_CandidateMatching] = []

    def add(fixed: tuple[Edge, ...], still_open: Mapping[Edge, int]) -> None:
        edges = (*fixed, *cheapest_edges(still_open))
        if 2 * len(edges) == prices.nodes:
            cost = sum(prices.packed[edge] for edge in edges)
            heappush(queue, _CandidateMatching(cost, next(places), edges, fixed, still_open))

    add((), prices.packed)
    while queue:
        best = heappop(queue)
        yield best.edges
        fixed, still_open = best.fixed, best.open
        for edge in best.edges[len(fixed) :]:
            add(fixed, {pair: cost for pair, cost in still_open.items() if pair != edge})
            still_open = {
                pair: cost for pair, cost in still_open.items() if not set(pair) & set(edge)
            }
            fixed = (*fixed, edge)
