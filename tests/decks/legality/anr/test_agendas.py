from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.legality import anr_construction
from decks.legality.anr_construction import AnrDeck
from decks.legality.records import CardSlot
from tests.decks.legality.anr.construction_codes import all_breaches, codes, only_breach, with_cards
from tests.factories.anr_decks import anr_deck
from tests.factories.decks import card, shipped_table

AMPERE = "Ampère: Cybernetics For Anyone"
BUILDING = "Weyland Consortium: Building a Better World"
HARMONY = "Harmony Medtech: Biomedical Pioneer"
SHADOW = "The Shadow: Pulling the Strings"
OF_JINTEKI = ("Nisei MK II", "Fetal AI", "Obokata Protocol")
OF_NBN = ("Breaking News", "AstroScript Pilot Program")


@pytest.mark.parametrize(
    ("identity", "size", "band"),
    [
        (BUILDING, 44, (20, 21)),
        (BUILDING, 45, (20, 21)),
        (BUILDING, 49, (20, 21)),
        (BUILDING, 50, (22, 23)),
        (BUILDING, 54, (22, 23)),
        (BUILDING, 55, (24, 25)),
        (HARMONY, 39, (18, 19)),
        (HARMONY, 40, (18, 19)),
        (HARMONY, 44, (18, 19)),
        (HARMONY, 45, (20, 21)),
        ("Nuvem SA: Law of the Land", 49, (22, 23)),
        (SHADOW, 30, (14, 15)),
        (SHADOW, 29, (14, 15)),
    ],
)
def test_band_of_agenda_points_depends_on_the_size(identity, size, band):
    minimum, maximum = band

    assert anr_construction.deck_points_band(anr_deck(identity, size=size)) == band
    for points in (minimum - 1, minimum, maximum, maximum + 1):
        breaches = codes(anr_deck(identity, size=size, points=points))
        assert ("agenda_points" in breaches) == (points not in band)


def test_runner_decks_and_decks_without_a_corp_identity_have_no_band():
    corp = anr_deck(BUILDING)

    assert anr_construction.deck_points_band(anr_deck("Noise: Hacker Extraordinaire")) is None
    assert anr_construction.deck_points_band(replace(corp, identity=None)) is None
    runner = card("Noise: Hacker Extraordinaire", "anr")
    assert anr_construction.deck_points_band(replace(corp, identity=runner)) is None


def test_agendas_count_their_printed_points_for_each_copy():
    deck = anr_deck(BUILDING, (1, "Government Takeover"), (1, "Vanity Project"), points=21)

    assert codes(deck) == []
    assert codes(with_cards(deck, (3, "Corporate Oversight A"))) == []


def test_too_few_points_can_be_added_or_the_deck_made_smaller():
    breach = only_breach(anr_deck(BUILDING, size=51, points=20))

    assert (breach.code, breach.line, breach.card) == ("agenda_points", None, None)
    assert breach.message == "20 agenda points in 51 cards; decks of 50 to 54 cards have 22 or 23."
    assert breach.remedy == (
        "Add 2 or 3 agenda points in place of other cards, or take out 2 to 6 cards other than"
        " agendas: decks of 45 to 49 cards have 20 or 21."
    )
    assert breach.rule.startswith("Comprehensive rules, deck construction: a Corp deck has 2")


@pytest.mark.parametrize(("minimum", "cards"), [(48, "1 or 2 cards"), (49, "1 card")])
def test_only_sizes_from_the_minimum_up_are_proposed(minimum, cards):
    identity = replace(card(BUILDING, "anr"), minimum_deck_size=minimum)
    deck = replace(anr_deck(BUILDING, size=50, points=21), identity=identity)

    assert only_breach(deck).remedy.endswith(
        f"or take out {cards} other than agendas: decks of 45 to 49 cards have 20 or 21."
    )


@pytest.mark.parametrize(
    ("size", "points", "remedy"),
    [
        (45, 19, "Add 1 or 2 agenda points in place of other cards."),
        (49, 19, "Add 1 or 2 agenda points in place of other cards."),
        (40, 18, "Add 2 or 3 agenda points."),
    ],
)
def test_deck_near_its_minimum_only_adds_agendas(size, points, remedy):
    breach = all_breaches(anr_deck(BUILDING, size=size, points=points))[-1]

    assert breach.message == (
        f"{points} agenda points in {size} cards; decks of 45 to 49 cards have 20 or 21."
    )
    assert breach.remedy == remedy


def test_too_many_points_can_be_replaced_or_the_deck_made_bigger():
    breach = only_breach(anr_deck(BUILDING, size=48, points=23))

    assert breach.message == "23 agenda points in 48 cards; decks of 45 to 49 cards have 20 or 21."
    assert breach.remedy == (
        "Put other cards in place of 2 or 3 agenda points, or add 2 to 6 cards other than"
        " agendas: decks of 50 to 54 cards have 22 or 23."
    )


