"""Validate the fields of one row or object of a source."""

import csv
import datetime
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import NoneType

from core.errors import Refusal
from core.text import clean, comparison_key, forbidden_characters
from decks.titles import folded_title

LONGEST_KEY = 160
LONGEST_SLUG = 140
IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


class DamagedSource(Refusal):
    """Invalid card data; the message names file, position and reason."""


def source_damage(where: str, reason: str) -> DamagedSource:
    """Build the error for a position such as "cards.csv, line 3"."""
    message = f"{where}: {reason}. Nothing was changed."
    # A source may contain lone surrogates, which terminals and pages cannot display.
    shown = message.encode("utf-8", "backslashreplace").decode("utf-8")
    return DamagedSource(shown, where=where)


@dataclass(frozen=True)
class SourceFields:
    """Raw values by name, validated on access. Each accessor raises DamagedSource.

    CSV cells are text. JSON strings, integers, booleans and null are treated alike, so that one set
    of rules covers both.
    """

    where: str
    values: Mapping[str, object]

    def damage(self, reason: str) -> DamagedSource:
        return source_damage(self.where, reason)

    def raw(self, name: str) -> str:
        """Return the value as text; null and missing values become an empty string."""
        value = self.values.get(name)
        if value is None:
            return ""
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, str | int):
            return str(value)
        raise self.damage(f"{name} is neither a text nor a whole number")

    def text(self, name: str, longest: int, *, required: bool = True) -> str:
        """Return display text in NFC without control characters."""
        text = clean(self.raw(name))
        if required and not text:
            raise self.damage(f"{name} is empty")
        if forbidden_characters(text):
            raise self.damage(f"{name} holds a character that cannot be shown")
        if len(text) > longest or _longest_key(text) > LONGEST_KEY:
            raise self.damage(f"{name} has more than {longest} characters")
        return text

    def identifier(self, name: str, longest: int, *, required: bool = True) -> str:
        """Return an ASCII identifier of letters, digits, "_" and "-"."""
        text = self.raw(name)
        if not text and not required:
            return ""
        if not IDENTIFIER.fullmatch(text) or len(text) > longest:
            raise self.damage(
                f'{name} is a name of at most {longest} letters, digits, "_" and "-",'
                f' not "{text[:40]}"'
            )
        return text

    def number(self, name: str, below: int = 1000) -> int | None:
        """Return a whole number from 0 and less than `below`, or None for an empty value."""
        cell = self.raw(name)
        if not cell:
            return None
        if not (cell.isascii() and cell.isdigit() and len(cell) <= 9 and int(cell) < below):
            raise self.damage(f'{name} is a whole number under {below}, not "{cell[:40]}"')
        return int(cell)

    def required_number(self, name: str, below: int = 1000) -> int:
        number = self.number(name, below)
        if number is None:
            raise self.damage(f"{name} is empty")
        return number

    def figure(self, name: str) -> str:
        """Return a printed figure: digits of a number under 100, "X" or an empty string."""
        cell = self.raw(name)
        if cell and cell != "X" and not (cell.isascii() and cell.isdigit() and len(cell) <= 2):
            raise self.damage(f'{name} is a number under 100, X or empty, not "{cell[:40]}"')
        return cell

    def flag(self, name: str) -> bool:
        """Return a boolean; an empty value is False."""
        cell = self.raw(name)
        if cell not in {"true", "false", ""}:
            raise self.damage(f'{name} is true or false, not "{cell[:40]}"')
        return cell == "true"

    def date(self, name: str) -> datetime.date | None:
        """Return an ISO date (YYYY-MM-DD), or None for an empty value."""
        cell = self.raw(name)
        if not cell:
            return None
        try:
            return datetime.date.fromisoformat(cell)
        except ValueError as error:
            raise self.damage(f'{name} is a day such as 2025-09-17, not "{cell[:40]}"') from error

    def required_date(self, name: str) -> datetime.date:
        date = self.date(name)
        if date is None:
            raise self.damage(f"{name} is empty")
        return date

    def texts(self, name: str) -> list[str]:
        """Return a list of short texts; missing and null become an empty list."""
        values = self.values.get(name)
        if values is None:
            return []
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise self.damage(f"{name} is a list of texts")
        texts = [clean(value) for value in values]
        if any(forbidden_characters(text) or len(text) > LONGEST_KEY for text in texts):
            raise self.damage(f"{name} holds a text that is too long or cannot be shown")
        return texts

    def texts_by_number(self, name: str) -> list[tuple[int, list[str]]]:
        """Return lists of texts with their numeric key, such as {"2": ["a_card"]}."""
        inside, lists = self.inside(name), []
        for number in inside.values:
            if not (number.isascii() and number.isdigit() and len(number) <= 2):
                raise inside.damage(f'"{number[:40]}" is not a number under 100')
            lists.append((int(number), inside.texts(number)))
        return lists

    def inside(self, name: str) -> "SourceFields":
        """Return a nested object; missing and null become an empty object."""
        values = self.values.get(name)
        if not isinstance(values, dict | NoneType):
            raise self.damage(f"{name} is not an object")
        return SourceFields(f"{self.where}.{name}", values or {})


