"""What a pairing costs, level by level (DESIGN 4.4).

A hard rule is a cost, not a missing edge: a field can always be paired, and what had to give way
is told. Levels are compared in order, and only equals go on to the next one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.pairing.records import Entrant
from engine.pairing.roles import balance, corp_by_rule
from matches.scoring import Role

PairCost: TypeAlias = Callable[[Entrant, Entrant], int]
ByeCost: TypeAlias = Callable[[Entrant], int]

BYE_SCORE = -1

REMATCH_PRICE = 5
SIDE_PRICE = 50

MOST_WORSENING = 10
"""A higher power would not leave room for exact arithmetic; nobody is ten games out of balance."""


@dataclass(frozen=True)
class Level:
    """One rule as a cost: never negative, the same whichever player is named first.

    `name` says in the plural what breaks a hard rule; an aim has none. `by_roles` says that the
    players' balance of roles counts, even when they have never met. `of_seats` is the cost of
    Corp and Runner where a hand has seated them; None where roles do not matter.
    """

    id: str
    name: str = ""
    of_pair: PairCost = lambda _first, _second: 0
    of_bye: ByeCost = lambda _entrant: 0
    of_seats: PairCost | None = None
    by_roles: bool = False


def times_met(first: Entrant, second: Entrant) -> int:
    """How often these two have met."""
    return len(first.roles_against.get(second.id, ()))


def _third_meetings(first: Entrant, second: Entrant) -> int:
    # A fourth meeting is worse than a third one.
    return max(0, times_met(first, second) - 1)


def _same_roles(first: Entrant, second: Entrant) -> int:
    # A rematch swaps the roles; once both ways were played, one way comes again.
    return int({Role.CORP, Role.RUNNER} <= set(first.roles_against.get(second.id, ())))


def one_group(first: Entrant, second: Entrant) -> int:
    """1 for two of one group that is kept apart, else 0."""
    return int(first.avoid_group is not None and first.avoid_group == second.avoid_group)


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


def closeness(field: Sequence[Entrant]) -> Level:
    """The aim of single-sided Swiss: gap^2 + 5 for two who have met + 50^m.

    m tells how far the role makes an imbalance (Corp minus Runner games) worse: for a player who
    is moved further from zero it is the imbalance before the game, for anybody else 0. The pair
    has the larger m of the two. Who has one Corp game too many and is Corp again: m = 1; from a
    balance of zero: m = 0, so that a table costs at least 50^0 = 1. A bye costs its gap alone.
    """
    gaps = squared_gaps(field)

    def of_seats(corp: Entrant, runner: Entrant) -> int:
        met = REMATCH_PRICE if times_met(corp, runner) else 0
        worst = min(max(_worsened(corp, runner)), MOST_WORSENING)
        sides: int = SIDE_PRICE**worst
        return gaps.of_pair(corp, runner) + met + sides

    return Level(
        "closeness",
        of_pair=_by_rule(of_seats),
        of_bye=gaps.of_bye,
        of_seats=of_seats,
        by_roles=True,
    )


def _by_rule(of_seats: PairCost) -> PairCost:
    """The cost of a pair from that of Corp and Runner, who are seated by the rule."""

    def of_pair(first: Entrant, second: Entrant) -> int:
        # By lot only when the balances are equal, and then the cost is the same either way.
        corp = corp_by_rule(first, second, balance) or first
        return of_seats(corp, second if corp is first else first)

    return of_pair


def _worsened(corp: Entrant, runner: Entrant) -> tuple[int, int]:
    """The imbalances that this table makes worse; 0 where it does not."""
    return max(0, corp.balance), max(0, -runner.balance)


def _over_the_limit(corp: Entrant, runner: Entrant) -> int:
    # An imbalance of one that grows is two.
    return sum(before >= 1 for before in _worsened(corp, runner))


def fold(field: Sequence[Entrant]) -> Level:
    """The aim of a seeded round 1: the top half against the bottom half, in order.

    `field` is even and comes in seed order, equal seeds in the order of a lot.
    """
    places = {entrant.id: place for place, entrant in enumerate(field)}
    half = len(field) // 2

    def off_the_fold(first: Entrant, second: Entrant) -> int:
        return (abs(places[first.id] - places[second.id]) - half) ** 2

    return Level("fold", of_pair=off_the_fold)


SECOND_BYE = Level("second_bye", "second byes", of_bye=lambda entrant: entrant.byes)
THIRD_MEETING = Level("third_meeting", "third meetings", of_pair=_third_meetings)
SAME_ROLES = Level(
    "same_roles",
    "rematches in the same roles",
    of_pair=_same_roles,
    of_seats=lambda corp, runner: int(Role.CORP in corp.roles_against.get(runner.id, ())),
)
REMATCH = Level(
    "rematch", "rematches", of_pair=lambda first, second: int(times_met(first, second) > 0)
)
SIDE_IMBALANCE = Level(
    "side_imbalance",
    "side imbalances made worse to two or more",
    of_pair=_by_rule(_over_the_limit),
    of_seats=_over_the_limit,
    by_roles=True,
)
AVOID_GROUP = Level("avoid_group", "tables within one group", of_pair=one_group)
