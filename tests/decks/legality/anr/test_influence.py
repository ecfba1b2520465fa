from dataclasses import replace

import pytest

from decks.legality import anr_construction
from decks.legality.anr_construction import AnrDeck
from decks.legality.records import CardSlot, RestrictionFacts
from tests.decks.legality.anr.construction_codes import codes, only_breach, with_cards
from tests.decks.legality.anr.listed import ban_list
from tests.factories.anr_decks import anr_deck
from tests.factories.decks import card, shipped_table

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


def figures(deck: AnrDeck, restriction: RestrictionFacts | None = None) -> tuple[int, int | None]:
    spent = anr_construction.influence_spent(deck, restriction)
    return spent, anr_construction.influence_limit(deck, restriction)


def costs(deck: AnrDeck, restriction: RestrictionFacts | None = None) -> dict[str, int]:
    """Titles that cost influence."""
    by_title = anr_construction.influence_by_title(deck, restriction)
    return {card.title: cost for card, cost in by_title.items() if cost}


def test_cards_of_other_factions_cost_their_influence_for_each_copy():
    entries = [(1, "Account Siphon"), (1, "Magnum Opus"), (1, "Femme Fatale"), (3, "Medium")]
    deck = with_cards(anr_deck(NOISE, *entries, size=43), (2, "Account Siphon"))

    assert costs(deck) == {"Account Siphon": 12, "Magnum Opus": 2, "Femme Fatale": 1}
    assert set(anr_construction.influence_by_title(deck)) == set(deck.copies)
    assert figures(deck) == (15, 15)
    assert codes(deck) == []


def test_one_influence_over_the_limit_is_a_breach():
    deck = anr_deck(NOISE, (3, "Account Siphon"), (2, "Magnum Opus"))
    breach = only_breach(deck)

    assert (breach.code, breach.line, breach.card) == ("influence", None, None)
    assert breach.message == "16 influence spent of 15."
    assert breach.remedy == "Put cards that cost no influence in place of 1 copy of Magnum Opus."
    assert breach.rule.startswith("Comprehensive rules, deck construction: cards that are not")
    assert breach.concerns == ("Magnum Opus",)


def test_some_neutral_cards_cost_influence_for_every_faction():
    neutral = [
        card
        for card in shipped_table("anr").cards
        if card.faction in {"neutral_corp", "neutral_runner"} and card.influence_cost
    ]

    assert len(neutral) == NEUTRAL_WITH_INFLUENCE
    for facts in neutral:
        identity = card(BUILDING if facts.side == "corp" else NOISE, "anr")
        deck = AnrDeck(facts.side, identity, (CardSlot(facts, 1, 2),))
        spent = anr_construction.influence_spent(deck)
        assert spent == (0 if facts.title == "Mumba Temple" else facts.influence_cost)


@pytest.mark.parametrize("identity", WITHOUT_LIMIT)
def test_identities_without_a_limit(identity):
    dear = ("Scorched Earth", "SanSan City Grid", "Snare!", "Architect", "Localized Product Line")
    if card(identity, "anr").side == "runner":
        dear = ("Account Siphon", "Medium", "Gordian Blade", "Wyldside", "Lucky Find")
    deck = anr_deck(identity, *((1, title) for title in dear))
    doubled = replace(deck, slots=tuple(replace(slot, quantity=99) for slot in deck.slots))

    assert codes(deck) == []
    assert anr_construction.influence_limit(deck) is None
    assert anr_construction.influence_spent(doubled) > 500
    assert "influence" not in codes(doubled, ban_list("napd_mwl_1_1"))


def test_all_other_identities_have_a_limit():
    identities = [card for card in shipped_table("anr").cards if card.is_identity]

    assert {card.title for card in identities if card.influence_limit is None} == set(WITHOUT_LIMIT)


def test_neutral_cards_cost_a_neutral_identity_influence():
    deck = anr_deck("The Syndicate: Profit over Principle", (3, "Global Food Initiative"))

    assert figures(deck) == (3, None)


@pytest.mark.parametrize(
    ("identity", "own_card", "foreign"),
    [
        ("Adam: Compulsive Hacker", "Always Be Running", "Medium"),
        ("Apex: Invasive Predator", "Apocalypse", "Medium"),
        ("Sunny Lebeau: Security Specialist", "Globalsec Security Clearance", "Medium"),
    ],
)
def test_mini_factions_are_factions_with_25_influence(identity, own_card, foreign):
    deck = anr_deck(identity, (1, own_card), (3, foreign))

    assert figures(deck) == (9, 25)
    assert costs(deck) == {foreign: 9}


@pytest.mark.parametrize(
    ("identity", "entries", "expected"),
    [
        # Cards of a mini-faction cost influence elsewhere.
        (NOISE, [(1, "Apocalypse")], (3, 15)),
        (HAYLEY, [(1, "Corroder")], (2, 15)),
        # The first copy of each program is free for the Professor, by title over all lines.
        (PROFESSOR, [(1, "Corroder"), (1, "Medium"), (1, "Faerie"), (1, "Baba Yaga")], (0, 1)),
        (PROFESSOR, [(1, "Corroder"), (1, "Corroder")], (2, 1)),
        (PROFESSOR, [(2, "Femme Fatale"), (1, "Corroder")], (1, 1)),
        (PROFESSOR, [(1, "Desperado")], (3, 1)),
        # A discount never exceeds the charge.
        (PROFESSOR, [(3, "Magnum Opus"), (3, "Gordian Blade"), (2, "Femme Fatale")], (1, 1)),
        # Agendas without an influence value cost nothing.
        ("The Shadow: Pulling the Strings", [(3, "Nisei MK II")], (0, None)),
    ],
)
def test_special_cards_and_identities_have_their_influence(identity, entries, expected):
    assert figures(anr_deck(identity, *entries)) == expected


