"""Files made of events."""

from tests.api.matrix.rows import Row

ROWS: dict[str, Row] = {
    "GET exports": Row(),
    "GET export": Row(ids={"form": "nrtm"}, foreign="ok"),
}
