"""JSON parser that records the line of every value, so that a problem can point to it.

Stricter than the standard library: no duplicate keys, no NaN, bounded depth, numbers and size.
"""

import json
import re
from bisect import bisect_right
from dataclasses import dataclass
from json import decoder
from typing import Any, NoReturn, TypeAlias

from core.errors import Refusal

MOST_DEPTH = 20
MOST_VALUES = 10_000
MOST_DIGITS = 18
MOST_SOURCE = 300

BLANKS = re.compile(r"[ \t\n\r\ufeff]*")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
WORDS = {"true": True, "false": False, "null": None}


class BrokenJson(Refusal):
    """The text is not JSON, or JSON beyond the limits; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Node:
    """A JSON value with its line and source text. The source of a member starts with its key.

    `value` is a dict of nodes, a list of nodes, or a plain value.
    """

    value: Any
    line: int
    source: str

    @property
    def members(self) -> "Members":
        """Members of an object; empty for any other value."""
        return self.value if isinstance(self.value, dict) else {}

    @property
    def elements(self) -> "list[Node]":
        """Elements of a list; empty for any other value."""
        return self.value if isinstance(self.value, list) else []

    @property
    def text(self) -> str:
        """The value if it is a string, otherwise an empty string."""
        return self.value if isinstance(self.value, str) else ""


Members: TypeAlias = dict[str, Node]


def parse(text: str) -> Node:
    """Parse the text. Raises BrokenJson with line and column."""
    reader = _Reader(text)
    node, end = reader.value(reader.next(0), 1)
    rest = reader.next(end)
    if rest < len(text):
        reader.refuse(rest, "there is text after the end of the JSON")
    return node


class _Reader:
    """Recursive descent parser; positions are offsets into the text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._values = 0
        self._ends = [found.start() for found in re.finditer("\n", text)]

    def next(self, at: int) -> int:
        """Return the position of the next non-blank character."""
        found = BLANKS.match(self._text, at)
        return found.end() if found else at

    def refuse(self, at: int, reason: str, *, broken: bool = True) -> NoReturn:
        line = self._line(at)
        column = at - (self._ends[line - 2] + 1 if line > 1 else 0) + 1
        where = f"line {line}, column {column}"
        raise BrokenJson(
            f"The JSON {'is broken' if broken else 'cannot be read'} in {where}: {reason}."
        )

    def value(self, at: int, depth: int, start: int | None = None) -> tuple[Node, int]:
        """Return (value that starts here, position after it)."""
        self._count(at, depth)
        mark = self._text[at : at + 1]
        value: Any
        if mark == "{":
            value, end = self._object(at, depth)
        elif mark == "[":
            value, end = self._array(at, depth)
        elif mark == '"':
            value, end = self._string(at)
        else:
            value, end = self._plain(at)
        start = at if start is None else start
        source = self._text[start : min(end, start + MOST_SOURCE)]
        return Node(value, self._line(start), source), end

    def _count(self, at: int, depth: int) -> None:
        self._values += 1
        if depth > MOST_DEPTH:
            reason = f"lists and objects are nested more than {MOST_DEPTH} deep"
            self.refuse(at, reason, broken=False)
        if self._values > MOST_VALUES:
            self.refuse(at, f"it has more than {MOST_VALUES:,} values", broken=False)

    def _object(self, at: int, depth: int) -> tuple[Members, int]:
        made: Members = {}
        at = self.next(at + 1)
        if self._text[at : at + 1] == "}":
            return made, at + 1
        while True:
            if self._text[at : at + 1] != '"':
                self.refuse(at, "a name in quotation marks is missing")
            start = at
            key, at = self._string(at)
            if key in made:
                self.refuse(start, f'"{key[:60]}" appears twice in one object', broken=False)
            at = self.next(at)
            if self._text[at : at + 1] != ":":
                self.refuse(at, f'a colon behind "{key[:60]}" is missing')
            made[key], at = self.value(self.next(at + 1), depth + 1, start)
            at, is_last = self._separator(at, "}")
            if is_last:
                return made, at

    def _array(self, at: int, depth: int) -> tuple[list[Node], int]:
        made: list[Node] = []
        at = self.next(at + 1)
        if self._text[at : at + 1] == "]":
            return made, at + 1
        while True:
            node, at = self.value(at, depth + 1)
            made.append(node)
            at, is_last = self._separator(at, "]")
            if is_last:
                return made, at

    def _separator(self, at: int, closing: str) -> tuple[int, bool]:
        """Return (position after the comma or closing bracket, whether it is the latter)."""
        at = self.next(at)
        mark = self._text[at : at + 1]
        if mark == closing:
            return at + 1, True
        if mark != ",":
            self.refuse(at, f"a comma or {closing} is missing")
        return self.next(at + 1), False

    def _string(self, at: int) -> tuple[str, int]:
        try:
            text, end = decoder.scanstring(self._text, at + 1, True)  # type: ignore[attr-defined]
        except json.JSONDecodeError as error:
            self.refuse(error.pos, "a text is not closed, or holds a character it may not hold")
        return text, end

    def _plain(self, at: int) -> tuple[Any, int]:
        for word, value in WORDS.items():
            if self._text.startswith(word, at):
                return value, at + len(word)
        found = NUMBER.match(self._text, at)
        if not found:
            self.refuse(at, "a value is missing")
        if found.end() - at > MOST_DIGITS:
            self.refuse(at, f"a number has more than {MOST_DIGITS} characters", broken=False)
        is_whole = found[1] is None and found[2] is None
        return (int(found[0]) if is_whole else float(found[0])), found.end()

    def _line(self, at: int) -> int:
        return bisect_right(self._ends, at - 1) + 1
