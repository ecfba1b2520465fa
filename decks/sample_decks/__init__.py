"""Plausible legal lists, for demonstrations and tests."""

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
    """A legal list as a player would paste it, of the game the cards are of.

    `cards` is the whole card table, in any order; the same seed gives the same list. A list
    of `anr` is legal by the basic rules, and by the snapshot of a format where one is given.
    Raises ValueError when the table is too small.
    """
    cards = tuple(cards)
    if any(card.is_identity for card in cards):
        return anr.sample_deck(side, rng, cards, snapshot)
    return onr.sample_deck(side, rng, cards)
