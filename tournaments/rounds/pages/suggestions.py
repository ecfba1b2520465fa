"""Suggested numbers of rounds and cut sizes by number of players."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from decks import games
from engine.round_plan import RoundPlan, Suggestion, draws_of, suggestion
from matches.scoring import scoring_rule
from tournaments.event import queries
from tournaments.models import Tournament

USUAL_FIELDS = (4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
FEW_FIELDS = (8, 12, 16, 24, 32, 64)
# Smaller fields get no suggestion.
FEWEST = 4


@dataclass(frozen=True)
class SuggestionLine:
    """The suggestion for one number of players, and the chance for each number of rounds as text.

    `is_own` marks the number of players of the event.
    """

    found: Suggestion
    plans: tuple[tuple[int, str], ...]
    is_own: bool = False

    @property
    def chance(self) -> str:
        return dict(self.plans)[self.found.rounds]


@dataclass(frozen=True)
class SuggestionTable:
    """Suggestions that assume `percent` of the matches are drawn."""

    lines: tuple[SuggestionLine, ...]
    percent: int

    @property
    def own(self) -> SuggestionLine | None:
        return next((line for line in self.lines if line.is_own), None)


def suggestion_table(
    draws: Fraction, own: int | None = None, fields: tuple[int, ...] = USUAL_FIELDS
) -> SuggestionTable:
    """Return a line for each number of players in `fields`, and one for `own` players."""
    numbers = sorted({*fields, *([own] if own else [])})
    lines = tuple(_line(suggestion(number, draws), is_own=number == own) for number in numbers)
    return SuggestionTable(lines, round(draws * 100))


def usual_draws(game: str = "", rule_id: str = "") -> Fraction:
    """Return the assumed share of drawn matches for a scoring rule.

    Uses the first rule of the game if the game does not have this rule.
    """
    played = games.GAMES.get(game, games.DEFAULT)
    chosen = rule_id if rule_id in played.scoring_rules else played.scoring_rules[0]
    return draws_of(scoring_rule(chosen).games_per_match)


def for_event(tournament: Tournament) -> SuggestionTable | None:
    """Return suggestions for the registered players; None unless rounds are two-player Swiss."""
    rule = scoring_rule(tournament.scoring_rule)
    if not rule.has_roles or queries.is_round_robin(tournament):
        return None
    players = queries.players(tournament).count()
    own = players if players >= FEWEST else None
    return suggestion_table(draws_of(rule.games_per_match), own, FEW_FIELDS)


def _line(found: Suggestion, *, is_own: bool) -> SuggestionLine:
    return SuggestionLine(found, tuple(_plans(found.plans)), is_own)


def _plans(plans: tuple[RoundPlan, ...]) -> Iterator[tuple[int, str]]:
    yield from ((plan.rounds, in_percent(plan.chance)) for plan in plans)


def in_percent(chance: Fraction | None) -> str:
    """Return whole percent; a chance that is not certain is never shown as 0 or 100."""
    if chance is None:
        return "not computed"
    percent = round(chance * 100)
    if chance > 0 and percent == 0:
        return "under 1%"
    return "over 99%" if chance < 1 and percent == 100 else f"{percent}%"
