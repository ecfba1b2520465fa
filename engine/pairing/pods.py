"""Pods: sizes, costs, search for the cheapest pods, and reasons (docs/reference/rules.md)."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from itertools import combinations, count, permutations
from operator import itemgetter
from typing import TypeAlias

from engine.pairing.costs import point_gap, same_group_cost, times_met
from engine.pairing.records import (
    ENGINE_VERSION,
    VERSION_2,
    Certificate,
    Cost,
    Entrant,
    LockedBye,
    LockedPod,
    LockRefused,
    PairedBye,
    PairingReason,
    broken_rules,
    check_input,
    make_certificate,
    settled_byes,
)
from engine.pairing.swiss import shuffled_field
from engine.standings.records import PlayerId, draw_places
from matches.scoring.results import Points

SMALLEST_POD, BEST_POD, LARGEST_POD = 2, 4, 5
PodLock: TypeAlias = LockedPod | LockedBye


def pod_sizes(players: int) -> tuple[int, ...]:
    """Return the pod sizes, largest first. Raise ValueError for a single player."""
    # As few pods as hold everybody at tables of four, filled evenly: from six players on, all pods
    # have four or three players. Only a field of five plays at a table of five rather than at three
    # and two.
    #
    # Threes are better than a five: nobody waits for the longer table, and players meet more
    # opponents. Nine players in 3 + 3 + 3 play four rounds without a repeat. In 5 + 4 the players
    # of the four would fill the five, with the same table-mates.
    if players == 1:
        raise ValueError("1 player cannot make a pod.")
    if players == LARGEST_POD:
        return (LARGEST_POD,)
    pods = -(-players // BEST_POD)
    if not pods:
        return ()
    size, larger = divmod(players, pods)
    return (size + 1,) * larger + (size,) * (pods - larger)


class PodSearch(StrEnum):
    EXHAUSTIVE = "exhaustive"
    LOCAL = "local"


@dataclass(frozen=True)
class Pod:
    number: int
    # In seat order.
    seats: tuple[PlayerId, ...]
    cost: Cost
    reasons: tuple[PairingReason, ...]
    locked: bool = False


@dataclass(frozen=True)
class PodCertificate(Certificate):
    # Only an exhaustive search proves the lowest cost.
    search: PodSearch


@dataclass(frozen=True)
class PodRound:
    pods: tuple[Pod, ...]
    # Promised or locked, or for a single player left over.
    byes: tuple[PairedBye, ...]
    # Sum over chosen pods, without locked pods.
    cost: Cost
    # Broken rules, heaviest first.
    relaxations: tuple[PairingReason, ...]
    certificate: PodCertificate


def draft_order(scores: Mapping[PlayerId, Points], *, seed: int) -> tuple[PlayerId, ...]:
    """Return the order, lowest score first; the random draw of `seed` breaks ties."""
    drawn = draw_places(scores, seed)
    return tuple(sorted(scores, key=lambda player: (scores[player], drawn[player])))


@dataclass(frozen=True)
class PodLevel:
    """A rule or aim as a cost of a pod in seat order."""

    id: str
    # Takes the pod, and True if it is smaller than the largest pod of the round.
    cost: Callable[[Sequence[Entrant], bool], int]
    # Plural name of violations of a rule; an aim has none.
    name: str = ""


def times_short(entrant: Entrant) -> int:
    """Return the number of past seats at a smaller pod than the largest of its round."""
    return sum(past.was_short for past in entrant.seats)


def times_first(entrant: Entrant) -> int:
    return sum(past.seat == 1 for past in entrant.seats)


def times_last(entrant: Entrant) -> int:
    return sum(past.seat == past.size for past in entrant.seats)


def _repeat_cost(first: Entrant, second: Entrant) -> int:
    # Squared: two second meetings are better than a third meeting.
    return times_met(first, second) ** 2


def _squared_gap(first: Entrant, second: Entrant) -> int:
    return point_gap(first, second) ** 2


def _pair_cost(
    of_pair: Callable[[Entrant, Entrant], int],
) -> Callable[[Sequence[Entrant], bool], int]:
    return lambda pod, _short: sum(of_pair(*pair) for pair in combinations(pod, 2))


SHORT_POD = PodLevel(
    "second_short_pod",
    lambda pod, short: sum(map(times_short, pod)) if short else 0,
    "repeated short tables",
)
REPEAT = PodLevel("repeat", _pair_cost(_repeat_cost), "repeated table-mates")
AVOID_GROUP = PodLevel("avoid_group", _pair_cost(same_group_cost), "table-mates of one group")
POINT_GAP = PodLevel("point_gap", _pair_cost(_squared_gap))
SEAT_ORDER = PodLevel("seat_order", lambda pod, _short: times_first(pod[0]) + times_last(pod[-1]))

# Heaviest first: as few repeated table-mates as possible, then short tables.
POD_RULES = (REPEAT, SHORT_POD, AVOID_GROUP)
# The order up to engine version 2. Both are equivalent unless a player can sit short again.
POD_RULES_OF_VERSION_2 = (SHORT_POD, REPEAT, AVOID_GROUP)


def pod_levels(rules: Sequence[PodLevel]) -> tuple[PodLevel, ...]:
    return (*rules, POINT_GAP, SEAT_ORDER)


def pod_cost(pod: Sequence[Entrant], *, short: bool, rules: Sequence[PodLevel]) -> dict[str, int]:
    return {level.id: level.cost(pod, short) for level in pod_levels(rules)}


def total_cost(costs: Iterable[Cost], rules: Sequence[PodLevel] = POD_RULES) -> Cost:
    each = list(costs)
    return {level.id: sum(cost[level.id] for cost in each) for level in pod_levels(rules)}


def seat_order(pod: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """Balance how often players sat first or last; ties stay in the random order of `pod`."""
    first, last = min(
        permutations(pod, 2), key=lambda ends: times_first(ends[0]) + times_last(ends[1])
    )
    between = (entrant for entrant in pod if entrant is not first and entrant is not last)
    return (first, *between, last)


class PackedCosts:
    def __init__(self, field: Sequence[Entrant], rules: Sequence[PodLevel] = POD_RULES) -> None:
        # Players are named by their place in `field`.
        self.players = len(field)
        couples = list(combinations(field, 2))
        seats = max((len(entrant.seats) for entrant in field), default=0)
        # A player has at most four table-mates, and a pair has two players.
        pairs = self.players * (LARGEST_POD - 1) // 2
        gap = 1 + 2 * self.players * seats
        group = gap * (1 + pairs * max((_squared_gap(*pair) for pair in couples), default=0))
        most = {
            REPEAT: pairs * max((_repeat_cost(*pair) for pair in couples), default=0),
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
        for player, mate in combinations(range(self.players), 2):
            pair = field[player], field[mate]
            cost = (
                repeat * _repeat_cost(*pair)
                + group * same_group_cost(*pair)
                + gap * _squared_gap(*pair)
            )
            self.pairs[player][mate] = self.pairs[mate][player] = cost

    def of_pod(self, pod: Sequence[int], *, short: bool) -> int:
        """Return the cost of these players at a table, in the best seat order."""
        mates = sum(self.pairs[player][mate] for player, mate in combinations(pod, 2))
        ends = min(self.first[first] + self.last[last] for first, last in permutations(pod, 2))
        return mates + ends + (sum(self.short[player] for player in pod) if short else 0)


# Search: the proven optimum in small fields, good pods in large fields


# The largest field with an exhaustive search. Four more players mean about six times the work.
MAX_EXHAUSTIVE_PLAYERS = 16

# Pods of players, named by their place in the field.
PodPlaces: TypeAlias = tuple[tuple[int, ...], ...]


def cheapest_pods(costs: PackedCosts, sizes: Sequence[int], *, largest: int) -> PodPlaces:
    """Return pods of these sizes at the lowest total cost; the field order breaks ties."""
    pods = {size: _possible_pods(costs, size, short=size < largest) for size in set(sizes)}

    # The best seating of the remaining players does not depend on the pods made before.
    @cache
    def best(free: int, left: tuple[int, ...]) -> tuple[int, PodPlaces]:
        if not left:
            return 0, ()
        # The first free player needs table-mates in any case.
        player = (free & -free).bit_length() - 1
        cheapest: tuple[int, PodPlaces] | None = None
        for size in sorted(set(left), reverse=True):
            place = left.index(size)
            rest = left[:place] + left[place + 1 :]
            for cost, members, pod in pods[size][player]:
                if cheapest is not None and cost >= cheapest[0]:
                    break
                if members & free == members:
                    others = best(free & ~members, rest)
                    if cheapest is None or cost + others[0] < cheapest[0]:
                        cheapest = cost + others[0], (pod, *others[1])
        assert cheapest is not None
        return cheapest

    return best((1 << costs.players) - 1, tuple(sizes))[1]


def _possible_pods(
    costs: PackedCosts, size: int, *, short: bool
) -> list[list[tuple[int, int, tuple[int, ...]]]]:
    """Return every pod of a size by its first player: cost, bit mask, players; cheapest first."""
    return [
        sorted(
            (
                (costs.of_pod(pod, short=short), sum(1 << mate for mate in pod), pod)
                for others in combinations(range(player + 1, costs.players), size - 1)
                for pod in [(player, *others)]
            ),
            # Ties stay in field order.
            key=itemgetter(0),
        )
        for player in range(costs.players)
    ]


# Starts times players, within a second on any machine; at least eight starts.
SEARCH_WORK, MIN_STARTS = 4000, 8


def good_pods(
    costs: PackedCosts,
    by_score: Sequence[int],
    sizes: Sequence[int],
    *,
    largest: int,
    chance: random.Random,
    searches: int | None = None,
) -> PodPlaces:
    """Return the best pods of several descents, by default as many as time allows."""
    # Each later descent starts from the best pods so far with a quarter of the players shuffled.
    best = _Descent(costs, by_score, sizes, largest)
    for _ in range((searches or max(MIN_STARTS, SEARCH_WORK // costs.players)) - 1):
        if not best.cost:
            break
        order = [player for pod in best.pods for player in pod]
        places = chance.sample(range(len(order)), max(2, len(order) // 4))
        moved = [order[place] for place in places]
        chance.shuffle(moved)
        for place, player in zip(places, moved, strict=True):
            order[place] = player
        best = min(best, _Descent(costs, order, sizes, largest), key=lambda found: found.cost)
    return tuple(tuple(pod) for pod in best.pods)


class _Descent:
    """Pods improved by exchanges of two players until no exchange helps."""

    def __init__(
        self, costs: PackedCosts, order: Sequence[int], sizes: Sequence[int], largest: int
    ) -> None:
        self.costs = costs
        left = iter(order)
        self.pods = [[next(left) for _ in range(size)] for size in sizes]
        self.is_short = [size < largest for size in sizes]
        couples = list(combinations(range(len(self.pods)), 2))
        while sum(self._improve(*couple) for couple in couples):
            pass
        self.cost = sum(
            costs.of_pod(pod, short=short)
            for pod, short in zip(self.pods, self.is_short, strict=True)
        )

    def _improve(self, first_pod: int, second_pod: int) -> bool:
        first, second = self.pods[first_pod], self.pods[second_pod]
        improved = False
        for place in range(len(first)):
            for opposite in range(len(second)):
                if self._gain(first_pod, place, second_pod, opposite) > 0:
                    first[place], second[opposite] = second[opposite], first[place]
                    improved = True
        return improved

    def _gain(self, first_pod: int, place: int, second_pod: int, opposite: int) -> int:
        """Return the saving of this exchange, ignoring seat order."""
        leaving, coming = self.pods[first_pod][place], self.pods[second_pod][opposite]
        before, after = self.costs.pairs[leaving], self.costs.pairs[coming]
        gain = 0
        for mate in self.pods[first_pod]:
            if mate != leaving:
                gain += before[mate] - after[mate]
        for mate in self.pods[second_pod]:
            if mate != coming:
                gain += after[mate] - before[mate]
        shorter = self.is_short[first_pod] - self.is_short[second_pod]
        return gain + shorter * (self.costs.short[leaving] - self.costs.short[coming])


# Reasons


def pod_reasons(
    pod: Sequence[Entrant],
    *,
    largest: int,
    round_number: int,
    search: PodSearch,
    point_unit: int,
    rules: Sequence[PodLevel],
) -> Iterator[PairingReason]:
    yield _score_reason(pod, round_number, point_unit)
    if len(pod) < largest:
        yield _short_reason(pod, largest)
    yield from _broken_pod_rules(pod, search, rules, short=len(pod) < largest)
    first, last = pod[0], pod[-1]
    params = {"first_times": times_first(first), "last_times": times_last(last)}
    yield PairingReason("seats", (first.id, last.id), "pod_seats", params)


def left_alone_reason(entrant: Entrant) -> PairingReason:
    """Explain a bye in pods, where byes are usually not given."""
    return PairingReason("left_alone", (entrant.id,), "left_alone")


def _score_reason(pod: Sequence[Entrant], round_number: int, point_unit: int) -> PairingReason:
    ids = tuple(entrant.id for entrant in pod)
    points = sorted((entrant.match_points for entrant in pod), reverse=True)
    # As text, because shares of a place can be fractions: "10/3".
    scores = [str(Fraction(score, point_unit)) for score in points]
    if scores[0] == scores[-1] and round_number == 1:
        return PairingReason("random", ids, "random")
    if scores[0] == scores[-1]:
        return PairingReason("same_score", ids, "pod_same_score", {"points": scores[0]})
    by_score = sorted(pod, key=lambda entrant: -entrant.match_points)
    ids = tuple(entrant.id for entrant in by_score)
    return PairingReason("close_scores", ids, "pod_scores", {"scores": scores})


def _short_reason(pod: Sequence[Entrant], largest: int) -> PairingReason:
    params = {"size": len(pod), "largest": largest, "before": [*map(times_short, pod)]}
    return PairingReason("short_pod", tuple(entrant.id for entrant in pod), "short_pod", params)


def _broken_pod_rules(
    pod: Sequence[Entrant], search: PodSearch, rules: Sequence[PodLevel], *, short: bool
) -> Iterator[PairingReason]:
    repeated, shortened, together = (
        _proof(rule, search, rules) for rule in (REPEAT, SHORT_POD, AVOID_GROUP)
    )
    again = [entrant for entrant in pod if times_short(entrant)] if short else []
    for entrant in again:
        params = {"times": times_short(entrant) + 1, "details": [shortened]}
        yield PairingReason(SHORT_POD.id, (entrant.id,), "short_pod_again", params)
    for first, second in combinations(pod, 2):
        ids = (first.id, second.id)
        if times := times_met(first, second):
            params = {"times": times + 1, "details": [repeated]}
            yield PairingReason(REPEAT.id, ids, "table_mates_again", params)
        if same_group_cost(first, second):
            yield PairingReason(AVOID_GROUP.id, ids, "pod_same_group", {"details": [together]})


def _proof(rule: PodLevel, search: PodSearch, rules: Sequence[PodLevel]) -> str:
    """Return the code of the sentence that the rule could not be kept better."""
    if rule is SHORT_POD and rules[0] is SHORT_POD:
        # The wording of engine version 2.
        return "no_swap_for_short_pod"
    code = "no_better_seats" if search is PodSearch.EXHAUSTIVE else "no_better_swap"
    return code if rule is rules[0] else f"{code}_within_rules"


# Rounds


def seat_pods(
    entrants: Sequence[Entrant],
    *,
    round_number: int,
    seed: int,
    locked: Sequence[PodLock] = (),
    point_unit: int = 1,
    searches: int | None = None,
    engine_version: str = ENGINE_VERSION,
) -> PodRound:
    """Seat all entrants in pods of two to five at the lowest cost, with reasons.

    `entrants` are all active players, including those with locks. The same entrants in any order
    and the same seed give the same round. A player only has a bye by a lock, by a promise for round
    1, or if these leave a single player.

    Match points are in parts: a point in the reasons has `point_unit` parts. `searches` is the
    number of searches of a large field, by default as many as time allows. An older
    `engine_version` seats by its own rules.

    Raise a PairingRefused for fewer than two entrants, repeated ids, pasts that disagree, or locks
    that do not fit.
    """
    tables = [lock for lock in locked if isinstance(lock, LockedPod)]
    check_input(entrants, locked)
    check_pod_sizes(tables)
    chance = random.Random(seed)  # noqa: S311 - a draw to be repeated, not a secret
    field = shuffled_field(entrants, chance)
    byes = tuple(
        PairedBye(entrant.id, {}, (why,), is_locked)
        for entrant, why, is_locked in settled_byes(field, locked, round_number)
    )
    bound = {player for lock in tables for player in lock.seats} | {bye.player for bye in byes}
    free = [entrant for entrant in field if entrant.id not in bound]
    if len(free) == 1:
        byes, free = (*byes, PairedBye(free[0].id, {}, (left_alone_reason(free[0]),))), []
    sizes = pod_sizes(len(free))
    largest = max([*sizes, *(len(lock.seats) for lock in tables)], default=0)
    search = PodSearch.EXHAUSTIVE if len(free) <= MAX_EXHAUSTIVE_PLAYERS else PodSearch.LOCAL
    # The order of the rules only matters if there is a choice of players for the short tables.
    is_open_who_sits_short = len({size < largest for size in sizes}) > 1
    is_new = engine_version != VERSION_2 and is_open_who_sits_short and any(map(times_short, free))
    rules = POD_RULES if is_new else POD_RULES_OF_VERSION_2
    taken = {lock.number for lock in tables}
    numbers = (number for number in count(1) if number not in taken)
    chosen = tuple(
        _make_pod(number, pod, largest, round_number, search, point_unit, rules)
        for number, pod in zip(
            numbers, _choose_pods(free, sizes, largest, chance, searches, rules), strict=False
        )
    )
    kept = locked_pods(tables, field, largest=largest, rules=rules)
    cost = total_cost((pod.cost for pod in chosen), rules)
    return PodRound(
        pods=tuple(sorted((*kept, *chosen), key=lambda pod: pod.number)),
        byes=byes,
        cost=cost,
        relaxations=broken_rules((*byes, *chosen), ("left_alone", *(rule.id for rule in rules))),
        certificate=_pod_certificate(
            entrants,
            locked,
            round_number,
            seed=seed,
            cost=cost,
            search=search,
            engine_version=ENGINE_VERSION if is_new else VERSION_2,
        ),
    )


def check_pod_sizes(tables: Sequence[LockedPod]) -> None:
    for lock in tables:
        if not SMALLEST_POD <= len(lock.seats) <= LARGEST_POD:
            raise LockRefused(
                f"Table {lock.number} is locked with {len(lock.seats)} players; "
                f"a pod has {SMALLEST_POD} to {LARGEST_POD}."
            )


def locked_pods(
    tables: Sequence[LockedPod],
    field: Sequence[Entrant],
    *,
    largest: int,
    rules: Sequence[PodLevel],
) -> tuple[Pod, ...]:
    by_id = {entrant.id: entrant for entrant in field}
    pods = []
    for lock in tables:
        pod = [by_id[player] for player in lock.seats]
        reason = PairingReason("locked", lock.seats, "locked_pod")
        cost = pod_cost(pod, short=len(pod) < largest, rules=rules)
        pods.append(Pod(lock.number, lock.seats, cost, (reason,), locked=True))
    return tuple(pods)


def _choose_pods(
    field: Sequence[Entrant],
    sizes: Sequence[int],
    largest: int,
    chance: random.Random,
    searches: int | None,
    rules: Sequence[PodLevel],
) -> list[tuple[Entrant, ...]]:
    """Return the pods in seat order, best score first."""
    packed = PackedCosts(field, rules)
    if len(field) <= MAX_EXHAUSTIVE_PLAYERS:
        places = cheapest_pods(packed, sizes, largest=largest)
    else:
        by_score = sorted(range(len(field)), key=lambda place: -field[place].match_points)
        places = good_pods(
            packed, by_score, sizes, largest=largest, chance=chance, searches=searches
        )
    pods = [seat_order([field[place] for place in sorted(pod)]) for pod in places]
    return sorted(pods, key=lambda pod: sorted(-entrant.match_points for entrant in pod))


def _make_pod(
    number: int,
    pod: tuple[Entrant, ...],
    largest: int,
    round_number: int,
    search: PodSearch,
    point_unit: int,
    rules: Sequence[PodLevel],
) -> Pod:
    why = pod_reasons(
        pod,
        largest=largest,
        round_number=round_number,
        search=search,
        point_unit=point_unit,
        rules=rules,
    )
    return Pod(
        number=number,
        seats=tuple(entrant.id for entrant in pod),
        cost=pod_cost(pod, short=len(pod) < largest, rules=rules),
        reasons=tuple(why),
    )


def _pod_certificate(
    entrants: Sequence[Entrant],
    locked: Sequence[PodLock],
    round_number: int,
    *,
    seed: int,
    cost: Cost,
    search: PodSearch,
    engine_version: str,
) -> PodCertificate:
    proof = make_certificate(
        entrants,
        locked,
        round_number,
        profile="pods",
        seed=seed,
        cost=cost,
        engine_version=engine_version,
    )
    return PodCertificate(**asdict(proof), search=search)
