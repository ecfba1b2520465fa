"""Free Radicals, the board game: tables of two to five, and no decks."""

from decks.games.record import Game

FREE_RADICALS = Game(
    id="free_radicals",
    name="Free Radicals",
    scoring_rules=("free_radicals",),
    systems=("pods", "manual"),
    questions="places",
    round_minutes=90,
    bare_document_points=5,
)
