"""The cards and formats of a game, cached in the process until the next import."""

from decks.catalogue.kept import GameTables, card_table, format_table, stored_tables
from decks.catalogue.tables import shipped_tables, tables_at_hand
