"""Decks handed in."""

from collections.abc import Iterable

from decks.models import Side
from tournaments.models import DeckSubmission, Registration


def submissions_of(registration: Registration) -> dict[str, DeckSubmission]:
    """The decks handed in, by side."""
    return {
        submission.side: submission
        for submission in registration.deck_submissions.select_related("version__decklist")
    }


def deck_problems(registrations: Iterable[Registration]) -> list[tuple[Registration, str]]:
    """Who lacks a deck or has an illegal one, with the words for the desk.

    Wants registrations with "deck_submissions__version" prefetched.
    """
    problems = []
    for registration in registrations:
        by_side = {deck.side: deck for deck in registration.deck_submissions.all()}
        missing = [side.label for side in Side if side not in by_side]
        decks = by_side.values()
        illegal = [deck.get_side_display() for deck in decks if not deck.version.is_legal]
        if missing:
            problems.append((registration, f"no {' and no '.join(missing)} deck"))
        if illegal:
            problems.append((registration, f"{' and '.join(illegal)} deck is not legal"))
    return problems
