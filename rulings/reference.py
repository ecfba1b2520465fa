"""Pages of the rules reference: records, markup and parser. All faults are reported at once."""

import datetime
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from rulings.parsing.records import RulingSource

DISAGREEMENT = "Documents disagree"
LONGEST_SOURCE = 80  # characters; limit of the citation table

# A line of a file with its number.
NumberedLine = tuple[int, str]


@dataclass(frozen=True)
class PageFault:
    line: int
    what: str
    remedy: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.what} {self.remedy}"


class FaultyPage(Exception):  # noqa: N818 - user errors in a page, reported in full
    def __init__(self, slug: str, faults: Sequence[PageFault]) -> None:
        self.slug = slug
        self.faults = tuple(sorted(faults, key=lambda fault: fault.line))
        super().__init__("\n".join(f"{slug}: {fault}" for fault in self.faults))


@dataclass(frozen=True)
class ReferenceSection:
    """A numbered section of a page."""

    place: str  # the printed number, such as "2.1"
    heading: str
    short_code: str  # the permanent code, such as "S-0102"
    # Paragraphs separated by an empty line, and lists of lines that start with "- ".
    text: str
    sources: tuple[RulingSource, ...]
    cards: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class ReferencePage:
    """A page on the rules of one game."""

    slug: str
    title: str
    game: str
    edition: str
    # From which its content applies.
    date: datetime.date
    about: str
    # The range of its short code numbers.
    first: int
    last: int
    sections: tuple[ReferenceSection, ...]

    def code_of(self, section: ReferenceSection) -> str:
        """Permanent code of a section: S-0103 on a page from S-0100 on is "its-slug-3"."""
        return f"{self.slug}-{int(section.short_code[2:]) - self.first}"


# Markup: paragraphs, lists, *emphasis* and codes of other rulings.

CODE_PATTERN = r"(?<![\w-])(?:[RSL]-[0-9]{4,6}|L-[2-9A-HJ-NP-Z]{8})(?![\w-])"
EMPHASIS_PATTERN = r"(?<![\w*])\*(?![\s*])[^*\n]*?(?<![\s*])\*(?![\w*])"
MARK = re.compile(f"(?P<code>{CODE_PATTERN})|(?P<emphasis>{EMPHASIS_PATTERN})")
BULLET = "- "


class TextPieceKind(StrEnum):
    PLAIN = "plain"
    EMPHASIS = "emphasis"
    CODE = "code"


@dataclass(frozen=True)
class TextPiece:
    """A piece of a line; emphasised text is stored without asterisks."""

    kind: TextPieceKind
    text: str


@dataclass(frozen=True)
class Paragraph:
    pieces: tuple[TextPiece, ...]


@dataclass(frozen=True)
class BulletList:
    items: tuple[tuple[TextPiece, ...], ...]


TextBlock = Paragraph | BulletList


def blocks_of(text: str) -> list[TextBlock]:
    """Split any text into paragraphs and lists."""
    blocks: list[TextBlock] = []
    for part in re.split(r"\n\s*\n", text.strip()):
        blocks += _split_paragraph(part.split("\n"))
    return blocks


def codes_in(text: str) -> list[str]:
    """Return the short codes in a text, without duplicates, in order."""
    return list(dict.fromkeys(re.findall(CODE_PATTERN, text)))


def pieces_of(line: str) -> tuple[TextPiece, ...]:
    """Split a line at codes and emphasis. The joined pieces are the line without asterisks."""
    return tuple(piece for piece in _split_line(line) if piece.text)


def plain_text(text: str) -> str:
    """Return the text on one line without bullets and asterisks, for excerpts."""
    lines = (
        line
        for block in blocks_of(text)
        for line in (block.items if isinstance(block, BulletList) else [block.pieces])
    )
    return " ".join("".join(piece.text for piece in line) for line in lines)


