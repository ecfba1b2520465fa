import pytest

from decks.legality import anr_formats
from tests.decks.legality.anr.listed import CORE_LEADER, CORE_RUNNER, deck_of, snapshot_on

TODAY = "2025-09-17"
# Two of the teaching identities of System Gateway, with the cards of one box.
CATALYST = "The Catalyst: Convention Breaker"
SYNDICATE = "The Syndicate: Profit over Principle"
ONE_BOX = {
    "Creative Commission": 3,
    "Jailbreak": 3,
    "Mayfly": 3,
    "Overclock": 3,
    "Smartware Distributor": 3,
    "Sure Gamble": 3,
    "Telework Contract": 3,
    "Unity": 3,
    "VRcation": 3,
    "Tread Lightly": 3,
}


def breaches_of(deck, format_id, day=TODAY):
    snapshot = snapshot_on(format_id, day)
    return [(breach.code, breach.card) for breach in anr_formats.pool_breaches(deck, snapshot)]


def test_card_is_reported_once_with_line_pool_and_date():
    deck = deck_of("Tao Salonga: Telepresence Magician", {"Sure Gamble": 3, "Corroder": 2})
    (breach,) = anr_formats.pool_breaches(deck, snapshot_on("standard", TODAY))

    assert (breach.code, breach.card, breach.line) == ("not_in_pool", "Corroder", 3)
    assert breach.message == "Corroder is not in the card pool Seventh Rotation."
    assert breach.remedy == "Take out both copies, or choose another format."
    assert breach.rule == "Card pool Seventh Rotation, as of 1 August 2025"


def test_reprint_in_a_legal_set_makes_an_old_card_legal():
    first, *_, last = (deck_of(CORE_LEADER, {"Sure Gamble": 3}).slots[0].card).printings

    assert (first.set_id, last.set_id) == ("core_set", "system_gateway")
    assert breaches_of(deck_of(CATALYST, {"Sure Gamble": 3}), "system_gateway") == []
    assert ("not_in_pool", "Sure Gamble") not in breaches_of(
        deck_of(CORE_LEADER, CORE_RUNNER), "standard"
    )


def test_identity_must_be_in_the_pool_too():
    deck = deck_of(CORE_LEADER, {})

    assert breaches_of(deck, "standard", "2017-09-30") == []
    assert breaches_of(deck, "standard", "2017-10-01") == [("not_in_pool", CORE_LEADER)]


@pytest.mark.parametrize("identity", [CATALYST, SYNDICATE])
@pytest.mark.parametrize("format_id", ["standard", "startup", "eternal"])
def test_teaching_identities_are_legal_in_system_gateway_only(identity, format_id):
    deck = deck_of(identity, {})

    assert breaches_of(deck, "system_gateway") == []
    assert breaches_of(deck, format_id) == [("not_in_pool", identity)]


def test_deck_of_one_box_is_legal_in_system_gateway_and_by_the_basic_rules():
    deck = deck_of(CATALYST, ONE_BOX)

    for snapshot in (None, snapshot_on("system_gateway", TODAY)):
        assert list(anr_formats.anr_breaches(deck, snapshot)) == []


def test_draft_identity_is_in_no_pool():
    for format_id in ("standard", "startup", "eternal", "system_gateway", "ram", "snapshot"):
        assert breaches_of(deck_of("The Masque: Cyber General", {}), format_id) != []


@pytest.mark.parametrize(
    ("title", "copies", "expected"),
    [
        ("Longevity Serum", 1, []),
        ("Longevity Serum", 2, [("too_many_for_the_box", "Longevity Serum")]),
        ("Hedge Fund", 3, []),
        ("Hedge Fund", 4, [("too_many_for_the_box", "Hedge Fund")]),
        ("Ice Wall", 4, [("not_in_pool", "Ice Wall")]),
    ],
)
def test_system_gateway_format_has_the_copies_of_one_box(title, copies, expected):
    deck = deck_of(SYNDICATE, {title: copies})

    assert breaches_of(deck, "system_gateway") == expected
    assert breaches_of(deck, "eternal") == [("not_in_pool", SYNDICATE)]


def test_copies_beyond_one_box_are_counted():
    deck = deck_of(SYNDICATE, {"Longevity Serum": 3})
    (breach,) = anr_formats.pool_breaches(deck, snapshot_on("system_gateway", TODAY))

    assert breach.message == "3 copies of Longevity Serum; one box holds 1 copy."
    assert breach.remedy == "Take out 2 of them."
    assert "Card pool System Gateway, as of 9 April 2021" in breach.rule
