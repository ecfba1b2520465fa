"""Numbers formatted for people, and confidence intervals."""

from fractions import Fraction
from math import sqrt
from statistics import NormalDist

VULGAR = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
    Fraction(1, 5): "⅕",
    Fraction(2, 5): "⅖",
    Fraction(3, 5): "⅗",
    Fraction(4, 5): "⅘",
}


def mixed_number(value: int | Fraction) -> str:
    """Format an exact number as 2, 2½ or 3⅓, or as 4 7/12 if no such character exists."""
    whole, rest = divmod(abs(Fraction(value)), 1)
    sign = "-" if value < 0 else ""
    if not rest:
        return f"{sign}{whole}"
    part = VULGAR.get(rest)
    if part is None:
        return f"{sign}{whole} {rest}" if whole else f"{sign}{rest}"
    return f"{sign}{whole or ''}{part}"


# Probability that such an interval contains the true rate.
CONFIDENCE = 0.95
Interval = tuple[float, float]
Z_SCORE = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


def wilson_interval(hits: int, of: int) -> Interval:
    """Return the 95 % interval of a share by Wilson (1927), lowest and highest value.

    Unlike the usual interval it stays within 0 to 1, and is valid for few games and for rates near
    0 and 1. Raises ValueError if nothing was counted, or for more hits than `of`.
    """
    if of <= 0 or not 0 <= hits <= of:
        raise ValueError(f"{hits} of {of} is no share.")
    share, square = hits / of, Z_SCORE * Z_SCORE
    middle = (share + square / (2 * of)) / (1 + square / of)
    spread = Z_SCORE / (1 + square / of) * sqrt(share * (1 - share) / of + square / (4 * of * of))
    low = 0.0 if hits == 0 else max(0.0, middle - spread)
    high = 1.0 if hits == of else min(1.0, middle + spread)
    return low, high
