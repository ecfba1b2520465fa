import datetime
import random

import pytest

from decks.formats import plain_text, readers
from decks.legality import anr_formats, deck_lines, onr
from decks.legality.anr_construction import AnrDeck
from decks.legality.records import OnrRules, agenda_points_of, size_of
from decks.sample_decks import sample_deck
from tests.factories.decks import shipped_formats, shipped_table

STRICTEST = OnrRules(ban_list=True)


@pytest.mark.parametrize("side", ["corp", "runner"])
def test_sample_decks_are_legal_under_the_strictest_setting(side):
    for seed in range(60):
        text = sample_deck(side, random.Random(seed), shipped_table().cards)
        deck = plain_text.read_plain_text(text)
        resolved = deck_lines.resolve_lines(deck, shipped_table())
        slots = deck_lines.card_slots(resolved)

        assert list(deck_lines.reading_breaches(deck, resolved)) == []
        assert list(onr.onr_breaches(side, slots, STRICTEST)) == []
        assert size_of(slots) == 45
        assert agenda_points_of(slots) <= 20


@pytest.mark.parametrize("game", ["onr", "anr"])
def test_seed_gives_the_same_deck_for_any_order_of_the_table(game):
    cards = shipped_table(game).cards
    decks = {sample_deck("corp", random.Random(3), order) for order in (cards, cards[::-1])}

    assert len(decks) == 1
    assert sample_deck("corp", random.Random(4), cards) not in decks


IDENTITIES = [card for card in shipped_table("anr").cards if card.is_identity]


@pytest.mark.parametrize("few_cards", [shipped_table().cards[:5], IDENTITIES], ids=["onr", "anr"])
@pytest.mark.parametrize("side", ["corp", "runner"])
def test_small_table_makes_no_deck(side, few_cards):
    with pytest.raises(ValueError, match=r"too (small|few)"):
        sample_deck(side, random.Random(1), few_cards)


def snapshots():
    """Every snapshot of every format, and None for the basic rules."""
    return [None, *(snapshot for format_ in shipped_formats() for snapshot in format_.snapshots)]


def anr_breaches(text, side, snapshot):
    """Verdict of the rules on a list."""
    deck = readers.read_deck(text)
    resolved = deck_lines.resolve_lines(deck, shipped_table("anr"))
    identity = deck_lines.listed_identity(resolved)
    slots = deck_lines.card_slots(resolved)
    anr_deck = AnrDeck(side, identity.card, slots, identity.line.number)
    assert anr_deck.size == identity.card.minimum_deck_size
    return [
        *deck_lines.reading_breaches(deck, resolved),
        *anr_formats.anr_breaches(anr_deck, snapshot),
    ]


@pytest.mark.parametrize("side", ["corp", "runner"])
def test_sample_decks_of_anr_are_legal_in_standard_and_by_the_basic_rules(side):
    standard = shipped_formats().find("standard").on(datetime.date(2025, 10, 3))
    for seed in range(20):
        text = sample_deck(side, random.Random(seed), shipped_table("anr").cards, standard)

        assert anr_breaches(text, side, standard) == []
        assert anr_breaches(text, side, None) == []


@pytest.mark.parametrize("side", ["corp", "runner"])
def test_sample_decks_of_anr_are_legal_in_every_snapshot(side):
    for snapshot in snapshots():
        text = sample_deck(side, random.Random(5), shipped_table("anr").cards, snapshot)

        assert anr_breaches(text, side, snapshot) == [], snapshot
