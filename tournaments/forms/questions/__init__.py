"""What the result form asks, for each way of scoring."""

from collections.abc import Mapping

from matches.models import Match
from matches.scoring import AgendaRule, Faction, RankRule, ScoringRule
from tournaments.forms.questions.agenda import AgendaQuestions
from tournaments.forms.questions.base import (
    NOBODY,
    GameFields,
    PlaceFields,
    Questions,
    SeatFields,
)
from tournaments.forms.questions.places import PlaceQuestions
from tournaments.forms.questions.wins import WinQuestions

__all__ = [
    "NOBODY",
    "GameFields",
    "PlaceFields",
    "Questions",
    "SeatFields",
    "columns_of",
    "questions_for",
]


def questions_for(
    match: Match, *, by_staff: bool, factions: Mapping[str, Faction] | None = None
) -> Questions:
    """What is asked about this match; staff are asked for more. `factions` as they stand today.

    Wants `match.seats` with their players; for pods also games and their seats.
    """
    if isinstance(match.rule, RankRule):
        return PlaceQuestions(match, by_staff=by_staff, factions=factions)
    return _with_roles(match.rule)(match, by_staff=by_staff)


def _with_roles(rule: ScoringRule) -> type[Questions]:
    return AgendaQuestions if isinstance(rule, AgendaRule) else WinQuestions


def columns_of(rule: ScoringRule) -> tuple[str, ...]:
    """The headings of the columns that result rows have between players and state."""
    kind = PlaceQuestions if isinstance(rule, RankRule) else _with_roles(rule)
    return kind.columns(rule)
