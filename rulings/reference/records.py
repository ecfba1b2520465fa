"""Records of rules reference pages and of their faults."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

DISAGREEMENT = "Documents disagree"
LONGEST_SOURCE = 80  # characters; limit of the citation table

# A line of a file with its number.
Line = tuple[int, str]


@dataclass(frozen=True)
class Fault:
    """A fault in a file: line (from 1), description, suggested fix."""

    line: int
    what: str
    remedy: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.what} {self.remedy}"


class Faulty(Exception):  # noqa: N818 - user errors in a page, reported in full
    """A page cannot be used; `faults` are sorted by line."""

    def __init__(self, slug: str, faults: Sequence[Fault]) -> None:
        self.slug = slug
        self.faults = tuple(sorted(faults, key=lambda fault: fault.line))
        super().__init__("\n".join(f"{slug}: {fault}" for fault in self.faults))


@dataclass(frozen=True)
class SourceLine:
    """Source of a section: a document, the place in it, and its date if known."""

    document: str
    place: str = ""
    date: datetime.date | None = None


@dataclass(frozen=True)
class Section:
    """A numbered section of a page.

    `place` is the printed number ("2.1"), `short_code` the permanent code ("S-0102"). `text` has
    paragraphs separated by an empty line, and lists of lines that start with "- ".
    """

    place: str
    heading: str
    short_code: str
    text: str
    sources: tuple[SourceLine, ...]
    cards: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class Page:
    """A page on the rules of one game; `date` is the day from which its content applies.

    `first` and `last` are the range of its short code numbers.
    """

    slug: str
    title: str
    game: str
    edition: str
    date: datetime.date
    about: str
    first: int
    last: int
    sections: tuple[Section, ...]

    def code_of(self, section: Section) -> str:
        """Permanent code of a section: S-0103 on a page from S-0100 on is "its-slug-3"."""
        return f"{self.slug}-{int(section.short_code[2:]) - self.first}"
