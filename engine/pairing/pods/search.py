"""The pods of a field: the cheapest of a small one with proof, good ones of a large one.

No exact method for tables of four is known that is fast, so for a large field no optimum is
claimed. Its search always ends where no exchange of two players costs less.
"""

import random
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import TypeAlias

from engine.pairing.pods.costs import PackedCosts

MOST_PLAYERS = 16
"""The largest field that is searched in full; the work grows about sixfold with four players."""

Seating: TypeAlias = tuple[tuple[int, ...], ...]
"""Pods of players, named by their place in the field."""


def cheapest_pods(costs: PackedCosts, sizes: Sequence[int], *, largest: int) -> Seating:
    """Pods of these sizes at the least total cost; the order of the field decides among equals.

    A pod smaller than `largest` is a short one. The players left over after some pods can be
    seated in one best way, however those pods were made, so each such rest is worked out once.
    """
    pods = {size: _pods(costs, size, short=size < largest) for size in set(sizes)}

    @cache
    def best(free: int, left: tuple[int, ...]) -> tuple[int, Seating]:
        if not left:
            return 0, ()
        # Somebody has to sit with the first free player.
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
    """Every pod of one size by its first player: cost, members as bits, players; cheapest first."""
    return [
        sorted(
            (
                (costs.of_pod(pod, short=short), sum(1 << one for one in pod), pod)
                for others in combinations(range(player + 1, costs.players), size - 1)
                for pod in [(player, *others)]
            ),
            # Equals stay in the order of the field.
            key=lambda found: found[0],
        )
        for player in range(costs.players)
    ]


def _without(sizes: tuple[int, ...], size: int) -> tuple[int, ...]:
    place = sizes.index(size)
    return sizes[:place] + sizes[place + 1 :]


WORK, FEWEST_STARTS = 4000, 8
"""Starts times players, within a second on any machine; a huge field has eight starts."""


def good_pods(
    costs: PackedCosts,
    by_score: Sequence[int],
    sizes: Sequence[int],
    *,
    largest: int,
    chance: random.Random,
    searches: int | None = None,
) -> Seating:
    """Pods of these sizes, the best of several descents, by default of as many as time allows.

    The first starts from `by_score` cut into pods, each other one from the best so far with a
    quarter of the players shuffled among their places.
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
    """Pods that get cheaper by exchanging two players at a time, until no exchange helps."""

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
        """Go through all couples of pods once; answer whether any exchange helped."""
        couples = combinations(range(len(self.pods)), 2)
        return sum(self._improve(one, other) for one, other in couples) > 0

    def _improve(self, one: int, other: int) -> bool:
        """Exchange players of two pods while that helps; answer whether it did."""
        first, second = self.pods[one], self.pods[other]
        improved = False
        for place in range(len(first)):
            for opposite in range(len(second)):
                if self._gain(one, place, other, opposite) > 0:
                    first[place], second[opposite] = second[opposite], first[place]
                    improved = True
        return improved

    def _gain(self, one: int, place: int, other: int, opposite: int) -> int:
        """What this exchange saves, seat order left out."""
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
