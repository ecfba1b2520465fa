"""What the desk tells of decks before round 1."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments import queries
from tournaments.models import Tournament
from tournaments.queries import DeckLock, DeckProblem


@dataclass(frozen=True)
class DeckWarnings:
    """Players to look after, and what else is to be known.

    `missing` is empty where decks are welcome and not required.
    """

    missing: Sequence[DeckProblem]
    illegal: Sequence[DeckProblem]
    notices: Sequence[str]
    lock: DeckLock | None

    def __bool__(self) -> bool:
        return bool(self.missing or self.illegal or self.notices)


def deck_warnings(tournament: Tournament) -> DeckWarnings | None:
    """Everything about decks that wants an eye, in three queries; None for a game without."""
    if not tournament.has_decks:
        return None
    playing = list(queries.playing_with_decks(tournament))
    problems = queries.deck_problems(playing)
    missing = [problem for problem in problems if problem.is_missing]
    return DeckWarnings(
        missing=missing if tournament.decks_required else [],
        illegal=[problem for problem in problems if not problem.is_missing],
        notices=[_touched(count, message) for message, count in queries.deck_notices(playing)],
        lock=queries.event_deck_lock(tournament),
    )


def _touched(count: int, cause: str) -> str:
    return f"{count} {'deck is' if count == 1 else 'decks are'} touched: {cause}."
