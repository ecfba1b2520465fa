"""Rulings that hold for a family of cards, wherever the list wrote them down.

The list says of single cards "for notes on Virus programs, see Boardwalk". What stands there is
about the keyword, so it holds for every card with it, also for one the list does not name.
"""

from dataclasses import dataclass

from decks.games import GameSystem
from decks.models import Card, Side


@dataclass(frozen=True)
class Family:
    """Cards with one keyword, and the subject that has the rulings on them."""

    name: str
    subject_slug: str
    subtype: str
    types: frozenset[str]
    game: GameSystem = GameSystem.ONR
    side: Side = Side.RUNNER

    def holds(self, card: Card) -> bool:
        """Whether the card is one of them; the Virus cards of the Corp are no Virus programs."""
        if (card.game, card.side) != (self.game, self.side) or card.type not in self.types:
            return False
        return self.subtype in [subtype.strip() for subtype in card.subtypes.split(" - ")]


ANY = frozenset({"program", "hardware", "resource", "prep"})
PROGRAMS = frozenset({"program"})
FAMILIES = (
    Family("Virus programs", "boardwalk", "Virus", PROGRAMS),
    Family("Daemons", "afreet", "Daemon", PROGRAMS),
    Family("Noisy cards", "hammer", "Noisy", ANY),
    Family("Stealth cards", "cloak", "Stealth", ANY),
    Family("base links", "access-through-alpha", "Base Link", ANY),
)


def families_of(card: Card) -> tuple[Family, ...]:
    """The families a card belongs to, with the subjects whose rulings it inherits."""
    return tuple(family for family in FAMILIES if family.holds(card))
