"""Definitions of the tie-breakers: names, explanations and computation."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from engine.standings import opponents
from engine.standings.field import Equals, Field, Figures
from engine.standings.records import Bye, Record, lots
from engine.standings.workings import Term, as_decimal

ValuesOf: TypeAlias = Callable[[Field, Equals], Figures]
TermsOf: TypeAlias = Callable[[Field, Record, Equals], Iterator[Term]]


def _no_terms(_field: Field, _record: Record, _equals: Equals) -> Iterator[Term]:
    return iter(())


@dataclass(frozen=True)
class TieBreaker:
    """A figure that orders players. Players without a value come last.

    `values` computes the figures of the whole field; `terms` writes out a player's figure.
    `is_mean` means that the sum of the terms is divided by their number. With `among_equals` both
    get the players tied on all earlier tie-breakers, otherwise an empty mapping.
    """

    id: str
    heading: str
    name: str
    explanation: str
    values: ValuesOf
    terms: TermsOf = _no_terms
    is_mean: bool = False
    lower_is_better: bool = False
    among_equals: bool = False

    def printed(self, exact: str | None) -> str:
        """Format a stored figure, "n" or "n/d"; a mean has four digits."""
        if exact is None:
            return ""
        return as_decimal(Fraction(exact)) if self.is_mean else exact


def _points_by_round(_field: Field, record: Record, _equals: Equals) -> Iterator[Term]:
    for number, entry in enumerate(record.rounds, start=1):
        if entry is not None:
            met = () if isinstance(entry, Bye) else entry.opponents
            yield Term.of(number, met, entry.points)


def _games_won_by_round(_field: Field, record: Record, _equals: Equals) -> Iterator[Term]:
    for number, table in record.tables():
        yield Term(number, table.opponents, table.games_won)


def _agenda_points_by_round(_field: Field, record: Record, _equals: Equals) -> Iterator[Term]:
    for number, table in record.tables():
        if table.agenda_points is not None:
            own, others = table.agenda_points
            yield Term(number, table.opponents, own - others)


def _agenda_points(field: Field, equals: Equals) -> Figures:
    return Figures(
        {
            player: sum(term.numerator for term in _agenda_points_by_round(field, record, equals))
            for player, record in field.records.items()
        }
    )


def _victory_points_by_round(_field: Field, record: Record, _equals: Equals) -> Iterator[Term]:
    for number, table in record.tables():
        if table.victory_points is not None:
            yield Term(number, table.opponents, table.victory_points)


def _victory_points(field: Field, _equals: Equals) -> Figures:
    return Figures(
        {
            player: sum(table.victory_points or 0 for _, table in record.tables())
            for player, record in field.records.items()
        }
    )


def _averages_of_opponents(field: Field, record: Record, _equals: Equals) -> Iterator[Term]:
    for number, opponent in record.meetings():
        yield Term.of(number, (opponent,), field.points[opponent], field.counted[opponent])


def _strengths_of_opponents(field: Field, record: Record, _equals: Equals) -> Iterator[Term]:
    for number, opponent in record.meetings():
        yield Term.of(number, (opponent,), field.strength_of_schedule.exact[opponent])


def _manual_seeds(field: Field, _equals: Equals) -> Figures:
    return Figures(
        {
            player: record.manual_seed
            for player, record in field.records.items()
            if record.manual_seed is not None
        }
    )


_ALL = (
    TieBreaker(
        id="match_points",
        heading="Points",
        name="Match points",
        explanation="The points of all closed rounds, byes included.",
        values=lambda field, _: Figures(field.points),
        terms=_points_by_round,
    ),
    TieBreaker(
        id="games_won",
        heading="Games",
        name="Games won",
        explanation="Games won at the table. A bye is no game won.",
        values=lambda field, _: Figures(field.games),
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
        values=lambda field, _: field.strength_of_schedule,
        terms=_averages_of_opponents,
        is_mean=True,
    ),
    TieBreaker(
        id="extended_strength_of_schedule",
        heading="ESoS",
        name="Extended strength of schedule",
        explanation="How well the opponents' opponents did: the mean of the opponents' SoS.",
        values=lambda field, _: field.extended_strength_of_schedule,
        terms=_strengths_of_opponents,
        is_mean=True,
    ),
    TieBreaker(
        id="head_to_head",
        heading="H2H",
        name="Head-to-head",
        explanation=(
            "The points that tied players took against one another; of several matches with the "
            "same opponent the mean counts. If all tied players have met, the most points come "
            "first. If not, a player comes first whose points none of the others could reach, "
            "whatever the missing matches would bring. A match with a player who has dropped is "
            "not missing. Players who stay tied are compared again among themselves (FIDE "
            "Handbook C.07, article 6)."
        ),
        values=opponents.head_to_head,
        terms=opponents.head_to_head_terms,
        among_equals=True,
    ),
    TieBreaker(
        id="agenda_point_difference",
        heading="Agenda ±",
        name="Agenda-point difference",
        explanation=(
            "Own agenda points minus those of the opponents, over all games whose agenda points "
            "are known. A bye counts nothing."
        ),
        values=_agenda_points,
        terms=_agenda_points_by_round,
    ),
    TieBreaker(
        id="opponents_match_wins",
        heading="OMW",
        name="Opponents' match wins",
        explanation=(
            "The mean of the opponents' match-win rates: 3 for a match won or a bye, 1 for a drawn "
            "one, over 3 for each such round. Whoever has more points at the table has won the "
            "match. No opponent counts for less than 1/3."
        ),
        values=opponents.opponents_match_wins,
        terms=opponents.opponents_match_win_terms,
        is_mean=True,
    ),
    TieBreaker(
        id="buchholz",
        heading="Buchholz",
        name="Buchholz",
        explanation=(
            "The sum of the opponents' match points. Own byes bring no opponent, and an opponent "
            "met twice counts twice."
        ),
        values=opponents.buchholz,
        terms=opponents.buchholz_terms,
    ),
    TieBreaker(
        id="median_buchholz",
        heading="Median",
        name="Median Buchholz",
        explanation=(
            "As Buchholz, without the one opponent with the most match points and the one with the "
            "fewest."
        ),
        values=opponents.median_buchholz,
        terms=opponents.median_buchholz_terms,
    ),
    TieBreaker(
        id="victory_points",
        heading="VP",
        name="Total victory points",
        explanation="The victory points of all tables. A bye counts nothing.",
        values=_victory_points,
        terms=_victory_points_by_round,
    ),
    TieBreaker(
        id="lot",
        heading="Lot",
        name="Lot",
        explanation="A place drawn from the stored seed of the tournament, 1 first.",
        values=lambda field, _: Figures(lots(field.records, field.seed)),
        lower_is_better=True,
    ),
)

TIE_BREAKERS: Mapping[str, TieBreaker] = {breaker.id: breaker for breaker in _ALL}

# Always the first and the last tie-breaker of an event.
FIXED_TIE_BREAKERS = ("match_points", "lot")

DEFAULT_TIE_BREAKERS = (
    "match_points",
    "manual_seed",
    "strength_of_schedule",
    "extended_strength_of_schedule",
    "lot",
)
