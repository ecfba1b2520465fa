"""Good pods of a large field: exchanges until none helps, from several starts.

No exact method for tables of four is known that is fast, so this claims no optimum. It always
ends where no exchange of two players costs less, which keeps the short tables fair in any case.
"""

import random
from collections.abc import Sequence
from itertools import combinations

from tournaments.pairing.pods.costs import PackedCosts
from tournaments.pairing.pods.exhaustive import Seating

WORK, FEWEST_STARTS = 4000, 8
"""Starts times players, within a second on any machine; a huge field has eight starts."""


def good_pods(
    costs: PackedCosts,
    by_score: Sequence[int],
    sizes: Sequence[int],
    *,
    largest: int,
    chance: random.Random,
) -> Seating:
    """Pods of these sizes, the best of several descents.

    The first starts from `by_score` cut into pods, each other one from the best so far with a
    quarter of the players shuffled among their places.
    """
    best = _Descent(costs, by_score, sizes, largest)
    for _ in range(max(FEWEST_STARTS, WORK // costs.players) - 1):
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
