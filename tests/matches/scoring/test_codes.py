"""Short codes for results."""

import pytest

from matches.scoring.codes import (
    ResultCode,
    all_result_codes,
    codes_to_offer,
    outcome_codes,
    result_codes,
    result_of_code,
)
from matches.scoring.results import Flag, GameEnd, MatchResult
from matches.scoring.rules import SCORING_RULES, ScoringRule

RULES = [pytest.param(rule, id=rule.id) for rule in SCORING_RULES.values()]


def result_of(code: ResultCode, rule: ScoringRule) -> MatchResult:
    return rule.with_implied_values(result_of_code(rule, code))


@pytest.mark.parametrize("rule", RULES)
def test_every_code_is_a_possible_result(rule: ScoringRule):
    for code in all_result_codes(rule).values():
        assert list(rule.contradictions(result_of(code, rule))) == [], code


def test_end_of_a_code_needs_a_winner():
    rule = SCORING_RULES["anr_double"]

    result = result_of_code(rule, all_result_codes(rule)["c5"])

    assert [game.end for game in result.games] == [GameEnd.CONCESSION, GameEnd.NOT_RECORDED]


def test_two_games_have_their_codes():
    codes = result_codes(SCORING_RULES["anr_double"])

    assert [(code.keys, code.words, code.winners) for code in codes] == [
        ("1", "first player won both", (1, 1)),
        ("2", "second player won both", (2, 2)),
        ("3", "one each: Corp won both", (1, 2)),
        ("4", "one each: Runner won both", (2, 1)),
        ("5", "first player won game 1, game 2 drawn", (1, 0)),
        ("6", "second player won game 1, game 2 drawn", (2, 0)),
        ("7", "game 1 drawn, first player won game 2", (0, 1)),
        ("8", "game 1 drawn, second player won game 2", (0, 2)),
        ("0", "both games drawn", (0, 0)),
        ("9", "intentional draw", ()),
        ("x1", "first player won game 1, which counts twice", (1,)),
        ("x2", "second player won game 1, which counts twice", (2,)),
    ]
    assert {code.keys: set(code.flags) for code in codes if code.flags} == {
        "9": {Flag.INTENTIONAL_DRAW},
        "x1": {Flag.TWO_FOR_ONE},
        "x2": {Flag.TWO_FOR_ONE},
    }


def test_codes_describe_games_out_of_time():
    texts = {code.keys: code.words for code in result_codes(SCORING_RULES["onr_runner_only"])}

    assert "9" not in texts
    assert texts["5"] == "first player won game 1, game 2 ran out of time"
    assert texts["7"] == "game 1 ran out of time, first player won game 2"
    assert texts["0"] == "both games ran out of time"


def test_single_game_has_its_codes():
    codes = result_codes(SCORING_RULES["anr_single"])

    assert [(code.keys, code.words, code.winners) for code in codes] == [
        ("1", "first player won", (1,)),
        ("2", "second player won", (2,)),
        ("0", "draw", (0,)),
        ("9", "intentional draw", ()),
    ]


@pytest.mark.parametrize(
    ("rule", "keys"),
    [("anr_single", ["1", "2", "0", "9"]), ("anr_double", ["1", "3", "4", "2", "9"])],
)
def test_outcomes_begin_with_the_best_for_the_first_player(rule: str, keys: list[str]):
    assert [code.keys for code in outcome_codes(SCORING_RULES[rule])] == keys


def test_pod_has_no_codes():
    assert all_result_codes(SCORING_RULES["free_radicals"]) == {}


@pytest.mark.parametrize("rule", RULES)
def test_no_code_is_a_prefix_of_another(rule: ScoringRule):
    keys = all_result_codes(rule)

    assert not [
        key
        for key in keys
        for longer_key in keys
        if longer_key != key and longer_key.startswith(key)
    ]


@pytest.mark.parametrize(
    ("rule", "keys", "points"),
    [
        ("onr_runner_only", "1", (20, 0)),
        ("onr_runner_only", "2", (0, 20)),
        ("onr_runner_only", "3", (10, 10)),
        ("onr_either_side", "5", (10, 0)),
        ("onr_either_side", "0", (0, 0)),
        ("onr_runner_only", "n2", (0, 20)),
        ("anr_double", "1", (6, 0)),
        ("anr_double", "4", (3, 3)),
        ("anr_double", "8", (1, 4)),
        ("anr_double", "9", (2, 2)),
        ("anr_double", "x2", (0, 6)),
        ("anr_double", "t0", (2, 2)),
        ("anr_single", "2", (0, 3)),
        ("anr_single", "9", (1, 1)),
        ("anr_single", "c1", (3, 0)),
    ],
)
def test_code_gives_its_points(rule: str, keys: str, points: tuple[int, int]):
    scoring = SCORING_RULES[rule]
    result = result_of(all_result_codes(scoring)[keys], scoring)

    assert scoring.match_points(result) == dict(enumerate(points, start=1))


def test_every_outcome_of_two_games_has_a_code():
    winners = {code.winners for code in result_codes(SCORING_RULES["onr_runner_only"])}

    assert winners == {(first, second) for first in (0, 1, 2) for second in (0, 1, 2)}


def test_mark_adds_an_end_or_a_flag():
    code = all_result_codes(SCORING_RULES["anr_double"])["t1"]

    assert (code.words, code.mark) == ("first player won both", "time was called")
    assert code.flags == frozenset({Flag.TIMED})


def test_concession_requires_a_winner():
    assert "c0" not in all_result_codes(SCORING_RULES["anr_double"])


@pytest.mark.parametrize(
    ("is_cut", "keys"), [(False, ["1", "2", "0", "9"]), (True, ["1", "2"])], ids=["swiss", "cut"]
)
def test_codes_of_a_cut_have_a_winner(is_cut: bool, keys: list[str]):
    codes = result_codes(SCORING_RULES["anr_single"])

    assert [code.keys for code in codes_to_offer(codes, is_cut=is_cut)] == keys
