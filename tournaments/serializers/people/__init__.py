"""Settings, staff, players and their decks: what is said to the API, and what it tells."""
