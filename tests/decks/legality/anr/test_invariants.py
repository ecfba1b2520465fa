"""Properties of every deck: order is irrelevant, and remedies work."""

import random
from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from decks.legality import anr_construction
from decks.legality.anr_construction import AnrDeck
from decks.legality.records import Breach, CardFacts, CardSlot
from tests.decks.legality.anr.construction_codes import all_breaches
from tests.decks.legality.anr.random_decks import deck_documents, deck_of, restriction_of


def without_lines(breaches: list[Breach]) -> list[Breach]:
    return sorted((replace(breach, line=None) for breach in breaches), key=repr)


def shuffled(deck: AnrDeck, chance: random.Random) -> AnrDeck:
    """The same cards in random order, one copy per line, with new line numbers."""
    copies = [slot.card for slot in deck.slots for _ in range(slot.quantity)]
    chance.shuffle(copies)
    slots = (CardSlot(copy, 1, line) for line, copy in enumerate(copies, start=2))
    return replace(deck, slots=tuple(slots))


def with_copies(deck: AnrDeck, quantities: dict[CardFacts, int]) -> AnrDeck:
    slots = (CardSlot(card_, number, 2) for card_, number in quantities.items() if number)
    return replace(deck, slots=tuple(slots))


@given(document=deck_documents(), chance=st.randoms(use_true_random=False))
def test_order_and_splitting_of_lines_change_no_breach_and_no_figure(document, chance):
    deck, restriction = deck_of(document), restriction_of(document)
    shuffled_deck = shuffled(deck, chance)

    assert without_lines(all_breaches(shuffled_deck, restriction)) == without_lines(
        all_breaches(deck, restriction)
    )
    assert anr_construction.influence_by_title(
        shuffled_deck, restriction
    ) == anr_construction.influence_by_title(deck, restriction)
    assert anr_construction.deck_points_band(shuffled_deck) == anr_construction.deck_points_band(
        deck
    )


@given(document=deck_documents(), chance=st.randoms(use_true_random=False))
def test_breach_has_the_first_line_of_its_title(document, chance):
    deck = shuffled(deck_of(document), chance)
    first = {slot.card.title: slot.line for slot in reversed(deck.slots)}
    leader = deck.identity.title if deck.identity else None

    for breach in all_breaches(deck):
        if breach.card != leader:
            assert breach.line == (first[breach.card] if breach.card else None)


@given(document=deck_documents())
def test_every_breach_is_reported_once_in_whole_sentences(document):
    breaches = all_breaches(deck_of(document), restriction_of(document))
    keys = [(breach.code, breach.card, breach.concerns) for breach in breaches]

    assert len(keys) == len(set(keys))
    for breach in breaches:
        assert breach.message.endswith(".")
        assert breach.remedy.endswith(".")
        assert breach.rule


@given(document=deck_documents())
def test_proposed_exchanges_bring_every_deck_within_its_influence(document):
    deck, restriction = deck_of(document), restriction_of(document)
    choice = anr_construction.copies_to_exchange(deck, restriction)
    quantities = {
        card: copies.quantity - choice.get(card, 0) for card, copies in deck.copies.items()
    }
    quantities[anr_construction.ANY_OTHER_CARD] = sum(choice.values())

    assert bool(choice) == any(True for _ in anr_construction.influence_breaches(deck, restriction))
    assert min(quantities.values()) >= 0
    assert anr_construction.influence_excess(with_copies(deck, quantities), restriction) <= 0


@given(document=deck_documents())
def test_remedies_fix_sides_copies_and_forbidden_factions(document):
    deck = deck_of(document)
    breaches = [
        *anr_construction.side_breaches(deck),
        *anr_construction.forbidden_faction_breaches(deck),
    ]
    wrong = {breach.card for breach in breaches}
    assume(deck.identity is None or deck.identity.title not in wrong)
    allowed = {one: number_allowed(deck, one) for one in deck.copies if one.title not in wrong}
    remaining = list(anr_construction.construction_breaches(with_copies(deck, allowed)))

    assert {one.code for one in remaining} <= {"deck_size"}


def number_allowed(deck: AnrDeck, card: CardFacts) -> int:
    """Copies left after following the remedy for too many of them."""
    quantity = deck.copies[card].quantity
    for breach in anr_construction.copies_breaches(deck):
        if breach.card == card.title:
            quantity -= int(breach.remedy.removeprefix("Take out ").split()[0])
    return quantity
