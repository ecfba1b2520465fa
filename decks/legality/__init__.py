"""Which decks may be played: frozen records in, every breach out."""
