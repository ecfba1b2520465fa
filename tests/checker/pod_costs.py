"""Costs of pods by docs/reference/rules.md, and the cheapest seating of a small field.

In this order: repeated table-mates, short pods again, friends of one group, squared point gaps.
Two who have met twice weigh as much as four couples who have met once.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from tests.checker.faults import Fault
from tests.checker.reading import Document, Entry, field_of, ids_of, is_bye

LEVELS = ("repeat", "second_short_pod", "avoid_group", "point_gap")
# Up to this number of players, every seating is tried.
SMALL = 10

Pods = list[tuple[Any, ...]]


def times_short(rounds: list[list[Entry]]) -> Counter[Any]:
    """Count for each player the pods smaller than the largest of their round."""
    return Counter(id_ for round_ in rounds for id_ in short_in(pods_of(round_)))


def pods_of(entries: list[Entry]) -> Pods:
    """Return the players of each pod, without byes."""
    return [tuple(ids_of(entry)) for entry in entries if not is_bye(entry)]


def short_in(pods: Pods) -> set[Any]:
    """Return the players of pods smaller than the largest."""
    largest = max(map(len, pods), default=0)
    return {id_ for pod in pods if len(pod) < largest for id_ in pod}


def faults(document: Document, answer: dict[str, Any], path: str) -> Iterator[Fault]:
    """The stated cost must be correct, and the lowest in a small field."""
    pods, costs = pods_of(answer["pairings"]), _Costs(document)
    counted = costs.total(pods)
    for name, value in zip(LEVELS, counted, strict=True):
        if answer["cost"].get(name) != value:
            stated = answer["cost"].get(name)
            yield Fault("pod_cost", f"$.cost.{name}", f"{stated} is stated, {value} is counted.")
    players = [id_ for pod in pods for id_ in pod]
    if len(players) <= SMALL:
        lowest = min(costs.total(seating) for seating in every_seating(players, [*map(len, pods)]))
        if counted > lowest:
            yield Fault("pod_dearer", path, f"{counted} is paid, and {lowest} is possible.")


def every_seating(players: list[Any], sizes: list[int]) -> Iterator[Pods]:
    """Yield every way to seat these players in pods of these sizes."""
    if not players:
        yield []
        return
    first, other_players = players[0], players[1:]
    for size in set(sizes):
        remaining_sizes = list(sizes)
        remaining_sizes.remove(size)
        for mates in combinations(other_players, size - 1):
            unseated = [id_ for id_ in other_players if id_ not in mates]
            for pods in every_seating(unseated, remaining_sizes):
                yield [(first, *mates), *pods]


def repeats_of(document: Document, pods: Pods) -> int:
    """Add up the squared numbers of earlier meetings of table-mates."""
    return _Costs(document).total(pods)[0]


class _Costs:
    def __init__(self, document: Document) -> None:
        self.players = field_of(document)
        self.short = times_short(document["rounds"])
        self._known: dict[tuple[Any, Any], tuple[int, ...]] = {}

    def total(self, pods: Pods) -> tuple[int, ...]:
        """The cost of a whole round, level by level."""
        short = sum(self.short[id_] for id_ in short_in(pods))
        couples = [self._of(*couple) for pod in pods for couple in combinations(pod, 2)]
        repeats, *other_levels = (sum(column) for column in zip((0, 0, 0), *couples, strict=True))
        return repeats, short, *other_levels

    def _of(self, player: Any, mate: Any) -> tuple[int, ...]:
        if (player, mate) not in self._known:
            first, second = self.players[player], self.players[mate]
            times_met = sum(opponent == mate for opponent, _ in first["meetings"])
            friends = first["group"] is not None and first["group"] == second["group"]
            gap = first["points"] - second["points"]
            self._known[player, mate] = (times_met**2, int(friends), gap**2)
        return self._known[player, mate]
