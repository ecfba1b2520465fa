"""Contradictions in a game or a match of the 1996 rules."""

from dataclasses import replace

import pytest
from hypothesis import given

from matches.scoring.results import Flag, GameEnd, GameResult, MatchResult, Role
from matches.scoring.rules import SCORING_RULES, Contradiction, onr_contradictions
from tests.matches.scoring.test_points import games

CORP_WIN = GameResult(1, 1, Role.CORP, GameEnd.AGENDA, 7, 4)


def match_contradictions(*games: GameResult) -> list[Contradiction]:
    contradictions = SCORING_RULES["onr_runner_only"].contradictions(MatchResult(games))
    return [item for item in contradictions if not item.game]


def codes(game: GameResult) -> list[str]:
    return [item.code for item in onr_contradictions(game)]


def result(
    end: GameEnd, winner: Role | None, corp_points: int = 0, runner_points: int = 0
) -> GameResult:
    return GameResult(1, 1, winner, end, corp_points, runner_points)


@pytest.mark.parametrize(
    "game",
    [
        CORP_WIN,
        result(GameEnd.AGENDA, Role.RUNNER, 6, 9),
        result(GameEnd.FLATLINE, Role.CORP, 2, 6),
        result(GameEnd.DECKED, Role.RUNNER, 6, 6),
        result(GameEnd.BAD_PUBLICITY, Role.RUNNER, 3, 0),
        result(GameEnd.CONCESSION, Role.CORP, 0, 3),
        result(GameEnd.NO_SHOW, Role.RUNNER),
        result(GameEnd.TIME, None, 6, 6),
        result(GameEnd.JUDGE, None, 8, 9),
        result(GameEnd.JUDGE, Role.CORP, 0, 99),
    ],
)
def test_possible_results_are_accepted(game: GameResult) -> None:
    assert codes(game) == []


@pytest.mark.parametrize(
    ("game", "code"),
    [
        (result(GameEnd.AGENDA, Role.CORP, 6, 0), "too_few_agenda_points"),
        (result(GameEnd.AGENDA, Role.CORP, 7, 7), "unrewarded_agenda_points"),
        (result(GameEnd.AGENDA, None, 6, 6), "no_winner"),
        (result(GameEnd.FLATLINE, Role.RUNNER, 0, 3), "wrong_winner"),
        (result(GameEnd.FLATLINE, None), "no_winner"),
        (result(GameEnd.DECKED, Role.CORP), "wrong_winner"),
        (result(GameEnd.BAD_PUBLICITY, Role.CORP), "wrong_winner"),
        (result(GameEnd.CONCESSION, None), "no_winner"),
        (result(GameEnd.NO_SHOW, None), "no_winner"),
        (result(GameEnd.TIME, Role.CORP), "winner_on_time"),
        (result(GameEnd.TIME, None, 7, 0), "unrewarded_agenda_points"),
        (result(GameEnd.CONCESSION, Role.CORP, 0, 8), "unrewarded_agenda_points"),
        (result(GameEnd.JUDGE, Role.CORP, -1, 0), "agenda_points_range"),
        (result(GameEnd.JUDGE, Role.CORP, 100, 0), "agenda_points_range"),
        (replace(CORP_WIN, corp=3), "seat"),
    ],
)
def test_impossible_results_have_a_code(game: GameResult, code: str) -> None:
    assert codes(game) == [code]


def test_all_contradictions_are_listed() -> None:
    game = GameResult(2, 0, None, GameEnd.AGENDA, 120, -1)

    assert codes(game) == [
        "seat",
        "agenda_points_range",
        "agenda_points_range",
        "no_winner",
        "unrewarded_agenda_points",
    ]


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (
            result(GameEnd.AGENDA, Role.CORP, 5, 4),
            "Game 1: the Corp won by agenda points with 5, but 7 are needed. "
            "Correct the points, or choose another end.",
        ),
        (
            result(GameEnd.FLATLINE, Role.RUNNER),
            'Game 1: "Flatline" cannot be won by the Runner: a flatlined Runner loses. '
            "Make the Corp the winner, or choose another end.",
        ),
        (
            replace(CORP_WIN, runner_agenda_points=None),
            "Game 1: the agenda points of the Runner are missing.",
        ),
    ],
)
def test_message_has_figures_and_advice(game: GameResult, message: str) -> None:
    (contradiction,) = onr_contradictions(game)

    assert (contradiction.game, str(contradiction.message)) == (1, message)


