"""Reads tables of card facts (CSV), and refuses a damaged one with its line."""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import Refusal
from core.text import clean, comparison_key, forbidden_characters
from decks.titles import folded_title

FIGURES = ["cost", "strength", "memory", "trash_cost"]
CARD_COLUMNS = ["title", "side", "type", "set", "rarity", "difficulty", "agenda_points"]
CARD_COLUMNS += [*FIGURES, "subtypes"]
ALIAS_COLUMNS = ["alias", "title"]
TYPES = {
    "corp": {"agenda", "ice", "node", "operation", "upgrade"},
    "runner": {"hardware", "prep", "program", "resource"},
}
LONGEST = {"title": 120, "set": 40, "rarity": 20, "subtypes": 120, "alias": 120}
LONGEST_KEY = 160


class DamagedFile(Refusal):
    """A table of cards cannot be read; the text names file, line and reason."""

    code = "damaged_file"


@dataclass(frozen=True)
class CardRow:
    """One card of the file: its key and what stands in its fields."""

    line: int
    title_key: str
    values: Mapping[str, Any]


@dataclass(frozen=True)
class AliasRow:
    line: int
    alias: str
    title: str


def read_cards(path: Path) -> list[CardRow]:
    """All cards of the file. Raises DamagedFile; two rows of one title are damage too."""
    cards: dict[str, CardRow] = {}
    slugs: set[str] = set()
    for line, row in _rows(path, CARD_COLUMNS):
        try:
            card = _card(line, row)
        except ValueError as error:
            raise damage(path, line, str(error)) from error
        if card.title_key in cards or card.values["slug"] in slugs:
            raise damage(path, line, f"{row['title']} stands in the file already")
        cards[card.title_key] = card
        slugs.add(card.values["slug"])
    if not cards:
        raise damage(path, 1, "the file holds no cards")
    return list(cards.values())


def read_aliases(path: Path) -> list[AliasRow]:
    """All other spellings of the file. Raises DamagedFile."""
    aliases: dict[str, AliasRow] = {}
    for line, row in _rows(path, ALIAS_COLUMNS):
        try:
            alias, title = (_text(row, column) for column in ALIAS_COLUMNS)
        except ValueError as error:
            raise damage(path, line, str(error)) from error
        key = comparison_key(alias)
        known = aliases.setdefault(key, AliasRow(line, alias, title))
        if comparison_key(known.title) != comparison_key(title):
            raise damage(path, line, f"{alias} already means {known.title}")
    return list(aliases.values())


def damage(path: Path, line: int, reason: str) -> DamagedFile:
    """The refusal of a file that is wrong at a line."""
    message = f"{path.name}, line {line}: {reason}. Nothing was changed."
    return DamagedFile(message, path=str(path), line=line)


def _rows(path: Path, columns: list[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """(line number, row) of a CSV file with exactly these columns."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise DamagedFile(f"{path} cannot be read: {error.strerror}.", path=str(path)) from error
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        raise damage(path, before.count(b"\n") + 1, "the text is not UTF-8") from error
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        if next(reader, None) != columns:
            raise damage(path, 1, f"the columns are not {','.join(columns)}")
        for cells in reader:
            if len(cells) != len(columns):
                reason = f"{len(cells)} cells where {len(columns)} belong"
                raise damage(path, reader.line_num, reason)
            yield reader.line_num, dict(zip(columns, cells, strict=True))
    except csv.Error as error:
        raise damage(path, reader.line_num, f"broken CSV ({error})") from error


def _card(line: int, row: Mapping[str, str]) -> CardRow:
    title = _text(row, "title")
    side, type_ = row["side"], row["type"]
    if type_ not in TYPES.get(side, ()):
        raise ValueError(f'no card has the side "{side}" and the type "{type_}"')
    slug = _slug(title)
    if not slug:
        raise ValueError(f"{title} has no letter an address can hold")
    values: dict[str, Any] = {"title": title, "slug": slug, "side": side, "type": type_}
    values["set_name"] = _text(row, "set")
    for column in ("rarity", "subtypes"):
        values[column] = _text(row, column, required=False)
    values["difficulty"] = str(_whole_number(row, "difficulty", required=type_ == "agenda") or "")
    values["agenda_points"] = _whole_number(row, "agenda_points", required=type_ == "agenda")
    for column in FIGURES:
        values[column] = _figure(row, column)
    return CardRow(line, comparison_key(title), values)


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", folded_title(title)).strip("-")


def _text(row: Mapping[str, str], column: str, *, required: bool = True) -> str:
    text = clean(row[column])
    if required and not text:
        raise ValueError(f"{column} is empty")
    if forbidden_characters(text):
        raise ValueError(f"{column} holds a character that cannot be shown")
    if len(text) > LONGEST[column] or len(folded_title(text)) > LONGEST_KEY:
        raise ValueError(f"{column} has more than {LONGEST[column]} characters")
    return text


def _whole_number(row: Mapping[str, str], column: str, *, required: bool) -> int | None:
    cell = row[column]
    if bool(cell) != required:
        raise ValueError(f"{column} belongs to agendas, and to every agenda")
    if not cell:
        return None
    if not (cell.isascii() and cell.isdigit() and len(cell) <= 2):
        raise ValueError(f'{column} is a whole number under 100, not "{cell}"')
    return int(cell)


def _figure(row: Mapping[str, str], column: str) -> str:
    cell = row[column]
    if cell and cell != "X" and not (cell.isascii() and cell.isdigit() and len(cell) <= 2):
        raise ValueError(f'{column} is a number under 100, X or empty, not "{cell}"')
    return cell
