"""docs/dev/reliability.csv: every goal and check, how many tests show it, and the last figures."""

import csv
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from tests.reliability.checks import CHECKS, GOALS
from tests.reliability.figures import Figure, last_figures
from tests.reliability.marks import marked_tests

TABLE = Path(__file__).resolve().parent.parent.parent / "docs" / "dev" / "reliability.csv"
COLUMNS = ("id", "must hold", "tests", "measured on", "database", "figure")


def table() -> str:
    """Return the whole table as CSV: a row for each figure, or one row without a figure."""
    text = StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(_rows())
    return text.getvalue()


def _rows() -> Iterator[tuple[str, ...]]:
    tests, figures = marked_tests(), last_figures()
    sentences: list[tuple[int | str, str]] = [*GOALS.items(), *CHECKS.items()]
    for key, sentence in sentences:
        marked = [test for test in tests if key in test.shows]
        head = (str(key), sentence, str(len(marked)))
        # A figure is listed once, at the first goal or check of its test.
        measured = [
            figure for test in marked for figure in figures.pop(f"{test.path}::{test.name}", [])
        ]
        yield from ((*head, *figure) for figure in measured or [Figure("", "", "")])