def test_further_copies_cost_the_professor_influence():
    breach = only_breach(anr_deck(PROFESSOR, (3, "Femme Fatale"), (1, "Corroder")))

    assert breach.message == "2 influence spent of 1."
    assert breach.remedy.endswith("in place of 1 copy of Femme Fatale.")


def test_without_an_identity_of_the_side_nothing_costs_anything():
    deck = anr_deck(NOISE, (3, "Account Siphon"), (3, "Gordian Blade"))
    without_identity = replace(deck, identity=None)
    other_side = replace(deck, identity=card(BUILDING, "anr"))

    assert figures(without_identity) == figures(other_side) == (0, None)
    assert codes(without_identity) == []
    assert codes(other_side) == ["wrong_side"]


def test_card_of_the_wrong_side_costs_no_influence():
    deck = anr_deck(NOISE, (3, "Account Siphon"), (1, "Femme Fatale"), (1, "Scorched Earth"))

    assert figures(deck, ban_list("napd_mwl_1_2")) == (13, 15)
    assert codes(deck) == ["wrong_side"]


def test_universal_influence_is_charged_for_each_copy_in_faction_too():
    deck = anr_deck(NOISE, (3, "Parasite"), (1, "Faust"), (3, "Account Siphon"))
    listed = ban_list("napd_mwl_1_2")

    assert figures(deck) == (12, 15)
    assert costs(deck, listed) == {"Parasite": 3, "Faust": 3, "Account Siphon": 12}
    assert figures(deck, listed) == (18, 15)
    breach = only_breach(deck, listed)
    assert breach.message == (
        f"18 influence spent of 15. 6 of it is universal influence of {listed.name}."
    )
    assert breach.rule.endswith(f"; {listed.name}")
    assert breach.remedy == "Put cards that cost no influence in place of 1 copy of Faust."


@pytest.mark.parametrize(
    ("list_id", "identity", "entries", "expected"),
    [
        ("napd_mwl_1_2", HAYLEY, [(2, "Faust")], (10, 15)),
        # Universal influence is no part of a discount.
        ("napd_mwl_1_2", PROFESSOR, [(2, "Parasite")], (4, 1)),
        ("napd_mwl_1_2", PROFESSOR, [(1, "Clone Chip")], (1, 1)),
        ("napd_mwl_1_2", BUILDING, [(3, "Mumba Temple")], (3, 15)),
        # A penalty lowers the limit for each copy, but not below 1.
        ("napd_mwl_1_0", NOISE, [], (0, 15)),
        ("napd_mwl_1_0", NOISE, [(1, "Parasite")], (0, 14)),
        ("napd_mwl_1_0", NOISE, [(3, "Parasite")], (0, 12)),
        ("napd_mwl_1_0", PROFESSOR, [(3, "Clone Chip"), (3, "Prepaid VoicePAD")], (0, 1)),
    ],
)
def test_ban_list_charges_influence(list_id, identity, entries, expected):
    assert figures(anr_deck(identity, *entries), ban_list(list_id)) == expected


def test_deck_must_fit_the_penalised_limit():
    listed = ban_list("napd_mwl_1_1")
    fits = anr_deck(NOISE, (3, "Parasite"), (3, "Account Siphon"))
    breach = only_breach(
        anr_deck(NOISE, (3, "Parasite"), (1, "Wyldside"), (3, "Account Siphon")), listed
    )

    assert figures(fits, listed) == (12, 12)
    assert codes(fits, listed) == []
    assert breach.message == f"12 influence spent of 11. {listed.name} takes 4 off the limit."
    assert breach.remedy.startswith("Put cards that cost no influence in place of 1 copy of ")
    assert breach.rule.endswith(f"; {listed.name}")


def test_penalised_limit_is_never_below_1():
    listed = ban_list("napd_mwl_1_0")
    breach = only_breach(anr_deck(PROFESSOR, (1, "Desperado")), listed)

    assert breach.message == (
        f"3 influence spent of 1. {listed.name} takes 1 off the limit, which is never below 1."
    )


def test_limit_of_0_is_not_raised_by_a_penalty():
    identity = replace(card(PROFESSOR, "anr"), influence_limit=0)
    deck = replace(anr_deck(PROFESSOR, (3, "Clone Chip")), identity=identity)

    assert figures(deck, ban_list("napd_mwl_1_0")) == (0, 0)


def test_lists_without_influence_change_nothing():
    deck = anr_deck(NOISE, (3, "Account Siphon"), (2, "Magnum Opus"))
    listed = ban_list("standard_ban_list_25_08")

    assert figures(deck, listed) == figures(deck)
    assert only_breach(deck, listed) == only_breach(deck)
