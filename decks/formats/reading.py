"""Parse a decklist in any supported format, detected from its content alone."""

import re

from decks.formats import entries, json_decks, octgn_xml, plain_text
from decks.formats.deck_text import DeckText, ListForm

BLANKS = "\ufeff \t\r\n"
# "[ ] 3 Title" and "[3] Title" are typed lines; JSON brackets contain a value or nothing.
JSON = re.compile(r'\{|\[\s*[\[{"]|\[\s*\]\s*$')
MAX_BYTES = entries.MAX_BYTES


def read(source: str) -> DeckText:
    """Parse the list. Never raises.

    A file that cannot be parsed is never treated as typed lines; `problem` explains the error. The
    limit is 32 KB for typed lists and 512 KB for files.
    """
    if len(source) > MAX_BYTES:
        return _too_big(source[:MAX_BYTES], f"{len(source):,} characters")
    text = plain_text.storable(source)
    start = text.lstrip(BLANKS)
    is_xml, is_json = start.startswith("<"), bool(JSON.match(start))
    if not is_xml and not is_json:
        return plain_text.read(text)
    if (size := len(text.encode())) > MAX_BYTES:
        return _too_big(text, f"{size:,} bytes")
    return octgn_xml.read(text) if is_xml else json_decks.read(text)


def _too_big(text: str, size: str) -> DeckText:
    reason = f"The list has {size}; at most {MAX_BYTES:,} are allowed."
    return entries.problem(plain_text.storable(text), ListForm.PLAIN_TEXT, reason)
