"""What every reader of deck lists answers, and the seal of a list."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class ListForm(StrEnum):
    """The forms lists come in; each has a reader, recognised by content, and a writer."""

    PLAIN_TEXT = "plain_text"
    NETRUNNERDB_V2 = "netrunnerdb_v2"
    NETRUNNERDB_V3 = "netrunnerdb_v3"
    OCTGN = "octgn"
    METEOR = "meteor"

    @property
    def label(self) -> str:
        """The form as people call it."""
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


class Reading(NamedTuple):
    """What a line may say: so many copies of a title.

    `is_bare`: no number of copies is written. `is_loose`: the number stands behind the title
    with nothing between, so it may as well belong to a longer title ("Fang 2").
    """

    quantity: int
    title: str
    is_bare: bool = False
    is_loose: bool = False


@dataclass(frozen=True)
class DeckLine:
    """One line of typed text, or one entry of a file, as it was read.

    `number` counts the lines of the source from 1, `text` is the line as it was written (cut
    when it is too long). `quantity` belongs to cards, with at least one of `title`, `printing`
    (a code such as "01004") and `card_id` (such as "sure_gamble"); `reason` says why a line is
    unreadable. With `maybe_heading` the line reads "Words (3)": a card only if the words are
    its title. `is_bare` is a line without a number of copies; `is_identity` says that the
    source calls it the identity. `others` are what else the line may say ("15 Minutes" is a
    title); only the card table knows.
    """

    number: int
    text: str
    kind: LineKind
    quantity: int = 0
    title: str = ""
    reason: str = ""
    maybe_heading: bool = False
    printing: str = ""
    card_id: str = ""
    is_bare: bool = False
    is_identity: bool = False
    others: tuple[Reading, ...] = ()

    @property
    def readings(self) -> tuple[Reading, ...]:
        """Everything the line may say, the likeliest first."""
        return (Reading(self.quantity, self.title, self.is_bare), *self.others)


@dataclass(frozen=True)
class DeckText:
    """A whole list. `problem` says why (the rest of) it was not read, `remedy` what to do.

    `name` and `notes` are what the source tells of itself; they are never part of the deck.
    """

    text: str
    lines: tuple[DeckLine, ...]
    problem: str = ""
    form: ListForm = ListForm.PLAIN_TEXT
    name: str = ""
    notes: str = ""
    remedy: str = ""

    @property
    def cards(self) -> tuple[DeckLine, ...]:
        return tuple(line for line in self.lines if line.kind == LineKind.CARD)


def canonical_list(entries: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """(title_key, quantity) pairs, summed for each key and sorted by it."""
    copies: dict[str, int] = defaultdict(int)
    for title_key, quantity in entries:
        copies[title_key] += quantity
    return tuple(sorted(copies.items()))


def seal(game: str, side: str, entries: Iterable[tuple[str, int]], identity: str = "") -> str:
    """SHA-256, in hex, of the canonical list.

    Two lists have one seal if they hold the same copies of the same cards of
    one game and side with the same identity (its title_key), in whatever
    order, spelling, printing and form.
    """
    document: list[object] = [game, side, [list(entry) for entry in canonical_list(entries)]]
    if identity:
        document.append(identity)
    canonical = json.dumps(document, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()
