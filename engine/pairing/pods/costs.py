"""Pods: how many, who sits there and in which order, and what one costs (docs/rules.md)."""

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
    """The sizes of the pods for this many players, the largest first.

    As few pods as hold everybody at tables of four, filled evenly: from six players on all sit
    at fours and threes, never differing by more than 1. Only five players sit at five, rather
    than at three and two. A three is better than a five because nobody waits for the long table,
    and players meet more others: nine in 3 + 3 + 3 play four rounds without a repeat, while in
    5 + 4 those who sat at the four are the ones to fill the five, with the same table-mates.

    No players need no pods; raise ValueError for one player.
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
    """How the pods were found: every way was weighed, or exchanges led to the best one found."""

    EXHAUSTIVE = "exhaustive"
    LOCAL = "local"


@dataclass(frozen=True)
class Pod:
    """A table of two to five in seat order, with its price and reasons."""

    number: int
    seats: tuple[PlayerId, ...]
    cost: Cost
    reasons: tuple[Reason, ...]
    locked: bool = False


@dataclass(frozen=True)
class PodCertificate(Certificate):
    """As for every round. Only an exhaustive `search` proves that no seating costs less."""

    search: Search


@dataclass(frozen=True)
class PodRound:
    """A round in pods ready to be looked at.

    `byes` holds only byes that were promised or locked, and a player whom those left alone.
    `cost` sums the pods that were chosen; locked pods are not in it. `relaxations` lists the
    rules that could not be kept, the weightiest first.
    """

    pods: tuple[Pod, ...]
    byes: tuple[PairedBye, ...]
    cost: Cost
    relaxations: tuple[Reason, ...]
    certificate: PodCertificate


def draft_order(scores: Mapping[PlayerId, Points], *, seed: int) -> tuple[PlayerId, ...]:
    """The players of one pod in the order in which they choose.

    The lowest score chooses first, and the lot of `seed` decides among equals.
    """
    drawn = lots(scores, seed)
    return tuple(sorted(scores, key=lambda player: (scores[player], drawn[player])))


@dataclass(frozen=True)
class PodLevel:
    """One rule or aim as a cost of a pod in seat order; `short` reads the round's pods.

    `name` says in the plural what breaks a rule; an aim has none.
    """

    id: str
    cost: Callable[[Sequence[Entrant], bool], int]
    name: str = ""


def times_short(entrant: Entrant) -> int:
    """How often this player sat at a pod with fewer players than the largest of its round."""
    return sum(past.was_short for past in entrant.seats)


def times_first(entrant: Entrant) -> int:
    """How often this player sat first."""
    return sum(past.seat == 1 for past in entrant.seats)


def times_last(entrant: Entrant) -> int:
    """How often this player sat last."""
    return sum(past.seat == past.size for past in entrant.seats)


def _repeat(first: Entrant, second: Entrant) -> int:
    # Squared: two pairs meet a second time rather than one pair a third time.
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


RULES = (REPEAT, SHORT_POD, AVOID_GROUP)
"""The rules, the weightiest first: as few repeated table-mates as possible, then short tables."""


RULES_OF_VERSION_2 = (SHORT_POD, REPEAT, AVOID_GROUP)
"""The order up to engine version 2; the two are equal while no player can sit short again."""


def levels(rules: Sequence[PodLevel] = RULES) -> tuple[PodLevel, ...]:
    """All levels, the weightiest first."""
    return (*rules, POINT_GAP, SEAT_ORDER)


def pod_cost(
    pod: Sequence[Entrant], *, short: bool, rules: Sequence[PodLevel] = RULES
) -> dict[str, int]:
    """The cost of a pod in seat order, by level."""
    return {level.id: level.cost(pod, short) for level in levels(rules)}


def total(costs: Iterable[Cost], rules: Sequence[PodLevel] = RULES) -> Cost:
    """The sum of costs, level by level."""
    each = list(costs)
    return {level.id: sum(cost[level.id] for cost in each) for level in levels(rules)}


def seated(pod: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """The pod in the seat order of least cost: who sat first or last less often sits there.

    The seats between, and what is equal, stay in the order of `pod`, which is a lot.
    """
    first, last = min(
        permutations(pod, 2), key=lambda ends: times_first(ends[0]) + times_last(ends[1])
    )
    between = (entrant for entrant in pod if entrant is not first and entrant is not last)
    return (first, *between, last)


class PackedCosts:
    """The costs of a field as single integers, which keep the levels apart exactly.

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
        # The weight of a rule exceeds the most that all rules below it can cost together.
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
        """The cost of these players at one table, in the best seat order."""
        mates = sum(self.pairs[one][other] for one, other in combinations(pod, 2))
        ends = min(self.first[one] + self.last[other] for one, other in permutations(pod, 2))
        return mates + ends + (sum(self.short[one] for one in pod) if short else 0)
