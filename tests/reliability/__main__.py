"""Write docs/dev/reliability.csv."""

from tests.reliability.table import TABLE, table

TABLE.write_text(table(), encoding="utf-8")
