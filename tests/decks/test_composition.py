"""A deck taken apart."""

import datetime
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.composition import HIGHEST_COST_BAR, AgendaBand, CostBar, InfluenceUse, deck_composition
from decks.legality.records import Breach, CardFacts, CardSlot
from decks.legality.verdicts import DeckVerdict
from tests.factories.decks import card, shipped_table

ANR = shipped_table("anr")
NOISE = "Noise: Hacker Extraordinaire"


def verdict(slots: Iterable[CardSlot], **fields: Any) -> DeckVerdict:
    facts: dict[str, Any] = {
        "game": "anr",
        "side": "runner",
        "date": datetime.date(2025, 9, 17),
        "text": "",
        "seal": "",
        "size": 0,
        "agenda_points": 0,
        "agenda_minimum": None,
        "slots": tuple(slots),
        "lines": (),
        "breaches": (),
        **fields,
    }
    return DeckVerdict(**facts)


def anr(title: str, quantity: int = 3, line: int | None = None) -> CardSlot:
    return CardSlot(card(title, "anr"), quantity, line)


def onr(title: str, quantity: int = 3) -> CardSlot:
    return CardSlot(card(title), quantity)


def headings(judged: DeckVerdict) -> list[tuple[str, int]]:
    return [(group.heading, group.count) for group in deck_composition(judged).groups]


def test_cards_stand_under_their_types_and_breakers_apart_from_programs():
    judged = verdict([anr("Djinn"), anr("Corroder", 2), anr("Sure Gamble"), anr("Diesel", 1)])

    assert headings(judged) == [("Event", 4), ("Icebreaker", 2), ("Program", 3)]


def test_the_cards_of_1996_go_by_their_own_types_and_walls():
    slots = [onr("Banpei"), onr("Data Wall", 2), onr("Ball and Chain", 1)]

    parts = deck_composition(verdict(slots, game="onr", side="corp"))

    assert parts.ice == (("Wall", 2), ("Code Gate", 1), ("Sentry", 3))


def test_ice_without_a_known_subtype_is_other_ice():
    parts = deck_composition(verdict([anr("Konjin", 2), anr("Palisade")], side="corp"))

    assert parts.ice == (("Barrier", 3), ("Other ice", 2))


def test_lines_of_one_title_are_one_entry():
    (group,) = deck_composition(verdict([anr("Sure Gamble", 1), anr("Sure Gamble", 2)])).groups

    (entry,) = group.entries
    assert entry.quantity == 3


def test_titles_stand_by_the_alphabet_within_a_group():
    slots = [anr("Sure Gamble"), anr("Diesel"), anr("Inside Job")]

    (group,) = deck_composition(verdict(slots)).groups

    assert [entry.card.title for entry in group.entries] == ["Diesel", "Inside Job", "Sure Gamble"]


def test_the_curve_has_a_bar_for_every_cost_up_to_the_highest_and_x_apart():
    slots = [anr("Diesel"), anr("Inside Job", 2), anr("Bribery", 1), anr("Sure Gamble")]

    assert deck_composition(verdict(slots)).curve == (
        CostBar("0", 3),
        CostBar("1", 0),
        CostBar("2", 2),
        CostBar("3", 0),
        CostBar("4", 0),
        CostBar("5", 3),
        CostBar("X", 1),
    )


def test_high_costs_share_the_last_bar():
    dear = [one for one in ANR.cards if one.cost.isdecimal() and int(one.cost) > HIGHEST_COST_BAR]

    bars = deck_composition(verdict([CardSlot(one, 1) for one in dear[:3]])).curve

    assert bars[-1] == CostBar(f"{HIGHEST_COST_BAR}+", 3)


def test_average_excludes_cards_without_a_number():
    slots = [anr("Diesel", 1), anr("Sure Gamble", 2), anr("Bribery", 3)]

    parts = deck_composition(verdict(slots))

    assert (parts.average_cost, parts.average_shown) == (Fraction(10, 3), "3.3")


@pytest.mark.parametrize(("quantity", "shown"), [(1, "2.5"), (19, "0.3")])
def test_an_average_is_shown_with_halves_up(quantity: int, shown: str):
    parts = deck_composition(verdict([anr("Sure Gamble", 1), anr("Diesel", quantity)]))

    assert parts.average_shown == shown


