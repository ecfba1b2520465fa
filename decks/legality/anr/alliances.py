"""Conditions under which alliance cards cost no influence, as data.

Source: the texts of these cards, restated; DECK_RULES 8. All figures count copies in the deck,
which does not include the identity.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from decks.legality.anr import factions
from decks.legality.anr.deck import AnrDeck
from decks.legality.records import CardFacts

Count = Callable[[AnrDeck, CardFacts], int]


def _kin(deck: AnrDeck, card: CardFacts) -> int:
    return sum(
        copies.quantity
        for other, copies in deck.copies.items()
        if other.faction == card.faction and not other.has_subtype("alliance")
    )


def _of_type(type_: str) -> Count:
    return lambda deck, _: sum(copies.quantity for copies in deck.of_type(type_))


def _of_card(card_id: str) -> Count:
    return lambda deck, _: sum(
        copies.quantity for card, copies in deck.copies.items() if card.card_id == card_id
    )


def _size(deck: AnrDeck, _: CardFacts) -> int:
    return deck.size


@dataclass(frozen=True)
class Condition:
    """An alliance card is free if `count` is from `least` to `most` (None: no upper bound).

    `words` describe the condition: "6 or more {faction} cards other than alliances".
    """

    count: Count
    words: str
    least: int = 0
    most: int | None = None

    def holds(self, deck: AnrDeck, card: CardFacts) -> bool:
        count = self.count(deck, card)
        return self.least <= count and (self.most is None or count <= self.most)


SIX_OF_ITS_FACTION = Condition(_kin, "6 or more {faction} cards other than alliances", least=6)

CONDITIONS: Mapping[str, Condition] = {
    "consulting_visit": SIX_OF_ITS_FACTION,
    "executive_search_firm": SIX_OF_ITS_FACTION,
    "heritage_committee": SIX_OF_ITS_FACTION,
    "ibrahim_salem": SIX_OF_ITS_FACTION,
    "jeeves_model_bioroids": SIX_OF_ITS_FACTION,
    "product_recall": SIX_OF_ITS_FACTION,
    "raman_rai": SIX_OF_ITS_FACTION,
    "salems_hospitality": SIX_OF_ITS_FACTION,
    "mumba_temple": Condition(_of_type("ice"), "15 or fewer ice", most=15),
    "mumbad_virtual_tour": Condition(_of_type("asset"), "7 or more assets", least=7),
    "museum_of_history": Condition(_size, "50 or more cards", least=50),
    "pad_factory": Condition(
        _of_card("pad_campaign"), "exactly 3 copies of PAD Campaign", least=3, most=3
    ),
}


def is_free(deck: AnrDeck, card: CardFacts) -> bool:
    """True if the card is an alliance whose condition the deck meets."""
    condition = CONDITIONS.get(card.card_id)
    return condition is not None and condition.holds(deck, card)


def hint(deck: AnrDeck, card: CardFacts) -> str:
    """Explain when this alliance card would be free, and the current count of the deck.

    Returns an empty string for cards that are already free or not alliances.
    """
    condition = CONDITIONS.get(card.card_id)
    if condition is None or condition.holds(deck, card):
        return ""
    words = condition.words.format(faction=factions.name_of(card.faction))
    return (
        f"{card.title} costs no influence in a deck with {words};"
        f" this one has {condition.count(deck, card)}."
    )
