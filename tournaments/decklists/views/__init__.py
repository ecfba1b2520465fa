"""Views of the decklist pages."""
