"""Who has how many points, and why."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.scoring import (
    SCORING_RULES,
    GameEnd,
    GameResult,
    LoserRule,
    Role,
    arithmetic,
    game_points,
    match_points,
)
from tests.checker import scoring as checker

games = st.builds(
    GameResult,
    number=st.integers(1, 2),
    corp=st.integers(1, 2),
    winner=st.sampled_from([None, *Role]),
    end=st.sampled_from(GameEnd),
    corp_agenda_points=st.integers(0, 99),
    runner_agenda_points=st.integers(0, 99),
)


def as_document(game: GameResult) -> dict[str, object]:
    return {
        "corp": game.corp,
        "winner": game.winner and game.winner.value,
        "corp_agenda": game.corp_agenda_points,
        "runner_agenda": game.runner_agenda_points,
    }


def test_the_winner_has_exactly_ten_whatever_was_scored() -> None:
    game = GameResult(1, 1, Role.CORP, GameEnd.AGENDA, 9, 4)

    assert game_points(game, LoserRule.EITHER_SIDE) == {Role.CORP: 10, Role.RUNNER: 4}


@pytest.mark.parametrize(
    ("rule", "corp_points"), [(LoserRule.RUNNER_ONLY, 0), (LoserRule.EITHER_SIDE, 5)]
)
def test_a_losing_corp_keeps_its_points_under_one_rule_only(
    rule: LoserRule, corp_points: int
) -> None:
    game = GameResult(1, 1, Role.RUNNER, GameEnd.AGENDA, 5, 7)

    assert game_points(game, rule) == {Role.CORP: corp_points, Role.RUNNER: 10}


@pytest.mark.parametrize(
    ("rule", "corp_points"), [(LoserRule.RUNNER_ONLY, 0), (LoserRule.EITHER_SIDE, 6)]
)
def test_out_of_time_nobody_has_the_ten_points(rule: LoserRule, corp_points: int) -> None:
    game = GameResult(2, 1, None, GameEnd.TIME, 6, 3)

    assert game_points(game, rule) == {Role.CORP: corp_points, Role.RUNNER: 3}


def test_a_match_adds_up_by_seat_as_the_roles_swap() -> None:
    first = GameResult(1, 1, Role.CORP, GameEnd.AGENDA, 7, 4)
    second = GameResult(2, 2, Role.CORP, GameEnd.FLATLINE, 2, 5)

    assert match_points([first, second], LoserRule.RUNNER_ONLY) == {1: 15, 2: 14}


def test_a_half_told_match_counts_what_is_told() -> None:
    assert match_points([], LoserRule.RUNNER_ONLY) == {1: 0, 2: 0}


def test_the_arithmetic_says_where_the_points_come_from() -> None:
    game = GameResult(1, 1, Role.CORP, GameEnd.AGENDA, 7, 4)

    assert arithmetic(game, SCORING_RULES["onr_runner_only"]) == {
        Role.CORP: "10 for the game won",
        Role.RUNNER: "4 agenda points stolen as Runner",
    }


def test_the_arithmetic_of_a_losing_corp_depends_on_the_rule() -> None:
    game = GameResult(1, 1, Role.RUNNER, GameEnd.DECKED, 1, 0)

    told = {id_: arithmetic(game, rule)[Role.CORP] for id_, rule in SCORING_RULES.items()}

    assert told == {
        "onr_runner_only": "0 as Corp without a win: 1 agenda point not kept",
        "onr_either_side": "1 agenda point scored as Corp",
    }


def test_the_rules_are_known_by_their_ids() -> None:
    rule = SCORING_RULES["onr_runner_only"]

    assert (rule.games_per_match, rule.win_points, rule.bye_points) == (2, 10, 20)
    assert all(id_ == rule.id and rule.explanation for id_, rule in SCORING_RULES.items())
    assert SCORING_RULES["onr_either_side"].loser_rule is LoserRule.EITHER_SIDE


def test_every_word_has_a_label() -> None:
    assert [role.label for role in Role] == ["Corp", "Runner"]
    assert GameEnd.BAD_PUBLICITY.label == "Bad publicity"
    assert GameEnd.TIME.label == "Time ran out"
    assert LoserRule.RUNNER_ONLY.label == "Only a losing Runner"


@given(st.lists(games, max_size=2), st.sampled_from(sorted(SCORING_RULES)))
def test_points_agree_with_the_checker(played: list[GameResult], rule_id: str) -> None:
    rule = SCORING_RULES[rule_id]

    expected = checker.match_points([as_document(game) for game in played], rule.loser_rule.value)

    assert rule.match_points(played) == expected


@given(games, st.sampled_from(sorted(SCORING_RULES)))
def test_the_arithmetic_names_the_points(game: GameResult, rule_id: str) -> None:
    rule = SCORING_RULES[rule_id]
    points = game_points(game, rule.loser_rule)

    for role, line in arithmetic(game, rule).items():
        assert line.split()[0] == str(points[role])
