"""The card table of a game, kept in the process until a card changes."""

from typing import Any

from django.db.models import Count, Max

from decks.legality.card_table import CardTable
from decks.legality.records import CardFacts
from decks.models import Card, CardAlias

Stamp = tuple[Any, ...]
_tables: dict[str, tuple[Stamp, CardTable]] = {}


def card_table(game: str) -> CardTable:
    """All cards of the game, read once; costs two small queries when nothing changed.

    The stamp asks the database, so a card changed by another process is seen
    by this one at its next list.
    """
    stamp = _stamp(game)
    known = _tables.get(game)
    if known is None or known[0] != stamp:
        known = _tables[game] = (stamp, _read_table(game))
    return known[1]


def _stamp(game: str) -> Stamp:
    marks = {"count": Count("pk"), "newest": Max("pk"), "last": Max("updated_at")}
    cards = Card.objects.filter(game=game).aggregate(**marks)
    aliases = CardAlias.objects.filter(card__game=game).aggregate(**marks)
    return (*cards.values(), *aliases.values())


def _read_table(game: str) -> CardTable:
    facts = {card.pk: _facts(card) for card in Card.objects.filter(game=game)}
    aliases = CardAlias.objects.filter(card__game=game).values_list("alias", "card_id")
    return CardTable(facts.values(), [(alias, facts[pk]) for alias, pk in aliases if pk in facts])


def _facts(card: Card) -> CardFacts:
    return CardFacts(
        id=card.pk,
        title=card.title,
        title_key=card.title_key,
        side=card.side,
        type=card.type,
        agenda_points=card.agenda_points or 0,
        subtypes=card.subtypes,
    )
