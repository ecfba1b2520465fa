"""CSV files in which no cell can start a formula."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal

CSV_TYPE = "text/csv; charset=utf-8"
CsvCell = str | int | float | Decimal

FORMULA_STARTS = frozenset("=+-@|\u2212")
PLAIN_NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?", re.ASCII)


def safe_cell(value: object) -> CsvCell:
    """Return the value as a cell; text that a spreadsheet could run gets an apostrophe in front."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float | Decimal):
        return value
    text = str(value)
    return f"'{text}" if _needs_apostrophe(text) else text


def unescape_cell(cell: str) -> str:
    """Inverse of `safe_cell`."""
    return cell[1:] if cell.startswith("'") and _needs_apostrophe(cell[1:]) else cell


def csv_bytes(header: Iterable[str], rows: Iterable[Iterable[object]]) -> bytes:
    """Return a CSV file for spreadsheets: UTF-8 with BOM, commas, CRLF, quoted text."""
    buffer = io.StringIO(newline="")
    # Quoted text stays one cell even where a spreadsheet splits at semicolons.
    writer = csv.writer(buffer, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerow([safe_cell(name) for name in header])
    writer.writerows([safe_cell(value) for value in row] for row in rows)
    return buffer.getvalue().encode("utf-8-sig")


def _needs_apostrophe(text: str) -> bool:
    # Text typed with an apostrophe gets another, so that each cell can be read back exactly.
    text = text.lstrip("'")
    if not text or PLAIN_NUMBER.fullmatch(text):
        return False
    if unicodedata.category(text[0])[0] in "CZ":
        return True
    return unicodedata.normalize("NFKC", text[0])[0] in FORMULA_STARTS
