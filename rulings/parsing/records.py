"""Records of the rulings parsers, and the error for damaged documents."""

import datetime
from dataclasses import dataclass

SECTIONS = ("general", "corp", "runner")


class Damaged(Exception):  # noqa: N818 - user errors in a document, reported in full
    """The document differs from the original at this place and must not be used."""

    def __init__(self, reason: str, *, line: int, character: int | None = None) -> None:
        place = f"line {line}" if character is None else f"line {line}, character {character}"
        super().__init__(f"{place}: {reason}")
        self.reason = reason
        self.line = line
        self.character = character


@dataclass(frozen=True)
class Source:
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
    sources: tuple[Source, ...]
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
    sources: tuple[Source, ...]
    is_marked_errata: bool
    line: int
    character: int
