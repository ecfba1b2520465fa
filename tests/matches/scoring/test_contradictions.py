"""Contradictions in a game or a match."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given

from matches.scoring.results import Flag, GameEnd, GameResult, MatchResult, Role
from matches.scoring.rules import SCORING_RULES, Contradiction, onr_contradictions
from tests.matches.scoring.test_points import games

CORP_WIN = GameResult(1, 1, Role.CORP, GameEnd.AGENDA, 7, 4)


def taken_together(*played: GameResult) -> Iterator[Contradiction]:
    result = MatchResult(played)
    return (
        found for found in SCORING_RULES["onr_runner_only"].contradictions(result) if not found.game
    )


def codes(game: GameResult) -> list[str]:
    return [found.code for found in onr_contradictions(game)]


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


def test_a_message_has_the_figures_and_what_to_do() -> None:
    (found,) = onr_contradictions(result(GameEnd.AGENDA, Role.CORP, 5, 4))

    assert found.game == 1
    assert found.message == (
        "Game 1: the Corp won by agenda points with 5, but 7 are needed. "
        "Correct the points, or choose another end."
    )


def test_a_flatline_won_by_the_runner_says_why_not() -> None:
    (found,) = onr_contradictions(result(GameEnd.FLATLINE, Role.RUNNER))

    assert found.message == (
        'Game 1: "Flatline" cannot be won by the Runner: a flatlined Runner loses. '
        "Make the Corp the winner, or choose another end."
    )


def test_roles_swap_between_the_games() -> None:
    (found,) = taken_together(CORP_WIN, replace(CORP_WIN, number=2))

    assert (found.code, found.game) == ("roles", None)
    assert list(taken_together(CORP_WIN, replace(CORP_WIN, number=2, corp=2))) == []


@pytest.mark.parametrize("numbers", [[], [1], [1, 1], [1, 3], [1, 2, 3]])
def test_a_match_is_game_one_and_game_two(numbers: list[int]) -> None:
    games = [replace(CORP_WIN, number=number) for number in numbers]

    assert [found.code for found in taken_together(*games)] == ["games"]


def test_a_rule_names_the_faults_of_the_games_and_of_the_match() -> None:
    wrong = result(GameEnd.FLATLINE, Role.RUNNER)
    found = SCORING_RULES["onr_runner_only"].contradictions(
        MatchResult((wrong, replace(wrong, number=2)))
    )

    assert [(one.code, one.game) for one in found] == [
        ("wrong_winner", 1),
        ("wrong_winner", 2),
        ("roles", None),
    ]


@given(games)
def test_an_accepted_game_obeys_the_rules_of_the_game(game: GameResult) -> None:
    if codes(game) or game.end is GameEnd.JUDGE:
        return
    won = {role for role in Role if (game.agenda_points(role) or 0) >= 7}
    assert won <= {game.winner}
    assert (game.winner is None) == (game.end is GameEnd.TIME)
    assert game.end is not GameEnd.FLATLINE or game.winner is Role.CORP
    assert game.end is not GameEnd.AGENDA or won == {game.winner}


@given(games)
def test_every_contradiction_names_its_game_and_ends_with_advice(game: GameResult) -> None:
    for found in onr_contradictions(game):
        assert found.message.startswith(f"Game {game.number}: ")
        assert found.message.endswith(".")


@pytest.mark.parametrize(
    ("rule", "result", "expected"),
    [
        (
            "onr_runner_only",
            MatchResult((CORP_WIN,), flags=frozenset({Flag.TWO_FOR_ONE})),
            Contradiction("flag", 'This game has no "Two for one". Remove it.'),
        ),
        (
            "onr_runner_only",
            MatchResult((replace(CORP_WIN, end=GameEnd.NOT_RECORDED),)),
            Contradiction(
                "end",
                f'Game 1: "{GameEnd.NOT_RECORDED.label}" cannot end this. Choose how it ended.',
                1,
            ),
        ),
        (
            "onr_runner_only",
            MatchResult(totals=(1, 1)),
            Contradiction("totals", "Totals alone are not enough here. Enter each game."),
        ),
        (
            "onr_runner_only",
            MatchResult(victory_points=(3, 2)),
            Contradiction(
                "victory_points", "This game has no victory points and factions. Remove them."
            ),
        ),
        (
            "onr_runner_only",
            MatchResult(factions=("a", "b")),
            Contradiction(
                "victory_points", "This game has no victory points and factions. Remove them."
            ),
        ),
        (
            "free_radicals",
            MatchResult((CORP_WIN,)),
            Contradiction("games", "This game has no Corp and Runner. Remove the games."),
        ),
    ],
)
def test_parts_of_another_game_are_listed(rule: str, result: MatchResult, expected: Contradiction):
    assert expected in list(SCORING_RULES[rule].contradictions(result))


def test_two_games_taken_together_are_named_whole():
    alone = list(taken_together(replace(CORP_WIN, number=3)))
    same = list(taken_together(CORP_WIN, replace(CORP_WIN, number=2)))
    none = list(taken_together())

    assert (
        Contradiction("games", "A match is game 1 and game 2, each once; given: 3. Enter both.")
        in alone
    )
    assert (
        Contradiction("games", "A match is game 1 and game 2, each once; given: none. Enter both.")
        in none
    )
    assert same == [
        Contradiction(
            "roles",
            "Seat 1 is Corp in both games, but roles swap after game 1. "
            "Change the Corp of one game.",
        )
    ]


def test_agenda_points_that_count_are_not_guessed() -> None:
    first, *_ = onr_contradictions(replace(CORP_WIN, runner_agenda_points=None))

    assert first.code == "agenda_points_missing"
    assert first.message == "Game 1: the agenda points of the Runner are missing."
