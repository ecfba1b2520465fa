"""Pages of cards and of deck lists without an event."""
