"""Search for pods: the proven optimum in small fields, good pods in large fields.

No fast exact method for tables of four is known, so no optimum is claimed for a large field. Its
search always ends where no exchange of two players costs less.
"""

import random
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import TypeAlias

from engine.pairing.pods.costs import PackedCosts

# The largest field with an exhaustive search. Four more players mean about six times the work.
MOST_PLAYERS = 16

# Pods of players, named by their place in the field.
Seating: TypeAlias = tuple[tuple[int, ...], ...]


def cheapest_pods(costs: PackedCosts, sizes: Sequence[int], *, largest: int) -> Seating:
    """Return pods of these sizes at the lowest total cost; the field order breaks ties.

    A pod smaller than `largest` is short. The best seating of the remaining players does not depend
    on the pods made before, so it is cached.
    """
    pods = {size: _pods(costs, size, short=size < largest) for size in set(sizes)}

    @cache
    def best(free: int, left: tuple[int, ...]) -> tuple[int, Seating]:
        if not left:
            return 0, ()
        # The first free player needs table-mates in any case.
        player = (free & -free).bit_length() - 1
        found: tuple[int, Seating] | None = None
        for size in sorted(set(left), reverse=True):
            rest = _without(left, size)
            for cost, members, pod in pods[size][player]:
                if found is not None and cost >= found[0]:
                    break
                if members & free == members:
                    others = best(free & ~members, rest)
                    if found is None or cost + others[0] < found[0]:
                        found = cost + others[0], (pod, *others[1])
        assert found is not None
        return found

    return best((1 << costs.players) - 1, tuple(sizes))[1]


def _pods(
    costs: PackedCosts, size: int, *, short: bool
) -> list[list[tuple[int, int, tuple[int, ...]]]]:
    """Return every pod of a size by its first player: cost, bit mask, players; cheapest first."""
    return [
        sorted(
            (
                (costs.of_pod(pod, short=short), sum(1 << one for one in pod), pod)
                for others in combinations(range(player + 1, costs.players), size - 1)
                for pod in [(player, *others)]
            ),
            # Ties stay in field order.
            key=lambda found: found[0],
        )
        for player in range(costs.players)
    ]


def _without(sizes: tuple[int, ...], size: int) -> tuple[int, ...]:
    place = sizes.index(size)
    return sizes[:place] + sizes[place + 1 :]


# Starts times players, within a second on any machine; at least eight starts.
WORK, FEWEST_STARTS = 4000, 8


def good_pods(
    costs: PackedCosts,
    by_score: Sequence[int],
    sizes: Sequence[int],
    *,
    largest: int,
    chance: random.Random,
    searches: int | None = None,
) -> Seating:
    """Return the best pods of these sizes from several descents.

    The first descent starts from `by_score` cut into pods. Each later descent starts from the best
    pods so far with a quarter of the players shuffled. By default there are as many descents as
    time allows.
    """
    best = _Descent(costs, by_score, sizes, largest)
    for _ in range((searches or max(FEWEST_STARTS, WORK // costs.players)) - 1):
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
        while self._improve_all():
            pass
        self.cost = sum(
            costs.of_pod(pod, short=short)
            for pod, short in zip(self.pods, self.is_short, strict=True)
        )

    def _improve_all(self) -> bool:
        """Try all pairs of pods once; return True if any exchange helped."""
        couples = combinations(range(len(self.pods)), 2)
        return sum(self._improve(one, other) for one, other in couples) > 0

    def _improve(self, one: int, other: int) -> bool:
        """Exchange players of two pods while that helps; return True if it did."""
        first, second = self.pods[one], self.pods[other]
        improved = False
        for place in range(len(first)):
            for opposite in range(len(second)):
                if self._gain(one, place, other, opposite) > 0:
                    first[place], second[opposite] = second[opposite], first[place]
                    improved = True
        return improved

    def _gain(self, one: int, place: int, other: int, opposite: int) -> int:
        """Return the saving of this exchange, ignoring seat order."""
        leaving, coming = self.pods[one][place], self.pods[other][opposite]
        before, after = self.costs.pairs[leaving], self.costs.pairs[coming]
        gain = 0
        for mate in self.pods[one]:
            if mate != leaving:
                gain += before[mate] - after[mate]
        for mate in self.pods[other]:
            if mate != coming:
                gain += after[mate] - before[mate]
        shorter = self.is_short[one] - self.is_short[other]
        return gain + shorter * (self.costs.short[leaving] - self.costs.short[coming])
