"""Short codes for results: each one a result that can be, none the beginning of another."""

import pytest

from matches.scoring.codes import ResultCode, all_result_codes, result_codes
from matches.scoring.results import Flag, GameEnd, GameResult, MatchResult, Role
from matches.scoring.rules import SCORING_RULES, AgendaRule, ScoringRule

RULES = [pytest.param(rule, id=rule.id) for rule in SCORING_RULES.values()]


def result_of(code: ResultCode, rule: ScoringRule) -> MatchResult:
    """The result a code stands for, losers without agenda points."""
    games = enumerate(code.winners, start=1)
    played = tuple(_game(number, winner, code.end, rule) for number, winner in games)
    return MatchResult(played, code.flags)


def _game(number: int, winner: int, end: GameEnd | None, rule: ScoringRule) -> GameResult:
    role = None if not winner else Role.CORP if winner == number else Role.RUNNER
    if not isinstance(rule, AgendaRule):
        return GameResult(number, number, role, end if role and end else GameEnd.NOT_RECORDED)
    ended = (end or GameEnd.AGENDA) if role else GameEnd.TIME
    points = {side: 7 if side is role and ended is GameEnd.AGENDA else 0 for side in Role}
    return GameResult(number, number, role, ended, points[Role.CORP], points[Role.RUNNER])


@pytest.mark.parametrize("rule", RULES)
def test_every_code_is_a_possible_result(rule: ScoringRule):
    for code in all_result_codes(rule).values():
        assert list(rule.contradictions(result_of(code, rule))) == [], code


def test_the_codes_of_two_games_say_who_won_which():
    flag = [
        (code.keys, code.words, code.winners) for code in result_codes(SCORING_RULES["anr_double"])
    ]

    assert flag == [
        ("1", "first player won both", (1, 1)),
        ("2", "second player won both", (2, 2)),
        ("3", "one each: the first player game 1", (1, 2)),
        ("4", "one each: the second player game 1", (2, 1)),
        ("5", "first player won game 1, game 2 drawn", (1, 0)),
        ("6", "second player won game 1, game 2 drawn", (2, 0)),
        ("7", "game 1 drawn, first player won game 2", (0, 1)),
        ("8", "game 1 drawn, second player won game 2", (0, 2)),
        ("0", "both games drawn", (0, 0)),
        ("9", "intentional draw", ()),
        ("x1", "first player won game 1, which counts twice", (1,)),
        ("x2", "second player won game 1, which counts twice", (2,)),
    ]
    flags = {code.keys: set(code.flags) for code in result_codes(SCORING_RULES["anr_double"])}
    assert {keys: flag for keys, flag in flags.items() if flag} == {
        "9": {Flag.INTENTIONAL_DRAW},
        "x1": {Flag.TWO_FOR_ONE},
        "x2": {Flag.TWO_FOR_ONE},
    }


def test_codes_describe_games_out_of_time():
    words = {code.keys: code.words for code in result_codes(SCORING_RULES["onr_runner_only"])}

    assert "9" not in words
    assert words["5"] == "first player won game 1, game 2 ran out of time"
    assert words["7"] == "game 1 ran out of time, first player won game 2"
    assert words["0"] == "both games ran out of time"


def test_a_match_of_one_game_has_three_codes_and_the_draw_agreed_upon():
    codes = [
        (code.keys, code.words, code.winners) for code in result_codes(SCORING_RULES["anr_single"])
    ]

    assert codes == [
        ("1", "first player won", (1,)),
        ("2", "second player won", (2,)),
        ("0", "draw", (0,)),
        ("9", "intentional draw", ()),
    ]


@pytest.mark.parametrize("rule", RULES)
def test_no_code_begins_with_another(rule: ScoringRule):
    keys = list(all_result_codes(rule))

    assert [
        (one, other) for one in keys for other in keys if one != other and other.startswith(one)
    ] == []


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
def test_a_code_brings_its_points(rule: str, keys: str, points: tuple[int, int]):
    scoring = SCORING_RULES[rule]
    result = result_of(all_result_codes(scoring)[keys], scoring)

    assert scoring.match_points(result) == dict(enumerate(points, start=1))


def test_every_way_two_games_can_go_has_a_digit():
    ways = {code.winners for code in result_codes(SCORING_RULES["onr_runner_only"])}

    assert ways == {(one, two) for one in (0, 1, 2) for two in (0, 1, 2)}


def test_mark_adds_an_end_or_a_flag():
    code = all_result_codes(SCORING_RULES["anr_double"])["t1"]

    assert (code.words, code.flags) == (
        "first player won both, time was called",
        frozenset({Flag.TIMED}),
    )


def test_concession_requires_a_winner():
    assert "c0" not in all_result_codes(SCORING_RULES["anr_double"])


def test_a_pod_has_no_codes_as_its_victory_points_are_typed():
    assert all_result_codes(SCORING_RULES["free_radicals"]) == {}
