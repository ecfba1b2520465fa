"""What a page of the rules reference holds, and what is wrong with one."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

DISAGREEMENT = "Documents disagree"
LONGEST_SOURCE = 80  # characters, as the table of citations keeps it

Line = tuple[int, str]
"""A line of a file with its number."""


@dataclass(frozen=True)
class Fault:
    """One thing wrong in a file: the line (from 1), what it is, what to do."""

    line: int
    what: str
    remedy: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.what} {self.remedy}"


class Faulty(Exception):  # noqa: N818 - what is wrong with a page, in words for its writer
    """A page cannot be used; all its faults in the order of their lines."""

    def __init__(self, slug: str, faults: Sequence[Fault]) -> None:
        self.slug = slug
        self.faults = tuple(sorted(faults, key=lambda fault: fault.line))
        super().__init__("\n".join(f"{slug}: {fault}" for fault in self.faults))


@dataclass(frozen=True)
class SourceLine:
    """Where a section has its facts: a document, the place in it, its date where one is known."""

    document: str
    place: str = ""
    date: datetime.date | None = None


@dataclass(frozen=True)
class Section:
    """A numbered section of a page.

    `place` is the number it prints ("2.1"), `short_code` its lasting code ("S-0102"). `text` has
    paragraphs with an empty line between them, and lists of lines that begin with "- ".
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
    """A page on the rules of one game; `date` is the day from which it reads as it does.

    `first` and `last` are the numbers of the short codes that belong to it.
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
        """The lasting code of a section: S-0103 of a page from S-0100 on is "its-slug-3"."""
        return f"{self.slug}-{int(section.short_code[2:]) - self.first}"
