"""The cards and formats of a game, kept in the process until an import changes them."""

from decks.catalogue.kept import GameTables, card_table, format_table, stored_tables
from decks.catalogue.tables import shipped_tables, tables_at_hand