def _split_paragraph(lines: list[str]) -> Iterator[TextBlock]:
    words: list[str] = []
    items: list[str] = []
    for line in lines:
        if line.startswith(BULLET):
            if words:
                yield Paragraph(pieces_of(" ".join(words)))
                words = []
            items.append(line.removeprefix(BULLET).strip())
        elif items and line.startswith("  "):
            items[-1] += f" {line.strip()}"
        else:
            if items:
                yield BulletList(tuple(map(pieces_of, items)))
                items = []
            words.append(line.strip())
    if items:
        yield BulletList(tuple(map(pieces_of, items)))
    if any(words):
        yield Paragraph(pieces_of(" ".join(words)))


def _split_line(line: str) -> Iterator[TextPiece]:
    end = 0
    for mark in MARK.finditer(line):
        yield TextPiece(TextPieceKind.PLAIN, line[end : mark.start()])
        if mark["code"]:
            yield TextPiece(TextPieceKind.CODE, mark["code"])
        else:
            yield TextPiece(TextPieceKind.EMPHASIS, mark["emphasis"][1:-1])
        end = mark.end()
    yield TextPiece(TextPieceKind.PLAIN, line[end:])


# The header: metadata and sources.

HEAD_FIELDS = ("title", "game", "slug", "edition", "date", "codes", "about")
HEAD_LENGTHS = {"title": 120, "edition": 20, "slug": 70, "about": 300}
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
CODE_RANGE = re.compile(r"S-([0-9]{4}) to S-([0-9]{4})")


def read_head(
    lines: Sequence[NumberedLine], faults: list[PageFault]
) -> tuple[dict[str, NumberedLine], dict[str, RulingSource]]:
    """Parse fields with their lines, and sources by key; add invalid lines to `faults`."""
    head: dict[str, NumberedLine] = {}
    sources: dict[str, RulingSource] = {}
    for number, line in lines:
        field, colon, value = (part.strip() for part in line.partition(":"))
        if not line:
            continue
        if field == "source" and colon:
            _add_source(sources, number, value, faults)
        elif field in head:
            faults.append(PageFault(number, f'"{field}" is given twice.', "Keep one of the two."))
        elif field in HEAD_FIELDS and value:
            head[field] = (number, value)
        else:
            known = ", ".join((*HEAD_FIELDS, "source"))
            faults.append(PageFault(number, f'"{line}" says nothing.', f"Known fields: {known}."))
    return head, sources


def _add_source(
    sources: dict[str, RulingSource], number: int, value: str, faults: list[PageFault]
) -> None:
    key, equals, source = (part.strip() for part in value.partition("="))
    document, _, date = (part.strip() for part in source.partition("|"))
    if not equals or not key or not document or len(document) > LONGEST_SOURCE:
        form = f'Write "source: key = document | date", at most {LONGEST_SOURCE} letters.'
        faults.append(PageFault(number, f'"{value}" is not a source.', form))
    elif key in sources:
        faults.append(
            PageFault(number, f'There is a source "{key}" already.', "Choose another key.")
        )
    elif date and not _is_date(date):
        faults.append(PageFault(number, f'"{date}" is not a date.', "Write it as 2012-09-30."))
    else:
        sources[key] = RulingSource(
            document, date=datetime.date.fromisoformat(date) if date else None
        )


def head_faults(
    head: Mapping[str, NumberedLine], slug: str, games: Sequence[str]
) -> Iterator[PageFault]:
    for field in HEAD_FIELDS:
        if field not in head:
            yield PageFault(1, f'The head has no "{field}".', f'Add a line "{field}: ...".')
    for field, most in HEAD_LENGTHS.items():
        number, value = head.get(field, (1, ""))
        if len(value) > most:
            yield PageFault(
                number, f"The {field} has {len(value)} letters.", f"At most {most} fit."
            )
    number, value = head.get("game", (1, ""))
    if value and value not in games:
        yield PageFault(
            number, f'There is no game "{value}".', f"Choose one of {', '.join(games)}."
        )
    number, value = head.get("slug", (1, slug))
    if value != slug or not SLUG.fullmatch(value):
        yield PageFault(
            number, f'The slug is "{value}", the file is named "{slug}".', "Name both alike."
        )
    number, value = head.get("date", (1, ""))
    if value and not _is_date(value):
        yield PageFault(number, f'"{value}" is not a date.', "Write it as 2026-11-21.")
    number, value = head.get("codes", (1, ""))
    if value and range_of(head) == (0, 0):
        yield PageFault(number, f'"{value}" is not a range.', 'Write it as "S-0100 to S-0199".')


