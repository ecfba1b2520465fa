"""The desk, the log and undo, practice, home and a player's own page."""
