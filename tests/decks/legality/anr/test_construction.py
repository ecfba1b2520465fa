from dataclasses import replace

import pytest

from decks.legality import anr_construction
from decks.legality.anr_construction import AnrDeck
from decks.legality.records import CardSlot
from tests.decks.legality.anr.construction_codes import all_breaches, codes, only_breach, with_cards
from tests.factories.anr_decks import anr_deck
from tests.factories.decks import card, shipped_table

AMPERE = "Ampère: Cybernetics For Anyone"
NOVA = "Nova Initiumia: Catalyst & Impetus"
CUSTOM_BIOTICS = "Custom Biotics: Engineered for Success"
NOISE = "Noise: Hacker Extraordinaire"
DRAFT_IDENTITIES = (
    "Fringe Applications: Tomorrow, Today",
    "Information Dynamics: All You Need To Know",
    "Strategic Innovations: Future Forward",
    "Synthetic Systems: The World Re-imagined",
    "The Shadow: Pulling the Strings",
    'Boris "Syfr" Kovac: Crafty Veteran',
    'Jamie "Bzzz" Micken: Techno Savant',
    "The Masque: Cyber General",
    "Wyvern: Chemically Enhanced",
)
SEVERAL_PER_DECK = (
    *("Spy Camera", "Ramujan-reliant 550 BMI", "Fear the Masses", "Exclusive Party", "NetChip"),
    *("Out of the Ashes", "Matryoshka"),
)
ONE_PER_DECK = (
    *("Rebirth", "The Black File", "DJ Fenris", "Eden Shard", "Hades Shard", "Utopia Shard"),
    *("Eden Fragment", "Hades Fragment", "Utopia Fragment", "Hired Help", "Lady Liberty"),
    *("Watch the World Burn", "Above the Law", "Longevity Serum", "Philotic Entanglement"),
    *("Tomorrow's Headline", "Director Haas' Pet Project", "15 Minutes"),
    *("Luminal Transubstantiation", "Government Takeover"),
)


def identity_titles() -> list[str]:
    return [card.title for card in shipped_table("anr").cards if card.is_identity]


def copies_of(title: str, number: int) -> AnrDeck:
    """Copies of a card, without an identity."""
    facts = card(title, "anr")
    return AnrDeck(facts.side, None, (CardSlot(facts, number, 2),))


