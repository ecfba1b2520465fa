"""Arithmetic of tie-breakers, term by term, for a page with links."""

from dataclasses import dataclass
from fractions import Fraction

from engine.standings.records import Exact, PlayerId


@dataclass(frozen=True)
class Term:
    """A term of the sum, from a round or an opponent. A bye has no opponents."""

    round: int
    opponents: tuple[PlayerId, ...]
    numerator: int
    denominator: int = 1

    @classmethod
    def of(
        cls, round_: int, opponents: tuple[PlayerId, ...], value: Exact, divisor: int = 1
    ) -> "Term":
        """Return a term whose value may be a fraction, over an integer divisor."""
        return cls(round_, opponents, value.numerator, value.denominator * divisor)

    @property
    def value(self) -> Fraction:
        return Fraction(self.numerator, self.denominator)

    @property
    def text(self) -> str:
        """The term as text: `36/3`, or `20` if its denominator is 1."""
        if self.denominator == 1:
            return str(self.numerator)
        return f"{self.numerator}/{self.denominator}"


@dataclass(frozen=True)
class Working:
    """The arithmetic of a tie-breaker: the sum of the terms, over `divisor` unless None.

    `result` is None if the tie-breaker does not apply, such as an unset manual seed.
    """

    tie_breaker: str
    heading: str
    name: str
    result: Fraction | None
    terms: tuple[Term, ...] = ()
    divisor: int | None = None

    @property
    def text(self) -> str:
        """The whole sum on a line: `(36/3 + 20/3) / 2 = 28/3 = 9.3333`."""
        if self.result is None:
            return "none"
        steps = [self._sum()] if self.terms else []
        if str(self.result) not in steps:
            steps.append(str(self.result))
        if self.result.denominator != 1:
            steps.append(as_decimal(self.result))
        return " = ".join(steps)

    def _sum(self) -> str:
        total = " + ".join(
            f"({term.text})" if term.numerator < 0 else term.text for term in self.terms
        )
        return total if self.divisor is None else f"({total}) / {self.divisor}"


def as_decimal(number: Exact, digits: int = 4) -> str:
    """Format a number with exactly this many decimals, rounding halves away from zero."""
    exact = abs(Fraction(number)) * 10**digits
    units = (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)
    whole, rest = divmod(units, 10**digits)
    sign = "-" if number < 0 and units else ""
    return f"{sign}{whole}.{rest:0{digits}d}" if digits else f"{sign}{whole}"
