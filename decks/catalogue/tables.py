"""Choose between the stored and the shipped cards and formats."""

from functools import cache
from pathlib import Path

from django.db import connection

from decks.card_data.shipped import shipped
from decks.catalogue.kept import GameTables, stored_tables
from decks.legality import facts
from decks.legality.card_table import CardTable
from decks.models import Card, CardAlias, Catalogue, Snapshot


@cache
def shipped_tables(game: str) -> GameTables:
    """Return the shipped cards and formats; requires no database."""
    return GameTables(lambda: _shipped_cards(game), lambda: facts.format_table(shipped(game)))


def _shipped_cards(game: str) -> CardTable:
    data = shipped(game)
    ids = {card.title_key: number for number, card in enumerate(data.cards, start=1)}
    return facts.card_table(data, ids)


def tables_at_hand(game: str) -> GameTables:
    """Return the tables in the database, or the shipped tables if it has no card of the game.

    This allows deck checks before anything is migrated or imported.
    """
    if connection.vendor == "sqlite" and not Path(connection.settings_dict["NAME"]).exists():
        return shipped_tables(game)
    wanted = {model._meta.db_table for model in (Card, CardAlias, Catalogue, Snapshot)}
    there = set(connection.introspection.table_names())
    if wanted <= there and Card.objects.filter(game=game).exists():
        return stored_tables(game)
    return shipped_tables(game)
