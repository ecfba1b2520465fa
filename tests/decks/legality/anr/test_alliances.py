import pytest

from decks.legality import anr_construction
from tests.decks.legality.anr.construction_codes import only_breach, with_cards
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
    shipped = {card.card_id for card in shipped_table("anr").cards if card.has_subtype("alliance")}
    tested = {title for title, *_ in FACTION_ALLIANCES} | OF_NO_FACTION

    assert shipped == set(anr_construction.ALLIANCE_CONDITIONS)
    assert shipped == {card(title, "anr").card_id for title in tested}


@pytest.mark.parametrize(("title", "identity", "kin"), FACTION_ALLIANCES)
@pytest.mark.parametrize("copies", [1, 3])
def test_six_cards_of_its_faction_make_an_alliance_free(title, identity, kin, copies):
    first, second = kin
    influence = card(title, "anr").influence_cost

    assert cost_of(title, identity, (copies, title), (3, first), (3, second)) == 0
    assert cost_of(title, identity, (copies, title), (3, first), (2, second)) == copies * influence


@pytest.mark.parametrize(("title", "identity", "kin"), FACTION_ALLIANCES)
def test_alliances_do_not_count_for_each_other(title, identity, kin):
    first, second = kin
    faction = card(title, "anr").faction
    allies = [name for name, *_ in FACTION_ALLIANCES if card(name, "anr").faction == faction]
    entries = [(3, name) for name in allies if name != title]

    assert cost_of(title, identity, (1, title), (3, first), (2, second), *entries) > 0


def test_copies_for_an_alliance_count_over_all_lines():
    deck = anr_deck(BUILDING, (1, "Heritage Committee"), (3, "Cortex Lock"), size=42)
    deck = with_cards(deck, (1, "Neural Katana"), (2, "Neural Katana"))

    assert anr_construction.influence_by_title(deck)[card("Heritage Committee", "anr")] == 0


@pytest.mark.parametrize(
    ("title", "entries", "size", "cost"),
    [
        # Cards of the faction of the identity do not count for an alliance of another faction.
        ("Heritage Committee", [(3, "Ice Wall"), (3, "Archer"), (3, "Scorched Earth")], None, 2),
        # An alliance of the own faction costs nothing.
        ("Consulting Visit", [], None, 0),
        ("Mumba Temple", [], None, 0),
        ("Mumba Temple", FIFTEEN_ICE, None, 0),
        ("Mumba Temple", [*FIFTEEN_ICE, (1, "Caduceus")], None, 2),
        ("Museum of History", [], 49, 2),
        ("Museum of History", [], 50, 0),
        ("Museum of History", [], 51, 0),
        ("PAD Factory", [], None, 2),
        ("PAD Factory", [(2, "PAD Campaign")], None, 2),
        ("PAD Factory", [(3, "PAD Campaign")], None, 0),
        ("PAD Factory", [(4, "PAD Campaign")], None, 2),
        # The tour itself is no asset.
        ("Mumbad Virtual Tour", SIX_ASSETS, None, 2),
        ("Mumbad Virtual Tour", [*SIX_ASSETS, (1, "Melange Mining Corp.")], None, 0),
    ],
)
def test_condition_of_each_alliance_is_applied(title, entries, size, cost):
    assert cost_of(title, BUILDING, (1, title), *entries, size=size) == cost


def test_breach_states_when_an_alliance_would_cost_nothing():
    entries = [
        (3, "Consulting Visit"),
        (2, "Jeeves Model Bioroids"),
        (3, "Ice Wall"),
        (2, "Archer"),
    ]
    breach = only_breach(anr_deck(HARMONY, *entries))

    assert breach.message == "22 influence spent of 12."
    assert breach.remedy == (
        "Put cards that cost no influence in place of 3 copies of Consulting Visit and 1 copy of"
        " Ice Wall. Consulting Visit costs no influence in a deck with 6 or more Weyland"
        " Consortium cards other than alliances; this one has 5. Jeeves Model Bioroids costs no"
        " influence in a deck with 6 or more Haas-Bioroid cards other than alliances; this one"
        " has 0."
    )


@pytest.mark.parametrize(
    ("title", "hint_text"),
    [
        ("Mumba Temple", "with 15 or fewer ice; this one has 16."),
        ("Museum of History", "with 50 or more cards; this one has 45."),
        ("PAD Factory", "with exactly 3 copies of PAD Campaign; this one has 0."),
        ("Mumbad Virtual Tour", "with 7 or more assets; this one has"),
    ],
)
def test_hint_states_the_figures_of_the_deck(title, hint_text):
    deck = anr_deck(BUILDING, (1, title), *FIFTEEN_ICE, (1, "Caduceus"))

    assert hint_text in str(anr_construction.alliance_hint(deck, card(title, "anr")))


@pytest.mark.parametrize("title", ["Mumba Temple", "Ice Wall"])
def test_free_alliances_and_other_cards_have_no_hint(title):
    deck = anr_deck(BUILDING, (3, "Mumba Temple"))

    assert anr_construction.alliance_hint(deck, card(title, "anr")) is None
