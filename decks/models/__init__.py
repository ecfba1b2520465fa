"""What may be played: cards, formats, and the deck lists of players."""

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
