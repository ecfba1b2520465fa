"""Typed and pasted decklists: one card per line."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from core.text import clean, forbidden_characters
from decks.formats.deck_text import DeckLine, DeckText, LineKind, LineReading
from decks.legality.check_texts import check_text

# Markdown and BBCode around lines, as NetrunnerDB exports them for Reddit and forums. Every
# expression is anchored or stops at the next bracket, so parsing takes linear time.
CARD_ADDRESS = re.compile(
    r"(?:https?://)?(?:[\w-]{1,20}\.)?netrunnerdb\.com/(?:[a-z-]{2,5}/)?card/(\d{5})(?!\d)[^\s\])]*",
    re.IGNORECASE,
)
MARKDOWN_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
MARKDOWN_SET = re.compile(r"(?:(?<=\s)|^)([_*])(\([^()]*\))\1(?=\s|$)")
BBCODE_TAG = re.compile(
    r"\[(?:/?(?:b|i|u|url|list|color|size|quote|code|center)|\*"
    r"|(?:url|list|color|size|quote|code)=[^\[\]]*)\]",
    re.IGNORECASE,
)
BOLD_LINE = re.compile(r"\s*\[b\](.*)\[/b\]\s*", re.IGNORECASE)


def without_markup(line: str) -> tuple[str, str]:
    """Return (line without markup, printing code of the linked card or "")."""
    if "[" not in line and "/card/" not in line:
        return line, ""
    address = CARD_ADDRESS.search(line)
    words = MARKDOWN_LINK.sub(r"\1", line)
    words = BBCODE_TAG.sub("", words)
    if not address:
        return words, ""
    # A bare URL after the title is not part of it.
    words = CARD_ADDRESS.sub("", words)
    return MARKDOWN_SET.sub(r"\2", words), address[1]


def bold_words(line: str) -> str:
    """Return the words of a line that is entirely bold in BBCode, otherwise ""."""
    match = BOLD_LINE.fullmatch(line)
    return without_markup(match[1])[0].strip() if match else ""


# Metadata: identity, name and notes


METADATA_LINE = re.compile(r"\s*;;\s*(identity-code|identity|title|notes)\s*:(.*)", re.IGNORECASE)
IDENTITY_LABEL = re.compile(r"(?:identity|ident|id) ?: ?(?=\S)", re.IGNORECASE)
NAME_LABEL = re.compile(r"(?:deck ?name|deck|name|title) ?: ?(?=\S)", re.IGNORECASE)
# "# My deck" in typed lists, "## My deck" in NetrunnerDB's Markdown.
NAME_REMARK = re.compile(r"#{1,6} ")
MAX_NAME = 200


class Metadata(NamedTuple):
    number: int
    # In lower case.
    key: str
    value: str


def parse_metadata(number: int, raw: str) -> Metadata | None:
    """Parse a ";; key: value" line, or return None."""
    match = METADATA_LINE.fullmatch(raw)
    if not match:
        return None
    key = match[1].lower()
    # Preserve the indentation of notes.
    value = match[2].removeprefix(" ").rstrip() if key == "notes" else match[2].strip()
    return Metadata(number, key, value)


def named_identities(metadata: Sequence[Metadata]) -> list[tuple[int, str, str]]:
    """Return (line number, title, printing code) of each identity; title or code may be empty."""
    codes = [item for item in metadata if item.key == "identity-code" and item.value]
    titles = [item for item in metadata if item.key == "identity" and item.value]
    # A single code and a single title describe the same identity. The code takes precedence; the
    # title is the fallback for an unknown code.
    if len(codes) == len(titles) == 1:
        return [(codes[0].number, titles[0].value, codes[0].value)]
    by_code = [(item.number, "", item.value) for item in codes]
    return by_code + [(item.number, item.value, "") for item in titles]


def find_deck_name(metadata: Iterable[Metadata], lines: Iterable[str]) -> str:
    """Return the deck name from metadata, from "Deck: Name", or from a leading "# Name" line."""
    titles = [item.value for item in metadata if item.key == "title" and item.value]
    if titles:
        return titles[0][:MAX_NAME]
    first = True
    for line in (raw.strip("\ufeff \t") for raw in lines):
        if label := NAME_LABEL.match(line):
            return line[label.end() :][:MAX_NAME]
        if first and (mark := NAME_REMARK.match(line)):
            return line[mark.end() :].strip()[:MAX_NAME]
        first = first and not line
    return ""


# Lines that are not cards: headings, totals, comments


COMMENT_START = re.compile(r"#|//|;")
LABEL_LINE = re.compile(
    r"(?:deck|deck ?name|name|title|player|author|event|side|format|game|date|notes?|total|size"
    r"|cards|agenda points|faction|source|exported|corp|runner|influence|warning|rotation"
    r"|legality|mwl|points)\b[^:]{0,20}:",
    re.IGNORECASE,
)
# The last line of an export: "Decklist published on https://netrunnerdb.com.", "Deck built on ...".
EXPORT_FOOTER = re.compile(
    r"(?:(?:deck ?list|deck) )?(?:published|built|exported|generated|created|made)"
    r" (?:on|at|by|from|with) ",
    re.IGNORECASE,
)
BARE_ADDRESS = re.compile(r"https?://\S+$", re.IGNORECASE)
# The lines below a list: "45 cards (min 45)", "15 influence spent (max 15)", "Cards up to ...".
TOTAL_LINE = re.compile(
    r"\d+(?: ?/ ?\d+)? (?:cards|agenda points|influence(?: spent| points?)?(?= ?[(/,]|$))\b"
    r"|cards up to ",
    re.IGNORECASE,
)
SUMMARY_SIGN = re.compile(r" ?[/,;|] ?|(?<=\)) ")
COUNT_FIRST = re.compile(r"\d{1,3}x? ")
FRAME_LETTERS = "=-_*~ "
# Backticks around a pasted list, after quotes were straightened.
FENCE_LETTER = "'"
TYPE_HEADINGS = (
    "agenda ice node operation upgrade hardware prep program resource asset event identity"
)
GROUP_HEADINGS = "barrier wall sentry icebreaker breaker virus corp runner corporation deck total"
GROUP_HEADINGS += " fracter decoder killer mythic multi"
RARITIES = frozenset(
    word + ending for word in ("common", "uncommon", "rare", "vital") for ending in ("", "s")
)
FACTIONS = (
    "anarch, criminal, shaper, haas-bioroid, jinteki, nbn, weyland, weyland consortium, neutral"
)
# Without a count they may be the identity; with a count they are a total.
MINI_FACTIONS = frozenset(["adam", "apex", "sunny lebeau"])
OTHER_HEADINGS = (
    "code gate, code gates, corp deck, runner deck, corporate deck, corporation deck, deck list,"
    " decklist, main deck, stack, r&d, r&d / stack, other, others, cards, sentries, viruses,"
    " identities, ai, ais"
)
HEADING_WORDS = frozenset(
    [
        *OTHER_HEADINGS.split(", "),
        *FACTIONS.split(", "),
        *RARITIES,
        *(
            word + ending
            for word in f"{TYPE_HEADINGS} {GROUP_HEADINGS}".split()
            for ending in ("", "s")
        ),
    ]
)


def is_remark(line: str) -> bool:
    return bool(COMMENT_START.match(line))


def is_comment(line: str) -> bool:
    """Match a remark, a label such as "Player:", a bare URL, or the footer of an export."""
    if is_remark(line) or is_footer(line) or BARE_ADDRESS.match(line):
        return True
    return ":" in line and bool(LABEL_LINE.match(line))


def is_footer(line: str) -> bool:
    """Match the last line of an export, which names the site it comes from."""
    return bool(EXPORT_FOOTER.match(line))


def is_heading(line: str) -> bool:
    """Match a type, a side or a total, with or without a count: "Ice (12)", "45 cards"."""
    if TOTAL_LINE.match(line):
        return True
    bare = line.strip(FRAME_LETTERS + ":").casefold()
    if not bare.strip(FENCE_LETTER) or _is_summary(bare):
        return True
    words = _without_count(bare)
    return words in HEADING_WORDS or (words != bare and words in MINI_FACTIONS)


def _is_summary(words: str) -> bool:
    """Match counted kinds of cards: "20 commons/5 vitals", "agenda (5) nodes (18)", "12 rares"."""
    parts = [COUNT_FIRST.sub("", part, count=1) for part in SUMMARY_SIGN.split(words)]
    if len(parts) == 1:
        return parts[0] != words and parts[0] in RARITIES
    return any(map(str.isdigit, words)) and all(
        _without_count(part) in HEADING_WORDS for part in parts
    )


def _without_count(words: str) -> str:
    """Strip the count: "ice (12)", "ice: 12" and "ice [12 cards]" become "ice"."""
    inner = words.rstrip(")]").removesuffix("cards").rstrip()
    before = inner.rstrip("0123456789")
    return words if before == inner else before.rstrip(" :([-")


def framed_words(line: str) -> str | None:
    """Return the words of "== My ice ==" or "My ice:", or None without heading marks."""
    # The words may still be a card in bold print; only the card table can decide.
    words = line.strip(FRAME_LETTERS)
    framed = line[:2].strip(FRAME_LETTERS) == "" and line[-1:] in FRAME_LETTERS
    if framed or line.endswith(":"):
        words = words.rstrip(": ")
        return None if words[:1].isdigit() else words
    return None


# Readings of a line as copies and title


MAX_COPIES = 999

LIST_MARK = re.compile(
    r"(?:-(?!\d)|[*+>\u2022\u25cf\u25cb\u25e6\u00b7\u2023]|\[[ xX]?\]|[\u2610-\u2612]) ?"
)
# Influence bullets and the symbols used with them: squares, stars, chess pieces, pictographs.
INFLUENCE_MARK = re.compile(
    r"[\u00b7\u2022\u2023\u2219\u25a0-\u25ff\u2600-\u27bf\u2b00-\u2bff\ufe0f\U0001f300-\U0001faff]+"
)
ORDINAL = re.compile(r"\d+[.)](?!\d)")
TRAILING_REMARK = re.compile(r" (?:#|//)")
# "[id: 01034, art: 0]" of jinteki.net, and "(01034)": five digits are a code, not a quantity.
PRINTING_CODE = re.compile(r"\[ ?id: ?(\d{1,10})\b[^\[\]]*\]|[(\[] ?(\d{5}) ?[)\]]", re.IGNORECASE)
# NetrunnerDB sorted by set writes "3x Diesel( 34) 2 sets needed".
SET_POSITION = re.compile(r"\( \d{1,3}\)(?: \d{1,2} sets needed)?$")
QUANTITY_FIRST = re.compile(
    r"[(\[]?(-?\d+)(?![\d.])[)\]]?(?:[xX*]| [xX*](?= |$)|(?=[ ,;:]|$)) ?[,;:]? ?"
)
TIMES_FIRST = re.compile(r"[xX](-?\d+) ")
TIMES_LAST = re.compile(r"[xX*]-?\d+|-?\d+[xX]")
BARE_NUMBER = re.compile(r"-?\d+")
SEPARATED = re.compile(r" ?[,;:]$| [xX*-]$")
COUNT_LAST = re.compile(r"[(\[](\d+)[)\]]$")
SET_NAME = re.compile(r" ?(?:\((?!\d+\))[^()]*\)|\[(?!\d+\])[^\[\]]*\])$")


def split_printing(line: str) -> tuple[str, str]:
    """Split off "[id: 01004, art: 0]" or "(01004)"; return (remaining line, code or "")."""
    match = PRINTING_CODE.search(line)
    # Before the title, "(3)" is a quantity.
    if not match or not line[: match.start()].strip():
        return line, ""
    rest = f"{line[: match.start()].rstrip()} {line[match.end() :].lstrip()}"
    return rest.strip(), match[1] or match[2]


def line_readings(line: str) -> tuple[tuple[LineReading, ...], bool]:
    """Return (readings, likeliest first; whether the line may be a heading).

    `line` is cleaned, with straight quotes and dashes and without list marks. Set names at its end
    are hints: the first reading omits them, later readings include them, because some titles end
    like that. A title may be empty.
    """
    line = TRAILING_REMARK.split(line, maxsplit=1)[0]
    first = QUANTITY_FIRST.match(line) or TIMES_FIRST.match(line)
    if not first:
        return _quantity_last(_without_marks(line))
    # A mark may precede the title: NetrunnerDB puts a knight before restricted cards.
    mark = INFLUENCE_MARK.match(line, first.end())
    rest = INFLUENCE_MARK.split(line[(mark or first).end() :], maxsplit=1)[0]
    rest = SET_POSITION.sub("", rest.rstrip(), count=1)
    readings = [LineReading(int(first[1]), title) for title in _possible_titles(rest)]
    if first[0].strip(" ,;:").isdigit():
        # "15 Minutes": the number may belong to the title.
        readings += _quantity_last(_without_marks(line))[0]
    return tuple(readings), False


def _without_marks(line: str) -> str:
    """Return the line up to its first mark, plus a quantity that follows the marks."""
    head, *tail = INFLUENCE_MARK.split(line)
    rest = " ".join("".join(tail).split())
    return f"{head.rstrip()} {rest}" if rest[-1:].isdigit() or rest[:-1].isdigit() else head


def _quantity_last(line: str) -> tuple[tuple[LineReading, ...], bool]:
    """Like `line_readings`, for a line that does not start with a quantity."""
    short = _possible_titles(line)[0]
    head, _, tail = short.rpartition(" ")
    bare = tuple(LineReading(1, title, is_bare=True) for title in _possible_titles(line))
    if not head:
        return bare, False
    if TIMES_LAST.fullmatch(tail):
        return (*_quantity_readings(tail.strip("xX*"), head), *bare), False
    if BARE_NUMBER.fullmatch(tail):
        if SEPARATED.search(head):
            separated = _quantity_readings(tail, SEPARATED.sub("", head))
            return (*separated, *_quantity_readings(tail, head), *bare), False
        # A bare number at the end may belong to the title: "Artemis 2020".
        titles = _possible_titles(head) if int(tail) <= MAX_COPIES else []
        loose = (LineReading(int(tail), title, is_loose=True) for title in titles)
        return (*bare, *loose), False
    if count := COUNT_LAST.fullmatch(tail):
        return (*_quantity_readings(count[1], head), *bare), True
    return bare, False


def _quantity_readings(number: str, title: str) -> Iterator[LineReading]:
    return (LineReading(int(number), title) for title in _possible_titles(title.rstrip(" ,;:")))


def _possible_titles(text: str) -> list[str]:
    """Return the text without one or two trailing set names, then with them."""
    titles = [text.strip()]
    while len(titles) < 3 and titles[-1][-1:] in (")", "]"):
        shorter = SET_NAME.sub("", titles[-1], count=1).strip()
        if shorter == titles[-1]:
            break
        titles.append(shorter)
    return titles[::-1]


# The whole list


MAX_BYTES = 32 * 1024
MAX_LINES = 400
MAX_LINE_LENGTH = 200

STRAIGHT_LETTERS = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u00d7\u2715\u2716\u2a2f", "x"),
    }
)
NO_BRACKETS = str.maketrans("()[]", "    ")
LINE_ENDS = re.compile(r"\r\n|\r|\n")
PLAIN_TEXT_REMEDY = check_text("one_card_a_line")


def read_plain_text(text: str) -> DeckText:
    """Never raises. Limits: 32 KB, 400 lines, 200 characters per line, 999 copies per line."""
    text = storable_text(text)
    size = len(text.encode())
    if size > MAX_BYTES:
        problem = check_text("list_bytes", bytes=size, limit=MAX_BYTES)
        return DeckText(text, (), problem, remedy=PLAIN_TEXT_REMEDY)
    raw_lines = LINE_ENDS.split(text)
    too_long = None
    if len(raw_lines) > MAX_LINES:
        too_long = check_text("list_lines", lines=len(raw_lines), limit=MAX_LINES)
    lines, metadata = [], []
    for number, raw in enumerate(raw_lines[:MAX_LINES], start=1):
        lines.append(read_line(number, raw))
        if item := parse_metadata(number, raw):
            metadata.append(item)
    for number, title, code in named_identities(metadata):
        lines[number - 1] = _identity_line(lines[number - 1], title, code)
    return DeckText(
        text,
        tuple(lines),
        too_long,
        name=find_deck_name(metadata, raw_lines[:MAX_LINES]),
        # The notes have one metadata line for each line of text.
        notes="\n".join(item.value for item in metadata if item.key == "notes").strip(),
        remedy=PLAIN_TEXT_REMEDY if too_long else None,
    )


def storable_text(text: str) -> str:
    """Replace characters that databases reject: NUL and lone surrogates."""
    text = text.replace("\0", "\ufffd")
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def read_line(number: int, raw: str) -> DeckLine:
    unmarked, printing = without_markup(raw)
    if len(unmarked) > MAX_LINE_LENGTH:
        text = raw[:MAX_LINE_LENGTH]
        if is_remark(raw.lstrip()):
            return DeckLine(number, text, LineKind.COMMENT)
        reason = check_text("line_length", characters=len(raw), limit=MAX_LINE_LENGTH)
        return DeckLine(number, text, LineKind.UNREADABLE, reason=reason)
    line = clean(_in_one_column(unmarked)).translate(STRAIGHT_LETTERS)
    # The URLs in a Markdown line may exceed the length limit.
    raw = raw[:MAX_LINE_LENGTH]
    if not line:
        return DeckLine(number, raw, LineKind.BLANK)
    if is_remark(line):
        return DeckLine(number, raw, LineKind.COMMENT)
    if marks := [] if line.isprintable() else forbidden_characters(line):
        reason = check_text("line_hidden_character", character=marks[0])
        return DeckLine(number, raw, LineKind.UNREADABLE, reason=reason)
    if label := IDENTITY_LABEL.match(line):
        named = _card_line(number, raw, line[label.end() :], printing)
        return replace(named, is_identity=True)
    if is_comment(line):
        return DeckLine(number, raw, LineKind.COMMENT)
    if is_heading(line):
        return DeckLine(number, raw, LineKind.HEADING)
    if words := framed_words(line):
        return DeckLine(number, raw, LineKind.CARD, 1, words, maybe_heading=True, is_bare=True)
    return _card_line(number, raw, line, printing)


def _in_one_column(raw: str) -> str:
    """Join the cells of a row from a spreadsheet: quantity, title and set in any order."""
    columns = [column for cell in raw.split("\t") if (column := cell.strip())]
    if len(columns) < 2:
        return raw
    first = columns.pop(0) if columns[0].rstrip("xX").isdecimal() else ""
    last = columns.pop() if not first and columns[-1].strip("xX").isdecimal() else ""
    if not columns:
        return raw
    # Parentheses are the usual notation for sets.
    title, *hints = columns
    words = [first, title, *(f"({hint.translate(NO_BRACKETS)})" for hint in hints)]
    return " ".join(filter(None, words)) + (f", {last}" if last else "")


def _card_line(number: int, raw: str, line: str, linked: str = "") -> DeckLine:
    for _ in range(2):
        if mark := LIST_MARK.match(line):
            line = line[mark.end() :]
    line, printing = split_printing(line)
    printing = printing or linked
    if ORDINAL.match(line):
        return DeckLine(number, raw, LineKind.UNREADABLE, reason=check_text("line_ordinal"))
    (first, *others), maybe_heading = line_readings(line)
    if not first.title:
        return DeckLine(number, raw, LineKind.UNREADABLE, reason=check_text("line_without_card"))
    if abs(first.quantity) > MAX_COPIES:
        reason = check_text("line_copies_limit", limit=MAX_COPIES)
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
        others=tuple(
            reading for reading in others if reading.title and abs(reading.quantity) <= MAX_COPIES
        ),
    )


def _identity_line(line: DeckLine, title: str, code: str) -> DeckLine:
    """Turn a line of metadata that names an identity into a card line."""
    title, code = clean(title).translate(STRAIGHT_LETTERS), clean(code)
    if not (title or code) or len(title) > MAX_LINE_LENGTH or len(code) > MAX_LINE_LENGTH:
        return line
    if forbidden_characters(title + code):
        reason = check_text("identity_hidden_character")
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


# Edits


COPIES_FIRST = re.compile(r"\W*(\d{1,3})(?!\d)\s*[xX*]?(?=\W)")
COPIES_LAST = re.compile(r"\W[xX*]\s*(\d{1,3})\s*$|[(\[](\d{1,3})[)\]]\s*$|\s(\d{1,3})[xX]\s*$")


def replace_title(text: str, number: int, title: str) -> str:
    """Preserve the quantity on the line. A line that does not exist changes nothing."""
    lines = text.splitlines()
    if not 1 <= number <= len(lines):
        return text
    line = lines[number - 1]
    match = COPIES_FIRST.match(line) or COPIES_LAST.search(line)
    copies = next(filter(None, match.groups()), "") if match else ""
    lines[number - 1] = f"{copies} {title}" if copies else title
    return "\n".join(lines)


def append_card(text: str, copies: int, title: str) -> str:
    before = f"{text.rstrip()}\n" if text.strip() else ""
    return f"{before}{copies} {title}"
