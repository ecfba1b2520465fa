"""Lenient readers of values in a tournament file, with JSON paths for errors."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from core.json_guard import Json
from core.text import clean, forbidden_characters, is_visible
from engine.documents.json_text import child_path
from tournaments.files.records import FilePlayerId, TournamentFileRefused

# An id for lookups: the text "7" and the number 7 are equal.
IdKey: TypeAlias = int | str

MAX_ID_LETTERS = 64
LARGEST_FIGURE = 1_000_000
_DECIMAL = re.compile(r"[+-]?[0-9]{1,18}(\.[0-9]{0,40})?([eE][+-]?[0-9]{1,2})?|[+-]?\.[0-9]{1,40}")
MAX_NAME_LETTERS = 100
MAX_PRONOUNS_LETTERS = 30
MAX_TITLE_LETTERS = 200
MAX_EVENT_LETTERS = 120
MAX_ADDRESS_LETTERS = 500
_ADDRESS = re.compile(r"https?://[^\s<>\"']+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FileValue:
    """A value and its parent. Methods refuse a wrong type with its path (TournamentFileRefused)."""

    value: Json
    parent: "FileValue | None" = None
    key: str | int = ""

    @property
    def path(self) -> str:
        """JSON path, computed only when an error needs it."""
        return "$" if self.parent is None else child_path(self.parent.path, self.key)

    def refusal(self, text: str) -> TournamentFileRefused:
        return TournamentFileRefused(text, self.path)

    def at(self, key: str) -> "FileValue":
        """Return the value at a key of this object; None if it is missing."""
        return FileValue(self.value.get(key), self, key)

    def has(self, key: str) -> bool:
        """Return True if this object has the key, even with null."""
        return key in self.value

    def object(self) -> "FileValue":
        """Return this place if it holds an object."""
        if not isinstance(self.value, dict):
            raise self.refusal(f"Expected an object, not {self.shown()}.")
        return self

    def items(self, most: int) -> Iterator["FileValue"]:
        """Iterate over the elements of a list."""
        if not isinstance(self.value, list):
            raise self.refusal(f"Expected a list, not {self.shown()}.")
        if len(self.value) > most:
            raise self.refusal(f"Expected at most {most:,}, not {len(self.value):,}.")
        return (FileValue(inner, self, place) for place, inner in enumerate(self.value))

    def text(self) -> str:
        """Return a string; "" for null."""
        if self.value is None:
            return ""
        if not isinstance(self.value, str):
            raise self.refusal(f"Expected a string, not {self.shown()}.")
        return self.value

    def flag(self) -> bool | None:
        """Return a boolean; None for null."""
        if not isinstance(self.value, bool | None):
            raise self.refusal(f"Expected true or false, not {self.shown()}.")
        return self.value

    def whole(self, least: int, most: int) -> int | None:
        """Return a whole number, also given as text; None for null or an empty string."""
        if type(self.value) is int and least <= self.value <= most:
            return self.value  # Nearly all are: a large file has a hundred thousand of them.
        number = self.figure()
        if number is None:
            return None
        if number.denominator != 1 or not least <= number <= most:
            raise self.refusal(f"Expected a whole number from {least} to {most}.")
        return int(number)

    def figure(self) -> Fraction | None:
        """Return an exact number, also given as text; None for null or an empty string."""
        number = _exact_number(self.value)
        if number is None and not self._is_empty():
            raise self.refusal(f"Expected a number, not {self.shown()}.")
        if number is not None and abs(number) > LARGEST_FIGURE:
            raise self.refusal(f"{self.shown()} is out of bounds.")
        return number

    def id_key(self) -> IdKey | None:
        """Return the lookup key of an id; None for null or an empty string."""
        if self._is_empty():
            return None
        if isinstance(self.value, bool) or not isinstance(self.value, int | float | str):
            raise self.refusal(f"An id must be a whole number or a string, not {self.shown()}.")
        if isinstance(self.value, float) and not self.value.is_integer():
            raise self.refusal(f"An id must be a whole number or a string, not {self.shown()}.")
        if isinstance(self.value, str):
            return self._id_text()
        return int(self.value)

    def id(self) -> FilePlayerId:
        """Return the id as written. Raises TournamentFileRefused if it is missing."""
        key = self.id_key()
        if key is None:
            raise self.refusal("The id is missing. Add one.")
        return self.value.strip() if isinstance(self.value, str) else key

    def shown(self) -> str:
        """Short representation for error messages."""
        if isinstance(self.value, dict):
            return "an object"
        if isinstance(self.value, list):
            return "a list"
        if isinstance(self.value, bool | None):
            return {True: "true", False: "false", None: "null"}[self.value]
        letters = f'"{self.value}"' if isinstance(self.value, str) else str(self.value)
        return letters if len(letters) <= 40 else f"{letters[:39]}…"

    def _is_empty(self) -> bool:
        return self.value is None or (isinstance(self.value, str) and not self.value.strip())

    def _id_text(self) -> IdKey:
        letters: str = self.value.strip()
        if len(letters) > MAX_ID_LETTERS or not letters.isprintable():
            raise self.refusal(f"An id has at most {MAX_ID_LETTERS} letters.")
        return (
            int(letters)
            if letters.isascii() and letters.isdigit() and len(letters) <= 18
            else letters
        )


def _exact_number(value: Json) -> Fraction | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return Fraction(value)
    if isinstance(value, float):
        # `repr` gives the shortest text of a float, which matches the digits of the file.
        return Fraction(Decimal(repr(value)))
    if isinstance(value, str) and _DECIMAL.fullmatch(value.strip()):
        return Fraction(Decimal(value.strip()))
    return None


def one_line(place: FileValue, most: int) -> str:
    """Return the text on one line, stripped and without unprintable characters; "" for null."""
    return tidy_text(place.text(), most)


def optional_line(place: FileValue) -> str | None:
    """Like `one_line`, but None if the result is empty."""
    return one_line(place, MAX_TITLE_LETTERS) or None


def visible_line(place: FileValue, most: int) -> str:
    """Like `one_line`, but "" for other types and invisible text. For display only."""
    text = tidy_text(place.value, most) if isinstance(place.value, str) else ""
    return text if is_visible(text) else ""


def web_address(place: FileValue) -> str:
    """Return the text if it is a web address, else ""."""
    text = place.value.strip() if isinstance(place.value, str) else ""
    fits = len(text) <= MAX_ADDRESS_LETTERS and _ADDRESS.fullmatch(text)
    return text if fits else ""


def tidy_text(text: str, most: int) -> str:
    """Clean the text, remove characters forbidden on pages, and cut it at `most`."""
    cleaned = clean(text)
    if forbidden_characters(cleaned):
        cleaned = clean("".join(letter for letter in cleaned if not forbidden_characters(letter)))
    return cleaned[:most].rstrip()
