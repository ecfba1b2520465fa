"""A player across events: own page, public page and merged records."""
