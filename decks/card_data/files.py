"""Read CSV and JSON card data with size limits."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from decks.card_data.fields import DamagedSource, Fields, damage

# Limit per file; the largest known file has about 250,000 bytes.
MOST_BYTES = 4_000_000


def read_text(path: Path, where: str = "") -> str:
    """Read a UTF-8 file. `where` names the file in the DamagedSource error."""
    where = where or path.name
    try:
        with path.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except OSError as error:
        reason = error.strerror or "no file of this name"
        raise DamagedSource(f"{path} cannot be read: {reason}.", where=str(path)) from error
    if len(content) > MOST_BYTES:
        raise damage(where, f"the file has more than {MOST_BYTES:,} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise damage(f"{where}, line {line}", "the text is not UTF-8") from error


def rows(path: Path, columns: Sequence[str]) -> Iterator[Fields]:
    """Yield the rows of a CSV file, which must have exactly these columns.

    Raises DamagedSource.
    """
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    try:
        if next(reader, None) != list(columns):
            raise damage(f"{path.name}, line 1", f"the columns are not {','.join(columns)}")
        for cells in reader:
            where = f"{path.name}, line {reader.line_num}"
            if len(cells) != len(columns):
                raise damage(where, f"{len(cells)} cells where {len(columns)} belong")
            yield Fields(where, dict(zip(columns, cells, strict=True)))
    except csv.Error as error:
        where = f"{path.name}, line {reader.line_num}"
        raise damage(where, f"broken CSV ({error})") from error


def document(path: Path, where: str = "") -> object:
    """Parse a JSON file. Raises DamagedSource with the line of the syntax error.

    `where` is the name of the file in messages, by default its own name.
    """
    where = where or path.name
    try:
        return json.loads(read_text(path, where))
    except json.JSONDecodeError as error:
        raise damage(f"{where}, line {error.lineno}", f"broken JSON ({error.msg})") from error
    except RecursionError as error:
        raise damage(where, "the JSON is nested too deep") from error
    except ValueError as error:
        raise damage(where, "a number has more digits than anybody needs") from error


def objects(document: object, where: str) -> Iterator[Fields]:
    """Yield the objects of a JSON list, each with its path. Raises DamagedSource."""
    if not isinstance(document, list):
        raise damage(where, "a list belongs here")
    for place, value in enumerate(document):
        yield an_object(value, f"{where}[{place}]")


def an_object(value: object, where: str) -> Fields:
    """Wrap one JSON object. Raises DamagedSource."""
    if not isinstance(value, dict):
        raise damage(where, "an object belongs here")
    return Fields(where, value)
