from dataclasses import replace
from functools import cache

import pytest

from decks.legality import anr_construction
from decks.legality.anr_construction import AnrDeck
from decks.legality.records import CardSlot, RestrictionFacts
from tests.decks.legality.anr.construction_codes import codes, only, with_cards
from tests.factories.anr_decks import anr_deck
from tests.factories.decks import card, shipped_formats, shipped_table

BUILDING = "Weyland Consortium: Building a Better World"
HAYLEY = "Hayley Kaplan: Universal Scholar"
NOISE = "Noise: Hacker Extraordinaire"
PROFESSOR = "The Professor: Keeper of Knowledge"
WITHOUT_LIMIT = (
    "Ampère: Cybernetics For Anyone",
    'Boris "Syfr" Kovac: Crafty Veteran',
    "Cyber Bureau: Keeping the Peace",
    "Fringe Applications: Tomorrow, Today",
    "Information Dynamics: All You Need To Know",
    'Jamie "Bzzz" Micken: Techno Savant',
    "Nova Initiumia: Catalyst & Impetus",
    "Strategic Innovations: Future Forward",
    "Synthetic Systems: The World Re-imagined",
    "The Catalyst: Convention Breaker",
    "The Masque: Cyber General",
    "The Shadow: Pulling the Strings",
    "The Syndicate: Profit over Principle",
    "Wyvern: Chemically Enhanced",
)
NEUTRAL_WITH_INFLUENCE = 41


@cache
def ban_list(id_: str) -> RestrictionFacts:
    """A shipped list that some snapshot pairs with a pool."""
    lists = (one.restriction for format_ in shipped_formats() for one in format_.snapshots)
    return next(one for one in lists if one is not None and one.id == id_)


def figures(deck: AnrDeck, restriction: RestrictionFacts | None = None) -> tuple[int, int | None]:
    spent = anr_construction.influence_spent(deck, restriction)
    return spent, anr_construction.influence_limit(deck, restriction)


def costs(deck: AnrDeck, restriction: RestrictionFacts | None = None) -> dict[str, int]:
    """The titles that cost influence."""
    found = anr_construction.influence_by_title(deck, restriction)
    return {one.title: cost for one, cost in found.items() if cost}


def test_cards_of_other_factions_cost_their_influence_for_each_copy():
    deck = anr_deck(NOISE, (3, "Account Siphon"), (1, "Magnum Opus"), (1, "Femme Fatale"))

    assert costs(deck) == {"Account Siphon": 12, "Magnum Opus": 2, "Femme Fatale": 1}
    assert figures(deck) == (15, 15)
    assert codes(deck) == []


def test_one_influence_more_is_too_much():
    deck = anr_deck(NOISE, (3, "Account Siphon"), (2, "Magnum Opus"))
    breach = only(deck)

    assert (breach.code, breach.line, breach.card) == ("influence", None, None)
    assert breach.message == "16 influence spent of 15."
    assert breach.remedy == "Put cards that cost no influence in place of 1 copy of Magnum Opus."
    assert breach.rule.startswith("Comprehensive rules, deck construction: cards that are not")
    assert breach.concerns == ("Magnum Opus",)


def test_cards_of_the_faction_cost_nothing_but_stand_among_the_titles():
    deck = anr_deck(NOISE, (3, "Medium"))

    assert figures(deck) == (0, 15)
    assert anr_construction.influence_by_title(deck)[card("Medium", "anr")] == 0
    assert set(anr_construction.influence_by_title(deck)) == set(deck.copies)


def test_copies_on_two_lines_cost_like_copies_on_one():
    deck = with_cards(anr_deck(NOISE, (1, "Account Siphon"), size=43), (2, "Account Siphon"))

    assert costs(deck) == {"Account Siphon": 12}


def test_some_neutral_cards_cost_influence_for_every_faction():
    neutral = [
        one
        for one in shipped_table("anr").cards
        if one.faction in {"neutral_corp", "neutral_runner"} and one.influence_cost
    ]

    assert len(neutral) == NEUTRAL_WITH_INFLUENCE
    assert costs(anr_deck(BUILDING, (3, "Global Food Initiative"))) == {"Global Food Initiative": 3}
    for one in neutral:
        leader = card(BUILDING if one.side == "corp" else NOISE, "anr")
        assert anr_construction.influence_spent(
            AnrDeck(one.side, leader, (CardSlot(one, 1, 2),))
        ) > 0 or (one.title == "Mumba Temple")


