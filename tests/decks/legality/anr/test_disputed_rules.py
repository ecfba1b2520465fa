"""Where existing validators disagree: the last section of DECK_RULES, sentence by sentence.

Each sentence has a deck that just passes and one that just fails, judged by all rules together.
"""

import datetime
import random
from dataclasses import replace
from itertools import permutations

import pytest

from decks.legality import anr
from decks.legality.anr.deck import AnrDeck
from decks.legality.formats import PoolFacts, SnapshotFacts
from tests.decks.legality.anr.construction_codes import with_cards
from tests.decks.legality.anr.listed import snapshot_on, with_list
from tests.factories.anr_decks import anr_deck
from tests.factories.decks import shipped_table

BUILDING = "Weyland Consortium: Building a Better World"
CUSTOM_BIOTICS = "Custom Biotics: Engineered for Success"
HARMONY = "Harmony Medtech: Biomedical Pioneer"
NOISE = "Noise: Hacker Extraordinaire"
PROFESSOR = "The Professor: Keeper of Knowledge"
FIFTEEN_ICE = [
    (3, title) for title in ("Enigma", "Ice Wall", "Archer", "Hadrian's Wall", "Caduceus")
]


def under(**terms: object) -> SnapshotFacts:
    """A snapshot whose pool has every set, with an invented list."""
    sets = frozenset(one.set_id for card in shipped_table("anr").cards for one in card.printings)
    day = datetime.date(2025, 9, 17)
    return with_list(SnapshotFacts("new", day, PoolFacts("all", "All sets", sets), None), **terms)


def codes(deck: AnrDeck, snapshot: SnapshotFacts | None = None) -> list[str]:
    return sorted(breach.code for breach in anr.breaches(deck, snapshot))


@pytest.mark.parametrize(
    ("identity", "size", "points", "expected"),
    [
        (BUILDING, 49, 20, []),
        (BUILDING, 50, 21, ["agenda_points"]),
        (BUILDING, 50, 22, []),
        (HARMONY, 44, 18, []),
        (HARMONY, 44, 20, ["agenda_points"]),
        (HARMONY, 39, 18, ["deck_size"]),
        (HARMONY, 39, 16, ["agenda_points", "deck_size"]),
    ],
)
def test_the_agenda_range_is_that_of_the_size_or_the_minimum(identity, size, points, expected):
    assert codes(anr_deck(identity, size=size, points=points)) == expected


@pytest.mark.parametrize(("first", "second", "expected"), [(2, 1, []), (2, 2, ["too_many_copies"])])
def test_copies_count_by_title_over_lines(first, second, expected):
    deck = anr_deck(BUILDING, (first, "Ice Wall"), size=45 - second, points=20)

    assert codes(with_cards(deck, (second, "Ice Wall"))) == expected


@pytest.mark.parametrize(("copies", "expected"), [(6, []), (7, ["too_many_copies"])])
def test_the_copies_that_a_card_allows_come_from_the_data(copies, expected):
    assert codes(anr_deck("Apex: Invasive Predator", (copies, "Spy Camera"))) == expected


@pytest.mark.parametrize(("more", "expected"), [([], []), ([(1, "Data Raven")], ["influence"])])
def test_mumba_temple_is_free_with_15_or_fewer_ice(more, expected):
    entries = [(3, "Mumba Temple"), *FIFTEEN_ICE, (3, "Scorched Earth"), (3, "SanSan City Grid")]
    deck = anr_deck(BUILDING, *entries, *more)

    assert codes(deck) == expected


@pytest.mark.parametrize(("copies", "expected"), [(2, []), (3, ["influence"])])
def test_a_discount_is_taken_off_only_what_was_charged(copies, expected):
    in_faction = [(3, "Magnum Opus"), (3, "Gordian Blade"), (3, "Battering Ram")]

    assert codes(anr_deck(PROFESSOR, *in_faction, (copies, "Femme Fatale"))) == expected


