"""Rules of a format on a given day: the card pool and ban list of a snapshot."""

from collections.abc import Iterator

from decks.legality.anr import influence, pool, restrictions, startup
from decks.legality.anr.deck import AnrDeck
from decks.legality.formats import SnapshotFacts
from decks.legality.records import Breach


def breaches(deck: AnrDeck, snapshot: SnapshotFacts) -> Iterator[Breach]:
    """Yield all breaches of the snapshot except influence charges."""
    yield from pool.breaches(deck, snapshot)
    yield from restrictions.breaches(deck, snapshot.restriction)
    yield from startup.breaches(deck, snapshot)


def allows(deck: AnrDeck, snapshot: SnapshotFacts) -> bool:
    """True if pool and ban list allow the deck, including influence under that list."""
    if influence.excess(deck, snapshot.restriction) > 0:
        return False
    return next(breaches(deck, snapshot), None) is None
