"""Home, event list, public pages of an event, archive and help."""
