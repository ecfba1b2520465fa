"""Numbers formatted for people."""

from fractions import Fraction

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
