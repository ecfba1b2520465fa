"""Free Radicals, a board game for two to five players without decks."""

from decks.games.record import Game

FREE_RADICALS = Game(
    id="free_radicals",
    name="Free Radicals",
    scoring_rules=("free_radicals",),
    systems=("pods", "manual"),
    tie_breakers=(
        "victory_points",
        "manual_seed",
        "strength_of_schedule",
        "extended_strength_of_schedule",
        "head_to_head",
    ),
    questions="places",
    round_minutes=90,
    bare_document_points=5,
)
