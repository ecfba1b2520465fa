"""Generate plausible legal lists for demonstrations and tests."""

import random
from collections.abc import Iterable

from decks.legality.formats import SnapshotFacts
from decks.legality.records import CardFacts
from decks.sample_decks import anr, onr


def sample_deck(
    side: str,
    rng: random.Random,
    cards: Iterable[CardFacts],
    snapshot: SnapshotFacts | None = None,
) -> str:
    """Return a legal list, in pasted form, for the game of the cards.

    `cards` is the whole card table, in any order; the same seed produces the same list. An `anr`
    list is legal by the basic rules, and under `snapshot` if given. Raises ValueError if the table
    is too small.
    """
    cards = tuple(cards)
    if any(card.is_identity for card in cards):
        return anr.sample_deck(side, rng, cards, snapshot)
    return onr.sample_deck(side, rng, cards)
