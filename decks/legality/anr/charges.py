"""What the cards of a deck cost in influence, and how much there is. DECK_RULES 6 to 8.

A ban list may charge universal influence for each copy of a card, in faction too and on top of
every discount, and may lower the limit for each copy (both history; their meaning is from
general knowledge of these lists).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from decks.legality.anr import alliances, factions, identities
from decks.legality.anr.deck import AnrDeck, Copies
from decks.legality.formats import RestrictionFacts
from decks.legality.records import CardFacts


@dataclass(frozen=True)
class Charge:
    """So many copies of a card that cost `each` influence a copy; `each` may be 0."""

    card: CardFacts
    each: int
    quantity: int


def charges(deck: AnrDeck, restriction: RestrictionFacts | None = None) -> Iterator[Charge]:
    """What each copy costs, after discounts; a title stands twice where its copies differ.

    Without an identity of the deck's side nothing costs anything. Cards of the other side cost
    nothing: they have to go in any case.
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
    """What all copies of each title cost, after discounts; every title of the deck is a key."""
    costs = dict.fromkeys(deck.copies, 0)
    for charge in charges(deck, restriction):
        costs[charge.card] += charge.each * charge.quantity
    return costs


def influence_spent(deck: AnrDeck, restriction: RestrictionFacts | None = None) -> int:
    """What the whole deck costs."""
    return sum(charge.each * charge.quantity for charge in charges(deck, restriction))


def influence_limit(deck: AnrDeck, restriction: RestrictionFacts | None = None) -> int | None:
    """The limit of the identity after penalties, which never take it below 1.

    None: no limit, or no identity of the deck's side.
    """
    identity = identities.ruling_identity(deck)
    if identity is None or identity.influence_limit is None:
        return None
    lowered = max(1, identity.influence_limit - penalty(deck, restriction))
    return min(identity.influence_limit, lowered)


def excess(deck: AnrDeck, restriction: RestrictionFacts | None = None) -> int:
    """How much the deck costs above its limit; 0 or less is no breach."""
    limit = influence_limit(deck, restriction)
    return 0 if limit is None else influence_spent(deck, restriction) - limit


def penalty(deck: AnrDeck, restriction: RestrictionFacts | None) -> int:
    """By how much the copies in the deck lower the limit, before it stops at 1."""
    return _listed(deck, restriction.global_penalty) if restriction else 0


def universal_influence(deck: AnrDeck, restriction: RestrictionFacts) -> int:
    """How much of the influence spent is universal."""
    return _listed(deck, restriction.universal_influence)


def _costs(
    deck: AnrDeck, identity: CardFacts, card: CardFacts, restriction: RestrictionFacts | None
) -> tuple[int, int]:
    """(universal, printed) influence of a copy."""
    universal = restriction.universal_influence.get(card.card_id, 0) if restriction else 0
    return universal, _printed_cost(deck, identity, card)


def _charges_of(copies: Copies, universal: int, printed: int, free: str) -> Iterator[Charge]:
    """`free` is the type of cards whose first copy costs nothing but what is universal."""
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
    """A figure of a ban list, for each copy in the deck of the deck's side."""
    return sum(
        copies.quantity * figures.get(card.card_id, 0)
        for card, copies in deck.copies.items()
        if card.side == deck.side
    )
