"""Definitions of the pairing systems of a stage (docs/reference/rules.md).

Documents, the database, forms and help pages all use them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from core.text import gettext_noop
from matches.scoring.rules import ScoringRule


class SystemKind(StrEnum):
    """Systems of a kind share the way of making rounds and the final ranking."""

    SWISS = "swiss"
    PODS = "pods"
    ROUND_ROBIN = "round_robin"
    ELIMINATION = "elimination"
    MANUAL = "manual"


@dataclass(frozen=True)
class System:
    # Stored; its meaning never changes.
    id: str
    kind: SystemKind
    name: str
    explanation: str

    @property
    def is_elimination(self) -> bool:
        """Losers are eliminated; there is a bracket and no standings."""
        return self.kind is SystemKind.ELIMINATION

    @property
    def is_drawn(self) -> bool:
        """Rounds are chosen by cost and random draw, so that they can be drawn again."""
        return self.kind in (SystemKind.SWISS, SystemKind.PODS)


_PLAYABLE_SYSTEMS = (
    System(
        "double",
        SystemKind.SWISS,
        gettext_noop("Swiss, two games a match"),
        gettext_noop(
            "Pairs players with equal or close scores and avoids rematches for as long as "
            "possible. A match is two games, and each player is Corp once."
        ),
    ),
    System(
        "single",
        SystemKind.SWISS,
        gettext_noop("Swiss, one game a match"),
        gettext_noop(
            "Each round pairs players with close scores who are due opposite sides, so "
            "that sides stay balanced. If the event allows rematches, players can play "
            "each other again with sides swapped."
        ),
    ),
    System(
        "pods",
        SystemKind.PODS,
        gettext_noop("Pods of two to five"),
        gettext_noop(
            "Each round seats players with close scores together, at tables of four where "
            "possible. Repeat opponents are kept to a minimum."
        ),
    ),
    System(
        "round_robin",
        SystemKind.ROUND_ROBIN,
        gettext_noop("Round robin"),
        gettext_noop("Everyone plays everyone once, in an order fixed at the start."),
    ),
    System(
        "double_elimination",
        SystemKind.ELIMINATION,
        gettext_noop("Double elimination"),
        gettext_noop("Losers move to the lower bracket. A second loss eliminates them."),
    ),
    System(
        "single_elimination",
        SystemKind.ELIMINATION,
        gettext_noop("Single elimination"),
        gettext_noop(
            "Losers are eliminated. Each round the highest remaining seed plays the lowest."
        ),
    ),
    System(
        "manual",
        SystemKind.MANUAL,
        gettext_noop("Paired by hand"),
        gettext_noop(
            "The organiser makes every pairing. Datafort warns about rematches, second "
            "byes and players without a table."
        ),
    ),
)

IMPORTED_CUT = "told_elimination"
_IMPORTED_CUT_SYSTEM = System(
    IMPORTED_CUT,
    SystemKind.ELIMINATION,
    gettext_noop("Cut played elsewhere"),
    gettext_noop(
        "The cut's games and places come from the imported file. They match none of "
        "the supported brackets, so no more games can be played."
    ),
)

SYSTEMS: Mapping[str, System] = {system.id: system for system in _PLAYABLE_SYSTEMS}
# Systems of a stored stage: playable systems, and an imported cut.
STORED_SYSTEMS: Mapping[str, System] = {**SYSTEMS, IMPORTED_CUT: _IMPORTED_CUT_SYSTEM}
# The systems of a playable cut.
ELIMINATION_SYSTEMS = tuple(system.id for system in _PLAYABLE_SYSTEMS if system.is_elimination)
# The default elimination, also assumed until a cut is made.
USUAL_CUT = "double_elimination"
# Systems with a bracket and without standings.
CUT_SYSTEMS = (*ELIMINATION_SYSTEMS, IMPORTED_CUT)


def first_stage_systems(rule: ScoringRule) -> tuple[System, ...]:
    """Return the systems that fit matches of this rule, the usual system first."""
    if not rule.has_roles:
        ids: tuple[str, ...] = ("pods", "manual")
    elif rule.games_per_match == 1:
        ids = ("single", "round_robin", "manual")
    else:
        ids = ("double", "round_robin", "manual")
    return tuple(SYSTEMS[id_] for id_ in ids)
