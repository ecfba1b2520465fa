"""The desk, event log, undo, practice events, home page and the player's own page."""
