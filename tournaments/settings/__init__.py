"""Create and change an event and its staff."""
