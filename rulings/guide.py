"""The infraction guide: what goes wrong at a tournament, and what it costs.

An infraction is what was done; a penalty is what it cost. The guide is data
(rulings/data/infractions.json); an event may change it for itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class PenaltyKind(StrEnum):
    """The generic ladder, mildest first."""

    CAUTION = "caution"
    WARNING = "warning"
    GAME_LOSS = "game_loss"
    MATCH_LOSS = "match_loss"
    DISQUALIFICATION = "disqualification"

    @property
    def label(self) -> str:
        """The penalty as it stands on a page."""
        return self.value.replace("_", " ").capitalize()


@dataclass(frozen=True)
class Infraction:
    """What can be done wrong. `code` is lasting.

    `ladder` is what it costs the first time, the second, and so on; its last step stays.
    """

    code: str
    name: str
    category: str
    description: str
    ladder: tuple[PenaltyKind, ...]

    def penalty(self, earlier: int) -> PenaltyKind:
        """What it costs a player who was penalised for it `earlier` times at this event."""
        return self.ladder[min(earlier, len(self.ladder) - 1)]


@dataclass(frozen=True)
class Guide:
    """Infractions by code, in the order they are shown in."""

    infractions: Mapping[str, Infraction]
