"""How often something happened, and how sure that is."""

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

LEAST_FOR_A_RATE = 10
"""Of fewer games, players or rounds there is no percentage, only counts."""
LEAST_GROUP = 5
"""While an event is played, an identity, faction or card of fewer players is in no chart."""
CONFIDENCE = 0.95
"""How often such an interval holds the true rate."""
Interval = tuple[float, float]
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


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


def wilson(hits: int, of: int) -> Interval:
    """The 95 % interval of a share by Wilson (1927), lowest and highest, within 0 to 1.

    Unlike the usual interval it never leaves 0 to 1, and holds for few games and for rates near
    the ends. Raises ValueError where nothing was counted, or more hits than all.
    """
    if of <= 0 or not 0 <= hits <= of:
        raise ValueError(f"{hits} of {of} is no share.")
    share, square = hits / of, Z * Z
    middle = (share + square / (2 * of)) / (1 + square / of)
    spread = Z / (1 + square / of) * sqrt(share * (1 - share) / of + square / (4 * of * of))
    low = 0.0 if hits == 0 else max(0.0, middle - spread)
    high = 1.0 if hits == of else min(1.0, middle + spread)
    return low, high


def percent(share: Fraction | float) -> str:
    """A share as a whole percentage, halves up: "54 %"."""
    return f"{int(share * 100 + Fraction(1, 2))} %"