def test_a_neutral_identity_is_of_no_faction_so_neutral_cards_cost_it_too():
    deck = anr_deck("The Syndicate: Profit over Principle", (3, "Global Food Initiative"))

    assert figures(deck) == (3, None)


def test_agendas_without_an_influence_value_cost_nothing():
    deck = anr_deck("The Shadow: Pulling the Strings", (3, "Nisei MK II"))

    assert costs(deck) == {}


@pytest.mark.parametrize("identity", WITHOUT_LIMIT)
def test_identities_without_a_limit_spend_what_they_like(identity):
    dear = ("Scorched Earth", "SanSan City Grid", "Snare!", "Architect", "Localized Product Line")
    if card(identity, "anr").side == "runner":
        dear = ("Account Siphon", "Medium", "Gordian Blade", "Wyldside", "Lucky Find")
    deck = anr_deck(identity, *((1, title) for title in dear))
    doubled = replace(deck, slots=tuple(replace(one, quantity=99) for one in deck.slots))

    assert codes(deck) == []
    assert anr_construction.influence_limit(deck) is None
    assert anr_construction.influence_spent(doubled) > 500
    assert "influence" not in codes(doubled, ban_list("napd_mwl_1_1"))


def test_no_other_identity_is_without_a_limit():
    without = {
        one.title
        for one in shipped_table("anr").cards
        if one.is_identity and one.influence_limit is None
    }

    assert without == set(WITHOUT_LIMIT)


@pytest.mark.parametrize(
    ("identity", "own", "foreign"),
    [
        ("Adam: Compulsive Hacker", "Always Be Running", "Medium"),
        ("Apex: Invasive Predator", "Apocalypse", "Medium"),
        ("Sunny Lebeau: Security Specialist", "Globalsec Security Clearance", "Medium"),
    ],
)
def test_mini_factions_are_factions_with_25_influence(identity, own, foreign):
    deck = anr_deck(identity, (1, own), (3, foreign))

    assert figures(deck) == (9, 25)
    assert costs(deck) == {foreign: 9}


def test_cards_of_a_mini_faction_cost_other_runners_influence():
    assert "Apocalypse" in costs(anr_deck(NOISE, (1, "Apocalypse")))


def test_the_first_copy_of_each_program_is_free_for_the_professor():
    deck = anr_deck(PROFESSOR, (1, "Corroder"), (1, "Medium"), (1, "Faerie"), (1, "Baba Yaga"))

    assert figures(deck) == (0, 1)
    assert codes(deck) == []


def test_further_copies_cost_the_professor_as_usual():
    allowed = anr_deck(PROFESSOR, (2, "Femme Fatale"), (1, "Corroder"))
    deck = anr_deck(PROFESSOR, (3, "Femme Fatale"), (1, "Corroder"))

    assert figures(allowed) == (1, 1)
    assert codes(allowed) == []
    assert only(deck).message == "2 influence spent of 1."
    assert only(deck).remedy.endswith("in place of 1 copy of Femme Fatale.")


def test_the_first_copy_counts_by_title_over_all_lines():
    deck = with_cards(anr_deck(PROFESSOR, (1, "Corroder"), size=44), (1, "Corroder"))

    assert figures(deck) == (2, 1)


def test_the_professor_pays_for_cards_that_are_no_programs():
    assert figures(anr_deck(PROFESSOR, (1, "Desperado"))) == (3, 1)


def test_a_discount_is_taken_off_only_what_was_charged():
    deck = anr_deck(PROFESSOR, (3, "Magnum Opus"), (3, "Gordian Blade"), (2, "Femme Fatale"))

    assert figures(deck) == (1, 1)


def test_other_shapers_pay_for_the_first_program():
    assert figures(anr_deck(HAYLEY, (1, "Corroder"))) == (2, 15)


