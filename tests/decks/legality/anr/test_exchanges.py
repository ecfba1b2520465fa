from dataclasses import replace

import pytest

from decks.legality import anr_construction
from decks.legality.anr_construction import AnrDeck
from decks.legality.records import CardSlot, RestrictionFacts
from tests.decks.legality.anr.listed import ban_list
from tests.factories.anr_decks import anr_deck
from tests.factories.decks import card

BUILDING = "Weyland Consortium: Building a Better World"
NOISE = "Noise: Hacker Extraordinaire"
PROFESSOR = "The Professor: Keeper of Knowledge"


def exchanged_copies(deck: AnrDeck, restriction: RestrictionFacts | None = None) -> dict[str, int]:
    choice = anr_construction.copies_to_exchange(deck, restriction)
    return {card.title: number for card, number in choice.items()}


DEAR = [(3, "Account Siphon"), (2, "Gordian Blade"), (2, "Diesel"), (1, "Femme Fatale")]


@pytest.mark.parametrize(
    ("identity", "entries", "expected"),
    [
        (NOISE, [(3, "Account Siphon")], {}),
        # The most expensive copies go first; the last copy is the cheapest that suffices.
        (NOISE, DEAR, {"Account Siphon": 2}),
        (NOISE, [*DEAR, (1, "Clone Chip")], {"Account Siphon": 2, "Clone Chip": 1}),
        (NOISE, [(3, "Account Siphon"), (3, "Femme Fatale"), (1, "Faerie")], {"Faerie": 1}),
        (NOISE, [(3, "Account Siphon"), (2, "Faerie")], {"Faerie": 1}),
        # Agendas stay before cards of the same cost.
        (
            BUILDING,
            [
                *[(3, "SanSan City Grid"), (3, "Global Food Initiative")],
                *[(2, "Eli 1.0"), (1, "Snare!")],
            ],
            {"Eli 1.0": 1},
        ),
        # The free copy of the Professor stays.
        (PROFESSOR, [(3, "Corroder")], {"Corroder": 2}),
        (PROFESSOR, [(1, "Corroder"), (1, "Desperado")], {"Desperado": 1}),
    ],
)
def test_cheapest_copies_are_exchanged(identity, entries, expected):
    assert exchanged_copies(anr_deck(identity, *entries)) == expected


def test_alliance_that_loses_its_discount_is_counted_again():
    kin = [(3, "Cortex Lock"), (3, "Neural Katana")]
    deck = anr_deck(BUILDING, (3, "Raman Rai"), *kin, (3, "SanSan City Grid"))
    choice = anr_construction.copies_to_exchange(deck)
    remaining = tuple(
        CardSlot(slot.card, number, slot.line)
        for slot in deck.slots
        if (number := slot.quantity - choice.get(slot.card, 0))
    )

    assert anr_construction.influence_by_title(deck)[card("Raman Rai", "anr")] == 0
    assert anr_construction.influence_spent(replace(deck, slots=remaining)) <= 15


def test_copies_that_lower_the_limit_save_more_than_their_cost():
    listed = ban_list("napd_mwl_1_0")
    deck = anr_deck(NOISE, (3, "Parasite"), (3, "Account Siphon"), (1, "Femme Fatale"))

    assert anr_construction.influence_limit(deck, listed) == 12
    assert exchanged_copies(deck, listed) == {"Femme Fatale": 1}


def test_cards_of_the_wrong_side_save_nothing():
    listed = ban_list("napd_mwl_1_0")
    deck = anr_deck(
        BUILDING, (3, "Parasite"), (2, "Scorched Earth"), (3, "Architect"), (9, "Eli 1.0")
    )

    assert anr_construction.influence_excess(deck, listed) > 0
    assert "Parasite" not in exchanged_copies(deck, listed)


def test_search_at_the_lowest_limit_continues_until_the_deck_fits():
    listed = replace(ban_list("napd_mwl_1_0"), global_penalty={"parasite": 10})
    deck = anr_deck(NOISE, (3, "Parasite"), (3, "Account Siphon"))

    assert anr_construction.influence_limit(deck, listed) == 1
    assert exchanged_copies(deck, listed) == {"Parasite": 2, "Account Siphon": 2}
    mended = anr_deck(NOISE, (1, "Parasite"), (1, "Account Siphon"))
    assert anr_construction.influence_excess(mended, listed) <= 0


def test_remedy_names_a_few_titles_and_counts_the_rest():
    cheap = ("Eli 1.0", "Snare!", "Neural Katana", "Data Raven", "Tollbooth", "SanSan City Grid")
    deck = anr_deck(BUILDING, *((40, title) for title in cheap), size=300)
    breach = next(anr_construction.influence_breaches(deck))

    assert " more of the dearest cards." in breach.remedy
    assert breach.remedy.count(" copies of ") == 5
