"""Decks as the rules of Android: Netrunner see them."""

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
    """An identity and the cards of known titles; the slots do not include the identity.

    `side` is empty if unknown; `identity` is None if the list names none. `unread` is the number of
    copies on lines without a known card; these do not count.
    """

    side: str
    identity: CardFacts | None
    slots: tuple[CardSlot, ...]
    identity_line: int | None = None
    unread: int = 0

    @cached_property
    def copies(self) -> Mapping[CardFacts, Copies]:
        """Copies by card, in the order of first mention in the list."""
        quantities: dict[CardFacts, int] = defaultdict(int)
        lines: dict[CardFacts, int | None] = {}
        for slot in self.slots:
            quantities[slot.card] += slot.quantity
            lines.setdefault(slot.card, slot.line)
        return {card: Copies(card, quantity, lines[card]) for card, quantity in quantities.items()}

    @cached_property
    def size(self) -> int:
        """Number of cards of known titles, without the identity."""
        return sum(slot.quantity for slot in self.slots)

    def titles(self) -> Iterator[Copies]:
        """Yield every title of the deck; the identity comes first, as one copy."""
        if self.identity:
            yield Copies(self.identity, 1, self.identity_line)
        yield from self.copies.values()

    def of_type(self, type_: str) -> Iterator[Copies]:
        return (copies for copies in self.copies.values() if copies.card.type == type_)
