"""Deck lists as pages show them. Whoever calls has asked tournaments.permissions."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from decks.models import DeckSlot, Side
from tournaments.models import DeckSubmission, Tournament


@dataclass(frozen=True)
class DeckGroup:
    """The cards of one type: (copies, title), by title."""

    type: str
    cards: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class DeckLists:
    """One player's decks, Corp before Runner, with their cards."""

    name: str
    pronouns: str
    number: int
    decks: tuple[tuple[DeckSubmission, tuple[DeckGroup, ...]], ...]


def deck_lists(tournament: Tournament) -> list[DeckLists]:
    """All decks handed in, by player; a constant number of queries."""
    registrations = tournament.registrations.select_related("player").prefetch_related(
        "deck_submissions__version__slots__card"
    )
    return [
        DeckLists(
            name=registration.player.name,
            pronouns=registration.player.pronouns,
            number=registration.number,
            decks=tuple(
                (submission, _groups(submission.version.slots.all()))
                for submission in sorted(
                    registration.deck_submissions.all(), key=lambda deck: Side(deck.side)
                )
            ),
        )
        for registration in registrations
        if registration.deck_submissions.all()
    ]


def _groups(slots: Iterable[DeckSlot]) -> tuple[DeckGroup, ...]:
    ordered = sorted(slots, key=lambda slot: (slot.card.type, slot.card.title_key))
    return tuple(
        DeckGroup(type_, tuple((slot.quantity, slot.card.title) for slot in group))
        for type_, group in groupby(ordered, key=lambda slot: slot.card.type)
    )
