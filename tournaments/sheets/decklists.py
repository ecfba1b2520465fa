"""Deck lists as pages show them. Whoever calls has asked tournaments.visibility."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from django.db.models import QuerySet

from decks.models import DeckSlot, Side
from tournaments.models import DeckSubmission


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


def deck_lists(submissions: QuerySet[DeckSubmission]) -> list[DeckLists]:
    """These decks by player, as they come; a constant number of queries."""
    decks = submissions.select_related("registration__player", "version__identity")
    by_player = groupby(
        decks.prefetch_related("version__slots__card"), key=lambda deck: deck.registration
    )
    return [
        DeckLists(
            name=registration.player.name,
            pronouns=registration.player.pronouns,
            number=registration.number,
            decks=tuple(
                (submission, _groups(submission.version.slots.all()))
                for submission in sorted(group, key=lambda deck: Side(deck.side))
            ),
        )
        for registration, group in by_player
    ]


def _groups(slots: Iterable[DeckSlot]) -> tuple[DeckGroup, ...]:
    ordered = sorted(slots, key=lambda slot: (slot.card.type, slot.card.title_key))
    return tuple(
        DeckGroup(type_, tuple((slot.quantity, slot.card.title) for slot in group))
        for type_, group in groupby(ordered, key=lambda slot: slot.card.type)
    )