@given(size=st.integers(45, 60), points=st.integers(15, 27))
def test_both_remedies_fix_the_points(size, points):
    deck = anr_deck(BUILDING, size=size, points=points)
    minimum, maximum = anr_construction.points_band(size)
    for mended in (minimum, maximum):
        assert codes(anr_deck(BUILDING, size=size, points=mended)) == []
    if remedy := next(anr_construction.agenda_points_breaches(deck), None):
        for other_size in sizes_in(remedy.remedy, size, too_many=points > maximum):
            assert codes(anr_deck(BUILDING, size=other_size, points=points)) == []


def sizes_in(remedy: str, size: int, *, too_many: bool) -> list[int]:
    """The deck sizes that a remedy such as "add 2 to 6 cards other than agendas" leads to."""
    _, comma, text = remedy.partition(", or ")
    if not comma:
        return []
    numbers = [int(part) for part in text.partition(" card")[0].split() if part.isdigit()]
    return [size + number if too_many else size - number for number in numbers]


def test_agenda_of_another_faction_is_reported_once_at_its_first_line():
    assert codes(anr_deck("Jinteki: Personal Evolution", (3, "Nisei MK II"))) == []
    deck = anr_deck(BUILDING, (1, "Nisei MK II"), size=43, points=16)
    breach = only_breach(with_cards(deck, (2, "Nisei MK II")))

    assert (breach.code, breach.line, breach.card) == ("agenda_faction", 2, "Nisei MK II")
    assert breach.message == (
        f"Nisei MK II is an agenda of Jinteki; a deck of {BUILDING} has only Weyland Consortium"
        " and neutral agendas."
    )
    assert breach.remedy == "Put other agendas in place of all 3 copies (6 agenda points)."
    assert breach.rule.startswith("Comprehensive rules, deck construction: the agendas")


SYNDICATE = "The Syndicate: Profit over Principle"
TWO_OF_EACH = (*OF_JINTEKI[:2], *OF_NBN, "Hostile Takeover", "Priority Requisition")


@pytest.mark.parametrize(
    ("identity", "titles", "expected"),
    [
        (SYNDICATE, ("Offworld Office",), []),
        (SYNDICATE, ("Nisei MK II",), ["agenda_faction"]),
        ("Cyber Bureau: Keeping the Peace", ("Nisei MK II",), ["agenda_faction"]),
        (SHADOW, (*OF_JINTEKI, *OF_NBN), []),
        ("Fringe Applications: Tomorrow, Today", (*OF_JINTEKI, *OF_NBN), []),
        ("Synthetic Systems: The World Re-imagined", (*OF_JINTEKI, *OF_NBN), []),
        (AMPERE, TWO_OF_EACH, []),
        (AMPERE, ("Nisei MK II", "Nisei MK II", "Fetal AI"), ["singleton"]),
        ("Noise: Hacker Extraordinaire", ("Nisei MK II",), ["wrong_side"]),
    ],
)
def test_special_identities_have_their_own_agenda_factions(identity, titles, expected):
    assert codes(anr_deck(identity, *((1, title) for title in titles))) == expected


def test_neutral_identity_has_only_neutral_agendas():
    breach = only_breach(anr_deck(SYNDICATE, (1, "Nisei MK II")))

    assert breach.message.endswith("has only neutral agendas.")


def test_third_agenda_of_a_faction_is_too_many_for_ampere():
    breach = only_breach(anr_deck(AMPERE, *((1, title) for title in OF_JINTEKI)))

    assert (breach.code, breach.line, breach.card) == ("agenda_faction", None, None)
    assert breach.message == (
        "3 different agendas of Jinteki (Fetal AI, Nisei MK II and Obokata Protocol); a deck of"
        f" {AMPERE} has at most 2 of each faction."
    )
    assert breach.remedy == "Take out 1 of them, or put neutral agendas in their place."
    assert breach.concerns == ("Fetal AI", "Nisei MK II", "Obokata Protocol")
    assert breach.rule.startswith(f"Text of {AMPERE}:")


def test_every_shipped_faction_has_a_name():
    shipped = {card.faction for card in shipped_table("anr").cards}

    assert shipped == set(anr_construction.FACTION_NAMES)
    assert anr_construction.faction_name("neo_faction") == "Neo Faction"


def test_identity_without_a_minimum_uses_the_deck_size():
    identity = replace(card(BUILDING, "anr"), minimum_deck_size=None)
    deck = AnrDeck("corp", identity, (CardSlot(card("Hedge Fund", "anr"), 3, 2),))

    assert anr_construction.deck_points_band(deck) == (2, 3)
    assert codes(deck) == ["agenda_points"]
