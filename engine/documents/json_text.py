"""JSON as bytes: guarded reading, and writing that is identical on every machine."""

import decimal
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from typing import Any, TypeAlias

from core.errors import Refusal
from engine.standings.records import PlayerId


class DocumentRefused(Refusal):
    """A document is invalid at `path`, a JSON path such as `$.rounds[0][1].seats[0].id`."""

    def __init__(self, message: str, path: str) -> None:
        super().__init__(message, path=path)
        self.path = path


# None, bool, int, Decimal, str, or lists and dicts of them.
Json: TypeAlias = Any

MAX_BYTES = 32 * 1024 * 1024
MAX_DEPTH = 32
MAX_DIGITS = 40
_TOO_DEEP = f"Lists and objects are nested deeper than {MAX_DEPTH}. No document needs that."
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class _UnreadableValue:
    """Placeholder for a value that no document may contain."""

    why: str


class _RepeatedKey(dict[str, Json]):
    key = ""


def child_path(path: str, key: str | int) -> str:
    if isinstance(key, int):
        return f"{path}[{key}]"
    if _PLAIN_NAME.fullmatch(key):
        return f"{path}.{key}"
    return f"{path}[{json.dumps(key)}]"


def parse_json(data: bytes) -> Json:
    """Parse UTF-8 JSON.

    Raise DocumentRefused for invalid JSON, repeated keys, NaN or Infinity, and broken Unicode. The
    size of the document, its depth and the digits of a number are limited.
    """
    if len(data) > MAX_BYTES:
        raise DocumentRefused(f"The document is larger than {MAX_BYTES:,} bytes.", "$")
    try:
        value = json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=_parse_object,
            parse_constant=lambda word: _UnreadableValue(
                f"{word} is not a number. Write a whole number."
            ),
            parse_float=_parse_decimal,
            parse_int=_parse_integer,
        )
    except UnicodeDecodeError as error:
        text = f"This is not UTF-8: byte {error.start + 1} cannot be read. Save it as UTF-8."
        raise DocumentRefused(text, "$") from error
    except json.JSONDecodeError as error:
        text = f"This is not JSON: {error.msg} in line {error.lineno}, column {error.colno}."
        raise DocumentRefused(text, "$") from error
    except RecursionError as error:
        raise DocumentRefused(_TOO_DEEP, "$") from error
    _check_value(value, "$", MAX_DEPTH)
    return value


def _parse_object(pairs: list[tuple[str, Json]]) -> Json:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    times = Counter(key for key, _ in pairs)
    repeated = _RepeatedKey(made)
    repeated.key = next(key for key in times if times[key] > 1)
    return repeated


def _parse_integer(digits: str) -> Json:
    if len(digits) > MAX_DIGITS:
        return _UnreadableValue(
            f"The number has more than {MAX_DIGITS} digits. Write a smaller one."
        )
    return int(digits)


def _parse_decimal(digits: str) -> Json:
    if len(digits) > MAX_DIGITS:
        return _UnreadableValue(
            f"The number has more than {MAX_DIGITS} digits. Write a shorter one."
        )
    try:
        return Decimal(digits)
    except decimal.InvalidOperation:
        return _UnreadableValue(f"{digits} is too large. Write a smaller number.")


def _check_value(value: Json, path: str, depth: int) -> None:
    if depth < 0:
        raise DocumentRefused(_TOO_DEEP, path)
    if isinstance(value, _UnreadableValue):
        raise DocumentRefused(value.why, path)
    if isinstance(value, _RepeatedKey):
        text = "The key appears twice in one object. Keep one."
        raise DocumentRefused(text, child_path(path, value.key))
    if isinstance(value, str) and _SURROGATE.search(value):
        text = "The text has half of a surrogate pair, which is not a letter. Write it in full."
        raise DocumentRefused(text, path)
    children: Iterable[tuple[str | int, Json]] = ()
    if isinstance(value, Mapping):
        children = value.items()
    elif isinstance(value, list):
        children = enumerate(value)
    for key, inner in children:
        if isinstance(key, str) and _SURROGATE.search(key):
            text = "A key here has half of a surrogate pair. Write it in full."
            raise DocumentRefused(text, path)
        if not isinstance(inner, bool | int):
            _check_value(inner, child_path(path, key), depth - 1)


