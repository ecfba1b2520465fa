"""Export OCTGN deck files (.o8d) of Android: Netrunner. Source: INTEROP section 6."""

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape, quoteattr

from decks.formats.writers.records import WrittenCard, WrittenDeck

GAME = "0f38e453-26df-4c04-9d67-6d43de939c77"
# GUID prefix; the five digits of the printing code complete it.
CARD = "bc0f047c-01b1-427f-a439-d451eda"


def octgn(deck: WrittenDeck) -> str:
    """Render the deck file, including the notes. The deck name becomes the file name."""
    identity = [deck.identity] if deck.identity else []
    lines = [
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
        f"<deck game={quoteattr(GAME)}>",
        *_section("Identity", identity),
        *_section("R&D / Stack", deck.cards),
        f"  <notes>{_cdata(deck.notes)}</notes>",
        "</deck>",
    ]
    return "".join(f"{line}\n" for line in lines)


def _section(name: str, cards: Iterable[WrittenCard]) -> Iterator[str]:
    yield f"  <section name={quoteattr(name)}>"
    for card in cards:
        guid = quoteattr(f"{CARD}{card.code}")
        yield f'    <card qty="{card.quantity}" id={guid}>{escape(card.title)}</card>'
    yield "  </section>"


def _cdata(text: str) -> str:
    # "]]>" ends a CDATA section, so split it across two sections.
    return f"<![CDATA[{text.replace(']]>', ']]]]><![CDATA[>')}]]>"
