"""Reads one page of the rules reference and tells everything that is wrong with it at once."""

import datetime
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulings.reference.records import Fault, Faulty, Page, Section, SourceLine

FIELDS = ("title", "game", "slug", "edition", "date", "codes", "about")
LONGEST = {"title": 120, "edition": 20, "slug": 70, "about": 300}
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
RANGE = re.compile(r"S-([0-9]{4}) to S-([0-9]{4})")
HEADING = re.compile(r"## ([0-9]{1,3}(?:\.[0-9]{1,3})?) (.+) \{(S-[0-9]{4})\}")
HEADING_FORM = 'Write it as "## 2.1 Heading {S-0102}".'
LONGEST_HEADING = 160
LONGEST_SOURCE = 80  # characters, as the table of citations keeps it
MOST_WORDS = 220
"""A section is short enough to be read out at a table."""

Line = tuple[int, str]


@dataclass
class _Draft:
    """A section while it is read."""

    line: int
    place: str
    heading: str
    short_code: str
    body: list[Line]


def read_page(text: str, slug: str, games: Sequence[str]) -> Page:
    """The page in a file that is named after its slug.

    Raises Faulty with every fault: of the head, of each section, of their numbers and codes.
    """
    lines = [(number, line.rstrip()) for number, line in enumerate(text.splitlines(), start=1)]
    start = next((at for at, (_, line) in enumerate(lines) if line.startswith("#")), len(lines))
    faults: list[Fault] = []
    head, sources = _head(lines[:start], faults)
    faults += _head_faults(head, slug, games)
    drafts = list(_drafts(lines[start:], faults))
    sections = tuple(_section(draft, sources, faults) for draft in drafts)
    first, last = _range_of(head)
    faults += _order_faults(sections, first, last)
    if faults:
        raise Faulty(slug, faults)
    told = {field: value for field, (_, value) in head.items()}
    return Page(
        slug=slug,
        title=told["title"],
        game=told["game"],
        edition=told["edition"],
        date=datetime.date.fromisoformat(told["date"]),
        about=told["about"],
        first=first,
        last=last,
        sections=sections,
    )


def _head(
    lines: Sequence[Line], faults: list[Fault]
) -> tuple[dict[str, Line], dict[str, SourceLine]]:
    head: dict[str, Line] = {}
    sources: dict[str, SourceLine] = {}
    for number, line in lines:
        field, colon, value = (part.strip() for part in line.partition(":"))
        if not line:
            continue
        if field == "source" and colon:
            _declare(sources, number, value, faults)
        elif field in head:
            faults.append(Fault(number, f'"{field}" is told twice.', "Keep one of the two."))
        elif field in FIELDS and value:
            head[field] = (number, value)
        else:
            known = ", ".join((*FIELDS, "source"))
            faults.append(Fault(number, f'"{line}" says nothing.', f"Known fields: {known}."))
    return head, sources


def _declare(sources: dict[str, SourceLine], number: int, value: str, faults: list[Fault]) -> None:
    key, equals, told = (part.strip() for part in value.partition("="))
    document, _, date = (part.strip() for part in told.partition("|"))
    if not equals or not key or not document or len(document) > LONGEST_SOURCE:
        form = f'Write "source: key = document | date", at most {LONGEST_SOURCE} letters.'
        faults.append(Fault(number, f'"{value}" is no source.', form))
    elif key in sources:
        faults.append(Fault(number, f'There is a source "{key}" already.', "Choose another key."))
    elif date and not _is_date(date):
        faults.append(Fault(number, f'"{date}" is no date.', "Write it as 2012-09-30."))
    else:
        sources[key] = SourceLine(
            document, date=datetime.date.fromisoformat(date) if date else None
        )


def _head_faults(head: Mapping[str, Line], slug: str, games: Sequence[str]) -> Iterator[Fault]:
    for field in FIELDS:
        if field not in head:
            yield Fault(1, f'The head has no "{field}".', f'Add a line "{field}: ...".')
    for field, most in LONGEST.items():
        number, value = head.get(field, (1, ""))
        if len(value) > most:
            yield Fault(number, f"The {field} has {len(value)} letters.", f"At most {most} fit.")
    number, value = head.get("game", (1, ""))
    if value and value not in games:
        yield Fault(number, f'There is no game "{value}".', f"Choose one of {', '.join(games)}.")
    number, value = head.get("slug", (1, slug))
    if value != slug or not SLUG.fullmatch(value):
        yield Fault(
            number, f'The slug is "{value}", the file is named "{slug}".', "Name both alike."
        )
    number, value = head.get("date", (1, ""))
    if value and not _is_date(value):
        yield Fault(number, f'"{value}" is no date.', "Write it as 2026-11-21.")
    number, value = head.get("codes", (1, ""))
    if value and _range_of(head) == (0, 0):
        yield Fault(number, f'"{value}" is no range.', 'Write it as "S-0100 to S-0199".')


def _range_of(head: Mapping[str, Line]) -> tuple[int, int]:
    """The first and last number of the page's codes; zeros where the head tells none."""
    found = RANGE.fullmatch(head.get("codes", (1, ""))[1])
    first, last = (int(found[1]), int(found[2])) if found else (0, 0)
    return (first, last) if first < last else (0, 0)


def _drafts(lines: Sequence[Line], faults: list[Fault]) -> Iterator[_Draft]:
    draft = None
    for number, line in lines:
        if line.startswith("#"):
            if draft:
                yield draft
            found = HEADING.fullmatch(line)
            if not found:
                faults.append(Fault(number, f'"{line}" is no heading.', HEADING_FORM))
            parts = found.groups() if found else ("", line, "")
            draft = _Draft(number, *parts, body=[])
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
    number: int, told: str, known: Mapping[str, SourceLine], faults: list[Fault]
) -> Iterator[SourceLine]:
    for part in told.rstrip(".").split(";"):
        key, _, place = (piece.strip() for piece in part.partition(","))
        if key not in known:
            keys = ", ".join(known) or "none"
            faults.append(Fault(number, f'There is no source "{key}".', f"The head has: {keys}."))
        elif len(place) > LONGEST_SOURCE:
            faults.append(Fault(number, f'"{place}" is too long.', f"At most {LONGEST_SOURCE}."))
        else:
            yield SourceLine(known[key].document, place, known[key].date)


def _joined(lines: Sequence[Line]) -> str:
    """Paragraphs and list items on a line each, however the file wraps them."""
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
            what = f"{section.short_code} is no code of this page."
            yield Fault(section.line, what, f"Take one from S-{first + 1:04d} to S-{last:04d}.")


def _is_date(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
