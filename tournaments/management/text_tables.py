"""Tables of text for a terminal, aligned whatever the script of the names."""

import unicodedata
from collections.abc import Sequence

INVISIBLE = {"Mn", "Me", "Cf"}


def aligned(rows: Sequence[Sequence[str]], *, left: int) -> list[str]:
    """The rows as lines; column `left` is flush left, all others flush right."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(_cells(row, widths, left)).rstrip() for row in rows]


def _cells(row: Sequence[str], widths: Sequence[int], left: int) -> list[str]:
    padded = []
    for place, (text, wanted) in enumerate(zip(row, widths, strict=True)):
        gap = " " * (wanted - width(text))
        padded.append(text + gap if place == left else gap + text)
    return padded


def width(text: str) -> int:
    """Columns of a terminal: two for a wide letter, none for a mark above another."""
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.category(character) in INVISIBLE:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
