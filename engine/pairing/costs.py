"""Costs of a pairing by level, and the Swiss profiles as data (docs/rules.md).

A hard rule is a cost, not a missing edge: a field can always be paired, and broken rules are
reported. Levels are compared in order; only ties go to the next level. The choice of Corp in game 1
is also a cost: a rematch reverses the roles, otherwise they even out over the event.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.pairing.records import Entrant, Reason, how_often
from engine.pairing.round_robin import rounds_needed
from matches.scoring import Role

# The count to be evened out: the player with the lower count is Corp.
SideCount: TypeAlias = Callable[[Entrant], int]

PairCost: TypeAlias = Callable[[Entrant, Entrant], int]
ByeCost: TypeAlias = Callable[[Entrant], int]
BYE_SCORE = -1
REMATCH_PRICE = 5
SIDE_PRICE = 50
# A higher power would not leave room for exact arithmetic. No real imbalance reaches ten games.
MOST_WORSENING = 10


def times_corp(entrant: Entrant) -> int:
    """Return how often a player was Corp in game 1, for matches with a game for each role."""
    return entrant.corp_first


def balance(entrant: Entrant) -> int:
    """Return Corp minus Runner games, for matches of a single game."""
    return entrant.balance


def corp_by_rule(first: Entrant, second: Entrant, side_count: SideCount) -> Entrant | None:
    """Return the player who must be Corp, or None for a random draw.

    After a meeting with known roles, the roles are reversed. Otherwise the player with the lower
    count is Corp.
    """
    last = _last_role(first, second)
    if last is not None:
        return second if last is Role.CORP else first
    mine, theirs = side_count(first), side_count(second)
    if mine == theirs:
        return None
    return first if mine < theirs else second


def corp_and_runner(
    first: Entrant, second: Entrant, side_count: SideCount, chance: random.Random
) -> tuple[Entrant, Entrant, Reason]:
    """Return Corp and Runner of game 1, and the reason. Ties are drawn at random."""
    corp = corp_by_rule(first, second, side_count) or chance.choice((first, second))
    runner = second if corp is first else first
    why = _why(corp, runner, side_count)
    game = "" if side_count is balance else " in game 1"
    text = f"{{0}} is Corp{game} against {{1}}: {why}."
    if side_count is balance:
        text += f" Corp minus Runner games: {_change(corp, 0, 1)}, {_change(runner, 1, -1)}."
    return corp, runner, Reason("roles", (corp.id, runner.id), text)


def _change(entrant: Entrant, place: int, step: int) -> str:
    before = entrant.balance
    counts = [f"{count:+}" if count else "0" for count in (before, before + step)]
    return f"{{{place}}} {counts[0]} before and {counts[1]} after"


def swap_roles(first: Entrant, second: Entrant) -> bool:
    """Return True if the players have met in known roles, which a rematch reverses."""
    return _last_role(first, second) is not None


def _last_role(first: Entrant, second: Entrant) -> Role | None:
    past = first.roles_against.get(second.id, ())
    return next((role for role in reversed(past) if role), None)


def _why(corp: Entrant, runner: Entrant, side_count: SideCount) -> str:
    if swap_roles(corp, runner):
        return "the roles of their last meeting are reversed"
    is_lot = side_count(corp) == side_count(runner)
    if side_count is balance:
        return "by lot, both are as far from even sides" if is_lot else "{0} is owed it more"
    if is_lot:
        return f"by lot, both {how_often(corp.corp_first)} so far"
    return f"{how_often(corp.corp_first)} so far, the opponent {how_often(runner.corp_first)}"


@dataclass(frozen=True)
class Level:
    """A rule or aim as a cost that is never negative and symmetric in the players.

    `name` is the plural name of violations of a hard rule; an aim has none. `by_roles` means that
    balances of roles matter even for players who have never met. `of_seats` is the cost of a table
    whose Corp and Runner were seated by hand; None if roles do not matter.
    """

    id: str
    name: str = ""
    of_pair: PairCost = lambda _first, _second: 0
    of_bye: ByeCost = lambda _entrant: 0
    of_seats: PairCost | None = None
    by_roles: bool = False


def times_met(first: Entrant, second: Entrant) -> int:
    return len(first.roles_against.get(second.id, ()))


def _third_meetings(first: Entrant, second: Entrant) -> int:
    # A fourth meeting is worse than a third.
    return max(0, times_met(first, second) - 1)


def _same_roles(first: Entrant, second: Entrant) -> int:
    # A rematch swaps the roles. After both ways were played, a way must repeat.
    return int({Role.CORP, Role.RUNNER} <= set(first.roles_against.get(second.id, ())))


def one_group(first: Entrant, second: Entrant) -> int:
    """Return 1 if both players are in the same avoid group, else 0."""
    return int(first.avoid_group is not None and first.avoid_group == second.avoid_group)


def point_gap(first: Entrant, second: Entrant) -> int:
    return abs(first.match_points - second.match_points)


def squared_gaps(field: Sequence[Entrant]) -> Level:
    """The aim of Swiss pairing: opponents with equal scores, and the bye for the lowest score."""
    # Below all players, even if penalties have made a score negative.
    foot = min((BYE_SCORE, *(entrant.match_points - 1 for entrant in field)))
    return Level(
        "point_gap",
        of_pair=lambda first, second: point_gap(first, second) ** 2,
        of_bye=lambda entrant: (entrant.match_points - foot) ** 2,
    )


def closeness(field: Sequence[Entrant]) -> Level:
    """The aim of single-sided Swiss: gap^2 + 5 for a rematch + 50^m.

    m measures how far the role makes an imbalance (Corp minus Runner games) worse. For a player who
    is moved further from zero it is the imbalance before the game, otherwise 0. A pair has the
    larger m of the two. For a player with an excess Corp game who is Corp again, m = 1. From a
    balance of zero m = 0, so a table costs at least 50^0 = 1. A bye costs only its gap.
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
    """Derive the cost of a pair from the cost of Corp and Runner, seated by the rule."""

    def of_pair(first: Entrant, second: Entrant) -> int:
        # Balances are equal if there is a draw, and then both ways cost the same.
        corp = corp_by_rule(first, second, balance) or first
        return of_seats(corp, second if corp is first else first)

    return of_pair


