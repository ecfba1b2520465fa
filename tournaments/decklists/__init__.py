"""Deck lists of an event: handed in, judged, locked, shown, checked."""