def _longest_key(text: str) -> int:
    if text.isascii():
        return len(text)
    # Folding can lengthen a text: one letter may become several.
    return max(len(folded_title(text)), len(comparison_key(text)))


def card_slug(fields: SourceFields, title: str) -> str:
    """Return the URL slug of a card: its folded title, with words joined by dashes."""
    slug = re.sub(r"[^a-z0-9]+", "-", folded_title(title)).strip("-")
    if not slug:
        raise fields.damage(f"{title} has no letter an address can hold")
    if len(slug) > LONGEST_SLUG:
        raise fields.damage(f"{title} makes an address of more than {LONGEST_SLUG} characters")
    return slug


# Read CSV and JSON card data with size limits.


# Limit per file; the largest known file has about 250,000 bytes.
MAX_BYTES = 4_000_000


def read_text(path: Path, where: str = "") -> str:
    """Read a UTF-8 file. `where` names the file in the DamagedSource error."""
    where = where or path.name
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        reason = error.strerror or "no file of this name"
        raise DamagedSource(f"{path} cannot be read: {reason}.", where=str(path)) from error
    if len(content) > MAX_BYTES:
        raise source_damage(where, f"the file has more than {MAX_BYTES:,} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise source_damage(f"{where}, line {line}", "the text is not UTF-8") from error


def read_csv_rows(path: Path, header: str) -> Iterator[SourceFields]:
    """Yield the rows of a CSV file, which must have exactly this header. Raises DamagedSource."""
    columns = header.split(",")
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    try:
        if next(reader, None) != columns:
            raise source_damage(f"{path.name}, line 1", f"the columns are not {header}")
        for cells in reader:
            where = f"{path.name}, line {reader.line_num}"
            if len(cells) != len(columns):
                raise source_damage(where, f"{len(cells)} cells where {len(columns)} belong")
            yield SourceFields(where, dict(zip(columns, cells, strict=True)))
    except csv.Error as error:
        where = f"{path.name}, line {reader.line_num}"
        raise source_damage(where, f"broken CSV ({error})") from error


def read_json(path: Path, where: str = "") -> object:
    """Parse a JSON file. Raises DamagedSource with the line of the syntax error.

    `where` is the name of the file in messages, by default its own name.
    """
    where = where or path.name
    try:
        return json.loads(read_text(path, where))
    except json.JSONDecodeError as error:
        raise source_damage(
            f"{where}, line {error.lineno}", f"broken JSON ({error.msg})"
        ) from error
    except RecursionError as error:
        raise source_damage(where, "the JSON is nested too deep") from error
    except ValueError as error:
        raise source_damage(where, "a number has more digits than anybody needs") from error


def json_objects(document: object, where: str) -> Iterator[SourceFields]:
    """Yield the objects of a JSON list, each with its path. Raises DamagedSource."""
    if not isinstance(document, list):
        raise source_damage(where, "a list belongs here")
    for place, value in enumerate(document):
        yield json_object(value, f"{where}[{place}]")


def json_object(value: object, where: str) -> SourceFields:
    """Wrap one JSON object. Raises DamagedSource."""
    if not isinstance(value, dict):
        raise source_damage(where, "an object belongs here")
    return SourceFields(where, value)
