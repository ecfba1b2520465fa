"""Breaches of single lines: unknown or ambiguous cards, with suggested fixes."""

from core.text import ended
from decks.formats.deck_text import DeckLine, Reading
from decks.legality.card_table import CardTable
from decks.legality.records import Breach, CardFacts

# Limit on lines per list with suggestions, because the search for similar titles is slow.
MOST_SUGGESTIONS = 40
NO_SUGGESTION = f"Nearest titles are shown for the first {MOST_SUGGESTIONS} faulty lines only. "
READING = "Reading of lists: a line is a number of copies and a title"
IDENTITY = "Reading of lists: a deck has one identity, named by its full title"


def side_unclear(cards_of_each: int = 0) -> Breach:
    """No known card determines the side, or both sides have the same number of cards."""
    message = "Nothing in the list says whether it is a Corp or a Runner deck."
    if cards_of_each:
        message = f"The list has as many Corp as Runner cards: {cards_of_each} of each."
    remedy = "Fix the lines without a card, or say which side it is."
    return Breach("side_unclear", message, remedy, rule=READING)


def unreadable(line: DeckLine) -> Breach:
    remedy = "Write the number of copies and the title, such as: 3 Title of the card"
    return Breach("unreadable_line", line.reason, remedy, line.number, rule=READING)


def unknown(line: DeckLine, table: CardTable, *, suggests: bool = True) -> Breach:
    """A line without a known card: neither code, id nor title match."""
    if line.is_identity:
        return unknown_identity(line, table, suggests=suggests)
    title = line.title or line.card_id
    titles = table.nearest(title) if title and suggests else ()
    near = _nearest(titles) if title and suggests else NO_SUGGESTION * bool(title)
    if line.printing:
        return _unknown_printing(line, near, titles) if line.title else _unknown_printing(line)
    remedy = "Put # before the line if it is not a card."
    if not line.title:
        remedy = "Write the name of a card, or remove the entry."
    message = f'No card is called "{title}".'
    return Breach(
        "unknown_card",
        message,
        f"{near}{remedy}",
        line.number,
        title,
        READING,
        suggestions=titles,
    )


def unknown_identity(line: DeckLine, table: CardTable, *, suggests: bool = True) -> Breach:
    """An identity line that matches no identity."""
    name = line.title or line.card_id or line.printing
    message = f'No identity is called "{name}".'
    return _no_identity(line, name, table, message, "Write the full title.", suggests=suggests)


def no_identity_card(
    line: DeckLine, card: CardFacts, table: CardTable, *, suggests: bool = True
) -> Breach:
    """A card of another type on an identity line."""
    message = f"{card.title} is not an identity."
    remedy = "Name the identity you play."
    return _no_identity(line, card.title, table, message, remedy, suggests=suggests)


def copies(line: DeckLine, quantity: int, title: str) -> Breach:
    """A quantity of zero or less."""
    message = f"{quantity} copies of {title}: a line has at least 1."
    remedy = "Write how many copies there are, or remove the line."
    return Breach("quantity", message, remedy, line.number, title, READING)


def two_meanings(line: DeckLine, one: tuple[Reading, CardFacts], other: CardFacts) -> Breach:
    """An ambiguous line, which only the player can clarify."""
    reading, card = one
    message = ended(f"The line may mean {card.title} or {other.title}")
    if card is other:
        message = ended(f"The line may mean different numbers of copies of {card.title}")
    remedy = f"Write the number of copies first, such as: {max(reading.quantity, 1)} {card.title}"
    return Breach("unreadable_line", message, remedy, line.number, rule=READING)


def two_names(line: DeckLine, by_code: CardFacts, by_title: CardFacts) -> Breach:
    """The title and the code of a line belong to different cards."""
    its = f"its code {line.printing} is {by_code.title}"
    message = ended(f"The line names {by_title.title}, but {its}")
    remedy = "Correct the title, or remove the code."
    return Breach("unreadable_line", message, remedy, line.number, by_title.title, READING)


def _unknown_printing(line: DeckLine, near: str = "", titles: tuple[str, ...] = ()) -> Breach:
    message = f'No card has a printing with the code "{line.printing}"'
    remedy = "Correct the code, or write the title of the card."
    if line.title:
        message += f', and none is called "{line.title}"'
        remedy = f"{near}{remedy}"
    name = line.title or line.printing
    return Breach(
        "unknown_printing",
        f"{message}.",
        remedy,
        line.number,
        name,
        READING,
        suggestions=titles,
    )


def _no_identity(
    line: DeckLine, name: str, table: CardTable, message: str, remedy: str, *, suggests: bool
) -> Breach:
    titles = table.nearest_identities(name) if table.has_identities and suggests else ()
    near = _nearest(titles) if suggests else NO_SUGGESTION
    if not table.has_identities:
        near, remedy = "", "Remove the line: this game has no identities."
    return Breach(
        "unknown_identity",
        message,
        f"{near}{remedy}",
        line.number,
        name,
        IDENTITY,
        suggestions=titles,
    )


def _nearest(titles: tuple[str, ...]) -> str:
    return f"{ended('Nearest titles: ' + '; '.join(titles))} " if titles else ""
