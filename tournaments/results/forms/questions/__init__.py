"""What the result form asks, for each game."""

from collections.abc import Mapping

from decks.games import GAMES, Game
from matches.models import Match
from matches.scoring import Faction, ScoringRule
from tournaments.results.forms.questions.agenda import AgendaQuestions
from tournaments.results.forms.questions.base import (
    NOBODY,
    GameFields,
    PlaceFields,
    Questions,
    SeatFields,
)
from tournaments.results.forms.questions.places import PlaceQuestions
from tournaments.results.forms.questions.wins import WinQuestions

__all__ = [
    "NOBODY",
    "GameFields",
    "PlaceFields",
    "Questions",
    "SeatFields",
    "columns_of",
    "questions_for",
]

KINDS: Mapping[str, type[Questions]] = {
    "agenda": AgendaQuestions,
    "wins": WinQuestions,
    "places": PlaceQuestions,
}
"""Result forms by the ids that games name."""


def questions_for(
    match: Match, *, by_staff: bool, factions: Mapping[str, Faction] | None = None
) -> Questions:
    """What is asked about this match; staff are asked for more. `factions` as they stand today.

    Wants `match.seats` with their players; for pods also games and their seats.
    """
    kind = KINDS[GAMES[match.game_system].questions]
    return kind(match, by_staff=by_staff, factions=factions)


def columns_of(game: Game, rule: ScoringRule) -> tuple[str, ...]:
    """The headings of the columns that result rows have between players and state."""
    return KINDS[game.questions].columns(rule)