def copy_json(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: copy_json(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [copy_json(inner) for inner in value]
    return value


def write_json(value: Json, indent: int | None = None) -> bytes:
    """Return the value as UTF-8 with a final newline, keys in their order.

    A Decimal is written with all its digits, so nine digits stay nine digits.
    """
    return ("".join(_tokens(value, indent, "\n")) + "\n").encode()


def _tokens(value: Json, indent: int | None, newline: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        pairs = [(f"{_json_scalar(str(key))}: ", inner) for key, inner in value.items()]
        yield from _nested("{}", pairs, indent, newline)
    elif isinstance(value, list | tuple):
        yield from _nested("[]", [("", inner) for inner in value], indent, newline)
    elif isinstance(value, Decimal):
        yield f"{value:f}" if abs(value.adjusted()) < MAX_DIGITS else str(value)
    else:
        yield _json_scalar(value)


def _nested(
    brackets: str, pairs: Sequence[tuple[str, Json]], indent: int | None, newline: str
) -> Iterator[str]:
    inner = newline + " " * (indent or 0)
    opening, between, closing = ("", ", ", "") if indent is None else (inner, f",{inner}", newline)
    yield brackets[0]
    for place, (name, value) in enumerate(pairs):
        yield f"{between if place else opening}{name}"
        yield from _tokens(value, indent, inner)
    yield f"{closing if pairs else ''}{brackets[1]}"


def _json_scalar(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


# A place in a document: a value and its JSON path.


MAX_LETTERS = 200
LARGEST_ID = 2**63 - 1
# Keys with this prefix are the author's own and are ignored.
_OWN_PREFIX = "x_"


@dataclass(frozen=True, slots=True)
class DocumentNode:
    """A value and its parent. Each reader method refuses values of another kind."""

    value: Json
    parent: "DocumentNode | None" = None
    key: str | int = ""

    @property
    def path(self) -> str:
        """The JSON path, computed lazily because few are used."""
        return "$" if self.parent is None else child_path(self.parent.path, self.key)

    def refusal(self, text: str) -> DocumentRefused:
        return DocumentRefused(text, self.path)

    def under(self, key: str) -> "DocumentNode":
        """Return the node at a key, with value None if missing. This node must be an object."""
        return DocumentNode(self.value.get(key), self, key)

    def is_set(self) -> bool:
        return self.value is not None

    def object_of(self, known: Collection[str], needed: Collection[str] = ()) -> "DocumentNode":
        """Check for an object with all `needed` and no unknown keys; return the node."""
        if not isinstance(self.value, dict):
            raise self.refusal(f"Expected an object, not {self.shown()}.")
        for key in self.value:
            if key not in known and not key.startswith(_OWN_PREFIX):
                raise DocumentNode(None, self, key).refusal(
                    f"Unknown key.{_suggestion(key, known)} Allowed: {', '.join(known)}."
                )
        for key in needed:
            if self.value.get(key) is None:
                raise self.under(key).refusal(f'"{key}" is missing. Add it.')
        return self

    def items(self, least: int = 0, most: int | None = None) -> Iterator["DocumentNode"]:
        if not isinstance(self.value, list):
            raise self.refusal(f"Expected a list, not {self.shown()}.")
        if len(self.value) < least:
            raise self.refusal(f"Expected at least {least}, not {len(self.value)}.")
        if most is not None and len(self.value) > most:
            raise self.refusal(f"Expected at most {most}, not {len(self.value)}.")
        return (DocumentNode(inner, self, place) for place, inner in enumerate(self.value))

    def integer(self, least: int, most: int) -> int:
        """Return an integer. Refuse `3.0`, `"3"` and `true`."""
        if isinstance(self.value, Decimal):
            raise self.refusal(f"Expected a whole number in digits alone, not {self.shown()}.")
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.refusal(f"Expected a whole number, not {self.shown()}.")
        if not least <= self.value <= most:
            raise self.refusal(
                f"{self.value} is out of bounds. Write a whole number from {least} to {most}."
            )
        return self.value

    def optional_integer(self, least: int, most: int) -> int | None:
        return self.integer(least, most) if self.is_set() else None

    def flag(self) -> bool:
        """Return a boolean, False if missing."""
        if not isinstance(self.value, bool | None):
            raise self.refusal(f"Expected true or false, not {self.shown()}.")
        return bool(self.value)

    def text(self) -> str:
        """Return a text of at most MAX_LETTERS."""
        if not isinstance(self.value, str):
            raise self.refusal(f"Expected a text, not {self.shown()}.")
        if len(self.value) > MAX_LETTERS:
            raise self.refusal(
                f"The text has more than {MAX_LETTERS} letters. Write a shorter one."
            )
        return self.value

    def one_of(self, words: Collection[str]) -> str:
        word = self.text()
        if word not in words:
            raise self.refusal(
                f"Unknown value {self.shown()}.{_suggestion(word, words)} Allowed: "
                f"{', '.join(words)}."
            )
        return word

    def player_id(self) -> PlayerId:
        """Return an integer or a text; 1 and "1" are different players."""
        if isinstance(self.value, str):
            return self.text()
        if isinstance(self.value, Decimal):
            raise self.refusal(
                f"An id is a whole number in digits alone, or a text in quotes, not {self.shown()}."
            )
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.refusal(f"An id is a whole number or a text, not {self.shown()}.")
        return self.integer(-LARGEST_ID, LARGEST_ID)

    def shown(self) -> str:
        """Return the value shortened for a message."""
        if isinstance(self.value, dict):
            return "an object"
        if isinstance(self.value, list):
            return "a list"
        if isinstance(self.value, Decimal):
            # Not `write_json`, which writes 100 for 1e2.
            letters = str(self.value)
        else:
            letters = write_json(self.value).decode().strip()
        return letters if len(letters) <= 40 else f"{letters[:39]}…"


def _suggestion(word: str, words: Collection[str]) -> str:
    near = get_close_matches(word[:MAX_LETTERS], words, n=1)
    return f' Did you mean "{near[0]}"?' if near else ""
