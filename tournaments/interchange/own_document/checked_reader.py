"""Strict readers of single values, with defaults for missing values.

Values used in pages or rules are validated here, so that later code can rely on them.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from fractions import Fraction
from math import isinf
from typing import Any
from zoneinfo import ZoneInfo

from decks.legality.records import deck_rules_of
from engine.documents.nodes import Node
from matches.scoring import Flag, GameEnd, Role
from tournaments.interchange.formats.records import YEARS

# Any JSON value.
Plain = Any

MOST_POINTS = 1_000_000
MOST_SMALL = 32_767
MOST_INTEGER = 2_147_483_647
# Marks a field without a default.
_NEEDED = object()
_FILLED_IN = re.compile(r"\{([0-9])\}")


@dataclass(frozen=True)
class Field:
    """A reader of one value; `default` applies if it is null or missing."""

    read: Callable[[Node], Plain]
    default: Any = _NEEDED

    def value(self, node: Node) -> Plain:
        """Return the value or its default. Raises DocumentRefused with the path."""
        if node.is_set():
            return self.read(node)
        if self.default is _NEEDED:
            raise node.refusal(f'"{node.key}" is missing. Add it.')
        return self.without()

    def without(self) -> Plain:
        """Return the default."""
        return self.default() if callable(self.default) else self.default


Shape = Mapping[str, Field]


def read_object(node: Node, shape: Shape) -> dict[str, Plain]:
    """Read an object with exactly these keys; missing keys get their defaults."""
    node.object_of(shape)
    return {key: one.value(node.under(key)) for key, one in shape.items()}


def filled(shape: Shape, **values: Plain) -> dict[str, Plain]:
    """Build an object of this shape, using defaults for missing keys."""
    return {key: values[key] if key in values else one.without() for key, one in shape.items()}


def object_of(shape: Shape) -> Callable[[Node], Plain]:
    """Reader of objects of this shape."""
    return lambda node: read_object(node, shape)


def list_of(read: Callable[[Node], Plain], most: int) -> Callable[[Node], list[Plain]]:
    """Reader of lists with at most `most` elements."""
    return lambda node: [read(inner) for inner in node.items(most=most)]


def text(most: int) -> Callable[[Node], str]:
    """Reader of text with at most `most` characters."""

    def read(node: Node) -> str:
        if not isinstance(node.value, str):
            raise node.refusal(f"Expected a text, not {node.shown()}.")
        if len(node.value) > most:
            raise node.refusal(
                f"The text has {len(node.value)} letters, {most} are allowed. Shorten it."
            )
        if "\0" in node.value:
            raise node.refusal("A text contains a NUL character. Remove it.")
        return node.value

    return read


def whole(least: int = 0, most: int = MOST_SMALL) -> Callable[[Node], int]:
    return lambda node: node.integer(least, most)


def word(words: Collection[str]) -> Callable[[Node], str]:
    return lambda node: node.one_of(words)


def flag(node: Node) -> bool:
    return node.flag()


def day(node: Node) -> str:
    """Read a date as YYYY-MM-DD."""
    try:
        read = date.fromisoformat(text(10)(node))
        if read.year not in YEARS:
            raise ValueError(read)
    except ValueError as error:
        raise node.refusal("Expected a day such as 2026-05-02.") from error
    return read.isoformat()


def hour(node: Node) -> str:
    """Read a time of day as HH:MM or HH:MM:SS."""
    try:
        read = time.fromisoformat(text(8)(node))
    except ValueError as error:
        raise node.refusal("Expected a time such as 10:30.") from error
    return read.replace(tzinfo=None).isoformat()


def moment(node: Node) -> str:
    """Read an ISO 8601 date and time with a time zone."""
    try:
        read = datetime.fromisoformat(text(40)(node))
        if read.tzinfo is None or not 1000 <= read.year <= 9000:
            raise ValueError(read)
    except ValueError as error:
        raise node.refusal(
            "Expected a moment with its zone, such as 2026-05-02T10:00:00+00:00."
        ) from error
    # PostgreSQL accepts a smaller range of UTC offsets than Python.
    return read.astimezone(UTC).isoformat()


def exact(node: Node) -> int | str:
    """Read points: a whole number, or text such as "10/3" with a denominator that divides 60."""
    if not isinstance(node.value, str):
        return node.integer(-MOST_POINTS, MOST_POINTS)
    letters = text(20)(node)
    try:
        # Reject exponents: "1e9999999999" would expand to as many digits.
        if "e" in letters.lower():
            raise ValueError(letters)
        number = Fraction(letters)
    except (ValueError, ZeroDivisionError) as error:
        raise node.refusal('Points are a whole number, or a text such as "10/3".') from error
    if (number * 60).denominator != 1 or abs(number) > MOST_POINTS:
        raise node.refusal("Points are parts of sixty at the finest, and not that large.")
    return number.numerator if number.denominator == 1 else str(number)


def seed(node: Node) -> int:
    """Read a random seed."""
    return node.integer(0, 2**63 - 1)


def plain(kind: type) -> Callable[[Node], Plain]:
    """Reader of a list or object for internal use; only its JSON types are checked."""

    def read(node: Node) -> Plain:
        if not isinstance(node.value, kind):
            wanted = "an object" if kind is dict else "a list"
            raise node.refusal(f"Expected {wanted}, not {node.shown()}.")
        return _plain(node)

    return read


def _plain(node: Node) -> Plain:
    value = node.value
    if isinstance(value, dict):
        return {_key(node, key): _plain(Node(value[key], node, key)) for key in value}
    if isinstance(value, list):
        return [_plain(inner) for inner in node.items()]
    if isinstance(value, str):
        return text(20_000)(node)
    return finite(node) if isinstance(value, Decimal) else value


def finite(node: Node) -> float:
    """Read a decimal number that fits a JSON float."""
    number = float(node.value)
    if isinf(number):
        raise node.refusal("The number is too large. Write a smaller one.")
    return number


def _key(node: Node, key: str) -> str:
    if "\0" in key:
        raise node.refusal("A key contains a NUL character. Remove it.")
    return key


def needed(read: Callable[[Node], Plain]) -> Field:
    """A required field."""
    return Field(read)


def or_none(read: Callable[[Node], Plain]) -> Field:
    """A field that may be null."""
    return Field(read, None)


# Event number of a player.
PLAYER = needed(whole(1))
YES = Field(flag, True)
NO = Field(flag, False)


REASON = {
    "kind": needed(text(40)),
    "players": Field(list_of(whole(1), 10), list),
    "text": needed(text(2_000)),
}

LOSS = {"seat": needed(whole(1, 5)), "game": or_none(whole(1, 9))}

_GAME = {
    "number": needed(whole(1, 9)),
    "corp": needed(whole(1, 2)),
    "winner": or_none(word(tuple(role.value for role in Role))),
    "end": needed(word(tuple(end.value for end in GameEnd))),
    "corp_agenda_points": or_none(whole()),
    "runner_agenda_points": or_none(whole()),
}

flags = list_of(word(tuple(flag.value for flag in Flag)), 10)

RESULT = {
    "games": Field(list_of(object_of(_GAME), 9), list),
    "flags": Field(flags, list),
    "totals": Field(list_of(whole(-MOST_POINTS, MOST_POINTS), 5), list),
    "victory_points": Field(list_of(whole(), 5), list),
    "factions": Field(list_of(text(30), 5), list),
}


def reason(node: Node) -> dict[str, Any]:
    """Read a sentence whose placeholders {0}, {1} are its players; other braces are refused."""
    sentence = read_object(node, REASON)
    places = [int(place) for place in _FILLED_IN.findall(sentence["text"])]
    rest = _FILLED_IN.sub("", sentence["text"])
    if "{" in rest or "}" in rest or any(place >= len(sentence["players"]) for place in places):
        raise node.under("text").refusal("Braces stand for the players of the sentence alone.")
    return sentence


def cost(node: Node) -> dict[str, int]:
    """Read the cost of a table, by rule."""
    costs = plain(dict)(node)
    for key in costs:
        node.under(key).integer(-(2**62), 2**62)
    return dict(costs)


def time_zone(node: Node) -> str:
    name = text(64)(node)
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError) as error:
        raise node.refusal("This is not a time zone. Write one such as Europe/Vienna.") from error
    return name


def refuse_deck_rules(node: Node, game: str, rules: dict[str, Any]) -> None:
    """Raise DocumentRefused for deck rules that the game does not have."""
    try:
        deck_rules_of(game, rules)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise node.refusal("This game doesn't use these deck rules. Remove them.") from error


def both(node: Node, values: Iterable[Any]) -> Iterable[tuple[Node, Any]]:
    """Pair the nodes of a list with its values; empty if the list is missing."""
    return zip(node.items(), values, strict=True) if node.is_set() else ()


def refuse_stranger(node: Node, player: int, known: Collection[int]) -> None:
    """Raise DocumentRefused for an unknown player number."""
    if player not in known:
        raise node.refusal(f"Player {player} is not known here. Correct the number, or add them.")
