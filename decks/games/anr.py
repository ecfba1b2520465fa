"""Android: Netrunner, including the cards and formats of Null Signal Games."""

from decks.games.record import DATA, CardTables, Game, Words

CARDS_ANR, PRINTINGS_ANR = DATA / "cards_anr.csv", DATA / "printings_anr.csv"
FORMATS_ANR = DATA / "formats_anr.json"

ANR = Game(
    id="anr",
    name="Android: Netrunner",
    scoring_rules=("anr_double", "anr_single"),
    systems=("double", "single", "round_robin", "manual"),
    questions="wins",
    # Defaults of this site: 65 minutes for two games per match, 40 for one.
    round_minutes=65,
    minutes_by_scoring={"anr_single": 40},
    sides=("corp", "runner"),
    deck_rules="formats",
    deck_forms=(
        "netrunnerdb_text",
        "markdown",
        "bbcode",
        "jinteki",
        "plain_text",
        "netrunnerdb_v2",
        "netrunnerdb_v3",
        "octgn",
        "meteor",
    ),
    card_tables=CardTables("public", (CARDS_ANR, PRINTINGS_ANR, FORMATS_ANR)),
    card_types={
        "": ("identity",),
        "corp": ("agenda", "asset", "ice", "operation", "upgrade"),
        "runner": ("event", "hardware", "program", "resource"),
    },
    has_identities=True,
    has_formats=True,
    is_on_abr=True,
    bare_document_points=6,
    card_text_address="https://netrunnerdb.com/en/card/{code}",
    words=Words(difficulty="Advancement requirement"),
)
