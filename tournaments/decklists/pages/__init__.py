"""Read-only data of the decklist pages."""
