"""Composition of a deck: groups, costs, agendas and influence."""

import datetime
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.composition import HIGHEST_COST_BAR, AgendaBand, CostBar, InfluenceUse, deck_composition
from decks.legality.check_texts import check_text
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


def test_cards_are_grouped_by_type_and_sorted_by_title():
    slots = [anr("Djinn"), anr("Corroder", 2), anr("Sure Gamble", 1), anr("Diesel", 1)]
    parts = deck_composition(verdict([*slots, anr("Sure Gamble", 2)]))

    groups = {
        group.heading: [(entry.quantity, entry.card.title) for entry in group.entries]
        for group in parts.groups
    }
    assert list(groups) == ["Event", "Icebreaker", "Program"]
    assert groups["Event"] == [(1, "Diesel"), (3, "Sure Gamble")]
    assert [group.count for group in parts.groups] == [4, 2, 3]


@pytest.mark.parametrize(
    ("game", "slots", "ice"),
    [
        (
            *("onr", [onr("Banpei"), onr("Data Wall", 2), onr("Ball and Chain", 1)]),
            (("Wall", 2), ("Code Gate", 1), ("Sentry", 3)),
        ),
        ("anr", [anr("Konjin", 2), anr("Palisade")], (("Barrier", 3), ("Other ice", 2))),
    ],
)
def test_ice_is_counted_by_subtype(game, slots, ice):
    assert deck_composition(verdict(slots, game=game, side="corp")).ice == ice


def test_curve_has_a_bar_for_every_cost_up_to_the_highest_and_x_apart():
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
    costs = [(card, int(card.cost)) for card in ANR.cards if card.cost.isdecimal()]
    dear = [card for card, cost in costs if cost > HIGHEST_COST_BAR]

    bars = deck_composition(verdict([CardSlot(card, 1) for card in dear[:3]])).curve

    assert bars[-1] == CostBar(f"{HIGHEST_COST_BAR}+", 3)


def test_average_excludes_cards_without_a_number():
    slots = [anr("Diesel", 1), anr("Sure Gamble", 2), anr("Bribery", 3)]

    parts = deck_composition(verdict(slots))

    assert (parts.average_cost, parts.average_shown) == (Fraction(10, 3), "3.3")


@pytest.mark.parametrize(("quantity", "displayed"), [(1, "2.5"), (19, "0.3")])
def test_average_is_rounded_half_up(quantity: int, displayed: str):
    parts = deck_composition(verdict([anr("Sure Gamble", 1), anr("Diesel", quantity)]))

    assert parts.average_shown == displayed


@pytest.mark.parametrize("slots", [[], [anr("Hostile Takeover")]])
def test_deck_without_costs_has_no_curve_and_no_average(slots):
    parts = deck_composition(verdict(slots, side="corp"))

    assert (parts.curve, parts.average_cost, parts.average_shown) == ((), None, "")
    assert (parts.tallest, parts.ice, parts.identity, parts.agendas) == (0, (), None, None)


def test_each_title_shows_the_influence_of_all_its_copies():
    slots = [anr("Corroder"), anr("Inside Job", 2), anr("Sure Gamble"), anr("Corroder", 1)]

    costs = {card("Inside Job", "anr"): 6, card("Corroder", "anr"): 0}
    figures = {"influence_by_card": costs, "influence_spent": 6, "influence_limit": 15}
    parts = deck_composition(verdict(slots, identity=card(NOISE, "anr"), **figures))

    entries = [entry for group in parts.groups for entry in group.entries]
    displayed = {entry.card.title: (entry.influence, entry.pips) for entry in entries}
    assert displayed["Inside Job"] == (6, "••••• •")
    assert displayed["Corroder"] == displayed["Sure Gamble"] == (0, "")
    assert parts.influence == InfluenceUse(6, 15, (("criminal", 6),))
    without = deck_composition(verdict([onr("Banpei")], game="onr", side="corp"))
    assert without.influence is None


@pytest.mark.parametrize(
    ("titles", "wrong"),
    [({"card": "Diesel"}, ["Diesel"]), ({"concerns": ("Diesel", "Djinn")}, ["Diesel", "Djinn"])],
)
def test_cards_of_a_breach_are_marked_and_linked(titles, wrong):
    slots = [anr("Diesel"), anr("Djinn"), anr("Sure Gamble")]
    judged = verdict(
        slots, breaches=(Breach("points", (), (), check_text("reading_rule"), **titles),)
    )

    groups = deck_composition(judged, {card("Diesel", "anr").id: "/cards/x/"}).groups

    entries = [entry for group in groups for entry in group.entries]
    assert [entry.card.title for entry in entries if entry.is_wrong] == wrong
    assert entries[0].address == "/cards/x/"


@pytest.mark.parametrize(
    ("points", "maximum", "is_met"),
    [(17, 19, False), (18, 19, True), (19, 19, True), (20, 19, False), (30, None, True)],
)
def test_band_states_if_the_points_are_within_it(points: int, maximum: int | None, is_met: bool):
    assert AgendaBand(points, 18, maximum).is_met is is_met


@given(st.integers(0, 99), st.integers(0, 99), st.none() | st.integers(0, 1))
def test_band_is_drawn_within_its_frame(points: int, minimum: int, upper_limit: int | None):
    band = AgendaBand(points, minimum, None if upper_limit is None else minimum + upper_limit)

    assert band.zone_start >= 0
    assert band.zone_width > 0
    assert band.zone_start + band.zone_width <= band.scale
    assert 0 <= band.fill <= band.scale


@given(st.integers(0, 60), st.none() | st.integers(0, 30))
def test_influence_is_drawn_completely(spent: int, limit: int | None):
    use = InfluenceUse(spent, limit, ())

    assert use.within + use.over == spent
    assert use.scale >= max(use.within + use.over, limit or 0, 1)


@given(st.lists(st.tuples(st.sampled_from(ANR.cards), st.integers(1, 6)), max_size=40))
def test_composition_counts_every_card(deck_cards: list[tuple[CardFacts, int]]):
    slots = [CardSlot(facts, copies) for facts, copies in deck_cards]

    parts = deck_composition(verdict(slots, identity=card(NOISE, "anr"), influence_spent=0))

    total = sum(copies for _, copies in deck_cards)
    with_costs = sum(copies for facts, copies in deck_cards if facts.cost)
    assert sum(group.count for group in parts.groups) == total
    assert sum(bar.count for bar in parts.curve) == with_costs
    assert all(bar.count <= parts.tallest for bar in parts.curve)
    ice = sum(copies for facts, copies in deck_cards if facts.type == "ice")
    assert sum(count for _, count in parts.ice) == ice
