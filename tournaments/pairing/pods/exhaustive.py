"""The cheapest pods of a small field, with proof: every way to seat it is weighed."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import TypeAlias

from tournaments.pairing.pods.costs import PackedCosts

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
