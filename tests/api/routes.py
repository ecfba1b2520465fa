"""The addresses of all public reads, filled in for the fixtures."""

from tests.api.matrix.scene import PREFIX, fill_in
from tests.api.matrix.table import DECLARED, EXPECTED, is_public_read, parts, template_of

VALUES = {"slug": "spring-run", "number": 1, "table": 1, "side": "corp"}
PUBLIC = [name for name in DECLARED if is_public_read(name) and name != "GET start"]


def address(operation: str) -> str:
    values = {**VALUES, **EXPECTED[operation].ids}
    return PREFIX + fill_in(template_of(parts(operation)[1]), values)


ADDRESSES = [address(operation) for operation in PUBLIC]
