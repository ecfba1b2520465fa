"""Parse pages of the rules reference and report all faults at once."""

import datetime
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulings.reference.blocks import codes_in
from rulings.reference.head import head_faults, range_of, read_head
from rulings.reference.records import (
    LONGEST_SOURCE,
    Fault,
    Faulty,
    Line,
    Page,
    Section,
    SourceLine,
)

HEADING = re.compile(r"## ([0-9]{1,3}(?:\.[0-9]{1,3})?) (.+) \{(S-[0-9]{4})\}")
HEADING_FORM = 'Write it as "## 2.1 Heading {S-0102}".'
LONGEST_HEADING = 160
# Sections must be short enough to read out at a table.
MOST_WORDS = 220


@dataclass
class _Draft:
    line: int
    place: str
    heading: str
    short_code: str
    body: list[Line]


def read_page(text: str, slug: str, games: Sequence[str]) -> Page:
    """Parse a page; `slug` is its file name.

    Raises Faulty with all faults of the header, the sections, their numbers and codes.
    """
    lines = [(number, line.rstrip()) for number, line in enumerate(text.splitlines(), start=1)]
    start = next((at for at, (_, line) in enumerate(lines) if line.startswith("#")), len(lines))
    faults: list[Fault] = []
    head, sources = read_head(lines[:start], faults)
    faults += head_faults(head, slug, games)
    drafts = list(_drafts(lines[start:], faults))
    sections = tuple(_section(draft, sources, faults) for draft in drafts)
    first, last = range_of(head)
    faults += _order_faults(sections, first, last)
    if faults:
        raise Faulty(slug, faults)
    fields = {field: value for field, (_, value) in head.items()}
    return Page(
        slug=slug,
        title=fields["title"],
        game=fields["game"],
        edition=fields["edition"],
        date=datetime.date.fromisoformat(fields["date"]),
        about=fields["about"],
        first=first,
        last=last,
        sections=sections,
    )


def _drafts(lines: Sequence[Line], faults: list[Fault]) -> Iterator[_Draft]:
    draft = None
    for number, line in lines:
        if line.startswith("#"):
            if draft:
                yield draft
            found = HEADING.fullmatch(line)
            if not found:
                faults.append(Fault(number, f'"{line}" is not a heading.', HEADING_FORM))
            place, heading, code = found.groups() if found else ("", line, "")
            draft = _Draft(number, place, heading, code, body=[])
        elif draft:
            draft.body.append((number, line))
    if draft:
        yield draft
    else:
        faults.append(Fault(1, "The page has no section.", HEADING_FORM))


def _section(draft: _Draft, known: Mapping[str, SourceLine], faults: list[Fault]) -> Section:
    text: list[Line] = []
    sources: list[SourceLine] = []
    cards: list[str] = []
    for number, line in draft.body:
        if line.startswith("Source: "):
            sources += _sources(number, line.removeprefix("Source: "), known, faults)
        elif line.startswith("Cards: "):
            cards += [card.strip() for card in line.removeprefix("Cards: ").split(";")]
        elif sources and line:
            what = "There is text after the source of the section."
            faults.append(Fault(number, what, "Put the source last."))
        else:
            text.append((number, line))
    section = Section(
        place=draft.place,
        heading=draft.heading,
        short_code=draft.short_code,
        text=_joined(text),
        sources=tuple(sources),
        cards=tuple(cards),
        line=draft.line,
    )
    faults += _section_faults(section)
    return section


def _section_faults(section: Section) -> Iterator[Fault]:
    words = len(section.text.split())
    if not words:
        yield Fault(section.line, f"Section {section.place} has no text.", "Write it, or drop it.")
    if words > MOST_WORDS:
        yield Fault(
            section.line,
            f"Section {section.place} has {words} words.",
            f"Split it: {MOST_WORDS} are the most that can be cited in one.",
        )
    if not section.sources:
        what = f"Section {section.place} names no source."
        yield Fault(section.line, what, 'End it with "Source: key, place".')
    if len(section.heading) > LONGEST_HEADING:
        yield Fault(section.line, "The heading is too long.", f"At most {LONGEST_HEADING} fit.")


def _sources(
    number: int, listed: str, known: Mapping[str, SourceLine], faults: list[Fault]
) -> Iterator[SourceLine]:
    for part in listed.rstrip(".").split(";"):
        key, _, place = (piece.strip() for piece in part.partition(","))
        if key not in known:
            keys = ", ".join(known) or "none"
            faults.append(Fault(number, f'There is no source "{key}".', f"The head has: {keys}."))
        elif len(place) > LONGEST_SOURCE:
            faults.append(Fault(number, f'"{place}" is too long.', f"At most {LONGEST_SOURCE}."))
        else:
            yield SourceLine(known[key].document, place, known[key].date)


def _joined(lines: Sequence[Line]) -> str:
    """Unwrap the lines: each paragraph and list item becomes one line."""
    parts: list[str] = []
    for _, line in lines:
        fresh = not parts or parts[-1] == "" or line.startswith("- ") or not line
        if fresh or (parts[-1].startswith("- ") and not line.startswith("  ")):
            parts.append(line)
        else:
            parts[-1] += f" {line.strip()}"
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).strip()


def _order_faults(sections: Sequence[Section], first: int, last: int) -> Iterator[Fault]:
    codes: set[str] = set()
    before: tuple[int, ...] = ()
    for section in sections:
        if not section.short_code:
            continue
        place = tuple(map(int, section.place.split(".")))
        if place <= before:
            what = f"Section {section.place} stands after a later one."
            yield Fault(section.line, what, "Number the sections upwards.")
        before = place
        if section.short_code in codes:
            what = f"{section.short_code} is given twice."
            yield Fault(section.line, what, "Take the next free code; old ones are never reused.")
        codes.add(section.short_code)
        if first and not first < int(section.short_code[2:]) <= last:
            what = f"{section.short_code} is not a code of this page."
            yield Fault(section.line, what, f"Take one from S-{first + 1:04d} to S-{last:04d}.")


def check(pages: Sequence[Page]) -> None:
    """Raise Faulty if pages share codes or titles, or refer to a missing section."""
    known = {section.short_code for page in pages for section in page.sections}
    for at, page in enumerate(pages):
        faults = [*_shared(page, pages[:at]), *_leading_nowhere(page, known)]
        if faults:
            raise Faulty(page.slug, faults)


def _shared(page: Page, others: Sequence[Page]) -> Iterator[Fault]:
    for other in others:
        if page.first <= other.last and other.first <= page.last:
            yield Fault(1, f'Its codes overlap those of "{other.slug}".', "Give it others.")
        if (page.game, page.title) == (other.game, other.title):
            yield Fault(1, f'"{other.slug}" has the same title.', "Give it another.")


def _leading_nowhere(page: Page, known: set[str]) -> Iterator[Fault]:
    for section in page.sections:
        for code in codes_in(section.text):
            if code.startswith("S-") and code not in known:
                what = f"Section {section.place} sends the reader to {code}, which does not exist."
                yield Fault(section.line, what, "Name a section that is there.")
