"""Differences between two texts, word by word."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

TOKEN = re.compile(r"\s+|\w+|[^\w\s]")


class Change(StrEnum):
    KEPT = "kept"
    DELETED = "deleted"
    INSERTED = "inserted"


@dataclass(frozen=True)
class Piece:
    """A run of words with the spaces between them."""

    text: str
    change: Change


def difference(old: str, new: str) -> list[Piece]:
    """Return the pieces in reading order; a deletion comes before its replacement.

    Kept and deleted pieces joined are exactly the old text; kept and inserted pieces joined are
    exactly the new text. Equal texts are a single kept piece. No piece is empty.

    >>> [(piece.change.value, piece.text) for piece in difference("pay one", "pay two")]
    [('kept', 'pay '), ('deleted', 'one'), ('inserted', 'two')]
    """
    return list(_joined(_pieces(TOKEN.findall(old), TOKEN.findall(new))))


def _pieces(before: list[str], after: list[str]) -> Iterator[Piece]:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            yield Piece("".join(before[old_start:old_end]), Change.KEPT)
        else:
            yield Piece("".join(before[old_start:old_end]), Change.DELETED)
            yield Piece("".join(after[new_start:new_end]), Change.INSERTED)


def _joined(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Merge single spaces between two changes into them, so that phrases stay together."""
    kept = [piece for piece in pieces if piece.text]
    gone, come = "", ""
    for place, piece in enumerate(kept):
        between = piece.change is Change.KEPT and 0 < place < len(kept) - 1
        if piece.change is Change.KEPT and not (between and piece.text.isspace()):
            yield from _changed(gone, come)
            gone, come = "", ""
            yield piece
            continue
        gone += piece.text if piece.change is not Change.INSERTED else ""
        come += piece.text if piece.change is not Change.DELETED else ""
    yield from _changed(gone, come)


def _changed(gone: str, come: str) -> Iterator[Piece]:
    if gone:
        yield Piece(gone, Change.DELETED)
    if come:
        yield Piece(come, Change.INSERTED)
