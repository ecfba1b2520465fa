import math
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.legality import onr
from decks.legality.records import CardSlot, OnrRules
from tests.factories.decks import agenda, card, corp_deck, filler, runner_deck

CONSTRUCTED = OnrRules()


def codes(side, slots, rules=CONSTRUCTED):
    return [breach.code for breach in onr.onr_breaches(side, slots, rules)]


@pytest.mark.parametrize(
    ("size", "points", "exact"),
    [
        *[(0, 0, 0), (40, 16, 16), (44, 18, 18), (45, 18, 18), (46, 20, 19), (47, 20, 19)],
        *[(48, 20, 20), (50, 20, 20), (51, 22, 21), (55, 22, 22), (56, 24, 23)],
    ],
)
def test_agenda_points_for_a_deck_size(size, points, exact):
    assert onr.agenda_minimum(size, CONSTRUCTED) == points
    assert onr.agenda_minimum(size, OnrRules(exact_ratio=True)) == exact


@pytest.mark.parametrize(
    ("size", "expected"),
    [(0, ["deck_size"]), (44, ["deck_size"]), (45, []), (90, [])],
)
def test_runner_deck_has_45_cards_or_more(size, expected):
    assert codes("runner", runner_deck(size)) == expected


@pytest.mark.parametrize(
    ("size", "points", "expected"),
    [
        (45, 18, []),
        (45, 17, ["agenda_points"]),
        (46, 20, []),
        (46, 19, ["agenda_points"]),
        (50, 20, []),
        (51, 21, ["agenda_points"]),
        (44, 18, ["deck_size"]),
        (44, 17, ["deck_size", "agenda_points"]),
        (45, 45, []),
        (0, 0, ["deck_size"]),
    ],
)
def test_corp_deck_at_the_limits_of_agenda_points(size, points, expected):
    assert codes("corp", corp_deck(size, points)) == expected


def test_size_breach_states_figures_rule_and_remedy():
    (breach,) = onr.onr_breaches("runner", runner_deck(42), CONSTRUCTED, unread=3)

    assert breach.message == (
        "42 cards; a Runner deck has at least 45."
        " 3 more on lines that name no known card do not count."
    )
    assert breach.remedy == "Add 3 cards."
    assert "Wendy Wallace" in breach.rule


def test_agenda_breach_states_both_remedies():
    (breach,) = onr.onr_breaches("corp", corp_deck(46, 18), CONSTRUCTED)

    assert breach.message == "18 agenda points in 46 cards; 20 are needed."
    assert breach.remedy == (
        "Add 2 agenda points in place of other cards, or take out 1 card other than agendas."
    )
    assert "rulebook (1996)" in breach.rule
    (at_minimum,) = onr.onr_breaches("corp", corp_deck(45, 15), CONSTRUCTED)
    assert at_minimum.remedy == "Add 3 agenda points in place of other cards."


def test_sealed_decks_have_the_minimum_of_the_event():
    sealed = OnrRules(runner_minimum=30, corp_minimum=40)

    assert codes("runner", runner_deck(30), sealed) == []
    assert codes("runner", runner_deck(29), sealed) == ["deck_size"]
    assert codes("corp", corp_deck(40, 16), sealed) == []
    (breach,) = onr.onr_breaches("corp", corp_deck(39, 16), sealed)
    assert breach.rule == "Deck rules of this event: at least 40 cards"


def test_every_card_of_the_wrong_side_is_named_once_with_its_first_line():
    slots = [
        *runner_deck(45),
        CardSlot(filler("corp", 1), 2, 4),
        CardSlot(filler("corp", 1), 1, 9),
        CardSlot(filler("corp", 2), 1, 5),
    ]
    breaches = list(onr.onr_breaches("runner", slots, CONSTRUCTED))

    assert [(breach.code, breach.line) for breach in breaches] == [
        ("wrong_side", 4),
        ("wrong_side", 5),
    ]
    assert "all 3 copies" in breaches[0].remedy


