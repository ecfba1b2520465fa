import pytest

from decks.legality import anr_construction
from tests.decks.legality.anr.construction_codes import codes, only, with_cards
from tests.factories.anr_decks import Entry, anr_deck
from tests.factories.decks import card, shipped_table

BUILDING = "Weyland Consortium: Building a Better World"
HARMONY = "Harmony Medtech: Biomedical Pioneer"
FACTION_ALLIANCES = [
    # card, identity of another faction, cards of the alliance's faction
    ("Heritage Committee", BUILDING, ("Neural Katana", "Cortex Lock")),
    ("Raman Rai", BUILDING, ("Neural Katana", "Cortex Lock")),
    ("Product Recall", BUILDING, ("Eli 1.0", "Heimdall 1.0")),
    ("Jeeves Model Bioroids", BUILDING, ("Eli 1.0", "Heimdall 1.0")),
    ("Salem's Hospitality", BUILDING, ("Data Raven", "Tollbooth")),
    ("Ibrahim Salem", BUILDING, ("Data Raven", "Tollbooth")),
    ("Executive Search Firm", HARMONY, ("Ice Wall", "Archer")),
    ("Consulting Visit", HARMONY, ("Ice Wall", "Archer")),
]
OF_NO_FACTION = {"Mumba Temple", "Museum of History", "PAD Factory", "Mumbad Virtual Tour"}
FIFTEEN_ICE = [
    (3, title) for title in ("Enigma", "Wall of Static", "Ice Wall", "Archer", "Hadrian's Wall")
]
SIX_ASSETS = [(3, "PAD Campaign"), (3, "Adonis Campaign")]


def cost_of(title: str, identity: str, *entries: Entry, size: int | None = None) -> int:
    deck = anr_deck(identity, *entries, size=size)
    return anr_construction.influence_by_title(deck)[card(title, "anr")]


def test_every_shipped_alliance_has_its_condition():
    shipped = {one.card_id for one in shipped_table("anr").cards if one.has_subtype("alliance")}
    tested = {title for title, *_ in FACTION_ALLIANCES} | OF_NO_FACTION

    assert shipped == set(anr_construction.ALLIANCE_CONDITIONS)
    assert shipped == {card(title, "anr").card_id for title in tested}


@pytest.mark.parametrize(("title", "identity", "kin"), FACTION_ALLIANCES)
@pytest.mark.parametrize("copies", [1, 3])
def test_six_other_cards_of_its_faction_make_an_alliance_free(title, identity, kin, copies):
    first, second = kin
    each = card(title, "anr").influence_cost

    assert cost_of(title, identity, (copies, title), (3, first), (3, second)) == 0
    assert cost_of(title, identity, (copies, title), (3, first), (2, second)) == copies * each


@pytest.mark.parametrize(("title", "identity", "kin"), FACTION_ALLIANCES)
def test_alliances_do_not_count_for_each_other(title, identity, kin):
    first, second = kin
    faction = card(title, "anr").faction
    other = next(
        name
        for name, *_ in FACTION_ALLIANCES
        if name != title and card(name, "anr").faction == faction
    )

    assert cost_of(title, identity, (1, title), (3, first), (2, second), (3, other)) > 0


def test_six_copies_may_stand_on_any_lines():
    deck = anr_deck(BUILDING, (1, "Heritage Committee"), (3, "Cortex Lock"), size=42)
    deck = with_cards(deck, (1, "Neural Katana"), (2, "Neural Katana"))

    assert anr_construction.influence_by_title(deck)[card("Heritage Committee", "anr")] == 0


def test_cards_of_the_identitys_own_faction_are_no_help_to_an_ally_of_another():
    entries = [(3, "Ice Wall"), (3, "Archer"), (3, "Scorched Earth")]

    assert cost_of("Heritage Committee", BUILDING, (1, "Heritage Committee"), *entries) == 2