@pytest.mark.parametrize(
    ("title", "expected"), [("Data Raven", []), ("Snare!", ["forbidden_faction"])]
)
def test_custom_biotics_has_no_jinteki_card(title, expected):
    assert codes(anr_deck(CUSTOM_BIOTICS, (1, title))) == expected


def test_restricted_counts_cards_and_not_printings():
    snapshot = under(restricted=frozenset({"ice_wall", "archer"}))
    deck = with_cards(anr_deck(BUILDING, (1, "Ice Wall"), size=43, points=20), (2, "Ice Wall"))
    first, *others, last = deck.slots
    slots = (replace(first, printing="01103"), *others, replace(last, printing="20105"))

    assert codes(replace(deck, slots=slots), snapshot) == []
    assert codes(anr_deck(BUILDING, (1, "Ice Wall"), (1, "Archer")), snapshot) == ["restricted"]


@pytest.mark.parametrize(("limit", "expected"), [(5, []), (4, ["points"])])
def test_the_points_limit_comes_from_the_list(limit, expected):
    points = {"account_siphon": 3, "deja_vu": 1, "film_critic": 1}
    snapshot = under(points=points, point_limit=limit)
    deck = anr_deck(NOISE, (3, "Account Siphon"), (1, "Déjà Vu"), (1, "Film Critic"))

    assert codes(deck, snapshot) == expected


@pytest.mark.parametrize(("copies", "expected"), [(2, []), (3, ["influence"])])
def test_universal_influence_comes_from_the_list(copies, expected):
    snapshot = under(universal_influence={"corroder": 6})

    assert codes(anr_deck(NOISE, (copies, "Corroder")), snapshot) == expected


@pytest.mark.parametrize(("dear", "expected"), [([], []), ([(1, "Faerie")], ["influence"])])
def test_a_penalised_limit_is_never_under_1(dear, expected):
    snapshot = under(global_penalty={"corroder": 7})
    deck = anr_deck(NOISE, (3, "Corroder"), (1, "Femme Fatale"), *dear)

    assert codes(deck, snapshot) == expected


@pytest.mark.parametrize(
    ("subtypes", "expected"), [(frozenset(), []), (frozenset({"current"}), ["banned_subtype"])]
)
def test_banned_subtypes_are_enforced(subtypes, expected):
    snapshot = under(banned_subtypes=subtypes)

    assert codes(anr_deck(NOISE, (1, "Itinerant Protesters")), snapshot) == expected


@pytest.mark.parametrize(
    ("identity", "expected"), [("Zahya Sadeghi: Versatile Smuggler", []), (NOISE, ["not_in_pool"])]
)
def test_the_identity_must_be_in_the_pool(identity, expected):
    snapshot = snapshot_on("standard", "2025-09-17")
    deck = anr_deck(identity)
    pool = replace(snapshot.pool, set_ids=snapshot.pool.set_ids | sets_of_cards(deck))

    assert codes(deck, replace(snapshot, pool=pool, restriction=None)) == expected


def sets_of_cards(deck: AnrDeck) -> frozenset[str]:
    assert deck.identity is not None
    own = {one.set_id for one in deck.identity.printings}
    return frozenset(one.set_id for card in deck.copies for one in card.printings) - own


def test_the_order_of_checks_and_lines_does_not_matter_and_each_breach_is_told_once():
    wrong = [(4, "Ice Wall"), (1, "Nisei MK II"), (1, "Sure Gamble"), (3, "SanSan City Grid")]
    base = anr_deck(BUILDING, *wrong, (3, "Snare!"), (1, "Tollbooth"), size=42, points=16)
    expected = ["agenda_faction", "agenda_points", "deck_size", "influence"]
    expected += ["too_many_copies", "wrong_side"]

    assert codes(base) == expected
    for slots in list(permutations(base.slots[:5]))[::5]:
        deck = replace(base, slots=(*slots, *base.slots[5:]))
        assert codes(deck) == expected
    mixed = list(base.slots)
    random.Random(7).shuffle(mixed)
    assert codes(replace(base, slots=tuple(mixed))) == expected
