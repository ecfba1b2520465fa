"""Minimal markup of texts: paragraphs, lists, *emphasis* and codes of other rulings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

CODE = r"(?<![\w-])(?:[RSL]-[0-9]{4,6}|L-[2-9A-HJ-NP-Z]{8})(?![\w-])"
EMPHASIS = r"(?<![\w*])\*(?![\s*])[^*\n]*?(?<![\s*])\*(?![\w*])"
MARK = re.compile(f"(?P<code>{CODE})|(?P<emphasis>{EMPHASIS})")
BULLET = "- "


class PieceKind(StrEnum):
    PLAIN = "plain"
    EMPHASIS = "emphasis"
    CODE = "code"


@dataclass(frozen=True)
class Piece:
    """A piece of a line; emphasised text is stored without asterisks."""

    kind: PieceKind
    text: str


@dataclass(frozen=True)
class Paragraph:
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Bullets:
    items: tuple[tuple[Piece, ...], ...]


Block = Paragraph | Bullets


def blocks_of(text: str) -> list[Block]:
    """Split any text into paragraphs and lists; everything else is a paragraph."""
    blocks: list[Block] = []
    for part in re.split(r"\n\s*\n", text.strip()):
        blocks += _blocks_in(part.split("\n"))
    return blocks


def codes_in(text: str) -> list[str]:
    """Return the short codes in a text, without duplicates, in order."""
    return list(dict.fromkeys(re.findall(CODE, text)))


def pieces_of(line: str) -> tuple[Piece, ...]:
    """Split a line at codes and emphasis. The joined pieces are the line without asterisks."""
    return tuple(piece for piece in _pieces(line) if piece.text)


def plain_text(text: str) -> str:
    """Return the text on one line without bullets and asterisks, for excerpts."""
    lines = (
        line
        for block in blocks_of(text)
        for line in (block.items if isinstance(block, Bullets) else [block.pieces])
    )
    return " ".join("".join(piece.text for piece in line) for line in lines)


def _blocks_in(lines: list[str]) -> Iterator[Block]:
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
                yield Bullets(tuple(map(pieces_of, items)))
                items = []
            words.append(line.strip())
    if items:
        yield Bullets(tuple(map(pieces_of, items)))
    if any(words):
        yield Paragraph(pieces_of(" ".join(words)))


def _pieces(line: str) -> Iterator[Piece]:
    end = 0
    for mark in MARK.finditer(line):
        yield Piece(PieceKind.PLAIN, line[end : mark.start()])
        if mark["code"]:
            yield Piece(PieceKind.CODE, mark["code"])
        else:
            yield Piece(PieceKind.EMPHASIS, mark["emphasis"][1:-1])
        end = mark.end()
    yield Piece(PieceKind.PLAIN, line[end:])
