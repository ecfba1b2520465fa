"""Pages about a player across events."""
