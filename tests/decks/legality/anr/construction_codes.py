"""Breaches of the construction rules of a deck."""

from dataclasses import replace

from decks.legality import anr_construction
from decks.legality.anr_construction import AnrDeck
from decks.legality.records import Breach, CardSlot, RestrictionFacts
from tests.factories.anr_decks import Entry
from tests.factories.decks import card


def all_breaches(deck: AnrDeck, restriction: RestrictionFacts | None = None) -> list[Breach]:
    """Every breach of the construction rules."""
    return [
        *anr_construction.construction_breaches(deck),
        *anr_construction.agenda_breaches(deck),
        *anr_construction.influence_breaches(deck, restriction),
    ]


def codes(deck: AnrDeck, restriction: RestrictionFacts | None = None) -> list[str]:
    return [breach.code for breach in all_breaches(deck, restriction)]


def only_breach(deck: AnrDeck, restriction: RestrictionFacts | None = None) -> Breach:
    (breach,) = all_breaches(deck, restriction)
    return breach


def with_cards(deck: AnrDeck, *entries: Entry, first_line: int = 90) -> AnrDeck:
    """The deck with further lines at its end."""
    slots = (
        CardSlot(card(title, "anr"), quantity, line)
        for line, (quantity, title) in enumerate(entries, start=first_line)
    )
    return replace(deck, slots=(*deck.slots, *slots))
