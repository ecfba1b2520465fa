"""Judge calls, penalties and local rulings of an event."""
