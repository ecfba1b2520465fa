"""Events made of files."""

from tests.api.matrix.rows import LOGGED_IN, Row

ROWS: dict[str, Row] = {"POST imports": Row(LOGGED_IN, but={"player": "401"})}
