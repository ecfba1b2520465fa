"""Records of the rulings parsers, and the error for damaged documents."""

import datetime
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from decks.games import DEFAULT

SECTIONS = ("general", "corp", "runner")


class DamagedDocument(Exception):  # noqa: N818 - user errors in a document, reported in full
    """The document differs from the original at this place and must not be used."""

    def __init__(self, reason: str, *, line: int, character: int | None = None) -> None:
        place = f"line {line}" if character is None else f"line {line}, character {character}"
        super().__init__(f"{place}: {reason}")
        self.reason = reason
        self.line = line
        self.character = character


@dataclass(frozen=True)
class RulingSource:
    """One citation; fields that the document does not give are empty or None."""

    authority: str
    via: str = ""
    venue: str = ""
    date: datetime.date | None = None
    about: str = ""


@dataclass(frozen=True)
class DigestRuling:
    """One ruling as stored; a line of the digest, in our own words.

    `about` are further cards and topics. `short_code` is "" for stored rulings, which have one
    already. It is also "" in the digest, where the permanent number determines it.
    """

    code: str
    number: int
    section: str
    subject: str
    kind: str
    reverses: bool
    text: str
    sources: tuple[RulingSource, ...]
    see_also: tuple[str, ...]
    mentions: tuple[str, ...]
    about: tuple[str, ...] = ()
    slug: str = ""
    short_code: str = ""

    @property
    def subject_slug(self) -> str:
        """Slug of the subject, by default the code without its number."""
        return self.slug or self.code.rpartition("-")[0]


@dataclass(frozen=True)
class OriginalRuling:
    """One "@" item of the original document, verbatim, with single spaces.

    `line` and `character` (both counted from 1) are its start. `is_marked_errata` is true for an
    item that starts with "ERRATA".
    """

    code: str
    section: str
    subject: str
    text: str
    sources: tuple[RulingSource, ...]
    is_marked_errata: bool
    line: int
    character: int


# Content of a third-party rulings file: house rulings or NetrunnerDB's rulings.


SubjectSort = Literal["", "card", "topic", "card_id"]


@dataclass(frozen=True)
class FileRuling:
    """One ruling of a file.

    `subject` is a card title or a topic, depending on `sort`. If `sort` is "", the card list
    decides; "card_id" is a card id of other programs. `id` is the code; if it is "", the code is
    found by the text. `supersedes` are codes, `cards` and `topics` further subjects. Texts are
    paragraphs separated by an empty line. `line` is the first line in the file.
    """

    subject: str
    text: str
    sort: SubjectSort = ""
    kind: str = "ruling"
    authority: str = ""
    via: str = ""
    venue: str = ""
    date: datetime.date | None = None
    id: str = ""
    supersedes: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class FileDocument:
    """The header of a file and its rulings in order.

    `slug` identifies the document: a later file with the same slug is the next edition. `authority`
    is the default for rulings that name none.
    """

    title: str
    slug: str
    published_on: datetime.date
    game: str = DEFAULT.id
    edition: str = ""
    authority: str = ""
    rulings: tuple[FileRuling, ...] = ()


# Collect all faults of a file with their lines and suggested fixes.


MOST_SHOWN_FAULTS = 30


@dataclass(frozen=True, order=True)
class FileFault:
    """A fault in a line (counted from 1), with a suggested fix."""

    line: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


class FaultyFile(Exception):  # noqa: N818 - user errors in a file, reported in full
    """A file has faults and must not be used.

    `readable` is the readable part, for further checks.
    """

    def __init__(self, faults: Iterable[FileFault], readable: FileDocument | None = None) -> None:
        self.readable = readable
        self.faults: Sequence[FileFault] = sorted(set(faults))
        super().__init__("\n".join(self.lines()))

    def lines(self) -> list[str]:
        """Return up to MOST_SHOWN faults as text, and the number of further faults."""
        shown = [str(fault) for fault in self.faults[:MOST_SHOWN_FAULTS]]
        left = len(self.faults) - len(shown)
        return [*shown, f"and {left} more"] if left else shown


# Detect the kind of a rulings file from its beginning.


EXAMINED_CHARACTERS = 4000  # characters examined
LIST_PATTERN = re.compile(r"\ANetrunner Rulings,|={10}|^@|\s@[A-Z]", re.MULTILINE)
NETRUNNERDB_PATTERN = re.compile(
    r'"(?:data|attributes|card_id|nsg_rules_team_verified|success)"\s*:'
)


class FileKind(StrEnum):
    # The values are display names.
    LIST = "the list Netrunner Rulings"
    HOUSE = "house rulings"
    NETRUNNERDB = "rulings of NetrunnerDB"


def detect_file_kind(data: bytes) -> FileKind | None:
    """Guess the kind of the file; None if unknown. The content is not validated."""
    text = (
        data[: 4 * EXAMINED_CHARACTERS]
        .decode("utf-8-sig", errors="replace")[:EXAMINED_CHARACTERS]
        .lstrip()
    )
    if text.startswith("["):
        return FileKind.NETRUNNERDB
    if text.startswith("{"):
        return FileKind.NETRUNNERDB if NETRUNNERDB_PATTERN.search(text) else FileKind.HOUSE
    if text.startswith(("---", "#")):
        return FileKind.HOUSE
    return FileKind.LIST if LIST_PATTERN.search(text) else None
