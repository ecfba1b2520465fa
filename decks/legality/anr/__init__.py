"""Deck rules of Android: Netrunner; each breach is reported once, in arbitrary order."""

from collections.abc import Iterator

from decks.legality.anr import agendas, construction, influence, pinned
from decks.legality.anr.deck import AnrDeck
from decks.legality.formats import SnapshotFacts
from decks.legality.records import Breach


def breaches(deck: AnrDeck, snapshot: SnapshotFacts | None = None) -> Iterator[Breach]:
    """Yield all breaches of a deck of known cards.

    Without a snapshot only the basic rules apply: every card is in the pool and there is no ban
    list.
    """
    restriction = snapshot.restriction if snapshot else None
    yield from construction.breaches(deck)
    yield from agendas.breaches(deck)
    yield from influence.breaches(deck, restriction)
    if snapshot:
        yield from pinned.breaches(deck, snapshot)
