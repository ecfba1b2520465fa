"""Why am I ninth? Every tie-breaker of one player as arithmetic, with who is who."""

from dataclasses import dataclass
from fractions import Fraction

from engine.standings import TIE_BREAKERS, explain
from engine.standings.workings import Term, Working, as_decimal
from tournaments.event import field
from tournaments.event.snapshots import tie_breakers_of
from tournaments.models import Registration, Round


@dataclass(frozen=True)
class Opponent:
    """Somebody a summand comes from; `number` is theirs in the event."""

    number: int
    name: str


@dataclass(frozen=True)
class SumTerm:
    """One summand: its figure, its round, and whom it comes from (nobody for a bye)."""

    text: str
    round: int
    opponents: tuple[Opponent, ...]


@dataclass(frozen=True)
class Sum:
    """One tie-breaker worked out: (terms) / divisor = exact = result."""

    id: str
    heading: str
    name: str
    explanation: str
    terms: tuple[SumTerm, ...]
    divisor: int | None
    exact: str
    result: str


def sums(registration: Registration, up_to: Round | None = None) -> list[Sum]:
    """The player's tie-breakers in order, after a closed round, the last unless told.

    Empty for a player who is in no standings. A constant number of queries.
    """
    tournament = registration.tournament
    records = field.records(tournament, up_to)
    if all(record.id != registration.number for record in records):
        return []
    names = dict(tournament.registrations.values_list("number", "player__name"))
    worked = explain(
        records, registration.number, tie_breakers_of(tournament), seed=tournament.seed
    )
    return [_sum(working, names) for working in worked if working.result is not None]


def _sum(working: Working, names: dict[int, str]) -> Sum:
    breaker = TIE_BREAKERS[working.tie_breaker]
    result = working.result if working.result is not None else Fraction(0)
    return Sum(
        id=working.tie_breaker,
        heading=working.heading,
        name=working.name,
        explanation=breaker.explanation,
        terms=tuple(_term(term, names) for term in working.terms),
        divisor=working.divisor,
        exact=str(result),
        result=as_decimal(result) if breaker.is_mean else str(result),
    )


def _term(term: Term, names: dict[int, str]) -> SumTerm:
    opponents = tuple(Opponent(int(number), names[int(number)]) for number in term.opponents)
    return SumTerm(term.text, term.round, opponents)