def test_ban_list_applies_only_if_the_event_sets_it():
    slots = [*corp_deck(45, 18), CardSlot(card("Tycho Extension"), 5, 3)]
    banning = OnrRules(ban_list=True)

    assert codes("corp", slots) == []
    assert codes("corp", slots, banning) == ["banned_card"]
    runner = [*runner_deck(45), CardSlot(card("Enterprise, Inc., Shields"), 1, 3)]
    assert codes("runner", runner, banning) == ["banned_card"]


CARDS = [*(agenda(points, points) for points in range(1, 5)), filler("corp"), filler("runner")]
CARDS += [card(title) for title in onr.BANNED_TITLES]
slot_lists = st.lists(
    st.builds(CardSlot, st.sampled_from(CARDS), st.integers(1, 20), st.none()), max_size=12
)
rule_sets = st.builds(
    OnrRules, st.integers(0, 60), st.integers(0, 60), st.booleans(), st.booleans()
)


def naive_codes(side, slots, rules):
    """The rules written as simply as a player would count them."""
    pile = [slot.card for slot in slots for _ in range(slot.quantity)]
    codes_found = set()
    if len(pile) < (rules.corp_minimum if side == "corp" else rules.runner_minimum):
        codes_found.add("deck_size")
    if side == "corp":
        groups = Fraction(len(pile), 5)
        needed = math.ceil(2 * groups) if rules.exact_ratio else 2 * math.ceil(groups)
        if sum(card.agenda_points for card in pile) < needed:
            codes_found.add("agenda_points")
    codes_found |= {"wrong_side" for card in pile if card.side != side}
    if rules.ban_list:
        codes_found |= {"banned_card" for card in pile if card.title in onr.BANNED_TITLES}
    return codes_found


@given(st.sampled_from(["corp", "runner"]), slot_lists, rule_sets)
def test_verdict_matches_an_independent_count(side, slots, rules):
    assert set(codes(side, slots, rules)) == naive_codes(side, slots, rules)


@given(st.sampled_from(["corp", "runner"]), slot_lists, rule_sets, st.randoms())
def test_order_and_split_lines_never_change_the_verdict(side, slots, rules, rng):
    split = [CardSlot(slot.card, 1) for slot in slots for _ in range(slot.quantity)]
    rng.shuffle(split)

    assert set(onr.onr_breaches(side, split, rules)) == set(onr.onr_breaches(side, slots, rules))


@given(st.integers(45, 120), st.integers(0, 45), st.booleans())
def test_both_remedies_fix_the_agenda_points(size, points, exact_ratio):
    rules = OnrRules(exact_ratio=exact_ratio)
    for breach in onr.agenda_breaches(corp_deck(size, points), rules):
        add, *cut = [int(figure) for figure in re.findall(r"\d+", breach.remedy)]

        assert list(onr.agenda_breaches(corp_deck(size, points + add), rules)) == []
        assert list(onr.agenda_breaches(corp_deck(size, points + add - 1), rules)) != []
        for cards in cut:
            smaller, still_too_big = size - cards, size - cards + 1
            assert codes("corp", corp_deck(smaller, points), rules) == []
            assert codes("corp", corp_deck(still_too_big, points), rules) == ["agenda_points"]


def test_settings_of_an_event_become_rules():
    assert OnrRules.from_settings({}) == CONSTRUCTED
    settings = {"corp_minimum": 40, "ban_list": True, "something_else": 1}
    assert OnrRules.from_settings(settings) == OnrRules(corp_minimum=40, ban_list=True)


@pytest.mark.parametrize(
    "settings",
    [{"corp_minimum": "45"}, {"runner_minimum": -1}, {"ban_list": 1}, {"corp_minimum": True}],
)
def test_invalid_settings_are_refused(settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        OnrRules.from_settings(settings)
