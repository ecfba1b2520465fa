"""Access to every address of the events app, and an event that has a row for each address."""
