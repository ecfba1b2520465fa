"""What can be done with cards and lists; call it as `services.name()`."""

from decks.importer import ImportReport, import_cards
from decks.services.fetching import DeckNotFetched, fetch_deck
from decks.services.judging import GameNotJudged, NoCards, SideUnclear, check
from decks.services.keeping import hand_in

__all__ = [
    "DeckNotFetched",
    "GameNotJudged",
    "ImportReport",
    "NoCards",
    "SideUnclear",
    "check",
    "fetch_deck",
    "hand_in",
    "import_cards",
]
