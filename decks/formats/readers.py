"""Parse a decklist in any supported format: a file is decoded, and its format detected."""

import html
import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from json import decoder
from typing import Any, NoReturn, TypeAlias
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, InputSource, Locator

from defusedxml import DefusedXmlException
from defusedxml.sax import make_parser

from core.errors import Refusal
from core.text import clean, forbidden_characters, plain_newlines
from decks.formats import plain_text
from decks.formats.deck_text import (
    OCTGN_CARD,
    OCTGN_GAME,
    DeckLine,
    DeckText,
    DeckTextFormat,
    LineKind,
)
from decks.formats.plain_text import (
    LINE_ENDS,
    MAX_COPIES,
    MAX_LINE_LENGTH,
    MAX_LINES,
    MAX_NAME,
    STRAIGHT_LETTERS,
    storable_text,
)
from decks.legality.check_texts import CheckText, check_text

UTF_8_MARK = b"\xef\xbb\xbf"
UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
# Problems by the first bytes of a file.
FILE_TYPES = {
    b"PK\x03\x04": "file_is_zip",
    b"\x1f\x8b": "file_is_packed",
    b"%PDF": "file_is_pdf",
    b"\x89PNG": "file_is_picture",
    b"\xff\xd8\xff": "file_is_picture",
    b"GIF8": "file_is_picture",
    b"{\\rtf": "file_is_rtf",
    b"\xd0\xcf\x11\xe0": "file_is_office",
}


class NoListInFile(Refusal):
    """The file contains no readable text; `problem` names its type."""

    def __init__(self, problem: CheckText) -> None:
        super().__init__(str(problem))
        self.problem = problem


def decode_text(data: bytes) -> str:
    """Decode a UTF-8 file with or without a byte order mark. Raises NoListInFile."""
    for first, code in FILE_TYPES.items():
        if data.startswith(first):
            raise NoListInFile(check_text(code))
    # Latin letters take two bytes in UTF-16, even without a byte order mark.
    start = data[:200]
    has_gaps = len(start) > 3 and (not any(start[::2]) or not any(start[1::2]))
    if data.startswith(UTF_16_MARKS) or has_gaps:
        raise NoListInFile(check_text("file_is_utf_16"))
    if b"\x00" in data:
        raise NoListInFile(check_text("file_is_binary"))
    try:
        return data.removeprefix(UTF_8_MARK).decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NoListInFile(check_text("file_is_not_utf_8", line=line)) from error


# A JSON parser that records the line of every value


MAX_JSON_DEPTH = 20
MAX_JSON_VALUES = 10_000
MAX_DIGITS = 18
LONGEST_SOURCE = 300

JSON_BLANKS = re.compile(r"[ \t\n\r\ufeff]*")
JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
JSON_WORDS = {"true": True, "false": False, "null": None}


class BrokenJson(Refusal):
    """The text is not JSON, or JSON beyond the limits."""

    def __init__(self, problem: CheckText) -> None:
        super().__init__(str(problem))
        self.problem = problem


@dataclass(frozen=True, slots=True)
class JsonValue:
    """A JSON value with its line and source text. The source of a member starts with its key."""

    # A dict or list of JsonValue, or a plain value.
    value: Any
    line: int
    source: str

    @property
    def members(self) -> "JsonMembers":
        """Empty for a value that is no object."""
        return self.value if isinstance(self.value, dict) else {}

    @property
    def elements(self) -> "list[JsonValue]":
        """Empty for a value that is no list."""
        return self.value if isinstance(self.value, list) else []

    @property
    def text(self) -> str:
        """Empty for a value that is no string."""
        return self.value if isinstance(self.value, str) else ""


JsonMembers: TypeAlias = dict[str, JsonValue]


def parse_json(text: str) -> JsonValue:
    """Parse the text. Raises BrokenJson with line and column."""
    reader = _JsonReader(text)
    node, end = reader.value(reader.next(0), 1)
    rest = reader.next(end)
    if rest < len(text):
        reader.refuse(rest, "json_trailing_text")
    return node


