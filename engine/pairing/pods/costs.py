"""Pods: sizes, records, seat order and costs (docs/rules.md)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, permutations
from typing import TypeAlias

from engine.pairing.costs import one_group, point_gap, times_met
from engine.pairing.records import (
    Certificate,
    Cost,
    Entrant,
    LockedBye,
    LockedPod,
    PairedBye,
    Reason,
)
from engine.standings import PlayerId
from engine.standings.records import lots
from matches.scoring import Points

SMALLEST_POD, BEST_POD, LARGEST_POD = 2, 4, 5
Kept: TypeAlias = LockedPod | LockedBye


def pod_sizes(players: int) -> tuple[int, ...]:
    """Return the pod sizes for this many players, largest first.

    The number of pods is the fewest that hold everybody at tables of four, filled evenly. From six
    players on all pods have four or three players. Only a field of five plays at a table of five
    rather than at three and two.

    Threes are better than a five: nobody waits for the longer table, and players meet more
    opponents. Nine players in 3 + 3 + 3 play four rounds without a repeat. In 5 + 4 the players of
    the four would fill the five, with the same table-mates.

    No players need no pods. Raise ValueError for a single player.
    """
    if players == 1:
        raise ValueError("1 player cannot make a pod.")
    if players == LARGEST_POD:
        return (LARGEST_POD,)
    pods = -(-players // BEST_POD)
    if not pods:
        return ()
    size, larger = divmod(players, pods)
    return (size + 1,) * larger + (size,) * (pods - larger)


class Search(StrEnum):
    EXHAUSTIVE = "exhaustive"
    LOCAL = "local"


@dataclass(frozen=True)
class Pod:
    """A table of two to five in seat order, with its cost and reasons."""

    number: int
    seats: tuple[PlayerId, ...]
    cost: Cost
    reasons: tuple[Reason, ...]
    locked: bool = False


@dataclass(frozen=True)
class PodCertificate(Certificate):
    """The certificate of a pod round. Only an exhaustive `search` proves the lowest cost."""

    search: Search


@dataclass(frozen=True)
class PodRound:
    """A drafted pod round.

    `byes` are promised or locked, or for a single player left over. `cost` is the sum over chosen
    pods, without locked pods. `relaxations` lists the broken rules, heaviest first.
    """

    pods: tuple[Pod, ...]
    byes: tuple[PairedBye, ...]
    cost: Cost
    relaxations: tuple[Reason, ...]
    certificate: PodCertificate


def draft_order(scores: Mapping[PlayerId, Points], *, seed: int) -> tuple[PlayerId, ...]:
    """Return the players of a pod in the order in which they choose.

    The lowest score chooses first. The random draw of `seed` breaks ties.
    """
    drawn = lots(scores, seed)
    return tuple(sorted(scores, key=lambda player: (scores[player], drawn[player])))


@dataclass(frozen=True)
class PodLevel:
    """A rule or aim as a cost of a pod in seat order.

    `cost` takes the pod, and True if it is smaller than the largest pod of the round. `name` is the
    plural name of violations of a rule; an aim has none.
    """

    id: str
    cost: Callable[[Sequence[Entrant], bool], int]
    name: str = ""


def times_short(entrant: Entrant) -> int:
    """Return how often this player sat at a smaller pod than the largest of its round."""
    return sum(past.was_short for past in entrant.seats)


def times_first(entrant: Entrant) -> int:
    return sum(past.seat == 1 for past in entrant.seats)


def times_last(entrant: Entrant) -> int:
    return sum(past.seat == past.size for past in entrant.seats)


def _repeat(first: Entrant, second: Entrant) -> int:
    # Squared: two second meetings are better than a third meeting.
    return times_met(first, second) ** 2


def _squared_gap(first: Entrant, second: Entrant) -> int:
    return point_gap(first, second) ** 2


def _short(pod: Sequence[Entrant], short: bool) -> int:
    return sum(map(times_short, pod)) if short else 0


def _of_pairs(
    of_pair: Callable[[Entrant, Entrant], int],
) -> Callable[[Sequence[Entrant], bool], int]:
    return lambda pod, _short: sum(of_pair(*pair) for pair in combinations(pod, 2))


def _first_and_last(pod: Sequence[Entrant], _short: bool) -> int:
    return times_first(pod[0]) + times_last(pod[-1])


SHORT_POD = PodLevel("second_short_pod", _short, "repeated short tables")


REPEAT = PodLevel("repeat", _of_pairs(_repeat), "repeated table-mates")


AVOID_GROUP = PodLevel("avoid_group", _of_pairs(one_group), "table-mates of one group")


POINT_GAP = PodLevel("point_gap", _of_pairs(_squared_gap))


SEAT_ORDER = PodLevel("seat_order", _first_and_last)


# Heaviest first: as few repeated table-mates as possible, then short tables.
RULES = (REPEAT, SHORT_POD, AVOID_GROUP)


# The order up to engine version 2. Both are equivalent unless a player can sit short again.
RULES_OF_VERSION_2 = (SHORT_POD, REPEAT, AVOID_GROUP)


def levels(rules: Sequence[PodLevel] = RULES) -> tuple[PodLevel, ...]:
    """Return all levels, heaviest first."""
    return (*rules, POINT_GAP, SEAT_ORDER)


def pod_cost(
    pod: Sequence[Entrant], *, short: bool, rules: Sequence[PodLevel] = RULES
) -> dict[str, int]:
    """Return the cost of a pod in seat order, by level."""
    return {level.id: level.cost(pod, short) for level in levels(rules)}


def total(costs: Iterable[Cost], rules: Sequence[PodLevel] = RULES) -> Cost:
    each = list(costs)
    return {level.id: sum(cost[level.id] for cost in each) for level in levels(rules)}


def seated(pod: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """Return the pod in the cheapest seat order, by how often players sat first or last.

    Ties and the seats between stay in the random order of `pod`.
    """
    first, last = min(
        permutations(pod, 2), key=lambda ends: times_first(ends[0]) + times_last(ends[1])
    )
    between = (entrant for entrant in pod if entrant is not first and entrant is not last)
    return (first, *between, last)


class PackedCosts:
    """The costs of a field as single integers that separate the levels exactly.

    Players are named by their place in `field`.
    """

    def __init__(self, field: Sequence[Entrant], rules: Sequence[PodLevel] = RULES) -> None:
        self.players = len(field)
        couples = list(combinations(field, 2))
        seats = max((len(entrant.seats) for entrant in field), default=0)
        # A player has at most four table-mates, and a pair has two players.
        pairs = self.players * (LARGEST_POD - 1) // 2
        gap = 1 + 2 * self.players * seats
        group = gap * (1 + pairs * max((_squared_gap(*one) for one in couples), default=0))
        most = {
            REPEAT: pairs * max((_repeat(*one) for one in couples), default=0),
            SHORT_POD: self.players * max(map(times_short, field), default=0),
            AVOID_GROUP: pairs,
        }
        # The weight of a rule exceeds the maximum total cost of all lower rules.
        weights, weight = {}, group
        for rule in reversed(rules):
            weights[rule] = weight
            weight *= 1 + most[rule]
        repeat, short = weights[REPEAT], weights[SHORT_POD]
        self.short = [short * times_short(entrant) for entrant in field]
        self.first = [times_first(entrant) for entrant in field]
        self.last = [times_last(entrant) for entrant in field]
        self.pairs = [[0] * self.players for _ in field]
        for one, other in combinations(range(self.players), 2):
            pair = field[one], field[other]
            cost = repeat * _repeat(*pair) + group * one_group(*pair) + gap * _squared_gap(*pair)
            self.pairs[one][other] = self.pairs[other][one] = cost

    def of_pod(self, pod: Sequence[int], *, short: bool) -> int:
        """Return the cost of these players at a table, in the best seat order."""
        mates = sum(self.pairs[one][other] for one, other in combinations(pod, 2))
        ends = min(self.first[one] + self.last[other] for one, other in permutations(pod, 2))
        return mates + ends + (sum(self.short[one] for one in pod) if short else 0)
