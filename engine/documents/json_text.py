"""JSON as bytes: guarded reading, and writing that is identical on every machine."""

import decimal
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

from core.errors import Refusal


class DocumentRefused(Refusal):
    """A document is invalid at `path`, a JSON path such as `$.rounds[0][1].seats[0].id`."""

    def __init__(self, message: str, path: str) -> None:
        super().__init__(message, path=path)
        self.path = path


# None, bool, int, Decimal, str, or lists and dicts of them.
Json: TypeAlias = Any

MOST_BYTES = 32 * 1024 * 1024
MOST_DEPTH = 32
MOST_DIGITS = 40
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class _Unreadable:
    """Placeholder for a value that no document may contain."""

    why: str


class _RepeatedKey(dict[str, Json]):
    key = ""


def step(path: str, key: str | int) -> str:
    """Return the path of `key` under `path`."""
    if isinstance(key, int):
        return f"{path}[{key}]"
    if _PLAIN_NAME.fullmatch(key):
        return f"{path}.{key}"
    return f"{path}[{json.dumps(key)}]"


def parse(data: bytes) -> Json:
    """Parse UTF-8 JSON.

    Raise DocumentRefused for invalid JSON, repeated keys, NaN or Infinity, and broken Unicode. The
    size of the document, its depth and the digits of a number are limited.
    """
    if len(data) > MOST_BYTES:
        raise DocumentRefused(f"The document is larger than {MOST_BYTES:,} bytes.", "$")
    try:
        value = json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=_object,
            parse_constant=lambda word: _Unreadable(
                f"{word} is not a number. Write a whole number."
            ),
            parse_float=_decimal,
            parse_int=_integer,
        )
    except UnicodeDecodeError as error:
        text = f"This is not UTF-8: byte {error.start + 1} cannot be read. Save it as UTF-8."
        raise DocumentRefused(text, "$") from error
    except json.JSONDecodeError as error:
        text = f"This is not JSON: {error.msg} in line {error.lineno}, column {error.colno}."
        raise DocumentRefused(text, "$") from error
    except RecursionError as error:
        raise DocumentRefused(_too_deep(), "$") from error
    _guard(value, "$", MOST_DEPTH)
    return value


def _too_deep() -> str:
    return f"Lists and objects are nested deeper than {MOST_DEPTH}. No document needs that."


def _object(pairs: list[tuple[str, Json]]) -> Json:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    times = Counter(key for key, _ in pairs)
    repeated = _RepeatedKey(made)
    repeated.key = next(key for key in times if times[key] > 1)
    return repeated


def _integer(digits: str) -> Json:
    if len(digits) > MOST_DIGITS:
        return _Unreadable(f"The number has more than {MOST_DIGITS} digits. Write a smaller one.")
    return int(digits)


def _decimal(digits: str) -> Json:
    if len(digits) > MOST_DIGITS:
        return _Unreadable(f"The number has more than {MOST_DIGITS} digits. Write a shorter one.")
    try:
        return Decimal(digits)
    except decimal.InvalidOperation:
        return _Unreadable(f"{digits} is too large. Write a smaller number.")


def _guard(value: Json, path: str, depth: int) -> None:
    if depth < 0:
        raise DocumentRefused(_too_deep(), path)
    if isinstance(value, _Unreadable):
        raise DocumentRefused(value.why, path)
    if isinstance(value, _RepeatedKey):
        text = "The key appears twice in one object. Keep one."
        raise DocumentRefused(text, step(path, value.key))
    if isinstance(value, str) and _SURROGATE.search(value):
        text = "The text has half of a surrogate pair, which is not a letter. Write it in full."
        raise DocumentRefused(text, path)
    for key, inner in _children(value):
        if isinstance(key, str) and _SURROGATE.search(key):
            raise DocumentRefused("A key here has half of a surrogate pair. Write it anew.", path)
        if not isinstance(inner, bool | int):
            _guard(inner, step(path, key), depth - 1)


def _children(value: Json) -> Iterator[tuple[str | int, Json]]:
    if isinstance(value, Mapping):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)


def copied(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: copied(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [copied(inner) for inner in value]
    return value


def written(value: Json, indent: int | None = None) -> bytes:
    """Return the value as UTF-8 with a final newline, keys in their order.

    A Decimal is written with all its digits, so nine digits stay nine digits.
    """
    return ("".join(_tokens(value, indent, "\n")) + "\n").encode()


def _tokens(value: Json, indent: int | None, newline: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        pairs = [(f"{_text(str(key))}: ", inner) for key, inner in value.items()]
        yield from _nested("{}", pairs, indent, newline)
    elif isinstance(value, list | tuple):
        yield from _nested("[]", [("", inner) for inner in value], indent, newline)
    elif isinstance(value, Decimal):
        yield f"{value:f}" if abs(value.adjusted()) < MOST_DIGITS else str(value)
    else:
        yield _text(value)


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


def _text(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
