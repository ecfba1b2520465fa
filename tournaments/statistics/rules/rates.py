"""How often something happened, and how sure that is."""

from dataclasses import dataclass
from fractions import Fraction

from core.intervals import Interval, wilson

LEAST_FOR_A_RATE = 10
"""Of fewer games, players or rounds there is no percentage, only counts."""
LEAST_GROUP = 5
"""While an event is played, an identity, faction or card of fewer players is in no chart."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many `hits` among so many, both whole numbers."""

    hits: int
    of: int

    @property
    def is_enough(self) -> bool:
        """Whether these are enough for a percentage."""
        return self.of >= LEAST_FOR_A_RATE

    @property
    def share(self) -> Fraction | None:
        """The exact share, 0 to 1; None where there are too few."""
        return Fraction(self.hits, self.of) if self.is_enough else None

    @property
    def interval(self) -> Interval | None:
        """The Wilson interval of the share; None where there are too few."""
        return wilson(self.hits, self.of) if self.is_enough else None


def percent(share: Fraction | float) -> str:
    """A share as a whole percentage, halves up: "54 %"."""
    return f"{int(share * 100 + Fraction(1, 2))} %"
