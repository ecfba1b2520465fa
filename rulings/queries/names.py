"""Cards and topics by a part of their names."""

from django.db.models import Q

from core.text import comparison_key
from decks.games import GameSystem
from decks.models import Card
from rulings.queries.reading import Subject, subjects

MOST_NAMES = 12


def cards_named(typed: str) -> list[Card]:
    """Cards whose title or another spelling holds the text, those that begin with it first."""
    if not (key := comparison_key(typed).strip(' "*')):
        return []
    named = Q(title_key__contains=key) | Q(aliases__alias_key__contains=key)
    cards = Card.objects.filter(named, game=GameSystem.ONR).distinct()[: 4 * MOST_NAMES]
    ranked = sorted(cards, key=lambda card: (not card.title_key.startswith(key), card.title_key))
    return ranked[:MOST_NAMES]


def topics_named(typed: str) -> list[Subject]:
    """Subjects of the list that are no card and hold the text."""
    key = comparison_key(typed).strip(' "*')
    topics = (subject for subject in subjects() if not subject.card_slug)
    return [topic for topic in topics if key and key in comparison_key(topic.name)][:MOST_NAMES]
