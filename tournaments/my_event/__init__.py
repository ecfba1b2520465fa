"""A player's own events and page of an event."""
