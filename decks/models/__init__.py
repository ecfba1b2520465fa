"""Models for cards, formats and decklists."""

from decks.models.cards import (
    Card,
    CardAlias,
    CardCycle,
    CardFaction,
    CardSet,
    Catalogue,
    Printing,
    Side,
)
from decks.models.decklists import Decklist, DecklistVersion, DeckSlot
from decks.models.formats import CardPool, Format, Restriction, RestrictionEntry, Snapshot
