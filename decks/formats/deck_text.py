"""Parsed decklists, and the seal of a list."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from decks.legality.check_texts import CheckText

# OCTGN's id of Android: Netrunner, and the prefix of its cards: five digits, the code of the
# printing, complete it.
OCTGN_GAME = "0f38e453-26df-4c04-9d67-6d43de939c77"
OCTGN_CARD = "bc0f047c-01b1-427f-a439-d451eda"


class DeckTextFormat(StrEnum):
    """Each has a parser, detected by content, and a writer."""

    PLAIN_TEXT = "plain_text"
    NETRUNNERDB_V2 = "netrunnerdb_v2"
    NETRUNNERDB_V3 = "netrunnerdb_v3"
    OCTGN = "octgn"
    METEOR = "meteor"

    @property
    def label(self) -> str:
        return {
            "plain_text": "plain text",
            "netrunnerdb_v2": "NetrunnerDB JSON (v2)",
            "netrunnerdb_v3": "NetrunnerDB JSON (v3)",
            "octgn": "OCTGN deck (.o8d)",
            "meteor": "Meteor JSON",
        }[self.value]


class LineKind(StrEnum):
    CARD = "card"
    HEADING = "heading"
    COMMENT = "comment"
    BLANK = "blank"
    NAME = "name"
    UNREADABLE = "unreadable"


class LineReading(NamedTuple):
    quantity: int
    title: str
    # No quantity is written.
    is_bare: bool = False
    # The quantity follows the title without a separator, so it may belong to a longer title
    # ("Fang 2").
    is_loose: bool = False


@dataclass(frozen=True)
class DeckLine:
    """A parsed line of text, or an entry of a file.

    Card lines have a `quantity` and at least one of `title`, `printing` and `card_id`.
    """

    # Line of the source, counted from 1.
    number: int
    # The original line, truncated if too long.
    text: str
    kind: LineKind
    quantity: int = 0
    title: str = ""
    # Why the line is unreadable.
    reason: CheckText | None = None
    # A line such as "Words (3)", which is a card only if the words are a title.
    maybe_heading: bool = False
    # A code such as "01004".
    printing: str = ""
    # An id such as "sure_gamble".
    card_id: str = ""
    # A line without a quantity.
    is_bare: bool = False
    # The source marks the card as the identity.
    is_identity: bool = False
    # Alternative readings ("15 Minutes" is a title); only the card table can decide.
    others: tuple[LineReading, ...] = ()

    @property
    def readings(self) -> tuple[LineReading, ...]:
        """All readings, likeliest first."""
        return (LineReading(self.quantity, self.title, self.is_bare), *self.others)


@dataclass(frozen=True)
class DeckText:
    text: str
    lines: tuple[DeckLine, ...]
    # Why (the rest of) the list was not read.
    problem: CheckText | None = None
    form: DeckTextFormat = DeckTextFormat.PLAIN_TEXT
    # Name and notes are not part of the deck.
    name: str = ""
    notes: str = ""
    # How to fix the problem.
    remedy: CheckText | None = None

    @property
    def cards(self) -> tuple[DeckLine, ...]:
        return tuple(line for line in self.lines if line.kind == LineKind.CARD)


def canonical_list(entries: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    copies: dict[str, int] = defaultdict(int)
    for title_key, quantity in entries:
        copies[title_key] += quantity
    return tuple(sorted(copies.items()))


def list_seal(game: str, side: str, entries: Iterable[tuple[str, int]], identity: str = "") -> str:
    """Return a seal that lists share if only order, spelling, printings and format differ."""
    document: list[object] = [game, side, [list(entry) for entry in canonical_list(entries)]]
    if identity:
        document.append(identity)
    canonical = json.dumps(document, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()
