"""Cards and topics by their names, slips and all."""

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
    """What rulings are about that is no card."""

    name: str
    url: str


def titles() -> Titles:
    """The titles of all cards of all games; two small queries while none changes."""
    # The catalogue answers the same table until the cards of the game change.
    return _titles_in(*(card_table(game.id) for game in games.with_decks()))


def vocabulary() -> Vocabulary:
    """The words of all rulings; two small queries while none changes."""
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
    """Cards of any game whose title the text is, holds or is a slip of, best first."""
    return cards_of(titles().nearest(typed, count))


def cards_of(keys: Sequence[int]) -> list[Card]:
    """The cards of these primary keys in their order; one query."""
    cards = Card.objects.in_bulk(keys)
    return [cards[key] for key in keys if key in cards]


def topics_named(typed: str) -> list[Topic]:
    """Subjects that are no card and hold the text, in the order of the alphabet."""
    key = comparison_key(typed).strip(' "*')
    if not key:
        return []
    rulings = published().filter(card=None, subject_key__contains=key)
    rows = rulings.select_related("document").order_by("subject_key", "pk")
    topics = {ruling.subject_url: Topic(ruling.subject, ruling.subject_url) for ruling in rows}
    return list(topics.values())[:MOST_TOPICS]
