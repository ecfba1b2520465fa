"""Deck rules of Android: Netrunner: every breach, each once, in no order that matters."""

from collections.abc import Iterator

from decks.legality.anr import agendas, construction, influence, pinned
from decks.legality.anr.deck import AnrDeck
from decks.legality.formats import SnapshotFacts
from decks.legality.records import Breach


def breaches(deck: AnrDeck, snapshot: SnapshotFacts | None = None) -> Iterator[Breach]:
    """Everything wrong with the deck of known cards.

    Without a snapshot the basic rules alone: every card of the game is in the pool and no
    ban list holds.
    """
    restriction = snapshot.restriction if snapshot else None
    yield from construction.breaches(deck)
    yield from agendas.breaches(deck)
    yield from influence.breaches(deck, restriction)
    if snapshot:
        yield from pinned.breaches(deck, snapshot)
