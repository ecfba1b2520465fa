"""What a table costs, in words."""

from collections import Counter
from collections.abc import Iterable, Mapping

from tournaments.pairing import PROFILES

AIMS = {
    "point_gap": "squared point gap",
    "closeness": "points, second meeting and sides",
    "fold": "distance from the fold",
    "second_short_pod": "repeated short tables",
    "repeat": "repeated table-mates",
    "seat_order": "seat order",
}
"""What no rule of a profile names."""

RULES = {rule.id: rule.name for profile in PROFILES.values() for rule in profile.rules}


def in_words(cost: Mapping[str, int]) -> tuple[str, ...]:
    """Each part of a cost that is not nothing, the weightiest first."""
    return tuple(f"{_name(id_)} {value:,}" for id_, value in cost.items() if value)


def total(costs: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """The sum of costs, level by level, in the order in which the levels first come."""
    summed: Counter[str] = Counter()
    for cost in costs:
        # Not `update`: it would leave out the zeros, and with them the order.
        for id_, value in cost.items():
            summed[id_] += value
    return dict(summed)


def _name(id_: str) -> str:
    return AIMS.get(id_) or RULES.get(id_) or id_.replace("_", " ")
