"""What holds in a format on a day: the card pool and the ban list of a snapshot."""

from collections.abc import Iterator

from decks.legality.anr import influence, pool, restrictions, startup
from decks.legality.anr.deck import AnrDeck
from decks.legality.formats import SnapshotFacts
from decks.legality.records import Breach


def breaches(deck: AnrDeck, snapshot: SnapshotFacts) -> Iterator[Breach]:
    """Everything a snapshot has against the deck but what it charges in influence."""
    yield from pool.breaches(deck, snapshot)
    yield from restrictions.breaches(deck, snapshot.restriction)
    yield from startup.breaches(deck, snapshot)


def allows(deck: AnrDeck, snapshot: SnapshotFacts) -> bool:
    """Whether pool and list leave the deck legal, its influence under that list included."""
    if influence.excess(deck, snapshot.restriction) > 0:
        return False
    return next(breaches(deck, snapshot), None) is None
