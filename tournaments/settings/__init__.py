"""An event created and changed, and its staff."""
