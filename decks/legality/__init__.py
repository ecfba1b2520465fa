"""Deck legality as pure rules: frozen records in, all breaches out."""
