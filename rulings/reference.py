"""Pages of the rules reference: records, markup and parser.

The pages ship with the project; tests/rulings/reference/test_shipped_pages.py checks them.
"""

import datetime
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from rulings.parsing.records import RulingSource

DISAGREEMENT = "Documents disagree"


@dataclass(frozen=True)
class ReferenceSection:
    place: str  # the printed number, such as "2.1"
    heading: str
    short_code: str  # the permanent code, such as "S-0102"
    # Paragraphs separated by an empty line, and lists of lines that start with "- ".
    text: str
    sources: tuple[RulingSource, ...]
    cards: tuple[str, ...]


@dataclass(frozen=True)
class ReferencePage:
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


# Pages: a head of fields and sources, then sections (rulings/data/README.md).

CODE_RANGE = re.compile(r"S-([0-9]{4}) to S-([0-9]{4})")
HEADING = re.compile(r"## ([0-9]{1,3}(?:\.[0-9]{1,3})?) (.+) \{(S-[0-9]{4})\}")


def read_page(text: str) -> ReferencePage:
    """Parse a shipped page. Raises an error for an invalid page."""
    head, *sections = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    fields: dict[str, str] = {}
    sources: dict[str, RulingSource] = {}
    for line in filter(None, head.splitlines()):
        name, value = (part.strip() for part in line.split(":", 1))
        if name == "source":
            key, source = (part.strip() for part in value.split("=", 1))
            document, _, day = (part.strip() for part in source.partition("|"))
            date = datetime.date.fromisoformat(day) if day else None
            sources[key] = RulingSource(document, date=date)
        else:
            fields[name] = value
    codes = CODE_RANGE.fullmatch(fields["codes"])
    if codes is None:
        raise ValueError(f"{fields['codes']!r} is not a range of codes")
    return ReferencePage(
        slug=fields["slug"],
        title=fields["title"],
        game=fields["game"],
        edition=fields["edition"],
        date=datetime.date.fromisoformat(fields["date"]),
        about=fields["about"],
        first=int(codes[1]),
        last=int(codes[2]),
        sections=tuple(_read_section(section, sources) for section in sections),
    )


def _read_section(text: str, known: Mapping[str, RulingSource]) -> ReferenceSection:
    first, *lines = (line.rstrip() for line in text.splitlines())
    heading = HEADING.fullmatch(first)
    if heading is None:
        raise ValueError(f"{first!r} is not a heading")
    body: list[str] = []
    sources: list[RulingSource] = []
    cards: list[str] = []
    for line in lines:
        if line.startswith("Source: "):
            for part in line.removeprefix("Source: ").rstrip(".").split(";"):
                key, _, place = (piece.strip() for piece in part.partition(","))
                sources.append(replace(known[key], venue=place))
        elif line.startswith("Cards: "):
            cards += [card.strip() for card in line.removeprefix("Cards: ").split(";")]
        else:
            body.append(line)
    return ReferenceSection(
        place=heading[1],
        heading=heading[2],
        short_code=heading[3],
        text=_unwrap_lines(body),
        sources=tuple(sources),
        cards=tuple(cards),
    )


def _unwrap_lines(lines: Iterable[str]) -> str:
    # Each paragraph and list item becomes one line.
    parts: list[str] = []
    for line in lines:
        is_new = not parts or parts[-1] == "" or line.startswith(BULLET) or not line
        if is_new or (parts[-1].startswith(BULLET) and not line.startswith("  ")):
            parts.append(line)
        else:
            parts[-1] += f" {line.strip()}"
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).strip()