def test_roles_swap_between_the_games() -> None:
    (contradiction,) = match_contradictions(CORP_WIN, replace(CORP_WIN, number=2))
    assert contradiction.code == "roles"
    assert str(contradiction.message) == (
        "Seat 1 is Corp in both games, but roles swap after game 1. Change the Corp of one game."
    )
    assert match_contradictions(CORP_WIN, replace(CORP_WIN, number=2, corp=2)) == []


@pytest.mark.parametrize("numbers", [[], [1], [3], [1, 1], [1, 3], [1, 2, 3]])
def test_games_1_and_2_are_required(numbers: list[int]) -> None:
    games = [replace(CORP_WIN, number=number) for number in numbers]
    entered = f", but you entered: {', '.join(map(str, numbers))}" if numbers else ""

    (contradiction,) = match_contradictions(*games)
    assert contradiction.code == "games"
    assert str(contradiction.message) == (
        f"A match is game 1 and game 2{entered}. Enter each game once."
    )


def test_contradictions_of_games_and_match_are_listed() -> None:
    wrong = result(GameEnd.FLATLINE, Role.RUNNER)
    rule, match = SCORING_RULES["onr_runner_only"], MatchResult((wrong, replace(wrong, number=2)))

    assert [(item.code, item.game) for item in rule.contradictions(match)] == [
        ("wrong_winner", 1),
        ("wrong_winner", 2),
        ("roles", None),
    ]


@given(games)
def test_accepted_game_obeys_the_rules(game: GameResult) -> None:
    if codes(game) or game.end is GameEnd.JUDGE:
        return
    winning_roles = {role for role in Role if (game.agenda_points(role) or 0) >= 7}
    assert winning_roles <= {game.winner}
    assert (game.winner is None) == (game.end is GameEnd.TIME)
    assert game.end is not GameEnd.FLATLINE or game.winner is Role.CORP
    assert game.end is not GameEnd.AGENDA or winning_roles == {game.winner}


@given(games)
def test_message_names_its_game(game: GameResult) -> None:
    for item in onr_contradictions(game):
        assert str(item.message).startswith(f"Game {game.number}: ")
        assert str(item.message).endswith(".")


@pytest.mark.parametrize(
    ("rule", "result", "expected"),
    [
        (
            "onr_runner_only",
            MatchResult((CORP_WIN,), flags=frozenset({Flag.TWO_FOR_ONE})),
            ("flag", 'This game has no "Two for one". Remove it.', None),
        ),
        (
            "onr_runner_only",
            MatchResult((replace(CORP_WIN, end=GameEnd.NOT_RECORDED),)),
            (
                "end",
                f'Game 1 cannot end with "{GameEnd.NOT_RECORDED.label}". Choose how it ended.',
                1,
            ),
        ),
        (
            "onr_runner_only",
            MatchResult(totals=(1, 1)),
            ("totals", "Totals alone are not enough here. Enter each game.", None),
        ),
        (
            "onr_runner_only",
            MatchResult(victory_points=(3, 2)),
            (
                "victory_points",
                "This game has no victory points and factions. Remove them.",
                None,
            ),
        ),
        (
            "onr_runner_only",
            MatchResult(factions=("a", "b")),
            (
                "victory_points",
                "This game has no victory points and factions. Remove them.",
                None,
            ),
        ),
        (
            "free_radicals",
            MatchResult((CORP_WIN,)),
            ("games", "This game has no Corp and Runner. Remove the games.", None),
        ),
    ],
)
def test_parts_of_another_game_are_refused(
    rule: str, result: MatchResult, expected: tuple[str, str, int | None]
):
    assert expected in [
        (item.code, str(item.message), item.game)
        for item in SCORING_RULES[rule].contradictions(result)
    ]