def range_of(head: Mapping[str, NumberedLine]) -> tuple[int, int]:
    """Return the first and last number of the page's codes; zeros if the header has none."""
    found = CODE_RANGE.fullmatch(head.get("codes", (1, ""))[1])
    first, last = (int(found[1]), int(found[2])) if found else (0, 0)
    return (first, last) if first < last else (0, 0)


def _is_date(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


# Pages.

HEADING = re.compile(r"## ([0-9]{1,3}(?:\.[0-9]{1,3})?) (.+) \{(S-[0-9]{4})\}")
HEADING_FORM = 'Write it as "## 2.1 Heading {S-0102}".'
LONGEST_HEADING = 160
# Sections must be short enough to read out at a table.
MOST_SECTION_WORDS = 220


@dataclass
class _SectionDraft:
    line: int
    place: str
    heading: str
    short_code: str
    body: list[NumberedLine]


def read_page(text: str, slug: str, games: Sequence[str]) -> ReferencePage:
    """Parse a page; `slug` is its file name. Raises FaultyPage with all faults."""
    lines = [(number, line.rstrip()) for number, line in enumerate(text.splitlines(), start=1)]
    start = next((at for at, (_, line) in enumerate(lines) if line.startswith("#")), len(lines))
    faults: list[PageFault] = []
    head, sources = read_head(lines[:start], faults)
    faults += head_faults(head, slug, games)
    drafts = list(_drafts(lines[start:], faults))
    sections = tuple(_section(draft, sources, faults) for draft in drafts)
    first, last = range_of(head)
    faults += _order_faults(sections, first, last)
    if faults:
        raise FaultyPage(slug, faults)
    fields = {field: value for field, (_, value) in head.items()}
    return ReferencePage(
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


def _drafts(lines: Sequence[NumberedLine], faults: list[PageFault]) -> Iterator[_SectionDraft]:
    draft = None
    for number, line in lines:
        if line.startswith("#"):
            if draft:
                yield draft
            found = HEADING.fullmatch(line)
            if not found:
                faults.append(PageFault(number, f'"{line}" is not a heading.', HEADING_FORM))
            place, heading, code = found.groups() if found else ("", line, "")
            draft = _SectionDraft(number, place, heading, code, body=[])
        elif draft:
            draft.body.append((number, line))
    if draft:
        yield draft
    else:
        faults.append(PageFault(1, "The page has no section.", HEADING_FORM))


def _section(
    draft: _SectionDraft, known: Mapping[str, RulingSource], faults: list[PageFault]
) -> ReferenceSection:
    text: list[NumberedLine] = []
    sources: list[RulingSource] = []
    cards: list[str] = []
    for number, line in draft.body:
        if line.startswith("Source: "):
            sources += _section_sources(number, line.removeprefix("Source: "), known, faults)
        elif line.startswith("Cards: "):
            cards += [card.strip() for card in line.removeprefix("Cards: ").split(";")]
        elif sources and line:
            what = "There is text after the source of the section."
            faults.append(PageFault(number, what, "Put the source last."))
        else:
            text.append((number, line))
    section = ReferenceSection(
        place=draft.place,
        heading=draft.heading,
        short_code=draft.short_code,
        text=_unwrap_lines(text),
        sources=tuple(sources),
        cards=tuple(cards),
        line=draft.line,
    )
    faults += _section_faults(section)
    return section


def _section_faults(section: ReferenceSection) -> Iterator[PageFault]:
    words = len(section.text.split())
    if not words:
        yield PageFault(
            section.line, f"Section {section.place} has no text.", "Write it, or drop it."
        )
    if words > MOST_SECTION_WORDS:
        yield PageFault(
            section.line,
            f"Section {section.place} has {words} words.",
            f"Split it: {MOST_SECTION_WORDS} are the most that can be cited in one.",
        )
    if not section.sources:
        what = f"Section {section.place} names no source."
        yield PageFault(section.line, what, 'End it with "Source: key, place".')
    if len(section.heading) > LONGEST_HEADING:
        yield PageFault(section.line, "The heading is too long.", f"At most {LONGEST_HEADING} fit.")


def _section_sources(
    number: int, listed: str, known: Mapping[str, RulingSource], faults: list[PageFault]
) -> Iterator[RulingSource]:
    for part in listed.rstrip(".").split(";"):
        key, _, place = (piece.strip() for piece in part.partition(","))
        if key not in known:
            keys = ", ".join(known) or "none"
            faults.append(
                PageFault(number, f'There is no source "{key}".', f"The head has: {keys}.")
            )
        elif len(place) > LONGEST_SOURCE:
            faults.append(
                PageFault(number, f'"{place}" is too long.', f"At most {LONGEST_SOURCE}.")
            )
        else:
            yield replace(known[key], venue=place)


def _unwrap_lines(lines: Sequence[NumberedLine]) -> str:
    # Each paragraph and list item becomes one line.
    parts: list[str] = []
    for _, line in lines:
        fresh = not parts or parts[-1] == "" or line.startswith("- ") or not line
        if fresh or (parts[-1].startswith("- ") and not line.startswith("  ")):
            parts.append(line)
        else:
            parts[-1] += f" {line.strip()}"
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).strip()


def _order_faults(
    sections: Sequence[ReferenceSection], first: int, last: int
) -> Iterator[PageFault]:
    codes: set[str] = set()
    before: tuple[int, ...] = ()
    for section in sections:
        if not section.short_code:
            continue
        place = tuple(map(int, section.place.split(".")))
        if place <= before:
            what = f"Section {section.place} stands after a later one."
            yield PageFault(section.line, what, "Number the sections upwards.")
        before = place
        if section.short_code in codes:
            what = f"{section.short_code} is given twice."
            yield PageFault(
                section.line, what, "Take the next free code; old ones are never reused."
            )
        codes.add(section.short_code)
        if first and not first < int(section.short_code[2:]) <= last:
            what = f"{section.short_code} is not a code of this page."
            yield PageFault(section.line, what, f"Take one from S-{first + 1:04d} to S-{last:04d}.")


def check_pages(pages: Sequence[ReferencePage]) -> None:
    """Raise FaultyPage if pages share codes or titles, or refer to a missing section."""
    known = {section.short_code for page in pages for section in page.sections}
    for at, page in enumerate(pages):
        faults = [*_overlap_faults(page, pages[:at])]
        for section in page.sections:
            for code in codes_in(section.text):
                if code.startswith("S-") and code not in known:
                    what = (
                        f"Section {section.place} sends the reader to {code}, which does not exist."
                    )
                    faults.append(PageFault(section.line, what, "Name a section that is there."))
        if faults:
            raise FaultyPage(page.slug, faults)


def _overlap_faults(page: ReferencePage, others: Sequence[ReferencePage]) -> Iterator[PageFault]:
    for other in others:
        if page.first <= other.last and other.first <= page.last:
            yield PageFault(1, f'Its codes overlap those of "{other.slug}".', "Give it others.")
        if (page.game, page.title) == (other.game, other.title):
            yield PageFault(1, f'"{other.slug}" has the same title.', "Give it another.")
