import random

import pytest

from decks.formats import plain_text
from decks.legality import lines, onr
from decks.legality.records import OnrRules, agenda_points_of, size_of
from decks.sample_decks import sample_deck
from tests.factories.decks import shipped_table

STRICTEST = OnrRules(ban_list=True)


@pytest.mark.parametrize("side", ["corp", "runner"])
def test_sample_decks_are_legal_under_the_strictest_setting(side):
    for seed in range(60):
        text = sample_deck(side, random.Random(seed), shipped_table().cards)
        deck = plain_text.read(text)
        resolved = lines.resolve(deck, shipped_table())
        slots = lines.slots_of(resolved)

        assert list(lines.breaches(deck, resolved)) == []
        assert list(onr.breaches(side, slots, STRICTEST)) == []
        assert size_of(slots) == 45
        assert agenda_points_of(slots) <= 20


def test_a_seed_repeats_its_deck_whatever_the_order_of_the_table():
    cards = shipped_table().cards
    decks = {
        sample_deck("corp", random.Random(3), cards),
        sample_deck("corp", random.Random(3), reversed(cards)),
    }

    assert len(decks) == 1
    assert sample_deck("corp", random.Random(4), cards) not in decks


@pytest.mark.parametrize("side", ["corp", "runner"])
def test_a_small_table_makes_no_deck(side):
    with pytest.raises(ValueError, match="too"):
        sample_deck(side, random.Random(1), shipped_table().cards[:5])
