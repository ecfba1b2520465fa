"""The ways to pair a Swiss round, as data (DESIGN 4.4)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.pairing.costs import (
    AVOID_GROUP,
    REMATCH,
    SAME_ROLES,
    SECOND_BYE,
    SIDE_IMBALANCE,
    THIRD_MEETING,
    Level,
    closeness,
    squared_gaps,
)
from engine.pairing.records import Entrant
from engine.pairing.roles import SideCount, balance, times_corp


@dataclass(frozen=True)
class Profile:
    """A way to pair: the hard rules in order, then the aim, which may depend on the field.

    Whoever has the lower `side_count` is Corp. Two players meet at most `meetings` times while
    that can be helped; the rules up to `last_before_plan` weigh more than keeping it so in the
    rounds to come, those after it less.
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
        """All levels for this field, the weightiest first."""
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

PROFILES: Mapping[str, Profile] = {profile.id: profile for profile in (DOUBLE, SINGLE)}
