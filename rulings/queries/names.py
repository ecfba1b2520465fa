"""Find cards and topics by name, tolerating typos."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.text import comparison_key
from decks import games
from decks.catalogue import card_table
from decks.legality.card_table import CardTable
from decks.models import Card, CardAlias
from rulings.models import SearchEntry
from rulings.queries.reading import published, stamp
from rulings.words.spelling import Titles, Vocabulary

MOST_NAMES = 5
MOST_TOPICS = 12


@dataclass(frozen=True)
class Topic:
    """A subject of rulings that is not a card."""

    name: str
    url: str


def titles() -> Titles:
    """Return the titles of all cards of all games; two small queries if nothing changed."""
    # The catalogue returns the same table object until the cards of the game change.
    return _titles_in(*(card_table(game.id) for game in games.with_decks()))


def vocabulary() -> Vocabulary:
    """Return the words of all rulings; two small queries if nothing changed."""
    return _words_at(stamp())


@lru_cache(maxsize=1)
def _titles_in(*tables: CardTable) -> Titles:
    cards = [(card.title, card.id) for table in tables for card in table.cards]
    return Titles([*cards, *CardAlias.objects.values_list("alias", "card_id")])


@lru_cache(maxsize=1)
def _words_at(_stamp: str) -> Vocabulary:
    rows = SearchEntry.objects.filter(ruling__in=published()).values_list("heading", "body")
    return Vocabulary(f"{heading} {body}" for heading, body in rows)


def cards_named(typed: str, count: int = MOST_NAMES) -> list[Card]:
    """Return cards of any game with a matching, contained or misspelled title, best first."""
    return cards_of(titles().nearest(typed, count))


def cards_of(keys: Sequence[int]) -> list[Card]:
    """Return the cards in the order of the primary keys; one query."""
    cards = Card.objects.in_bulk(keys)
    return [cards[key] for key in keys if key in cards]


def topics_named(typed: str) -> list[Topic]:
    """Return topics whose name contains the text, in alphabetical order."""
    key = comparison_key(typed).strip(' "*')
    if not key:
        return []
    rulings = published().filter(card=None, subject_key__contains=key)
    rows = rulings.select_related("document").order_by("subject_key", "pk")
    topics = {ruling.subject_url: Topic(ruling.subject, ruling.subject_url) for ruling in rows}
    return list(topics.values())[:MOST_TOPICS]
