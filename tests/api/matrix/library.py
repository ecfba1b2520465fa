"""Cards, formats and rulings."""

from tests.api.matrix.rows import ADMINISTRATORS, ANY_TOKEN, Row

CARD = {"slug": "ice-pick-willie", "game": "onr"}
TRACING = {"code": "tracing-1"}
GUEST = {"player": "401"}
"""Outside of events a guest is nobody."""

ROWS = {
    "GET start": Row(),
    "GET cards": Row(),
    "GET card_completion": Row(),
    "GET card": Row(ids=CARD),
    "GET game_card": Row(ids=CARD),
    "GET formats": Row(),
    "POST deck_check": Row(scope=ANY_TOKEN),
    "POST deck_export": Row(scope=ANY_TOKEN),
    "GET rulings": Row(),
    "GET all_rulings": Row(),
    "GET ruling_documents": Row(),
    "GET ruling": Row(ids=TRACING),
    "POST ruling_versions": Row(ADMINISTRATORS, ids=TRACING, but=GUEST),
    "POST ruling_standing": Row(ADMINISTRATORS, ids=TRACING, but=GUEST),
    "POST ruling_imports": Row(ADMINISTRATORS, but=GUEST),
}
