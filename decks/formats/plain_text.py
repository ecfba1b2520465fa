"""Parse typed and pasted decklists: one card per line.

Accepts the formats of NetrunnerDB, jinteki.net and Aesop's, and hand-typed lists. Every expression
is anchored and has no nested repetition, so parsing takes linear time.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.text import clean, forbidden_characters
from decks.formats import card_lines, headings, markup, metadata
from decks.formats.deck_text import DeckLine, DeckText, LineKind
from decks.formats.metadata import Metadata

MAX_BYTES = 32 * 1024
MAX_LINES = 400
MAX_LINE_LENGTH = 200
MAX_QUANTITY = card_lines.MAX_QUANTITY

STRAIGHT = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u00d7\u2715\u2716\u2a2f", "x"),
    }
)
NO_BRACKETS = str.maketrans("()[]", "    ")
LINE_END = re.compile(r"\r\n|\r|\n")
REMEDY = "Hand in one deck, one card a line."


def read(text: str) -> DeckText:
    """Parse the list line by line. Never raises.

    Limits: 32 KB, 400 lines, 200 characters per line, 999 copies per line.
    """
    text = storable(text)
    size = len(text.encode())
    if size > MAX_BYTES:
        problem = f"The list has {size:,} bytes; at most {MAX_BYTES:,} are allowed."
        return DeckText(text, (), problem, remedy=REMEDY)
    raw_lines = LINE_END.split(text)
    problem = ""
    if len(raw_lines) > MAX_LINES:
        problem = f"The list has {len(raw_lines)} lines; only the first {MAX_LINES} were read."
    lines = [read_line(number, raw) for number, raw in enumerate(raw_lines[:MAX_LINES], start=1)]
    found = _metadata(raw_lines[:MAX_LINES])
    return DeckText(
        text,
        tuple(_with_identity(lines, found)),
        problem,
        name=metadata.name_in(found, raw_lines[:MAX_LINES]),
        notes=metadata.notes_in(found),
        remedy=REMEDY if problem else "",
    )


def storable(text: str) -> str:
    """Replace characters that databases reject: NUL and lone surrogates."""
    text = text.replace("\0", "\ufffd")
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def read_line(number: int, raw: str) -> DeckLine:
    """Parse one line: a card with its quantity, or another kind of line."""
    unmarked, printing = markup.without_markup(raw)
    if len(unmarked) > MAX_LINE_LENGTH:
        return _long_line(number, raw)
    line = clean(_in_one_column(unmarked)).translate(STRAIGHT)
    # The URLs in a Markdown line may exceed the length limit.
    raw = raw[:MAX_LINE_LENGTH]
    if not line:
        return DeckLine(number, raw, LineKind.BLANK)
    if headings.is_remark(line):
        return DeckLine(number, raw, LineKind.COMMENT)
    if marks := [] if line.isprintable() else forbidden_characters(line):
        reason = f"The line holds a character that cannot be shown ({marks[0]})."
        return DeckLine(number, raw, LineKind.UNREADABLE, reason=reason)
    if identity := metadata.identity_named(line):
        return replace(_card_line(number, raw, identity, printing), is_identity=True)
    if headings.is_comment(line):
        return DeckLine(number, raw, LineKind.COMMENT)
    if headings.is_heading(line):
        return DeckLine(number, raw, LineKind.HEADING)
    if words := headings.framed_words(line):
        return DeckLine(number, raw, LineKind.CARD, 1, words, maybe_heading=True, is_bare=True)
    return _card_line(number, raw, line, printing)


def _long_line(number: int, raw: str) -> DeckLine:
    text = raw[:MAX_LINE_LENGTH]
    if headings.is_remark(raw.lstrip()):
        return DeckLine(number, text, LineKind.COMMENT)
    reason = f"The line has {len(raw)} characters; at most {MAX_LINE_LENGTH} are allowed."
    return DeckLine(number, text, LineKind.UNREADABLE, reason=reason)


def _in_one_column(raw: str) -> str:
    """Join the cells of a row pasted from a spreadsheet: quantity, title and set in any usual
    order.

    The columns after the title become hints in parentheses, the usual notation for sets.
    """
    columns = [column for cell in raw.split("\t") if (column := cell.strip())]
    if len(columns) < 2:
        return raw
    first = columns.pop(0) if columns[0].rstrip("xX").isdecimal() else ""
    last = columns.pop() if not first and columns[-1].strip("xX").isdecimal() else ""
    if not columns:
        return raw
    title, *hints = columns
    words = [first, title, *(f"({hint.translate(NO_BRACKETS)})" for hint in hints)]
    return " ".join(filter(None, words)) + (f", {last}" if last else "")


def _card_line(number: int, raw: str, line: str, linked: str = "") -> DeckLine:
    line, printing = card_lines.split_printing(card_lines.without_list_marks(line))
    printing = printing or linked
    if card_lines.ORDINAL.match(line):
        reason = "A number with a point may be a place in a list or a number of copies."
        return DeckLine(number, raw, LineKind.UNREADABLE, reason=reason)
    (first, *others), maybe_heading = card_lines.readings(line)
    if not first.title:
        return DeckLine(number, raw, LineKind.UNREADABLE, reason="The line names no card.")
    if abs(first.quantity) > MAX_QUANTITY:
        reason = f"{MAX_QUANTITY} copies is the most for one line."
        return DeckLine(number, raw, LineKind.UNREADABLE, reason=reason)
    return DeckLine(
        number,
        raw,
        LineKind.CARD,
        first.quantity,
        first.title,
        maybe_heading=maybe_heading,
        printing=printing,
        is_bare=first.is_bare,
        others=tuple(one for one in others if one.title and abs(one.quantity) <= MAX_QUANTITY),
    )


def _metadata(raw_lines: Iterable[str]) -> list[Metadata]:
    numbered = enumerate(raw_lines, start=1)
    return [one for number, raw in numbered if (one := metadata.metadata(number, raw))]


def _with_identity(lines: list[DeckLine], found: Sequence[Metadata]) -> list[DeckLine]:
    """Turn the lines of metadata that name an identity into card lines."""
    for number, title, code in metadata.identities_in(found):
        lines[number - 1] = _identity_line(lines[number - 1], title, code)
    return lines


def _identity_line(line: DeckLine, title: str, code: str) -> DeckLine:
    title, code = clean(title).translate(STRAIGHT), clean(code)
    if not (title or code) or len(title) > MAX_LINE_LENGTH or len(code) > MAX_LINE_LENGTH:
        return line
    if forbidden_characters(title + code):
        reason = "The identity is written with a character that cannot be shown."
        return replace(line, kind=LineKind.UNREADABLE, reason=reason)
    return replace(
        line,
        kind=LineKind.CARD,
        quantity=1,
        title=title,
        printing=code,
        is_bare=True,
        is_identity=True,
    )
