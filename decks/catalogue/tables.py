"""Where the cards and formats come from that a list is judged by."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.db import connection

from decks.card_data.shipped import shipped
from decks.catalogue.kept import card_table, format_table
from decks.legality import facts
from decks.legality.card_table import CardTable
from decks.legality.formats import FormatTable
from decks.models import Card, CardAlias, Catalogue, Snapshot


@dataclass(frozen=True)
class Tables:
    """The cards and the formats of a game, by its id."""

    cards: Callable[[str], CardTable]
    formats: Callable[[str], FormatTable]


@cache
def shipped_card_table(game: str) -> CardTable:
    """The cards that come with the project, without a database."""
    data = shipped(game)
    ids = {card.title_key: number for number, card in enumerate(data.cards, start=1)}
    return facts.card_table(data, ids)


@cache
def shipped_format_table(game: str) -> FormatTable:
    """The formats that come with the project, without a database."""
    return facts.format_table(shipped(game))


STORED = Tables(card_table, format_table)
SHIPPED = Tables(shipped_card_table, shipped_format_table)


def tables_at_hand(game: str) -> Tables:
    """What the database holds, or what is shipped while it holds no card of the game.

    So a list can be judged before anything is migrated or imported.
    """
    if connection.vendor == "sqlite" and not Path(connection.settings_dict["NAME"]).exists():
        return SHIPPED
    wanted = {model._meta.db_table for model in (Card, CardAlias, Catalogue, Snapshot)}
    there = set(connection.introspection.table_names())
    if wanted <= there and Card.objects.filter(game=game).exists():
        return STORED
    return SHIPPED
