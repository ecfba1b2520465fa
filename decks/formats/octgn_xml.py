"""Parse OCTGN decks (.o8d). Source: INTEROP section 6.

Hardened for untrusted XML: no DTD, no entities, bounded depth and number of elements.
"""

import re
from collections import Counter
from dataclasses import dataclass
from io import BytesIO
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, InputSource, Locator

from defusedxml import DefusedXmlException
from defusedxml.sax import make_parser

from decks.formats import entries
from decks.formats.deck_text import DeckLine, DeckText, ListForm
from decks.formats.plain_text import LINE_END

GAME = "0f38e453-26df-4c04-9d67-6d43de939c77"
CARD = "bc0f047c-01b1-427f-a439-d451eda"
MOST_DEPTH = 20
MOST_ELEMENTS = 10_000

CODE = re.compile(r"[0-9]{5}")
BLANKS = "\ufeff \t\r\n"
WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")


class _BeyondLimits(SAXException):
    pass


@dataclass
class _Card:
    line: int
    section: int
    quantity: str
    id: str
    title: str = ""


class _Deck(ContentHandler):
    """SAX handler that collects cards and notes; `skipped` lines precede the XML."""

    def __init__(self, skipped: int) -> None:
        super().__init__()
        self.root = ""
        self._skipped = skipped
        self._game = ""
        self._open: list[str] = []
        self._elements = 0
        self._sections: list[str] = [""]
        self._cards: list[_Card] = []
        self._parts: list[str] = []

    @property
    def notes(self) -> str:
        return "".join(self._parts)

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802
        self._place = locator

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802
        self._open.append(name)
        self._elements += 1
        if len(self._open) > MOST_DEPTH:
            raise _BeyondLimits(f"The XML is nested more than {MOST_DEPTH} deep.")
        if self._elements > MOST_ELEMENTS:
            raise _BeyondLimits(f"The XML has more than {MOST_ELEMENTS:,} elements.")
        if len(self._open) == 1:
            self.root, self._game = name, attrs.get("game", "")
        elif name == "section":
            self._sections.append(attrs.get("name", ""))
        elif name == "card":
            line = (self._place.getLineNumber() or 1) + self._skipped
            section = len(self._sections) - 1
            self._cards.append(_Card(line, section, attrs.get("qty", ""), attrs.get("id", "")))

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
        """Return the cards in file order.

        A card that is alone in a section "Identity" is the identity.
        """
        alone = Counter(card.section for card in self._cards)
        return [
            entries.entry(
                card.line,
                f"{card.quantity} {card.title} [{card.id[-5:]}]",
                _copies(card.quantity),
                title=card.title,
                printing=self._code(card),
                is_identity=alone[card.section] == 1
                and self._sections[card.section].strip().casefold() == "identity",
            )
            for card in self._cards
        ]

    def _code(self, card: _Card) -> str:
        """Return the last five characters of the id if they are a printing code."""
        is_of_the_game = self._game.strip().casefold() == GAME or not self._game
        if is_of_the_game or card.id.casefold().startswith(CARD):
            found = CODE.fullmatch(card.id.strip()[-5:])
            return found[0] if found else ""
        return ""


def _copies(text: str) -> int | None:
    return int(text) if WHOLE_NUMBER.fullmatch(text.strip()) else None


def read(source: str) -> DeckText:
    """Parse the deck in the XML. Never raises; `problem` explains a failure.

    Section names are not validated. Cards of Android: Netrunner are identified by the code in their
    id, cards of other games only by title.
    """
    body = source.lstrip(BLANKS)
    # Nothing may precede the XML declaration, but line numbers count from the top of the file.
    skipped = len(LINE_END.findall(source[: len(source) - len(body)]))
    handler = _Deck(skipped)
    try:
        _parse(body, handler)
    except DefusedXmlException:
        reason = "The XML declares entities or a document type; a deck needs none."
        return entries.problem(source, ListForm.OCTGN, reason)
    except SAXParseException as broken:
        line, column = (broken.getLineNumber() or 1) + skipped, (broken.getColumnNumber() or 0) + 1
        reason = f"The XML is broken in line {line}, column {column}: {broken.getMessage()}."
        return entries.problem(source, ListForm.OCTGN, reason)
    except _BeyondLimits as refusal:
        return entries.problem(source, ListForm.OCTGN, str(refusal))
    except (SAXException, ValueError, UnicodeError):
        return entries.problem(source, ListForm.OCTGN, "The XML is broken.")
    if handler.root != "deck":
        reason = "The XML is not an OCTGN deck: its outermost element is not called deck."
        return entries.problem(source, ListForm.OCTGN, reason)
    return entries.deck_text(source, ListForm.OCTGN, handler.lines(), notes=handler.notes)


def _parse(body: str, handler: ContentHandler) -> None:
    parser = make_parser()
    parser.forbid_dtd = True
    parser.setContentHandler(handler)
    data = InputSource()
    data.setByteStream(BytesIO(body.encode()))
    # Already str: ignore the encoding in the XML declaration.
    data.setEncoding("utf-8")
    parser.parse(data)