def _worsened(corp: Entrant, runner: Entrant) -> tuple[int, int]:
    """Return the imbalances that this table makes worse, with 0 for the rest."""
    return max(0, corp.balance), max(0, -runner.balance)


def _over_the_limit(corp: Entrant, runner: Entrant) -> int:
    # A growing imbalance of 1 becomes 2.
    return sum(before >= 1 for before in _worsened(corp, runner))


def fold(field: Sequence[Entrant]) -> Level:
    """The aim of a seeded round 1: the top half against the bottom half, in order.

    `field` has even size and is in seed order, with equal seeds in random order.
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


SECOND_MEETING = Level("second_meeting", "second meetings", of_pair=REMATCH.of_pair)


SIDE_IMBALANCE = Level(
    "side_imbalance",
    "side imbalances made worse to two or more",
    of_pair=_by_rule(_over_the_limit),
    of_seats=_over_the_limit,
    by_roles=True,
)


AVOID_GROUP = Level("avoid_group", "tables within one group", of_pair=one_group)


@dataclass(frozen=True)
class Profile:
    """A pairing method: the hard rules in order, then the aim, which may depend on the field.

    The player with the lower `side_count` is Corp. Two players meet at most `meetings` times if
    possible. Rules up to `last_before_plan` weigh more than preserving this for later rounds; the
    rules after it weigh less.
    """

    id: str
    rules: tuple[Level, ...]
    aim: Callable[[Sequence[Entrant]], Level]
    name: str = ""
    explanation: str = ""
    side_count: SideCount = times_corp
    meetings: int = 1
    last_before_plan: Level = REMATCH

    def levels(self, field: Sequence[Entrant]) -> tuple[Level, ...]:
        return (*self.rules, self.aim(field))


DOUBLE = Profile(
    id="double",
    name="Two games a match",
    explanation=(
        "Nobody has a second bye before everybody had one, and nobody meets anybody twice while "
        "that can be helped. Groups of friends are kept apart. Then the sum of the squared point "
        "gaps is as small as it can be; a bye counts as an opponent with -1 points. In a match "
        "each player is Corp once, so sides are always even."
    ),
    rules=(SECOND_BYE, THIRD_MEETING, SAME_ROLES, REMATCH, AVOID_GROUP),
    aim=squared_gaps,
)


SINGLE = Profile(
    id="single",
    name="One game a match",
    explanation=(
        "Nobody has a second bye before everybody had one. Two players may meet a second time "
        "with sides swapped, but not a third time while that can be helped. Groups of friends are "
        "kept apart. Nobody is moved to two more games on one side than on the other while that "
        "can be helped. Then the sum over all tables of the squared point gap, 5 for a second "
        "meeting, and 50 to the power of the imbalance made worse is as small as it can be. Who "
        "was Corp less often, compared with Runner, is Corp; equals draw a lot."
    ),
    rules=(SECOND_BYE, THIRD_MEETING, SAME_ROLES, AVOID_GROUP, SIDE_IMBALANCE),
    aim=closeness,
    side_count=balance,
    meetings=2,
    last_before_plan=SAME_ROLES,
)


SINGLE_ONCE = Profile(
    id="single_once",
    name="One game a match, no second meetings",
    explanation=(
        "Nobody has a second bye before everybody had one, and nobody meets anybody twice while "
        "that can be helped: this event avoids second meetings. Players who do meet again swap "
        "sides. Groups of friends are kept apart. Nobody is moved to two more games on one side "
        "than on the other while that can be helped. Then the sum over all tables of the squared "
        "point gap and 50 to the power of the imbalance made worse is as small as it can be. The "
        "player who was Corp less often, compared with Runner, is Corp; equals are drawn at random."
    ),
    rules=(SECOND_BYE, THIRD_MEETING, SAME_ROLES, SECOND_MEETING, AVOID_GROUP, SIDE_IMBALANCE),
    aim=closeness,
    side_count=balance,
    meetings=1,
    last_before_plan=SECOND_MEETING,
)


PROFILES: Mapping[str, Profile] = {profile.id: profile for profile in (DOUBLE, SINGLE, SINGLE_ONCE)}


def avoids_second_meetings(
    setting: bool | None, *, players: int, planned_rounds: int | None
) -> bool:
    """Return True if a single-sided event avoids second meetings.

    Without a `setting` it does if the planned rounds fit a round robin of all `players`. They
    include dropped players, so that a drop does not change the rule.
    """
    if setting is not None:
        return setting
    return planned_rounds is not None and planned_rounds <= rounds_needed(players)


def swiss_profile(system: str, *, avoids_second_meetings: bool) -> Profile:
    """Return the profile of a Swiss system; only "single" has two."""
    if system == SINGLE.id and avoids_second_meetings:
        return SINGLE_ONCE
    return PROFILES[system]
