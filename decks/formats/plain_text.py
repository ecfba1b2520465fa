"""Reads a deck list as people type and paste it: one card a line.

Every expression here is anchored and has no nested repetition, so reading
takes time in proportion to the text.
"""

import re

from core.text import clean, forbidden_characters
from decks.formats import headings
from decks.formats.deck_text import DeckLine, DeckText, LineKind

MAX_BYTES = 32 * 1024
MAX_LINES = 400
MAX_LINE_LENGTH = 200
MAX_QUANTITY = 999

STRAIGHT = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u00d7\u2715\u2716\u2a2f", "x"),
    }
)
LINE_END = re.compile(r"\r\n|\r|\n")
LIST_MARK = re.compile(
    r"(?:-(?!\d)|[*+>\u2022\u25cf\u25cb\u25e6\u00b7\u2023]|\[[ xX]?\]|[\u2610-\u2612]) ?"
)
TRAILING_MARKS = " \u2022\u25cf\u25cb"
REMARK = re.compile(r" (?:#|//)")
ORDINAL = re.compile(r"\d+[.)](?!\d)")
QUANTITY_FIRST = re.compile(
    r"[(\[]?(-?\d+)(?![\d.])[)\]]?(?:[xX*]| [xX*](?= |$)|(?=[ ,;:]|$)) ?[,;:]? ?"
)
TIMES_FIRST = re.compile(r"[xX](-?\d+) ")
TIMES_LAST = re.compile(r"[xX*]-?\d+|-?\d+[xX]")
NUMBER = re.compile(r"-?\d+")
SEPARATED = (" x", " X", " *", ",", ";", ":", " -")
COUNT_LAST = re.compile(r"[(\[](\d+)[)\]]$")
SET_NAME = re.compile(r" ?(?:\([^()\d][^()]*\)|\[[^\[\]\d][^\[\]]*\])$")


def read(text: str) -> DeckText:
    """The list line by line; never raises, whatever the text is.

    Limits: 32 KB, 400 lines, 200 characters a line, 999 copies a line.
    """
    text = storable(text)
    size = len(text.encode())
    if size > MAX_BYTES:
        problem = f"The list has {size:,} bytes; {MAX_BYTES:,} are the most."
        return DeckText(text, (), problem)
    raw_lines = LINE_END.split(text)
    problem = ""
    if len(raw_lines) > MAX_LINES:
        problem = f"The list has {len(raw_lines)} lines; only the first {MAX_LINES} were read."
    lines = (read_line(number, raw) for number, raw in enumerate(raw_lines[:MAX_LINES], start=1))
    return DeckText(text, tuple(lines), problem)


def storable(text: str) -> str:
    """The text without what no database keeps: NUL and halves of characters."""
    return (
        text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )


def read_line(number: int, raw: str) -> DeckLine:
    """One line: a card with its quantity, or what else it is."""
    if len(raw) > MAX_LINE_LENGTH:
        reason = f"The line has {len(raw)} characters; {MAX_LINE_LENGTH} are the most."
        return DeckLine(number, raw[:MAX_LINE_LENGTH], LineKind.UNREADABLE, reason=reason)
    line = clean(_with_comma(raw)).translate(STRAIGHT)
    if not line:
        return DeckLine(number, raw, LineKind.BLANK)
    if headings.is_comment(line):
        return DeckLine(number, raw, LineKind.COMMENT)
    if marks := forbidden_characters(line):
        reason = f"The line holds a character that cannot be shown ({marks[0]})."
        return DeckLine(number, raw, LineKind.UNREADABLE, reason=reason)
    if headings.is_heading(line):
        return DeckLine(number, raw, LineKind.HEADING)
    if words := headings.framed_words(line):
        return DeckLine(number, raw, LineKind.CARD, 1, words, maybe_heading=True)
    return _card_line(number, raw, _without_marks(line))


def _with_comma(raw: str) -> str:
    """A last column of copies, pasted from a spreadsheet, set off by a comma."""
    head, _, tail = raw.rpartition("\t")
    return f"{head}, {tail}" if head and tail.strip().isdecimal() else raw


def _without_marks(line: str) -> str:
    """The line without bullets, remark and set name around quantity and title."""
    for _ in range(2):
        line = LIST_MARK.sub("", line, count=1) if LIST_MARK.match(line) else line
    return _without_set_names(REMARK.split(line, maxsplit=1)[0])


def _without_set_names(line: str) -> str:
    for _ in range(2):
        line = SET_NAME.sub("", line.rstrip(TRAILING_MARKS), count=1)
    return line


def _card_line(number: int, raw: str, line: str) -> DeckLine:
    if ORDINAL.match(line):
        reason = "A number with a point may be a place in a list or a number of copies."
        return DeckLine(number, raw, LineKind.UNREADABLE, reason=reason)
    quantity, title, maybe_heading = _quantity_and_title(line)
    if not title:
        return DeckLine(number, raw, LineKind.UNREADABLE, reason="The line names no card.")
    if abs(quantity) > MAX_QUANTITY:
        reason = f"{MAX_QUANTITY} copies are the most a line may have."
        return DeckLine(number, raw, LineKind.UNREADABLE, reason=reason)
    return DeckLine(number, raw, LineKind.CARD, quantity, title, maybe_heading=maybe_heading)


def _quantity_and_title(line: str) -> tuple[int, str, bool]:
    """(copies, title, may be a heading); a line without a number is one copy."""
    if first := QUANTITY_FIRST.match(line) or TIMES_FIRST.match(line):
        return int(first[1]), line[first.end() :].strip(), False
    head, _, tail = line.rpartition(" ")
    # A bare number at the end may belong to the title: "Artemis 2020".
    separated = head.endswith(SEPARATED) and NUMBER.fullmatch(tail)
    if head and (TIMES_LAST.fullmatch(tail) or separated):
        title = head.removesuffix(" x").removesuffix(" X").rstrip(" ,;:*-")
        return int(tail.strip("xX*")), _without_set_names(title), False
    if head and (count := COUNT_LAST.fullmatch(tail)):
        return int(count[1]), _without_set_names(head), True
    return 1, line, False