def test_an_alliance_of_the_own_faction_costs_nothing_anyway():
    assert cost_of("Consulting Visit", BUILDING, (3, "Consulting Visit")) == 0


@pytest.mark.parametrize(("more", "cost"), [([], 0), ([(1, "Caduceus")], 6)])
def test_mumba_temple_is_free_with_15_or_fewer_ice(more, cost):
    entries = [(3, "Mumba Temple"), *FIFTEEN_ICE, *more]

    assert cost_of("Mumba Temple", BUILDING, *entries) == cost


def test_mumba_temple_is_free_without_any_ice():
    assert cost_of("Mumba Temple", BUILDING, (3, "Mumba Temple")) == 0


@pytest.mark.parametrize(("size", "cost"), [(49, 2), (50, 0), (51, 0)])
def test_museum_of_history_is_free_in_50_cards(size, cost):
    entries = [(1, "Museum of History")]

    assert cost_of("Museum of History", BUILDING, *entries, size=size) == cost


@pytest.mark.parametrize(("campaigns", "cost"), [(1, 2), (2, 2), (3, 0), (4, 2)])
def test_pad_factory_is_free_with_exactly_three_pad_campaigns(campaigns, cost):
    entries = [(1, "PAD Factory"), (campaigns, "PAD Campaign")]

    assert cost_of("PAD Factory", BUILDING, *entries) == cost


def test_pad_factory_costs_influence_without_a_pad_campaign():
    assert cost_of("PAD Factory", BUILDING, (3, "PAD Factory")) == 6


@pytest.mark.parametrize(("more", "cost"), [([], 6), ([(1, "Melange Mining Corp.")], 0)])
def test_mumbad_virtual_tour_is_free_with_seven_assets_and_is_none_itself(more, cost):
    entries = [(3, "Mumbad Virtual Tour"), *SIX_ASSETS, *more]

    assert cost_of("Mumbad Virtual Tour", BUILDING, *entries) == cost


def test_the_breach_says_when_an_alliance_would_cost_nothing():
    entries = [
        (3, "Consulting Visit"),
        (2, "Jeeves Model Bioroids"),
        (3, "Ice Wall"),
        (2, "Archer"),
    ]
    breach = only(anr_deck(HARMONY, *entries))

    assert breach.message == "22 influence spent of 12."
    assert breach.remedy == (
        "Put cards that cost no influence in place of 3 copies of Consulting Visit and 1 copy of"
        " Ice Wall. Consulting Visit costs no influence in a deck with 6 or more Weyland"
        " Consortium cards other than alliances; this one has 5. Jeeves Model Bioroids costs no"
        " influence in a deck with 6 or more Haas-Bioroid cards other than alliances; this one"
        " has 0."
    )


def test_with_its_condition_met_the_same_deck_is_legal():
    entries = [(3, "Consulting Visit"), (3, "Ice Wall"), (3, "Hostile Infrastructure")]

    assert codes(anr_deck(HARMONY, *entries)) == []


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("Mumba Temple", "with 15 or fewer ice; this one has 16."),
        ("Museum of History", "with 50 or more cards; this one has 45."),
        ("PAD Factory", "with exactly 3 copies of PAD Campaign; this one has 0."),
        ("Mumbad Virtual Tour", "with 7 or more assets; this one has"),
    ],
)
def test_the_hint_gives_the_figures_of_the_deck(title, words):
    deck = anr_deck(BUILDING, (1, title), *FIFTEEN_ICE, (1, "Caduceus"))

    assert words in anr_construction.alliance_hint(deck, card(title, "anr"))


def test_cards_that_are_free_and_cards_that_are_no_alliances_have_no_hint():
    deck = anr_deck(BUILDING, (3, "Mumba Temple"))

    assert anr_construction.alliance_hint(deck, card("Mumba Temple", "anr")) == ""
    assert anr_construction.alliance_hint(deck, card("Ice Wall", "anr")) == ""
