"""The ways to run a stage (docs/rules.md), each defined once.

Documents, the database, forms and the help pages all read them from here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from matches.scoring import ScoringRule


class SystemKind(StrEnum):
    """What the systems of one kind share: how a round is made, and what decides at the end."""

    SWISS = "swiss"
    PODS = "pods"
    ROUND_ROBIN = "round_robin"
    ELIMINATION = "elimination"
    MANUAL = "manual"


@dataclass(frozen=True)
class System:
    """One way to run a stage. The id is stored and never changes its meaning."""

    id: str
    kind: SystemKind
    name: str
    explanation: str

    @property
    def is_elimination(self) -> bool:
        """Whether who loses goes out; then there is a bracket and no standings."""
        return self.kind is SystemKind.ELIMINATION

    @property
    def is_drawn(self) -> bool:
        """Whether a round is chosen by cost and lot, so that it can be drawn anew."""
        return self.kind in (SystemKind.SWISS, SystemKind.PODS)


_ALL = (
    System(
        "double",
        SystemKind.SWISS,
        "Swiss, two games a match",
        "Each round pairs players with equal or close scores, and nobody twice while that can be "
        "helped. A match is two games: each player is Corp once.",
    ),
    System(
        "single",
        SystemKind.SWISS,
        "Swiss, one game a match",
        "Each round pairs players with close scores who are owed opposite sides, so that nobody "
        "plays one side much more often. Where second meetings are not avoided, players may meet "
        "again, with sides swapped.",
    ),
    System(
        "pods",
        SystemKind.PODS,
        "Pods of two to five",
        "Each round seats players with close scores at tables of four where possible, with as few "
        "repeated table-mates as can be.",
    ),
    System(
        "round_robin",
        SystemKind.ROUND_ROBIN,
        "Round robin",
        "Everybody meets everybody once, in an order fixed at the start.",
    ),
    System(
        "double_elimination",
        SystemKind.ELIMINATION,
        "Double elimination",
        "Who loses goes on in the lower half of the bracket; who loses there is out.",
    ),
    System(
        "single_elimination",
        SystemKind.ELIMINATION,
        "Single elimination",
        "Who loses is out. Each round the best seed left meets the worst one left.",
    ),
    System(
        "manual",
        SystemKind.MANUAL,
        "Paired by hand",
        "The organiser says who meets; rematches, second byes and players left over are warned of.",
    ),
)

IMPORTED = "told_elimination"
_IMPORTED = System(
    IMPORTED,
    SystemKind.ELIMINATION,
    "Cut played elsewhere",
    "The games of the cut and its places stand as in the file: they are no bracket known "
    "here, so no more games are played in it.",
)

SYSTEMS: Mapping[str, System] = {system.id: system for system in _ALL}
STORED: Mapping[str, System] = {**SYSTEMS, IMPORTED: _IMPORTED}
"""What a stage can be: those that can be played, and a cut that was played elsewhere."""
ELIMINATIONS = tuple(system.id for system in _ALL if system.is_elimination)
"""How a cut can be played."""
USUAL_CUT = "double_elimination"
"""The elimination that is offered first, and assumed until a cut is made."""
CUTS = (*ELIMINATIONS, IMPORTED)
"""What a stage is that has a bracket and no standings."""


def first_stage(rule: ScoringRule) -> tuple[System, ...]:
    """How an event with this scoring rule can begin, the usual way first."""
    if not rule.has_roles:
        ways: tuple[str, ...] = ("pods", "manual")
    elif rule.games_per_match == 1:
        ways = ("single", "round_robin", "manual")
    else:
        ways = ("double", "round_robin", "manual")
    return tuple(SYSTEMS[way] for way in ways)
