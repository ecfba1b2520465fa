"""CSV export of statistics: a row for each line of each chart."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from core.csv_tables import csv_bytes
from tournaments.statistics.rules.charts import Chart

COLUMNS = (
    *("chart", "name", "against", "faction", "side", "count", "of"),
    *("share", "lowest", "highest", "average"),
)
DIGITS = 4


def statistics_csv(charts: Iterable[Chart]) -> bytes:
    """Export all lines, including those not on pages; small samples have no share."""
    return csv_bytes(COLUMNS, (row for chart in charts for row in _rows(chart)))


def _rows(chart: Chart) -> Iterator[tuple[object, ...]]:
    for line in chart.lines:
        low, high = line.rate.interval or (None, None)
        counts = line.count is not None
        yield (
            *(chart.id, line.name, line.against, line.group, line.side, line.count, line.of),
            *(_rounded(one) if counts else None for one in (line.rate.share, low, high)),
            _rounded(line.average),
        )


def _rounded(value: Fraction | float | None) -> float | None:
    return None if value is None else round(float(value), DIGITS)
