"""Services for cards and decklists; call them as `services.name()`."""

from decks.importer import import_cards
from decks.services.asking import asked_rules
from decks.services.exporting import (
    CardsNotKnown,
    FormNotOffered,
    export,
    export_forms,
    export_of,
)
from decks.services.fetching import DeckNotFetched, fetch_deck
from decks.services.finding import completions, legal_cards, nearest_cards, standings
from decks.services.judging import check, likelier_game
from decks.services.keeping import hand_in, says_the_same
from decks.services.refusals import (
    GameNotJudged,
    NoCards,
    NothingRead,
    RuleOfAnotherGame,
    SideUnclear,
    UnknownFormat,
)
from decks.services.showing import ShownDeck, shown_deck
