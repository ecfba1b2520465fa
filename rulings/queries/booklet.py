"""All rulings in force in a game for printing: sections, subjects, errata first."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from operator import attrgetter

from rulings.models import DocumentKind, Ruling, RulingKind, RulingVersion, Section
from rulings.queries.in_force import in_force_on, version_on

ERRATA_FIRST = {RulingKind.ERRATA.value: 0, RulingKind.UNOFFICIAL_ERRATA.value: 1}
PRINTED = ("versions__citations", "versions__ruling__document")
LEFT_OUT = (DocumentKind.LOCAL, DocumentKind.REFERENCE)


@dataclass(frozen=True)
class Printed:
    """A ruling with the text in force; `original` is the source's wording, if requested."""

    ruling: Ruling
    version: RulingVersion
    original: str = ""


@dataclass(frozen=True)
class PrintedSubject:
    """A card or topic with its rulings, errata first."""

    name: str
    lines: list[Printed]


@dataclass(frozen=True)
class PrintedSection:
    """A part of the booklet that starts on a new page."""

    name: str
    subjects: list[PrintedSubject]


@dataclass(frozen=True)
class Booklet:
    """The sections, the number of rulings, and the required notices as (title, text)."""

    sections: list[PrintedSection]
    rulings: int
    notices: list[tuple[str, str]]


def booklet(game: str, day: date, *, with_originals: bool = False) -> Booklet:
    """Return the rulings in force in the game on that day, in a fixed number of queries.

    The notice of a document is included only if its original wording is printed.
    """
    rulings = Ruling.objects.filter(document__game=game).exclude(document__kind__in=LEFT_OUT)
    in_force = in_force_on(rulings, day).select_related("document").prefetch_related(*PRINTED)
    lines = [_printed(ruling, day, with_originals) for ruling in in_force]
    quoted = {line.ruling.document for line in lines if line.original}
    return Booklet(
        sections=list(_sections(lines)),
        rulings=len(lines),
        notices=sorted((str(document), document.notice) for document in quoted if document.notice),
    )


def _printed(ruling: Ruling, day: date, with_originals: bool) -> Printed:
    version = version_on(ruling, day)
    assert version is not None, "in_force_on keeps rulings that have begun"
    return Printed(ruling, version, version.original_text if with_originals else "")


def _sections(lines: Iterable[Printed]) -> Iterator[PrintedSection]:
    places = {section.value: place for place, section in enumerate(Section)}

    def place(line: Printed) -> tuple[object, ...]:
        one = line.ruling
        first = ERRATA_FIRST.get(one.kind, 2)
        return places[one.section], one.subject_key, first, one.document_id, one.number

    ordered = sorted(lines, key=place)
    for section, inside in groupby(ordered, key=attrgetter("ruling.section")):
        subjects = groupby(inside, key=attrgetter("ruling.subject_key"))
        found = [list(group) for _, group in subjects]
        printed = [PrintedSubject(group[0].ruling.subject, group) for group in found]
        yield PrintedSection(Section(section).label, printed)
