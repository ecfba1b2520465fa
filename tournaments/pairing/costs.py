"""What a pairing costs, level by level (DESIGN 4.4).

A hard rule is a cost, not a missing edge: a field can always be paired, and what had to give way
is told. Levels are compared in order, and only equals go on to the next one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from matches.scoring import Role
from tournaments.pairing.records import Entrant

PairCost: TypeAlias = Callable[[Entrant, Entrant], int]
ByeCost: TypeAlias = Callable[[Entrant], int]

BYE_SCORE = -1


def _free(_entrant: Entrant) -> int:
    return 0


def _free_pair(_first: Entrant, _second: Entrant) -> int:
    return 0


@dataclass(frozen=True)
class Level:
    """One rule as a cost: never negative, the same whichever player is named first.

    `name` says in the plural what breaks a hard rule; an aim has none. `by_roles` says that the
    players' balance of roles counts, even when they have never met.
    """

    id: str
    name: str = ""
    of_pair: PairCost = _free_pair
    of_bye: ByeCost = _free
    by_roles: bool = False


@dataclass(frozen=True)
class Profile:
    """A way to pair: the hard rules in order, then the aim, which may depend on the field."""

    id: str
    rules: tuple[Level, ...]
    aim: Callable[[Sequence[Entrant]], Level]

    def levels(self, field: Sequence[Entrant]) -> tuple[Level, ...]:
        """All levels for this field, the weightiest first."""
        return (*self.rules, self.aim(field))


def times_met(first: Entrant, second: Entrant) -> int:
    """How often these two have met."""
    return len(first.roles_against.get(second.id, ()))


def _third_meetings(first: Entrant, second: Entrant) -> int:
    # A fourth meeting is worse than a third one.
    return max(0, times_met(first, second) - 1)


def _same_roles(first: Entrant, second: Entrant) -> int:
    # A rematch swaps the roles; once both ways were played, one way comes again.
    return int({Role.CORP, Role.RUNNER} <= set(first.roles_against.get(second.id, ())))


def _rematches(first: Entrant, second: Entrant) -> int:
    return int(times_met(first, second) > 0)


def _one_group(first: Entrant, second: Entrant) -> int:
    return int(first.avoid_group is not None and first.avoid_group == second.avoid_group)


def _byes_before(entrant: Entrant) -> int:
    return entrant.byes


def point_gap(first: Entrant, second: Entrant) -> int:
    """How many match points lie between these two."""
    return abs(first.match_points - second.match_points)


def squared_gaps(field: Sequence[Entrant]) -> Level:
    """The aim of Swiss: opponents with the same score, and the bye at the foot of the table."""
    # Below everybody even when penalties have taken a score under zero.
    foot = min((BYE_SCORE, *(entrant.match_points - 1 for entrant in field)))
    return Level(
        "point_gap",
        of_pair=lambda first, second: point_gap(first, second) ** 2,
        of_bye=lambda entrant: (entrant.match_points - foot) ** 2,
    )


def fold(field: Sequence[Entrant]) -> Level:
    """The aim of a seeded round 1: the top half against the bottom half, in order.

    `field` is even and comes in seed order, equal seeds in the order of a lot.
    """
    places = {entrant.id: place for place, entrant in enumerate(field)}
    half = len(field) // 2

    def off_the_fold(first: Entrant, second: Entrant) -> int:
        return (abs(places[first.id] - places[second.id]) - half) ** 2

    return Level("fold", of_pair=off_the_fold)


SECOND_BYE = Level("second_bye", "second byes", of_bye=_byes_before)
THIRD_MEETING = Level("third_meeting", "third meetings", of_pair=_third_meetings)
SAME_ROLES = Level("same_roles", "rematches in the same roles", of_pair=_same_roles)
REMATCH = Level("rematch", "rematches", of_pair=_rematches)
AVOID_GROUP = Level("avoid_group", "tables within one group", of_pair=_one_group)

DOUBLE = Profile(
    id="double",
    rules=(SECOND_BYE, THIRD_MEETING, SAME_ROLES, REMATCH, AVOID_GROUP),
    aim=squared_gaps,
)
