"""Input of the exporters: a deck with all data that any export format needs."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from core.text import clean, plain_newlines
from decks.formats.sections import section_of, section_rank


@dataclass(frozen=True)
class WrittenCard:
    """One line of a list: copies of one title.

    `chosen` is the code of the printing the player chose, or empty if the list names only the
    title. `latest` is the code of the newest printing, the fallback where a format requires a code.
    `card_id` is the id used by other programs, such as "sure_gamble". `set_name` is the set of the
    chosen printing, otherwise of the newest. `influence` is the total of all copies.
    """

    title: str
    quantity: int = 1
    type: str = ""
    subtypes: str = ""
    card_id: str = ""
    chosen: str = ""
    latest: str = ""
    set_name: str = ""
    faction: str = ""
    influence: int = 0
    is_restricted: bool = False

    @property
    def code(self) -> str:
        """Printing code for formats that require one; empty for games without codes."""
        return self.chosen or self.latest


@dataclass(frozen=True)
class Totals:
    """Totals below a list; None if the deck has no such figure.

    `influence_limit` is None for an unlimited identity. The agenda figures apply to Corp decks.
    """

    influence_spent: int | None = None
    influence_limit: int | None = None
    agenda_points: int | None = None
    agenda_minimum: int | None = None
    agenda_maximum: int | None = None
    minimum_size: int | None = None
    newest_set: str = ""


@dataclass(frozen=True)
class WrittenDeck:
    """Deck to export. `cards` are in the order of the player's list, without the identity.

    `name` is one line; `notes` may have several, separated by LF. `warning` is the first problem of
    the deck. `unread` are lines without a known card, such as "3 Title". Text formats include them;
    formats based on codes cannot.
    """

    side: str
    cards: tuple[WrittenCard, ...]
    identity: WrittenCard | None = None
    name: str = ""
    notes: str = ""
    warning: str = ""
    totals: Totals = Totals()
    unread: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Number of cards without the identity."""
        return sum(card.quantity for card in self.cards)

    def sections(self) -> Iterator[tuple[str, tuple[WrittenCard, ...]]]:
        """Yield (heading, cards) in the usual order of headings; cards in the player's order."""

        def heading(card: WrittenCard) -> str:
            return section_of(card.type, card.subtypes)

        def place(card: WrittenCard) -> tuple[int, str]:
            return section_rank(heading(card)), heading(card)

        for section, cards in groupby(sorted(self.cards, key=place), key=heading):
            yield section, tuple(cards)


def tidied(deck: WrittenDeck) -> WrittenDeck:
    """Normalise the name to one line and the newlines in the notes to LF."""
    lines = plain_newlines(deck.notes).split("\n")
    notes = "\n".join(line.rstrip() for line in lines).strip()
    return replace(deck, name=clean(deck.name), notes="".join(map(_printable, notes)))


def _printable(letter: str) -> str:
    # XML forbids control characters, even escaped, and U+FFFE and U+FFFF.
    is_control = letter < " " and letter not in "\n\t"
    return "\ufffd" if is_control or letter in "\ufffe\uffff" else letter


def pips(influence: int) -> str:
    """Return a bullet per point of influence, in groups of five: INTEROP section 7."""
    full, rest = divmod(influence, 5)
    return " ".join(["\u2022" * 5] * full + ["\u2022" * rest] * bool(rest))
