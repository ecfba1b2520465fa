"""Tie-breakers written out as arithmetic, term by term, for a page with links."""

from dataclasses import dataclass
from fractions import Fraction

from engine.standings.records import Exact, PlayerId


@dataclass(frozen=True)
class Term:
    """One summand: what one round, or one opponent, brings. A bye has no opponent."""

    round: int
    opponents: tuple[PlayerId, ...]
    numerator: int
    denominator: int = 1

    @classmethod
    def of(
        cls, round_: int, opponents: tuple[PlayerId, ...], value: Exact, divisor: int = 1
    ) -> "Term":
        """A summand that may be a fraction itself, over a whole number."""
        return cls(round_, opponents, value.numerator, value.denominator * divisor)

    @property
    def value(self) -> Fraction:
        """The summand as a number."""
        return Fraction(self.numerator, self.denominator)

    @property
    def text(self) -> str:
        """The summand as printed: `36/3`, or `20` when it is whole by nature."""
        if self.denominator == 1:
            return str(self.numerator)
        return f"{self.numerator}/{self.denominator}"


@dataclass(frozen=True)
class Working:
    """How a tie-breaker comes out: the sum of the terms, divided when `divisor` is a number.

    `result` is None when the tie-breaker does not apply, as a manual seed that nobody set.
    """

    tie_breaker: str
    heading: str
    name: str
    result: Fraction | None
    terms: tuple[Term, ...] = ()
    divisor: int | None = None

    @property
    def text(self) -> str:
        """The whole sum on one line: `(36/3 + 20/3) / 2 = 28/3 = 9.3333`."""
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
    """The number with exactly so many digits after the point, halves away from zero."""
    exact = abs(Fraction(number)) * 10**digits
    units = (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)
    whole, rest = divmod(units, 10**digits)
    sign = "-" if number < 0 and units else ""
    return f"{sign}{whole}.{rest:0{digits}d}" if digits else f"{sign}{whole}"
