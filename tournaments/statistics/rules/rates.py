"""Rates with their uncertainty."""

from dataclasses import dataclass
from fractions import Fraction

from core.intervals import Interval, wilson

# Smaller samples of games, players or rounds have counts but no percentage.
LEAST_FOR_A_RATE = 10
# While an event is played, charts hide identities, factions and cards of fewer players.
LEAST_GROUP = 5


@dataclass(frozen=True, slots=True)
class Rate:
    hits: int
    of: int

    @property
    def is_enough(self) -> bool:
        return self.of >= LEAST_FOR_A_RATE

    @property
    def share(self) -> Fraction | None:
        """The exact share, 0 to 1; None for too small a sample."""
        return Fraction(self.hits, self.of) if self.is_enough else None

    @property
    def interval(self) -> Interval | None:
        """The Wilson interval of the share; None for too small a sample."""
        return wilson(self.hits, self.of) if self.is_enough else None


def percent(share: Fraction | float) -> str:
    """Format a share as a whole percentage, halves up: "54 %"."""
    return f"{int(share * 100 + Fraction(1, 2))} %"