def test_a_deck_without_costs_has_no_curve_and_no_average():
    parts = deck_composition(verdict([anr("Hostile Takeover")], side="corp"))

    assert (parts.curve, parts.average_cost, parts.average_shown, parts.tallest) == (
        (),
        None,
        "",
        0,
    )


def test_empty_deck_has_a_composition():
    parts = deck_composition(verdict([]))

    assert (parts.groups, parts.ice, parts.identity, parts.agendas) == ((), (), None, None)


def test_each_title_shows_what_all_its_copies_cost():
    slots = [anr("Corroder"), anr("Inside Job", 2), anr("Sure Gamble"), anr("Corroder", 1)]

    parts = deck_composition(
        verdict(slots, identity=card(NOISE, "anr"), influence_spent=6, influence_limit=15)
    )

    costs = {one.card.title: (one.influence, one.pips) for g in parts.groups for one in g.entries}
    assert costs["Inside Job"] == (6, "••••• •")
    assert costs["Corroder"] == costs["Sure Gamble"] == (0, "")
    assert parts.influence == InfluenceUse(6, 15, (("criminal", 6),))


def test_game_without_influence_has_no_influence_part():
    parts = deck_composition(verdict([onr("Banpei")], game="onr", side="corp"))

    assert parts.influence is None


def test_a_card_that_breaks_a_rule_is_marked():
    breach = Breach("banned_card", "Banned.", "Remove it.", card="Diesel")
    judged = verdict([anr("Diesel"), anr("Sure Gamble")], breaches=(breach,))

    (group,) = deck_composition(judged).groups

    assert [entry.is_wrong for entry in group.entries] == [True, False]


def test_cards_that_break_a_rule_together_are_marked():
    breach = Breach("points", "8 points.", "Remove one.", concerns=("Diesel", "Djinn"))
    slots = [anr("Diesel"), anr("Djinn"), anr("Sure Gamble")]

    groups = deck_composition(verdict(slots, breaches=(breach,))).groups

    wrong = [entry.card.title for group in groups for entry in group.entries if entry.is_wrong]
    assert wrong == ["Diesel", "Djinn"]


def test_entries_know_the_page_of_their_card():
    diesel = card("Diesel", "anr")

    (group,) = deck_composition(verdict([anr("Diesel")]), addresses={diesel.id: "/cards/x/"}).groups

    assert group.entries[0].address == "/cards/x/"


@pytest.mark.parametrize(
    ("points", "maximum", "is_met"),
    [(17, 19, False), (18, 19, True), (19, 19, True), (20, 19, False), (30, None, True)],
)
def test_the_band_says_whether_the_points_are_those_required(
    points: int, maximum: int | None, is_met: bool
):
    assert AgendaBand(points, 18, maximum).is_met is is_met


@given(st.integers(0, 99), st.integers(0, 99), st.none() | st.integers(0, 1))
def test_a_drawing_of_the_band_stays_within_its_frame(points: int, minimum: int, more: int | None):
    band = AgendaBand(points, minimum, None if more is None else minimum + more)

    assert band.zone_start >= 0
    assert band.zone_width > 0
    assert band.zone_start + band.zone_width <= band.scale
    assert 0 <= band.fill <= band.scale


@given(st.integers(0, 60), st.none() | st.integers(0, 30))
def test_a_drawing_of_influence_shows_all_of_it(spent: int, limit: int | None):
    use = InfluenceUse(spent, limit, ())

    assert use.within + use.over == spent
    assert use.scale >= max(use.within + use.over, limit or 0, 1)


@given(st.lists(st.tuples(st.sampled_from(ANR.cards), st.integers(1, 6)), max_size=40))
def test_composition_counts_every_card(chosen: list[tuple[CardFacts, int]]):
    slots = [CardSlot(one, copies) for one, copies in chosen]

    parts = deck_composition(verdict(slots, identity=card(NOISE, "anr"), influence_spent=0))

    total = sum(copies for _, copies in chosen)
    with_costs = sum(copies for one, copies in chosen if one.cost)
    assert sum(group.count for group in parts.groups) == total
    assert sum(bar.count for bar in parts.curve) == with_costs
    assert all(bar.count <= parts.tallest for bar in parts.curve)
    ice = sum(copies for one, copies in chosen if one.type == "ice")
    assert sum(count for _, count in parts.ice) == ice
