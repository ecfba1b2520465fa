"""Netrunner (1996)."""

from decks.games.record import DATA, CardTables, Game

CARDS_ONR, ALIASES_ONR = DATA / "cards_onr.csv", DATA / "cards_onr_aliases.csv"

ONR = Game(
    id="onr",
    name="Netrunner (1996)",
    is_default=True,
    scoring_rules=("onr_runner_only", "onr_either_side"),
    systems=("double", "round_robin", "manual"),
    questions="agenda",
    sides=("corp", "runner"),
    deck_rules="sizes",
    # The cards have no codes or ids, and OCTGN uses its own numbers for them.
    deck_forms=("plain_text", "meteor"),
    card_tables=CardTables("plain", (CARDS_ONR, ALIASES_ONR)),
    card_types={
        "corp": ("agenda", "ice", "node", "operation", "upgrade"),
        "runner": ("hardware", "prep", "program", "resource"),
    },
    bare_document_points=20,
)
