"""Confidence intervals of observed shares."""

from math import sqrt
from statistics import NormalDist

# Probability that such an interval contains the true rate.
CONFIDENCE = 0.95
Interval = tuple[float, float]
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


def wilson(hits: int, of: int) -> Interval:
    """Return the 95 % interval of a share by Wilson (1927), lowest and highest value.

    Unlike the usual interval it stays within 0 to 1, and is valid for few games and for rates near
    0 and 1. Raises ValueError if nothing was counted, or for more hits than `of`.
    """
    if of <= 0 or not 0 <= hits <= of:
        raise ValueError(f"{hits} of {of} is no share.")
    share, square = hits / of, Z * Z
    middle = (share + square / (2 * of)) / (1 + square / of)
    spread = Z / (1 + square / of) * sqrt(share * (1 - share) / of + square / (4 * of * of))
    low = 0.0 if hits == 0 else max(0.0, middle - spread)
    high = 1.0 if hits == of else min(1.0, middle + spread)
    return low, high
