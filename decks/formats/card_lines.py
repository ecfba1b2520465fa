"""Possible readings of a typed line as copies and title.

The parser has no card data, so it returns all readings: "15 Minutes" is 15 copies or a title. Every
expression is anchored and has no nested repetition, so parsing takes linear time.
"""

import re
from collections.abc import Iterator

from decks.formats.deck_text import Reading

MAX_QUANTITY = 999

LIST_MARK = re.compile(
    r"(?:-(?!\d)|[*+>\u2022\u25cf\u25cb\u25e6\u00b7\u2023]|\[[ xX]?\]|[\u2610-\u2612]) ?"
)
# Influence bullets and the symbols used with them: squares, stars, chess pieces, pictographs.
MARK = re.compile(
    r"[\u00b7\u2022\u2023\u2219\u25a0-\u25ff\u2600-\u27bf\u2b00-\u2bff\ufe0f\U0001f300-\U0001faff]+"
)
ORDINAL = re.compile(r"\d+[.)](?!\d)")
REMARK = re.compile(r" (?:#|//)")
# "[id: 01034, art: 0]" of jinteki.net, and "(01034)": five digits are a code, not a quantity.
PRINTING = re.compile(r"\[ ?id: ?(\d{1,10})\b[^\[\]]*\]|[(\[] ?(\d{5}) ?[)\]]", re.IGNORECASE)
# NetrunnerDB sorted by set writes "3x Diesel( 34) 2 sets needed".
POSITION = re.compile(r"\( \d{1,3}\)(?: \d{1,2} sets needed)?$")
QUANTITY_FIRST = re.compile(
    r"[(\[]?(-?\d+)(?![\d.])[)\]]?(?:[xX*]| [xX*](?= |$)|(?=[ ,;:]|$)) ?[,;:]? ?"
)
TIMES_FIRST = re.compile(r"[xX](-?\d+) ")
TIMES_LAST = re.compile(r"[xX*]-?\d+|-?\d+[xX]")
NUMBER = re.compile(r"-?\d+")
SEPARATED = re.compile(r" ?[,;:]$| [xX*-]$")
COUNT_LAST = re.compile(r"[(\[](\d+)[)\]]$")
SET_NAME = re.compile(r" ?(?:\((?!\d+\))[^()]*\)|\[(?!\d+\])[^\[\]]*\])$")


def without_list_marks(line: str) -> str:
    """Strip leading bullets, checkboxes and dashes."""
    for _ in range(2):
        line = LIST_MARK.sub("", line, count=1) if LIST_MARK.match(line) else line
    return line


def split_printing(line: str) -> tuple[str, str]:
    """Split off "[id: 01004, art: 0]" or "(01004)"; return (remaining line, code or "")."""
    found = PRINTING.search(line)
    # Before the title, "(3)" is a quantity.
    if not found or not line[: found.start()].strip():
        return line, ""
    rest = f"{line[: found.start()].rstrip()} {line[found.end() :].lstrip()}"
    return rest.strip(), found[1] or found[2]


def readings(line: str) -> tuple[tuple[Reading, ...], bool]:
    """Return (readings, likeliest first; whether the line may be a heading).

    `line` is cleaned, with straight quotes and dashes and without list marks. Set names at its end
    are hints: the first reading omits them, later readings include them, because some titles end
    like that. A title may be empty.
    """
    line = REMARK.split(line, maxsplit=1)[0]
    first = QUANTITY_FIRST.match(line) or TIMES_FIRST.match(line)
    if not first:
        return _quantity_last(_without_marks(line))
    # A mark may precede the title: NetrunnerDB puts a knight before restricted cards.
    mark = MARK.match(line, first.end())
    rest = MARK.split(line[(mark or first).end() :], maxsplit=1)[0]
    rest = POSITION.sub("", rest.rstrip(), count=1)
    said = [Reading(int(first[1]), title) for title in _titles(rest)]
    if first[0].strip(" ,;:").isdigit():
        # "15 Minutes": the number may belong to the title.
        said += _quantity_last(_without_marks(line))[0]
    return tuple(said), False


def _without_marks(line: str) -> str:
    """Return the line up to its first mark, plus a quantity that follows the marks."""
    head, *tail = MARK.split(line)
    rest = " ".join("".join(tail).split())
    return f"{head.rstrip()} {rest}" if rest[-1:].isdigit() or rest[:-1].isdigit() else head


def _quantity_last(line: str) -> tuple[tuple[Reading, ...], bool]:
    """Like `readings`, for a line that does not start with a quantity."""
    short = _titles(line)[0]
    head, _, tail = short.rpartition(" ")
    said: list[Reading] = []
    maybe_heading = False
    if not head:
        pass
    elif TIMES_LAST.fullmatch(tail):
        said += _copies(tail.strip("xX*"), head)
    elif NUMBER.fullmatch(tail):
        if SEPARATED.search(head):
            said += [*_copies(tail, SEPARATED.sub("", head)), *_copies(tail, head)]
        else:
            # A bare number at the end may belong to the title: "Artemis 2020".
            loose = (Reading(int(tail), title, is_loose=True) for title in _titles(head))
            return (*_bare(line), *(one for one in loose if one.quantity <= MAX_QUANTITY)), False
    elif count := COUNT_LAST.fullmatch(tail):
        said += _copies(count[1], head)
        maybe_heading = True
    return (*said, *_bare(line)), maybe_heading


def _copies(number: str, title: str) -> Iterator[Reading]:
    return (Reading(int(number), title) for title in _titles(title.rstrip(" ,;:")))


def _bare(line: str) -> Iterator[Reading]:
    return (Reading(1, title, is_bare=True) for title in _titles(line))


def _titles(text: str) -> list[str]:
    """Return the text without one or two trailing set names, then with them."""
    titles = [text.strip()]
    while len(titles) < 3 and titles[-1][-1:] in (")", "]"):
        shorter = SET_NAME.sub("", titles[-1], count=1).strip()
        if shorter == titles[-1]:
            break
        titles.append(shorter)
    return titles[::-1]
