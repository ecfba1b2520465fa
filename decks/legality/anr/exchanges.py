"""Suggest which copies to exchange to bring a deck within its influence limit."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from decks.legality.anr.charges import Charge, charges, excess
from decks.legality.anr.deck import AnrDeck
from decks.legality.formats import RestrictionFacts
from decks.legality.records import CardFacts, CardSlot

# A charge whose `each` is the influence saved by exchanging a copy.
Offer = Charge

# Placeholder for a card that costs nothing and meets no condition.
ANY_OTHER_CARD = CardFacts(0, "", "", "", "", faction="neutral_corp")


def copies_to_exchange(
    deck: AnrDeck, restriction: RestrictionFacts | None = None
) -> Mapping[CardFacts, int]:
    """Choose a small number of copies to replace by free cards to get within the limit.

    The most expensive copies go first; the last is the cheapest that is enough. Influence is
    recalculated after each choice, because removing a card may end an alliance discount.
    """
    chosen: Counter[CardFacts] = Counter()
    while (too_much := excess(deck, restriction)) > 0:
        choice = _choice(_offers(deck, restriction), too_much)
        chosen.update(choice)
        deck = replace(deck, slots=tuple(_slots_after(deck, choice)))
    return chosen


def _offers(deck: AnrDeck, restriction: RestrictionFacts | None) -> list[Offer]:
    """Return the influence saved per copy, highest first."""
    penalties = restriction.global_penalty if restriction else {}
    offers = (
        replace(charge, each=charge.each + penalties.get(charge.card.card_id, 0))
        for charge in charges(deck, restriction)
        if charge.card.side == deck.side
    )
    worthwhile = (offer for offer in offers if offer.each)
    return sorted(worthwhile, key=lambda offer: (-offer.each, *_preference(offer)))


def _preference(offer: Offer) -> tuple[bool, str]:
    """Tie-breaker: keep agendas for their points, then sort by title, not by line."""
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
