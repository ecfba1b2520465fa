"""Influence costs and limits of a deck. DECK_RULES 6 to 8.

A ban list may charge universal influence for each copy of a card, even in faction and regardless of
discounts. It may also lower the limit for each copy. Both are historical; their meaning is from
general knowledge of these lists.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from decks.legality.anr import alliances, factions, identities
from decks.legality.anr.deck import AnrDeck, Copies
from decks.legality.formats import RestrictionFacts
from decks.legality.records import CardFacts


@dataclass(frozen=True)
class Charge:
    """Copies of a card that cost `each` influence per copy; `each` may be 0."""

    card: CardFacts
    each: int
    quantity: int


def charges(deck: AnrDeck, restriction: RestrictionFacts | None = None) -> Iterator[Charge]:
    """Yield the cost per copy after discounts; a title appears twice if its copies differ.

    Without an identity of the deck's side, all costs are 0. Cards of the other side cost nothing
    here; they are reported as a breach of their own.
    """
    identity = identities.ruling_identity(deck)
    free = identities.terms_of(identity).first_copy_free
    for copies in deck.copies.values():
        if identity is None or copies.card.side != deck.side:
            yield Charge(copies.card, 0, copies.quantity)
        else:
            universal, printed = _costs(deck, identity, copies.card, restriction)
            yield from _charges_of(copies, universal, printed, free)


def influence_of(
    deck: AnrDeck, restriction: RestrictionFacts | None = None
) -> Mapping[CardFacts, int]:
    """Return the total cost of each title after discounts, including titles that cost nothing."""
    costs = dict.fromkeys(deck.copies, 0)
    for charge in charges(deck, restriction):
        costs[charge.card] += charge.each * charge.quantity
    return costs


def influence_spent(deck: AnrDeck, restriction: RestrictionFacts | None = None) -> int:
    return sum(charge.each * charge.quantity for charge in charges(deck, restriction))


def influence_limit(deck: AnrDeck, restriction: RestrictionFacts | None = None) -> int | None:
    """Return the influence limit of the identity after penalties, at least 1.

    None means no limit, or no identity of the deck's side.
    """
    identity = identities.ruling_identity(deck)
    if identity is None or identity.influence_limit is None:
        return None
    lowered = max(1, identity.influence_limit - penalty(deck, restriction))
    return min(identity.influence_limit, lowered)


def excess(deck: AnrDeck, restriction: RestrictionFacts | None = None) -> int:
    """Return the influence above the limit; 0 or less is legal."""
    limit = influence_limit(deck, restriction)
    return 0 if limit is None else influence_spent(deck, restriction) - limit


def penalty(deck: AnrDeck, restriction: RestrictionFacts | None) -> int:
    """Return the total reduction of the limit, before the minimum of 1 applies."""
    return _listed(deck, restriction.global_penalty) if restriction else 0


def universal_influence(deck: AnrDeck, restriction: RestrictionFacts) -> int:
    return _listed(deck, restriction.universal_influence)


def _costs(
    deck: AnrDeck, identity: CardFacts, card: CardFacts, restriction: RestrictionFacts | None
) -> tuple[int, int]:
    """Return (universal, printed) influence per copy."""
    universal = restriction.universal_influence.get(card.card_id, 0) if restriction else 0
    return universal, _printed_cost(deck, identity, card)


def _charges_of(copies: Copies, universal: int, printed: int, free: str) -> Iterator[Charge]:
    """Charge the copies; the first copy of a card of type `free` costs only universal influence."""
    card, quantity = copies.card, copies.quantity
    if card.type == free:
        yield Charge(card, universal, 1)
        quantity -= 1
    if quantity:
        yield Charge(card, universal + printed, quantity)


def _printed_cost(deck: AnrDeck, identity: CardFacts, card: CardFacts) -> int:
    if not card.influence_cost or alliances.is_free(deck, card):
        return 0
    in_faction = card.faction == identity.faction and not factions.is_neutral(card)
    return 0 if in_faction else card.influence_cost


def _listed(deck: AnrDeck, figures: Mapping[str, int]) -> int:
    """Sum a ban list figure over all copies of the deck's side."""
    return sum(
        copies.quantity * figures.get(card.card_id, 0)
        for card, copies in deck.copies.items()
        if card.side == deck.side
    )
