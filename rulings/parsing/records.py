"""Records of the rulings parsers, and faults of their files."""

import datetime
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from decks.games import DEFAULT

RULING_CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*-[0-9]+")


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
    """A citation; fields that the document does not give are empty or None."""

    authority: str
    via: str = ""
    venue: str = ""
    date: datetime.date | None = None
    about: str = ""


@dataclass(frozen=True)
class DigestRuling:
    """A ruling as stored; a line of the digest, in our own words."""

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
    # Further cards and topics.
    about: tuple[str, ...] = ()
    slug: str = ""
    # "" for stored rulings, which have one, and in the digest, where the number determines it.
    short_code: str = ""

    @property
    def subject_slug(self) -> str:
        return self.slug or self.code.rpartition("-")[0]


@dataclass(frozen=True)
class OriginalRuling:
    """An "@" item of the original document, verbatim, with single spaces."""

    code: str
    subject: str
    text: str
    # The item starts with "ERRATA".
    is_marked_errata: bool


# Files: house rulings or NetrunnerDB's rulings.

SubjectSort = Literal["", "card", "topic", "card_id"]


@dataclass(frozen=True)
class FileRuling:
    # A card title or a topic.
    subject: str
    # Paragraphs, separated by an empty line.
    text: str
    # With "" the card list decides; "card_id" is a card id of other programs.
    sort: SubjectSort = ""
    kind: str = "ruling"
    authority: str = ""
    via: str = ""
    venue: str = ""
    date: datetime.date | None = None
    # The code, or "" to find it by the text.
    id: str = ""
    # Codes.
    supersedes: tuple[str, ...] = ()
    # Further subjects.
    cards: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class FileDocument:
    title: str
    # A later file with the same slug is the next edition.
    slug: str
    published_on: datetime.date
    game: str = DEFAULT.id
    edition: str = ""
    # For rulings that name none.
    authority: str = ""
    rulings: tuple[FileRuling, ...] = ()


# Faults of a file.

MAX_SHOWN_FAULTS = 30


@dataclass(frozen=True, order=True)
class FileFault:
    line: int  # from 1
    reason: str  # with a suggested fix

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


class FaultyFile(Exception):  # noqa: N818 - user errors in a file, reported in full
    """A file has faults and must not be used; `readable` is its readable part."""

    def __init__(self, faults: Iterable[FileFault], readable: FileDocument | None = None) -> None:
        self.readable = readable
        self.faults: Sequence[FileFault] = sorted(set(faults))
        super().__init__("\n".join(self.lines()))

    def lines(self) -> list[str]:
        shown = [str(fault) for fault in self.faults[:MAX_SHOWN_FAULTS]]
        left = len(self.faults) - len(shown)
        return [*shown, f"and {left} more"] if left else shown


# Kinds of file.

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
    # A guess from the beginning; the content is not validated.
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
