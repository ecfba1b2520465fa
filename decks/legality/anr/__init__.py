"""Deck rules of Android: Netrunner: every breach, each once, in no order that matters."""
