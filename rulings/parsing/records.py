"""What the readers give: rulings, citations, and where a document is damaged."""

import datetime
from dataclasses import dataclass

SECTIONS = ("general", "corp", "runner")


class Damaged(Exception):  # noqa: N818 - what is wrong with a document, in words for its reader
    """A document cannot be trusted: where and why. Nothing of it may be used."""

    def __init__(self, reason: str, *, line: int, character: int | None = None) -> None:
        place = f"line {line}" if character is None else f"line {line}, character {character}"
        super().__init__(f"{place}: {reason}")
        self.reason = reason
        self.line = line
        self.character = character


@dataclass(frozen=True)
class Source:
    """One citation. Empty text and None where the document says nothing."""

    authority: str
    via: str = ""
    venue: str = ""
    date: datetime.date | None = None
    about: str = ""


@dataclass(frozen=True)
class DigestRuling:
    """One ruling as the tables keep it; a line of the digest, in our own words.

    `about` are further cards and topics. `short_code` is "" for a ruling that has one already,
    and in the digest, which counts its rulings for good.
    """

    code: str
    number: int
    section: str
    subject: str
    kind: str
    reverses: bool
    text: str
    sources: tuple[Source, ...]
    see_also: tuple[str, ...]
    mentions: tuple[str, ...]
    about: tuple[str, ...] = ()
    slug: str = ""
    short_code: str = ""

    @property
    def subject_slug(self) -> str:
        """The address of the subject: its own, else the code without its number."""
        return self.slug or self.code.rpartition("-")[0]


@dataclass(frozen=True)
class OriginalRuling:
    """One "@" item of the original document, word for word, single-spaced.

    `line` and `character` (counted from 1 within that line) say where it
    starts. `is_marked_errata` is true for an item headed "ERRATA".
    """

    code: str
    section: str
    subject: str
    text: str
    sources: tuple[Source, ...]
    is_marked_errata: bool
    line: int
    character: int
