"""The cards and formats of a game, kept in the process until an import changes them."""

from decks.catalogue.kept import card_table, format_table
from decks.catalogue.tables import SHIPPED, STORED, Tables, tables_at_hand
