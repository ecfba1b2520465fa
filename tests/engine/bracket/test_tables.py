"""The games of the brackets in use, by number."""

import re
from pathlib import Path

import pytest

from engine.bracket.games import (
    Bracket,
    LoserOf,
    PlayerSource,
    SeedsRefused,
    UnknownSystem,
    WinnerOf,
    bracket_for,
)
from tests.engine.bracket.events import in_words

DOUBLE_4 = "1: 1v4|2: 2v3|3: w1-w2|4: l1-l2|5: l3-w4|6: w3-w5|7: w6-l6"
DOUBLE_8 = (
    "1: 1v8|2: 4v5|3: 2v7|4: 3v6|5: w1-w2|6: w3-w4|7: l1-l2|8: l3-l4|9: w5-w6|10: l6-w7|"
    "11: l5-w8|12: w10-w11|13: l9-w12|14: w9-w13|15: w14-l14"
)
DOUBLE_16 = (
    "1: 1v16|2: 8v9|3: 5v12|4: 4v13|5: 3v14|6: 6v11|7: 7v10|8: 2v15|9: l1-l2|10: l3-l4|"
    "11: l5-l6|12: l7-l8|13: w1-w2|14: w3-w4|15: w5-w6|16: w7-w8|17: l16-w9|18: l15-w10|"
    "19: l14-w11|20: l13-w12|21: w13-w14|22: w15-w16|23: w17-w18|24: w19-w20|25: l21-w23|"
    "26: l22-w24|27: w21-w22|28: w25-w26|29: l27-w28|30: w27-w29|31: w30-l30"
)


@pytest.mark.parametrize(("size", "games"), [(4, DOUBLE_4), (8, DOUBLE_8), (16, DOUBLE_16)])
def test_double_brackets_of_4_8_and_16_are_those_in_use(size, games):
    assert in_words(bracket_for("double_elimination", size)) == games.split("|")


def test_page_of_rules_lists_the_same_games():
    page = (Path(__file__).parents[3] / "docs" / "reference" / "rules.md").read_text()
    lists = page.split("```text")[1].split("```")[0]

    for size, games in ((4, DOUBLE_4), (8, DOUBLE_8), (16, DOUBLE_16)):
        listed = re.search(rf"^{size} .*?(?=^\d|\Z)", lists, re.MULTILINE | re.DOTALL)
        assert listed
        assert listed[0].split()[1:] == games.replace("|", " ").split()


def test_two_players_have_a_final_and_maybe_a_reset():
    assert in_words(bracket_for("double_elimination", 2)) == ["1: 1v2", "2: w1-l1", "3: w2-l2"]


def test_best_two_of_six_wait_in_a_double_bracket():
    assert in_words(bracket_for("double_elimination", 6)) == [
        "1: 4v5",
        "2: 3v6",
        "3: 1vw1",
        "4: 2vw2",
        "5: w3-w4",
        "6: l4-l1",
        "7: l3-l2",
        "8: w6-w7",
        "9: l5-w8",
        "10: w5-w9",
        "11: w10-l10",
    ]


def test_in_a_top_three_the_first_seed_waits():
    assert in_words(bracket_for("single_elimination", 3)) == [
        "1: 2v3",
        "2: best1 after 1-best2 after 1",
    ]


def test_single_bracket_is_reseeded_after_each_round():
    assert in_words(bracket_for("single_elimination", 6)) == [
        "1: 3v6",
        "2: 4v5",
        "3: best1 after 1-best4 after 1",
        "4: best2 after 1-best3 after 1",
        "5: best1 after 2-best2 after 2",
    ]


def test_fixed_single_bracket_keeps_its_halves():
    bracket = bracket_for("single_elimination", 8, fixed=True)

    assert in_words(bracket) == [
        "1: 1v8",
        "2: 4v5",
        "3: 2v7",
        "4: 3v6",
        "5: w1-w2",
        "6: w3-w4",
        "7: w5-w6",
    ]


@pytest.mark.parametrize("size", [*range(6, 34), 64])
def test_bracket_has_no_immediate_second_meeting(size):
    bracket = bracket_for("double_elimination", size)
    last_lower = max(game.number for game in bracket.games if game.half == "lower")

    suspects = [
        game.number
        for game in bracket.games
        if game.half == "lower"
        for loser_source, waiting in (game.sources, game.sources[::-1])
        if isinstance(loser_source, LoserOf)
        and _beaten_just_before(bracket, loser_source) & _lost_games(bracket, waiting)
    ]

    assert suspects == [last_lower]


def _beaten_just_before(bracket: Bracket, loser_source: LoserOf) -> set[int]:
    """Games whose losers met the player from the upper half one game earlier."""
    sources = bracket.by_number[loser_source.game].sources
    return {source.game for source in sources if isinstance(source, WinnerOf)}


def _lost_games(bracket: Bracket, source: PlayerSource) -> set[int]:
    """Upper games that the players behind this source may have lost."""
    if isinstance(source, LoserOf):
        return {source.game}
    assert isinstance(source, WinnerOf)
    first, second = bracket.by_number[source.game].sources
    return _lost_games(bracket, first) | _lost_games(bracket, second)


@pytest.mark.parametrize("size", [1, 0, -3])
def test_bracket_needs_two_players(size):
    with pytest.raises(SeedsRefused, match=f"at least 2 players, there are {size}") as refusal:
        bracket_for("double_elimination", size)

    assert refusal.value.details == {"path": "seeds"}


def test_swiss_has_no_bracket():
    with pytest.raises(UnknownSystem, match="'double' is not a kind of elimination") as refusal:
        bracket_for("double", 8)

    assert refusal.value.details == {"path": "system"}