def test_without_an_identity_of_the_side_nothing_costs_anything():
    deck = anr_deck(NOISE, (3, "Account Siphon"), (3, "Gordian Blade"))
    nobody = replace(deck, identity=None)
    other_side = replace(deck, identity=card(BUILDING, "anr"))

    assert figures(nobody) == figures(other_side) == (0, None)
    assert codes(nobody) == []
    assert codes(other_side) == ["wrong_side"]


def test_a_card_of_the_other_side_costs_nothing_as_it_has_to_go():
    deck = anr_deck(NOISE, (3, "Account Siphon"), (1, "Femme Fatale"), (1, "Scorched Earth"))

    assert figures(deck, ban_list("napd_mwl_1_2")) == (13, 15)
    assert codes(deck) == ["wrong_side"]


def test_universal_influence_is_charged_for_each_copy_in_faction_too():
    deck = anr_deck(NOISE, (3, "Parasite"), (1, "Faust"), (3, "Account Siphon"))
    listed = ban_list("napd_mwl_1_2")

    assert figures(deck) == (12, 15)
    assert costs(deck, listed) == {"Parasite": 3, "Faust": 3, "Account Siphon": 12}
    assert figures(deck, listed) == (18, 15)
    breach = only(deck, listed)
    assert breach.message == (
        f"18 influence spent of 15. 6 of it is universal influence of {listed.name}."
    )
    assert breach.rule.endswith(f"; {listed.name}")
    assert breach.remedy == "Put cards that cost no influence in place of 1 copy of Faust."


def test_universal_influence_comes_on_top_of_the_printed_influence():
    deck = anr_deck(HAYLEY, (2, "Faust"))

    assert figures(deck, ban_list("napd_mwl_1_2")) == (10, 15)


def test_universal_influence_is_no_part_of_a_discount():
    listed = ban_list("napd_mwl_1_2")

    assert figures(anr_deck(PROFESSOR, (2, "Parasite")), listed) == (4, 1)
    assert figures(anr_deck(PROFESSOR, (1, "Clone Chip")), listed) == (1, 1)
    assert figures(anr_deck(BUILDING, (3, "Mumba Temple")), listed) == (3, 15)


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_a_penalty_lowers_the_limit_for_each_copy(number):
    deck = anr_deck(NOISE, *([(number, "Parasite")] if number else []))

    assert figures(deck, ban_list("napd_mwl_1_0")) == (0, 15 - number)


def test_a_deck_that_fits_the_penalised_limit_and_one_that_does_not():
    listed = ban_list("napd_mwl_1_1")
    fits = anr_deck(NOISE, (3, "Parasite"), (3, "Account Siphon"))
    breach = only(anr_deck(NOISE, (3, "Parasite"), (1, "Wyldside"), (3, "Account Siphon")), listed)

    assert figures(fits, listed) == (12, 12)
    assert codes(fits, listed) == []
    assert breach.message == f"12 influence spent of 11. {listed.name} takes 4 off the limit."
    assert breach.remedy.startswith("Put cards that cost no influence in place of 1 copy of ")
    assert breach.rule.endswith(f"; {listed.name}")


def test_a_penalised_limit_is_never_below_1():
    listed = ban_list("napd_mwl_1_0")
    deck = anr_deck(PROFESSOR, (3, "Clone Chip"), (3, "Prepaid VoicePAD"))

    assert figures(deck, listed) == (0, 1)
    assert codes(deck, listed) == []
    breach = only(anr_deck(PROFESSOR, (1, "Desperado")), listed)
    assert breach.message == (
        f"3 influence spent of 1. {listed.name} takes 1 off the limit, which is never below 1."
    )


def test_a_limit_of_nothing_is_not_raised_by_a_penalty():
    identity = replace(card(PROFESSOR, "anr"), influence_limit=0)
    deck = replace(anr_deck(PROFESSOR, (3, "Clone Chip")), identity=identity)

    assert figures(deck, ban_list("napd_mwl_1_0")) == (0, 0)


def test_lists_without_influence_change_nothing():
    deck = anr_deck(NOISE, (3, "Account Siphon"), (2, "Magnum Opus"))
    listed = ban_list("standard_ban_list_25_08")

    assert figures(deck, listed) == figures(deck)
    assert only(deck, listed) == only(deck)
