"""Deck lists as pages show them. Whoever calls has asked tournaments.visibility."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from django.db.models import QuerySet

from decks.formats.sections import section_of, section_rank
from decks.models import Card, DeckSlot, Side
from tournaments.models import DeckSubmission


@dataclass(frozen=True)
class DeckGroup:
    """The cards under one heading: (copies, title), by title."""

    heading: str
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
    copies: Counter[Card] = Counter()
    for slot in slots:
        copies[slot.card] += slot.quantity
    ordered = sorted(copies, key=lambda card: (section_rank(_section(card)), card.title_key))
    return tuple(
        DeckGroup(section, tuple((copies[card], card.title) for card in cards))
        for section, cards in groupby(ordered, key=_section)
    )


def _section(card: Card) -> str:
    return section_of(card.type, card.subtypes)
