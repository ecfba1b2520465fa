"""The deck as the rules of Android: Netrunner look at it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from decks.legality.records import CardFacts, CardSlot


@dataclass(frozen=True)
class Copies:
    """All copies of one title over all its lines; `line` is the first of them."""

    card: CardFacts
    quantity: int
    line: int | None


@dataclass(frozen=True)
class AnrDeck:
    """An identity and the cards of known titles; the identity is not among the slots.

    `side` is empty where nothing says it, `identity` None where the list names none. `unread`
    is the number of copies on lines that name no known card: they do not count.
    """

    side: str
    identity: CardFacts | None
    slots: tuple[CardSlot, ...]
    identity_line: int | None = None
    unread: int = 0

    @cached_property
    def copies(self) -> Mapping[CardFacts, Copies]:
        """The copies of each title, in the order the list names them first."""
        quantities: dict[CardFacts, int] = defaultdict(int)
        lines: dict[CardFacts, int | None] = {}
        for slot in self.slots:
            quantities[slot.card] += slot.quantity
            lines.setdefault(slot.card, slot.line)
        return {card: Copies(card, quantity, lines[card]) for card, quantity in quantities.items()}

    @cached_property
    def size(self) -> int:
        """Cards of known titles, the identity not counted."""
        return sum(slot.quantity for slot in self.slots)

    def titles(self) -> Iterator[Copies]:
        """Every title of the deck, the identity first as one copy."""
        if self.identity:
            yield Copies(self.identity, 1, self.identity_line)
        yield from self.copies.values()

    def of_type(self, type_: str) -> Iterator[Copies]:
        """The titles of one type."""
        return (copies for copies in self.copies.values() if copies.card.type == type_)
