"""What a table costs, in words."""

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction

from engine.pairing import PROFILES
from engine.pairing.pods import RULES as POD_RULES
from matches.scoring import exact

AIMS = {
    "point_gap": "squared point gap",
    "closeness": "points, second meeting and sides",
    "fold": "distance from the fold",
    "seat_order": "seat order",
}
"""What no rule of a profile names."""

RULES = {rule.id: rule.name for rule in POD_RULES} | {
    rule.id: rule.name for profile in PROFILES.values() for rule in profile.rules
}


def in_words(cost: Mapping[str, int], point_unit: int = 1) -> tuple[str, ...]:
    """Each part of a cost that is not nothing, the weightiest first.

    The engine has `point_unit` parts to a point, and these costs its squares.
    """
    return tuple(
        f"{_name(id_)} {_figure(id_, value, point_unit)}" for id_, value in cost.items() if value
    )


def _figure(id_: str, value: int, point_unit: int) -> str:
    shown = exact(Fraction(value, point_unit**2)) if id_ == "point_gap" else value
    return f"{shown:,}" if isinstance(shown, int) else str(shown)


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