class _JsonReader:
    """Recursive descent; positions are offsets into the text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._values = 0
        self._ends = [match.start() for match in re.finditer("\n", text)]

    def next(self, at: int) -> int:
        match = JSON_BLANKS.match(self._text, at)
        return match.end() if match else at

    def refuse(self, at: int, code: str, **params: object) -> NoReturn:
        line = self._line(at)
        column = at - (self._ends[line - 2] + 1 if line > 1 else 0) + 1
        raise BrokenJson(check_text(code, line=line, column=column, **params))

    def value(self, at: int, depth: int, start: int | None = None) -> tuple[JsonValue, int]:
        """Return (value that starts here, position after it)."""
        self._count(at, depth)
        mark = self._text[at : at + 1]
        value: Any
        if mark == "{":
            value, end = self._object(at, depth)
        elif mark == "[":
            value, end = self._array(at, depth)
        elif mark == '"':
            value, end = self._string(at)
        else:
            value, end = self._plain(at)
        start = at if start is None else start
        source = self._text[start : min(end, start + LONGEST_SOURCE)]
        return JsonValue(value, self._line(start), source), end

    def _count(self, at: int, depth: int) -> None:
        self._values += 1
        if depth > MAX_JSON_DEPTH:
            self.refuse(at, "json_depth", limit=MAX_JSON_DEPTH)
        if self._values > MAX_JSON_VALUES:
            self.refuse(at, "json_values", limit=MAX_JSON_VALUES)

    def _object(self, at: int, depth: int) -> tuple[JsonMembers, int]:
        made: JsonMembers = {}
        at = self.next(at + 1)
        if self._text[at : at + 1] == "}":
            return made, at + 1
        while True:
            if self._text[at : at + 1] != '"':
                self.refuse(at, "json_name_missing")
            start = at
            key, at = self._string(at)
            if key in made:
                self.refuse(start, "json_key_twice", key=storable_text(key[:60]))
            at = self.next(at)
            if self._text[at : at + 1] != ":":
                self.refuse(at, "json_colon_missing", key=storable_text(key[:60]))
            made[key], at = self.value(self.next(at + 1), depth + 1, start)
            at, is_last = self._separator(at, "}")
            if is_last:
                return made, at

    def _array(self, at: int, depth: int) -> tuple[list[JsonValue], int]:
        made: list[JsonValue] = []
        at = self.next(at + 1)
        if self._text[at : at + 1] == "]":
            return made, at + 1
        while True:
            node, at = self.value(at, depth + 1)
            made.append(node)
            at, is_last = self._separator(at, "]")
            if is_last:
                return made, at

    def _separator(self, at: int, closing: str) -> tuple[int, bool]:
        """Return (position after the comma or closing bracket, whether it is the latter)."""
        at = self.next(at)
        mark = self._text[at : at + 1]
        if mark == closing:
            return at + 1, True
        if mark != ",":
            self.refuse(at, "json_comma_missing", closing=closing)
        return self.next(at + 1), False

    def _string(self, at: int) -> tuple[str, int]:
        try:
            text, end = decoder.scanstring(self._text, at + 1, True)  # type: ignore[attr-defined]
        except json.JSONDecodeError as error:
            self.refuse(error.pos, "json_text_not_closed")
        return text, end

    def _plain(self, at: int) -> tuple[Any, int]:
        for word, value in JSON_WORDS.items():
            if self._text.startswith(word, at):
                return value, at + len(word)
        match = JSON_NUMBER.match(self._text, at)
        if not match:
            self.refuse(at, "json_value_missing")
        if match.end() - at > MAX_DIGITS:
            self.refuse(at, "json_digits", limit=MAX_DIGITS)
        is_whole = match[1] is None and match[2] is None
        return (int(match[0]) if is_whole else float(match[0])), match.end()

    def _line(self, at: int) -> int:
        return bisect_right(self._ends, at - 1) + 1


# HTML in third-party notes


HTML_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,15}|!)[^<>]*>")
LONG_NUMBER = re.compile(r"&#[xX]?[0-9a-fA-F]{8,};?")
BLOCK_TAGS = re.compile(r"p|br|div|li|ul|ol|h[1-6]|blockquote|pre|tr|table|hr")
SILENT_TAGS = frozenset(["script", "style"])


def plain_text_of_html(source: str) -> str:
    """Block elements end with a newline. The result must be escaped for display."""
    if not HTML_TAG.search(source):
        return _unescaped(source).strip()
    parts: list[str] = []
    at, silent = 0, ""
    for tag in HTML_TAG.finditer(source):
        if not silent:
            parts.append(source[at : tag.start()])
        at, name = tag.end(), tag[2].lower()
        if silent or name in SILENT_TAGS:
            silent = name if not silent and not tag[1] else silent
            silent = "" if tag[1] and name == silent else silent
        elif BLOCK_TAGS.fullmatch(name):
            parts.append("\n")
    parts.append("" if silent else source[at:])
    lines: list[str] = []
    for line in _unescaped("".join(parts)).split("\n"):
        line = line.rstrip()
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).strip()


def _unescaped(text: str) -> str:
    # The standard library raises an error for numbers with thousands of digits.
    return html.unescape(LONG_NUMBER.sub("\ufffd", text))


# Files have entries instead of lines


MAX_SOURCE_BYTES = 512 * 1024
FILE_REMEDY = check_text("export_again")


def card_entry(
    number: int,
    source: str,
    quantity: object,
    *,
    title: str = "",
    printing: str = "",
    card_id: str = "",
    is_identity: bool = False,
) -> DeckLine:
    """Build a card entry; unreadable without a whole quantity or a valid name."""
    text = storable_text(source)[:MAX_LINE_LENGTH]
    title, printing, card_id = (
        clean(storable_text(text)).translate(STRAIGHT_LETTERS)
        for text in (title, printing, card_id)
    )
    copies = int(quantity) if isinstance(quantity, float) and quantity.is_integer() else quantity
    reason = _fault_of_names((title, printing, card_id), text)
    # Not isinstance: bool is a subclass of int.
    if type(copies) is not int:
        reason = reason or check_text("entry_copies_not_whole", text=text)
    elif abs(copies) > MAX_COPIES:
        reason = reason or check_text("entry_copies_limit", limit=MAX_COPIES, text=text)
    if type(copies) is not int or reason:
        return DeckLine(number, text, LineKind.UNREADABLE, reason=reason)
    return DeckLine(
        number,
        text,
        LineKind.CARD,
        copies,
        title,
        printing=printing,
        card_id=card_id,
        is_identity=is_identity,
    )


def unreadable_file(
    source: str, form: DeckTextFormat, problem: CheckText, remedy: CheckText = FILE_REMEDY
) -> DeckText:
    return DeckText(source, (), problem, form, remedy=remedy)


def file_deck(
    source: str, form: DeckTextFormat, lines: Sequence[DeckLine], *, name: str = "", notes: str = ""
) -> DeckText:
    """Build the deck of a file. Entries beyond MAX_LINES are not read."""
    problem = None
    if len(lines) > MAX_LINES:
        problem = check_text("file_entries", entries=len(lines), limit=MAX_LINES)
    elif not any(line.kind in (LineKind.CARD, LineKind.UNREADABLE) for line in lines):
        problem = check_text("file_without_cards")
    return DeckText(
        source,
        tuple(lines[:MAX_LINES]),
        problem,
        form,
        name=clean(storable_text(name))[:MAX_NAME],
        notes=plain_newlines(storable_text(notes)).strip(),
        remedy=FILE_REMEDY if problem else None,
    )


def _fault_of_names(names: tuple[str, ...], text: str) -> CheckText | None:
    if not any(names):
        return check_text("entry_without_card", text=text)
    if max(map(len, names)) > MAX_LINE_LENGTH:
        return check_text("entry_name_length", limit=MAX_LINE_LENGTH, text=text)
    if marks := forbidden_characters("".join(names)):
        return check_text("entry_hidden_character", character=marks[0], text=text)
    return None


# JSON: NetrunnerDB v2 and v3, and meteor


# Keys of the cards of a deck; the first in a deck counts.
CARD_KEYS = ("card_slots", "cards", "entries")
MAX_DECKS_NAMED = 5


def read_json_deck(source: str) -> DeckText:
    """Never raises; `problem` explains a failure."""
    try:
        document = parse_json(source)
    except BrokenJson as broken:
        return unreadable_file(source, _guess_form(source), broken.problem)
    if failure := _netrunnerdb_failure(document):
        return unreadable_file(source, DeckTextFormat.NETRUNNERDB_V2, failure)
    decks = list(_find_decks(document))
    if not decks:
        return unreadable_file(source, _guess_form(source), check_text("json_no_deck"))
    form = _deck_form(decks[0])
    if len(decks) == 1:
        return _read_deck_object(source, decks[0], form)
    names = [storable_text(_member_text(deck, "name")[:60]) for deck in decks[:MAX_DECKS_NAMED]]
    problem = check_text("several_decks", number=len(decks), names=names)
    if more := len(decks) - len(names):
        problem = check_text("several_decks_and_more", number=len(decks), names=names, more=more)
    return unreadable_file(source, form, problem, check_text("one_deck_only"))


def _find_decks(node: JsonValue, wrappings: int = 4) -> Iterator[JsonValue]:
    """Yield every deck in the document. A wrapper is a list, or an object without deck keys."""
    if any(key in node.members for key in CARD_KEYS):
        yield node
    elif wrappings:
        inner = (node.members.get(key) for key in ("data", "attributes", "decks"))
        for child in (*node.elements, *filter(None, inner)):
            yield from _find_decks(child, wrappings - 1)


def _deck_form(deck: JsonValue) -> DeckTextFormat:
    if "card_slots" in deck.members:
        return DeckTextFormat.NETRUNNERDB_V3
    if "cards" in deck.members:
        is_third = "identity_card_id" in deck.members
        return DeckTextFormat.NETRUNNERDB_V3 if is_third else DeckTextFormat.NETRUNNERDB_V2
    return DeckTextFormat.METEOR


def _guess_form(source: str) -> DeckTextFormat:
    if '"card_slots"' in source or '"identity_card_id"' in source:
        return DeckTextFormat.NETRUNNERDB_V3
    return DeckTextFormat.METEOR if '"entries"' in source else DeckTextFormat.NETRUNNERDB_V2


def _netrunnerdb_failure(document: JsonValue) -> CheckText | None:
    """Return a NetrunnerDB error: v2 {success: false, msg}, v3 {errors: [...]}."""
    success, errors = document.members.get("success"), document.members.get("errors")
    if success is not None and success.value is not True:
        message = _member_text(document, "msg") or _member_text(document, "message")
    elif errors is not None and errors.elements:
        error = errors.elements[0]
        message = _member_text(error, "detail") or _member_text(error, "title")
    else:
        return None
    if not message:
        return check_text("netrunnerdb_error_unknown")
    return check_text("netrunnerdb_error", message=storable_text(message[:200].rstrip(".")))


def _read_deck_object(source: str, deck: JsonValue, form: DeckTextFormat) -> DeckText:
    is_v2, is_meteor = form == DeckTextFormat.NETRUNNERDB_V2, form == DeckTextFormat.METEOR
    key = next(key for key in CARD_KEYS if key in deck.members)
    cards = deck.members[key]
    # PHP serialises an empty object as an empty list.
    if not isinstance(cards.value, dict) and cards.value not in ([], None):
        return unreadable_file(
            source, form, check_text("json_no_cards_object", line=cards.line, key=key)
        )
    if is_v2:
        lines = [
            card_entry(node.line, node.source, node.value, printing=code)
            for code, node in cards.members.items()
        ]
        notes = plain_text_of_html(_member_text(deck, "description"))
    else:
        lines = _entries_by_card_id(deck, "identity" if is_meteor else "identity_card_id", key)
        notes = "" if is_meteor else _member_text(deck, "notes")
    return file_deck(source, form, lines, name=_member_text(deck, "name"), notes=notes)


def _entries_by_card_id(deck: JsonValue, identity_key: str, cards_key: str) -> list[DeckLine]:
    """Return the identity, if given, and the cards; the identity among the cards is a remark."""
    lines = []
    identity = _member_text(deck, identity_key)
    if identity:
        node = deck.members[identity_key]
        lines.append(card_entry(node.line, node.source, 1, card_id=identity, is_identity=True))
    for card_id, node in deck.members[cards_key].members.items():
        if identity and card_id == identity:
            source = storable_text(node.source)[:MAX_LINE_LENGTH]
            lines.append(DeckLine(node.line, source, LineKind.COMMENT))
        else:
            lines.append(card_entry(node.line, node.source, node.value, card_id=card_id))
    return lines


def _member_text(node: JsonValue, key: str) -> str:
    member = node.members.get(key)
    return member.text if member is not None else ""


# OCTGN (.o8d)


MAX_XML_DEPTH = 20
MAX_ELEMENTS = 10_000

PRINTING_DIGITS = re.compile(r"[0-9]{5}")
LEADING_BLANKS = "\ufeff \t\r\n"
WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")


class _BeyondLimits(SAXException):
    def __init__(self, problem: CheckText) -> None:
        super().__init__(str(problem))
        self.problem = problem


@dataclass
class _OctgnCard:
    line: int
    section: int
    quantity: str
    id: str
    title: str = ""


class _OctgnHandler(ContentHandler):
    """`skipped` lines precede the XML."""

    def __init__(self, skipped: int) -> None:
        super().__init__()
        self.root = ""
        self._skipped = skipped
        self._game = ""
        self._open: list[str] = []
        self._elements = 0
        self._sections: list[str] = [""]
        self._cards: list[_OctgnCard] = []
        self._parts: list[str] = []

    @property
    def notes(self) -> str:
        return "".join(self._parts)

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802
        self._place = locator

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802
        self._open.append(name)
        self._elements += 1
        if len(self._open) > MAX_XML_DEPTH:
            raise _BeyondLimits(check_text("xml_depth", limit=MAX_XML_DEPTH))
        if self._elements > MAX_ELEMENTS:
            raise _BeyondLimits(check_text("xml_elements", limit=MAX_ELEMENTS))
        if len(self._open) == 1:
            self.root, self._game = name, attrs.get("game", "")
        elif name == "section":
            self._sections.append(attrs.get("name", ""))
        elif name == "card":
            line = (self._place.getLineNumber() or 1) + self._skipped
            section = len(self._sections) - 1
            self._cards.append(_OctgnCard(line, section, attrs.get("qty", ""), attrs.get("id", "")))

    def endElement(self, name: str) -> None:  # noqa: N802
        self._open.pop()

    def characters(self, content: str) -> None:
        if len(self._open) == 1:
            return
        if self._open[-1] == "card":
            self._cards[-1].title += content
        elif self._open[-1] == "notes":
            self._parts.append(content)

    def lines(self) -> list[DeckLine]:
        sizes = Counter(card.section for card in self._cards)
        has_codes = not self._game or self._game.strip().casefold() == OCTGN_GAME
        lines = []
        for card in self._cards:
            code = card.id.strip()[-5:]
            is_code = has_codes or card.id.casefold().startswith(OCTGN_CARD)
            is_whole = WHOLE_NUMBER.fullmatch(card.quantity.strip())
            # Other section names are not validated.
            section = self._sections[card.section].strip().casefold()
            lines.append(
                card_entry(
                    card.line,
                    f"{card.quantity} {card.title} [{card.id[-5:]}]",
                    int(card.quantity) if is_whole else None,
                    title=card.title,
                    printing=code if is_code and PRINTING_DIGITS.fullmatch(code) else "",
                    # Only a card that is alone in its section.
                    is_identity=section == "identity" and sizes[card.section] == 1,
                )
            )
        return lines


def read_octgn_deck(source: str) -> DeckText:
    """Never raises; `problem` explains a failure."""
    body = source.lstrip(LEADING_BLANKS)
    # Nothing may precede the XML declaration, but line numbers count from the top of the file.
    skipped = len(LINE_ENDS.findall(source[: len(source) - len(body)]))
    handler = _OctgnHandler(skipped)
    try:
        _parse_xml(body, handler)
    except DefusedXmlException:
        return unreadable_file(source, DeckTextFormat.OCTGN, check_text("xml_entities"))
    except SAXParseException as broken:
        line, column = (broken.getLineNumber() or 1) + skipped, (broken.getColumnNumber() or 0) + 1
        problem = check_text(
            "xml_broken_at",
            line=line,
            column=column,
            reason=storable_text(str(broken.getMessage())),
        )
        return unreadable_file(source, DeckTextFormat.OCTGN, problem)
    except _BeyondLimits as refusal:
        return unreadable_file(source, DeckTextFormat.OCTGN, refusal.problem)
    except (SAXException, ValueError, UnicodeError):
        return unreadable_file(source, DeckTextFormat.OCTGN, check_text("xml_broken"))
    if handler.root != "deck":
        return unreadable_file(source, DeckTextFormat.OCTGN, check_text("xml_not_octgn"))
    return file_deck(source, DeckTextFormat.OCTGN, handler.lines(), notes=handler.notes)


def _parse_xml(body: str, handler: ContentHandler) -> None:
    parser = make_parser()
    parser.forbid_dtd = True
    parser.setContentHandler(handler)
    data = InputSource()
    data.setByteStream(BytesIO(body.encode()))
    # Already str: ignore the encoding in the XML declaration.
    data.setEncoding("utf-8")
    parser.parse(data)


# Any format, detected from its content alone


# "[ ] 3 Title" and "[3] Title" are typed lines; JSON brackets contain a value or nothing.
JSON_START = re.compile(r'\{|\[\s*[\[{"]|\[\s*\]\s*$')


def read_deck(source: str) -> DeckText:
    """Never raises; `problem` explains a failure."""
    if len(source) > MAX_SOURCE_BYTES:
        return _too_large(
            source[:MAX_SOURCE_BYTES],
            check_text("list_characters", characters=len(source), limit=MAX_SOURCE_BYTES),
        )
    text = plain_text.storable_text(source)
    start = text.lstrip(LEADING_BLANKS)
    is_xml, is_json = start.startswith("<"), bool(JSON_START.match(start))
    # A file that cannot be parsed is never treated as typed lines.
    if not is_xml and not is_json:
        return plain_text.read_plain_text(text)
    if (size := len(text.encode())) > MAX_SOURCE_BYTES:
        return _too_large(text, check_text("list_bytes", bytes=size, limit=MAX_SOURCE_BYTES))
    return read_octgn_deck(text) if is_xml else read_json_deck(text)


def _too_large(text: str, problem: CheckText) -> DeckText:
    return unreadable_file(plain_text.storable_text(text), DeckTextFormat.PLAIN_TEXT, problem)
