"""What the writers are given: a deck with all that any form says of it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from core.text import clean, plain_newlines
from decks.formats.sections import section_of, section_rank


@dataclass(frozen=True)
class WrittenCard:
    """So many copies of one title, as one line of a list.

    `chosen` is the code of the printing the player chose, empty where only the title was named;
    `latest` is the code of the newest printing, which stands in where a form needs a code.
    `card_id` is the name other programs use, such as "sure_gamble". `set_name` is the set of
    the chosen printing, else of the newest. `influence` is what all copies together cost.
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
        """The printing to name where a form cannot do without; empty for a game without codes."""
        return self.chosen or self.latest


@dataclass(frozen=True)
class Totals:
    """The figures below a list; None where the deck has no such figure.

    `influence_limit` None with a spent figure is no limit; the agenda figures are those of a
    Corp deck.
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
    """A deck to write. `cards` stand in the order of the player's list, without the identity.

    `name` is one line, `notes` may have several, ended by LF. `warning` is the first thing
    wrong with the deck. `unread` are lines that name no known card, as "3 Title": a form
    made for people keeps them, one made of codes cannot.
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
        """Cards in the deck, the identity not counted."""
        return sum(card.quantity for card in self.cards)

    def sections(self) -> Iterator[tuple[str, tuple[WrittenCard, ...]]]:
        """(heading, cards), in the usual order of headings; the player's order within each."""

        def heading(card: WrittenCard) -> str:
            return section_of(card.type, card.subtypes)

        def place(card: WrittenCard) -> tuple[int, str]:
            return section_rank(heading(card)), heading(card)

        for section, cards in groupby(sorted(self.cards, key=place), key=heading):
            yield section, tuple(cards)


def tidied(deck: WrittenDeck) -> WrittenDeck:
    """The deck with its name on one line and LF alone in its notes, as every form can keep it."""
    lines = plain_newlines(deck.notes).split("\n")
    notes = "\n".join(line.rstrip() for line in lines).strip()
    return replace(deck, name=clean(deck.name), notes="".join(map(_printable, notes)))


def _printable(letter: str) -> str:
    # XML holds no control characters, not even escaped, nor the two below the next plane.
    is_control = letter < " " and letter not in "\n\t"
    return "\ufffd" if is_control or letter in "\ufffe\uffff" else letter


def pips(influence: int) -> str:
    """A bullet for each point of influence, in fives: INTEROP section 7."""
    full, rest = divmod(influence, 5)
    return " ".join(["\u2022" * 5] * full + ["\u2022" * rest] * bool(rest))
