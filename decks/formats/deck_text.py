"""What every reader of deck lists answers, and the seal of a list."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class LineKind(StrEnum):
    CARD = "card"
    HEADING = "heading"
    COMMENT = "comment"
    BLANK = "blank"
    UNREADABLE = "unreadable"


@dataclass(frozen=True)
class DeckLine:
    """One line as it was read.

    `number` counts from 1, `text` is the line as it was written (cut when it
    is too long). `quantity` and `title` belong to cards; `reason` says why a
    line is unreadable. With `maybe_heading` the line reads "Words (3)": a
    card only if the words are its title.
    """

    number: int
    text: str
    kind: LineKind
    quantity: int = 0
    title: str = ""
    reason: str = ""
    maybe_heading: bool = False


@dataclass(frozen=True)
class DeckText:
    """A whole list. `problem` says why (the rest of) it was not read."""

    text: str
    lines: tuple[DeckLine, ...]
    problem: str = ""

    @property
    def cards(self) -> tuple[DeckLine, ...]:
        return tuple(line for line in self.lines if line.kind == LineKind.CARD)


def canonical_list(entries: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """(title_key, quantity) pairs, summed for each key and sorted by it."""
    copies: dict[str, int] = defaultdict(int)
    for title_key, quantity in entries:
        copies[title_key] += quantity
    return tuple(sorted(copies.items()))


def seal(game: str, side: str, entries: Iterable[tuple[str, int]]) -> str:
    """SHA-256, in hex, of the canonical list.

    Two lists have one seal if they hold the same copies of the same cards of
    one game and side, in whatever order and spelling.
    """
    document = [game, side, [list(entry) for entry in canonical_list(entries)]]
    canonical = json.dumps(document, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()
