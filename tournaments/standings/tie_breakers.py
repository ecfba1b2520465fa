"""The tie-breakers as data: what they are called, what they mean, how they are computed."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from tournaments.standings.field import Field
from tournaments.standings.lots import PlayerId
from tournaments.standings.records import Bye, Record
from tournaments.standings.workings import Term, as_decimal

Values: TypeAlias = Mapping[PlayerId, Fraction] | Mapping[PlayerId, int]
TermsOf: TypeAlias = Callable[[Field, Record], Iterator[Term]]


def _no_terms(_field: Field, _record: Record) -> Iterator[Term]:
    return iter(())


@dataclass(frozen=True)
class TieBreaker:
    """One figure that orders players. A player without a value comes after those with one.

    `values` gives the whole field's figures at once; `terms` writes one player's figure out, and
    `is_mean` says that the sum of the terms is divided by their number.
    """

    id: str
    heading: str
    name: str
    explanation: str
    values: Callable[[Field], Values]
    terms: TermsOf = _no_terms
    is_mean: bool = False
    lower_is_better: bool = False

    def printed(self, exact: str | None) -> str:
        """A stored figure, "n" or "n/d", as people read it: a mean with four digits."""
        if exact is None:
            return ""
        return as_decimal(Fraction(exact)) if self.is_mean else exact


def _points_by_round(_field: Field, record: Record) -> Iterator[Term]:
    for number, entry in enumerate(record.rounds, start=1):
        if entry is not None:
            yield Term(number, () if isinstance(entry, Bye) else entry.opponents, entry.points)


def _games_won_by_round(_field: Field, record: Record) -> Iterator[Term]:
    for number, table in record.tables():
        yield Term(number, table.opponents, table.games_won)


def _averages_of_opponents(field: Field, record: Record) -> Iterator[Term]:
    for number, opponent in record.meetings():
        points, rounds = field.match_points[opponent], field.counted[opponent]
        yield Term(number, (opponent,), points, rounds)


def _strengths_of_opponents(field: Field, record: Record) -> Iterator[Term]:
    for number, opponent in record.meetings():
        strength = field.strength_of_schedule[opponent]
        yield Term(number, (opponent,), strength.numerator, strength.denominator)


def _manual_seeds(field: Field) -> Mapping[PlayerId, int]:
    return {
        player: record.manual_seed
        for player, record in field.records.items()
        if record.manual_seed is not None
    }


_ALL = (
    TieBreaker(
        id="match_points",
        heading="Points",
        name="Match points",
        explanation="The points of all closed rounds, byes included.",
        values=lambda field: field.match_points,
        terms=_points_by_round,
    ),
    TieBreaker(
        id="games_won",
        heading="Games",
        name="Games won",
        explanation="Games won at the table. A bye is no game won.",
        values=lambda field: field.games_won,
        terms=_games_won_by_round,
    ),
    TieBreaker(
        id="manual_seed",
        heading="Seed",
        name="Manual seed",
        explanation="An order set by hand by the organiser. 1 is best; without a seed comes last.",
        values=_manual_seeds,
        lower_is_better=True,
    ),
    TieBreaker(
        id="strength_of_schedule",
        heading="SoS",
        name="Strength of schedule",
        explanation=(
            "How well the opponents did: the mean of their match points per round. An opponent's "
            "rounds are those with a table or a bye. Own byes bring no opponent, and an opponent "
            "met twice counts twice."
        ),
        values=lambda field: field.strength_of_schedule,
        terms=_averages_of_opponents,
        is_mean=True,
    ),
    TieBreaker(
        id="extended_strength_of_schedule",
        heading="ESoS",
        name="Extended strength of schedule",
        explanation="How well the opponents' opponents did: the mean of the opponents' SoS.",
        values=lambda field: field.extended_strength_of_schedule,
        terms=_strengths_of_opponents,
        is_mean=True,
    ),
    TieBreaker(
        id="lot",
        heading="Lot",
        name="Lot",
        explanation="A place drawn from the stored seed of the tournament, 1 first.",
        values=lambda field: field.lots,
        lower_is_better=True,
    ),
)

TIE_BREAKERS: Mapping[str, TieBreaker] = {breaker.id: breaker for breaker in _ALL}

DEFAULT_TIE_BREAKERS = (
    "match_points",
    "manual_seed",
    "strength_of_schedule",
    "extended_strength_of_schedule",
    "lot",
)
WITH_GAMES_WON = ("match_points", "games_won", *DEFAULT_TIE_BREAKERS[1:])
