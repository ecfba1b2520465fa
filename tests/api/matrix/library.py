"""Cards, formats and rulings."""

from tests.api.matrix.rows import ANY_TOKEN, Row

CARD = {"slug": "ice-pick-willie", "game": "onr"}
TRACING = {"code": "tracing-1"}

ROWS = {
    "GET start": Row(),
    "GET cards": Row(),
    "GET game_card": Row(ids=CARD),
    "GET formats": Row(),
    "POST deck_check": Row(scope=ANY_TOKEN),
    "POST deck_export": Row(scope=ANY_TOKEN),
    "GET rulings": Row(),
    "GET all_rulings": Row(),
    "GET ruling_documents": Row(),
    "GET ruling": Row(ids=TRACING),
}
