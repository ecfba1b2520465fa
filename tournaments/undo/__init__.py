"""Event log, undo, and earlier versions of pairings and standings."""
