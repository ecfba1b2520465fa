"""Parsed lines and problems for files, which have entries instead of lines."""

from collections.abc import Sequence

from core.text import clean, forbidden_characters, plain_newlines
from decks.formats.deck_text import DeckLine, DeckText, LineKind, ListForm
from decks.formats.plain_text import MAX_LINE_LENGTH, MAX_LINES, MAX_QUANTITY, STRAIGHT, storable

MAX_BYTES = 512 * 1024
MAX_NAME = 200
REMEDY = "Export the deck again, or paste it as text: one card a line, such as: 3 Title of the card"


def entry(
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
    text = storable(source)[:MAX_LINE_LENGTH]
    title, printing, card_id = (
        clean(storable(one)).translate(STRAIGHT) for one in (title, printing, card_id)
    )
    copies = _whole(quantity)
    reason = _fault_of_names((title, printing, card_id)) or _fault_of_copies(copies)
    if copies is None or reason:
        return DeckLine(number, text, LineKind.UNREADABLE, reason=f"{reason}; it reads: {text}.")
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


def remark(number: int, source: str) -> DeckLine:
    """Build an entry that adds nothing to the deck."""
    return DeckLine(number, storable(source)[:MAX_LINE_LENGTH], LineKind.COMMENT)


def problem(source: str, form: ListForm, reason: str, remedy: str = REMEDY) -> DeckText:
    """Build the result for a file that could not be read at all."""
    return DeckText(source, (), storable(reason), form, remedy=remedy)


def deck_text(
    source: str, form: ListForm, lines: Sequence[DeckLine], *, name: str = "", notes: str = ""
) -> DeckText:
    """Build the deck of a file. Entries beyond MAX_LINES are not read."""
    reason = ""
    if len(lines) > MAX_LINES:
        reason = f"The file has {len(lines)} entries; only the first {MAX_LINES} were read."
    elif not any(line.kind in (LineKind.CARD, LineKind.UNREADABLE) for line in lines):
        reason = "The deck in the file has no cards."
    return DeckText(
        source,
        tuple(lines[:MAX_LINES]),
        reason,
        form,
        name=clean(storable(name))[:MAX_NAME],
        notes=plain_newlines(storable(notes)).strip(),
        remedy=REMEDY if reason else "",
    )


def _whole(quantity: object) -> int | None:
    """Return a whole quantity. Booleans are rejected, although bool is a subclass of int."""
    if isinstance(quantity, float) and quantity.is_integer():
        return int(quantity)
    return quantity if type(quantity) is int else None


def _fault_of_names(names: tuple[str, ...]) -> str:
    if not any(names):
        return "The entry names no card"
    if max(map(len, names)) > MAX_LINE_LENGTH:
        return f"The entry has a name of more than {MAX_LINE_LENGTH} characters"
    if marks := forbidden_characters("".join(names)):
        return f"The entry holds a character that cannot be shown ({marks[0]})"
    return ""


def _fault_of_copies(copies: int | None) -> str:
    if copies is None:
        return "The number of copies is not a whole number"
    if abs(copies) > MAX_QUANTITY:
        return f"{MAX_QUANTITY} copies is the most for one entry"
    return ""
