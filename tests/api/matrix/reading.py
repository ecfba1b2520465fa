"""What everybody may read of an event."""

from tests.api.matrix.rows import Row

ROWS = {
    "GET events": Row(),
    "GET event": Row(),
    "GET players": Row(),
    "GET standings": Row(),
    "GET rounds": Row(),
    "GET round": Row(),
    "GET pairings": Row(),
}