@pytest.mark.parametrize("identity", identity_titles())
def test_deck_of_every_identity_has_its_minimum_of_cards(identity):
    minimum = card(identity, "anr").minimum_deck_size or 0

    assert codes(anr_deck(identity)) == []
    points = 2 * (minimum // 5) + 2 if card(identity, "anr").side == "corp" else None
    assert codes(anr_deck(identity, size=minimum - 1, points=points)) == ["deck_size"]


def test_size_breach_states_figures_rule_and_remedy():
    breach = only_breach(replace(anr_deck(NOISE, size=42), unread=2))

    assert breach.message == (
        "42 cards; a deck of Noise: Hacker Extraordinaire has at least 45, the identity not"
        " counted. 2 more on lines that name no known card do not count."
    )
    assert breach.remedy == "Add 3 cards."
    assert breach.rule.startswith("Comprehensive rules, deck construction")
    assert (breach.line, breach.card) == (None, None)
    corp = only_breach(anr_deck("Harmony Medtech: Biomedical Pioneer", size=39, points=19))
    assert corp.remedy == "Add 1 card. A deck of 40 has 18 or 19 agenda points."


def test_each_card_of_the_wrong_side_is_reported_once_at_its_first_line():
    deck = with_cards(anr_deck(NOISE), (1, "Hedge Fund"), (2, "Ice Wall"), (2, "Hedge Fund"))
    hedge_fund, ice_wall = all_breaches(deck)

    assert (hedge_fund.code, hedge_fund.line, hedge_fund.card) == ("wrong_side", 90, "Hedge Fund")
    assert hedge_fund.message == "Hedge Fund is a Corp card; this is a Runner deck."
    assert hedge_fund.remedy == "Take out all 3 copies."
    assert (ice_wall.line, ice_wall.remedy) == (91, "Take out both copies.")


def test_identity_of_the_wrong_side_is_a_breach_and_ignored():
    deck = replace(anr_deck(AMPERE), identity=card(NOVA, "anr"), identity_line=7)
    breach = only_breach(deck)

    assert (breach.code, breach.line, breach.card) == ("wrong_side", 7, NOVA)
    assert breach.message == f"{NOVA} is a Runner identity; this is a Corp deck."
    assert breach.remedy == "Name a Corp identity, or hand the list in as the Runner deck."


def test_without_an_identity_only_sides_and_copies_are_checked():
    deck = AnrDeck(
        "corp",
        None,
        (CardSlot(card("Nisei MK II", "anr"), 4, 2), CardSlot(card("Sure Gamble", "anr"), 3, 3)),
    )

    assert codes(deck) == ["wrong_side", "too_many_copies"]


def test_three_copies_are_the_limit_over_all_lines():
    assert codes(copies_of("Ice Wall", 3)) == []
    breach = only_breach(with_cards(copies_of("Ice Wall", 3), (2, "Ice Wall")))

    assert (breach.code, breach.line, breach.card) == ("too_many_copies", 2, "Ice Wall")
    assert breach.message == "5 copies of Ice Wall; a deck has at most 3."
    assert breach.remedy == "Take out 2 copies."
    assert "unless the card says otherwise" in breach.rule


@pytest.mark.parametrize("title", SEVERAL_PER_DECK)
def test_some_cards_have_a_limit_of_six_copies(title):
    assert codes(copies_of(title, 6)) == []
    assert codes(copies_of(title, 7)) == ["too_many_copies"]


@pytest.mark.parametrize("title", ONE_PER_DECK)
def test_some_cards_have_a_limit_of_one_copy(title):
    assert codes(copies_of(title, 1)) == []
    breach, name = only_breach(copies_of(title, 2)), card(title, "anr").title
    assert breach.message == f"2 copies of {name}; a deck has at most 1."
    assert breach.rule == f"Text of {name}: a deck has at most 1 copy of it"


def test_default_limit_is_three_copies():
    exceptions = {card(title, "anr") for title in (*SEVERAL_PER_DECK, *ONE_PER_DECK)}
    cards = {card for card in shipped_table("anr").cards if not card.is_identity} - exceptions

    assert {card.deck_limit for card in cards} == {3}
    assert len(exceptions) == 27


def test_card_without_a_limit_of_copies():
    unlimited = replace(card("Ice Wall", "anr"), deck_limit=None)

    assert codes(AnrDeck("corp", None, (CardSlot(unlimited, 40, 2),))) == []


@pytest.mark.parametrize("identity", DRAFT_IDENTITIES)
def test_draft_identities_ignore_limits_of_copies(identity):
    title = "Government Takeover" if card(identity, "anr").side == "corp" else "Rebirth"

    assert codes(anr_deck(identity, (2, title), points=14)) == []
    deck = replace(copies_of(title, 9), identity=card(identity, "anr"))
    assert list(anr_construction.copies_breaches(deck)) == []


def test_only_the_nine_identities_of_the_draft_set_are_draft_identities():
    terms = {
        card.title: anr_construction.identity_terms(card)
        for card in shipped_table("anr").cards
        if card.is_identity
    }
    drafted = {title for title in terms if terms[title] is anr_construction.DRAFT_TERMS}

    assert drafted == set(DRAFT_IDENTITIES)


def test_every_exception_is_of_a_shipped_identity_and_quotes_its_text():
    titles = {card.card_id: card.title for card in shipped_table("anr").cards if card.is_identity}

    assert len(anr_construction.TERMS_BY_CARD_ID) == 4
    for card_id, terms in anr_construction.TERMS_BY_CARD_ID.items():
        assert card_id in titles
        if terms.source:
            assert str(terms.source).startswith(f"Text of {titles[card_id]}:")


@pytest.mark.parametrize(("identity", "title"), [(AMPERE, "Ice Wall"), (NOVA, "Spy Camera")])
def test_singleton_identities_have_one_copy_of_each_card(identity, title):
    assert codes(anr_deck(identity, (1, title))) == []
    assert codes(anr_deck(identity, (4, title))) == ["singleton"]
    breach = only_breach(with_cards(anr_deck(identity, (1, title)), (1, title)))

    assert (breach.code, breach.line, breach.card) == ("singleton", 2, title)
    assert (
        breach.message == f"2 copies of {title}; a deck of {identity} has at most 1 of each card."
    )
    assert breach.remedy == "Take out 1 copy."
    assert breach.rule.startswith(f"Text of {identity}:")


def test_custom_biotics_has_no_jinteki_card():
    assert codes(anr_deck(CUSTOM_BIOTICS, (3, "Data Raven"))) == []
    breach = only_breach(anr_deck(CUSTOM_BIOTICS, (3, "Snare!")))

    assert (breach.code, breach.line, breach.card) == ("forbidden_faction", 2, "Snare!")
    assert (
        breach.message
        == f"Snare! belongs to Jinteki; a deck of {CUSTOM_BIOTICS} has no Jinteki cards."
    )
    assert breach.remedy == "Take out all 3 copies."
    assert breach.rule == f"Text of {CUSTOM_BIOTICS}: no Jinteki cards"
    agenda = codes(anr_deck(CUSTOM_BIOTICS, (1, "Nisei MK II")))
    assert sorted(agenda) == ["agenda_faction", "forbidden_faction"]
