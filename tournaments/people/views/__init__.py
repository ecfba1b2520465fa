"""Views of a player across events."""
