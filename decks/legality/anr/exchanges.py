"""Which copies to exchange so that a deck comes within its influence."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from decks.legality.anr.charges import Charge, charges, excess
from decks.legality.anr.deck import AnrDeck
from decks.legality.formats import RestrictionFacts
from decks.legality.records import CardFacts, CardSlot

Offer = Charge
"""A charge whose `each` is what the exchange of a copy brings."""

# Stands in for a card that costs nothing and meets no condition.
ANY_OTHER_CARD = CardFacts(0, "", "", "", "", faction="neutral_corp")


def copies_to_exchange(
    deck: AnrDeck, restriction: RestrictionFacts | None = None
) -> Mapping[CardFacts, int]:
    """Few copies that bring the deck within its limit, when cards that cost nothing replace them.

    The dearest go first, and the last is the cheapest that is enough. Influence is counted anew
    after each choice: without a card an alliance may lose its discount.
    """
    chosen: Counter[CardFacts] = Counter()
    while (too_much := excess(deck, restriction)) > 0:
        choice = _choice(_offers(deck, restriction), too_much)
        chosen.update(choice)
        deck = replace(deck, slots=tuple(_slots_after(deck, choice)))
    return chosen


def _offers(deck: AnrDeck, restriction: RestrictionFacts | None) -> list[Offer]:
    """What an exchange brings, a copy; the most first."""
    penalties = restriction.global_penalty if restriction else {}
    offers = (
        replace(charge, each=charge.each + penalties.get(charge.card.card_id, 0))
        for charge in charges(deck, restriction)
        if charge.card.side == deck.side
    )
    worthwhile = (offer for offer in offers if offer.each)
    return sorted(worthwhile, key=lambda offer: (-offer.each, *_preference(offer)))


def _preference(offer: Offer) -> tuple[bool, str]:
    """Among equals agendas stay, for their points; then the alphabet, not the order of lines."""
    return offer.card.type == "agenda", offer.card.title_key


def _choice(offers: list[Offer], too_much: int) -> Counter[CardFacts]:
    chosen: Counter[CardFacts] = Counter()
    while too_much > 0:
        dearest, *others = offers
        if too_much < dearest.each:
            enough = (offer for offer in offers if offer.each >= too_much)
            last = min(enough, key=lambda offer: (offer.each, *_preference(offer)))
            chosen[last.card] += 1
            return chosen
        whole = min(dearest.quantity, too_much // dearest.each)
        chosen[dearest.card] += whole
        too_much -= whole * dearest.each
        if whole == dearest.quantity:
            offers = others
    return chosen


def _slots_after(deck: AnrDeck, choice: Mapping[CardFacts, int]) -> Iterator[CardSlot]:
    for card, copies in deck.copies.items():
        if left := copies.quantity - choice.get(card, 0):
            yield CardSlot(card, left, copies.line)
    yield CardSlot(ANY_OTHER_CARD, sum(choice.values()))
