"""What can be done with cards and lists; call it as `services.name()`."""

from decks.importer import ImportReport, import_cards
from decks.services.judging import GameNotJudged, NoCards, SideUnclear, check
from decks.services.keeping import hand_in

__all__ = [
    "GameNotJudged",
    "ImportReport",
    "NoCards",
    "SideUnclear",
    "check",
    "hand_in",
    "import_cards",
]
