"""Points in the 1996 game with reasons, and the table of scoring rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.scoring.results import GameEnd, GameResult, LoserRule, MatchResult, Role
from matches.scoring.rules import SCORING_RULES, AgendaRule, scoring_rule, scoring_rules_of
from tests.checker import scoring as checker

ONR_RULES = [id_ for id_, rule in SCORING_RULES.items() if isinstance(rule, AgendaRule)]

games = st.builds(
    GameResult,
    number=st.integers(1, 2),
    corp=st.integers(1, 2),
    winner=st.sampled_from([None, *Role]),
    end=st.sampled_from(SCORING_RULES["onr_runner_only"].ends),
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


def points(rule_id: str, *played: GameResult) -> dict[int, object]:
    return dict(scoring_rule(rule_id).match_points(MatchResult(played)))


def reasons(rule_id: str, result: MatchResult) -> dict[int, tuple[str, ...]]:
    shares = scoring_rule(rule_id).shares(result)
    return {seat: tuple(str(share.reason) for share in parts) for seat, parts in shares.items()}


def test_winner_has_ten_points() -> None:
    game = GameResult(1, 1, Role.CORP, GameEnd.AGENDA, 9, 4)

    assert points("onr_either_side", game) == {1: 10, 2: 4}


@pytest.mark.parametrize(
    ("rule_id", "corp_points"), [("onr_runner_only", 0), ("onr_either_side", 5)]
)
def test_losing_corp_keeps_its_points_under_one_rule(rule_id: str, corp_points: int) -> None:
    game = GameResult(1, 1, Role.RUNNER, GameEnd.AGENDA, 5, 7)

    assert points(rule_id, game) == {1: corp_points, 2: 10}


@pytest.mark.parametrize(
    ("rule_id", "corp_points"), [("onr_runner_only", 0), ("onr_either_side", 6)]
)
def test_timed_out_game_has_no_ten_points(rule_id: str, corp_points: int) -> None:
    game = GameResult(2, 1, None, GameEnd.TIME, 6, 3)

    assert points(rule_id, game) == {1: corp_points, 2: 3}


def test_points_add_up_by_seat() -> None:
    first = GameResult(1, 1, Role.CORP, GameEnd.AGENDA, 7, 4)
    second = GameResult(2, 2, Role.CORP, GameEnd.FLATLINE, 2, 5)

    assert points("onr_runner_only", first, second) == {1: 15, 2: 14}
    assert points("onr_runner_only", first) == {1: 10, 2: 4}


def test_reasons_explain_the_points() -> None:
    game = GameResult(1, 1, Role.CORP, GameEnd.AGENDA, 7, 4)

    assert reasons("onr_runner_only", MatchResult((game,))) == {
        1: ("10 for the game won",),
        2: ("4 agenda points stolen as Runner",),
    }


def test_reason_of_a_losing_corp_depends_on_the_rule() -> None:
    result = MatchResult((GameResult(1, 1, Role.RUNNER, GameEnd.DECKED, 1, 0),))

    reasons_by_rule = {id_: reasons(id_, result)[1] for id_ in ONR_RULES}

    assert reasons_by_rule == {
        "onr_runner_only": ("0 as Corp without a win: 1 agenda point not kept",),
        "onr_either_side": ("1 agenda point scored as Corp",),
    }


def test_each_rule_has_a_label() -> None:
    assert [role.label for role in Role] == ["Corp", "Runner"]
    assert GameEnd.BAD_PUBLICITY.label == "Bad publicity"
    assert GameEnd.TIME.label == "Time ran out"
    assert LoserRule.RUNNER_ONLY.label == "Only a losing Runner"


@given(st.lists(games, max_size=2), st.sampled_from(ONR_RULES))
def test_points_agree_with_the_checker(played: list[GameResult], rule_id: str) -> None:
    rule = SCORING_RULES[rule_id]
    assert isinstance(rule, AgendaRule)

    expected = checker.match_points([as_document(game) for game in played], rule.loser_rule.value)

    assert rule.match_points(MatchResult(tuple(played))) == expected


@given(games, st.sampled_from(ONR_RULES))
def test_reasons_begin_with_the_points(game: GameResult, rule_id: str) -> None:
    result = MatchResult((game,))
    earned = SCORING_RULES[rule_id].match_points(result)

    for position, (line,) in reasons(rule_id, result).items():
        assert line.split()[0] == str(earned[position])


@pytest.mark.parametrize(
    ("id_", "games", "bye", "seats"),
    [
        ("onr_runner_only", 2, 20, (2, 2)),
        ("onr_either_side", 2, 20, (2, 2)),
        ("anr_double", 2, 6, (2, 2)),
        ("anr_single", 1, 3, (2, 2)),
        ("free_radicals", 1, 5, (2, 5)),
    ],
)
def test_games_byes_and_seats_of_each_rule(
    id_: str, games: int, bye: int, seats: tuple[int, int]
) -> None:
    rule = scoring_rule(id_)

    assert (rule.games_per_match, rule.bye_points) == (games, bye)
    assert (rule.min_seats, rule.max_seats) == seats


def test_rules_are_stored_by_id() -> None:
    assert all(id_ == rule.id and rule.explanation for id_, rule in SCORING_RULES.items())


def test_rules_are_in_the_order_of_ids() -> None:
    assert [rule.id for rule in scoring_rules_of(["anr_single", "anr_double"])] == [
        "anr_single",
        "anr_double",
    ]
