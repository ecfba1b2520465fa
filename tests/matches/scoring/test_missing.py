"""Missing inputs of a report, and implied values."""

from dataclasses import replace

import pytest

from matches.scoring import rules
from matches.scoring.results import Flag, GameEnd, GameResult, MatchResult, Role
from matches.scoring.rules import scoring_rule

ONR, ANR = scoring_rule("onr_runner_only"), scoring_rule("anr_double")
NAMES = {1: "Ada", 2: "Bo"}
# Ada won as Corp; no numbers were entered.
WON = GameResult(1, 1, Role.CORP, GameEnd.AGENDA)
SECOND = GameResult(2, 2, Role.RUNNER, GameEnd.AGENDA, 3, 7)


def missing(rule, *games: GameResult, **fields) -> list[tuple[str, int | None, int | None]]:
    inputs = rule.missing_inputs(MatchResult(games, **fields), NAMES)
    return [(str(item.message), item.game, item.seat) for item in inputs]


def test_every_game_requires_a_winner():
    assert missing(ONR) == [
        ("Game 1: choose who won, or Nobody.", 1, None),
        ("Game 2: choose who won, or Nobody.", 2, None),
    ]
    assert missing(ANR, SECOND) == [("Game 1: choose who won, or Draw.", 1, None)]


def test_agenda_points_of_losers_are_required():
    bo = "Game 1: enter the agenda points of Bo; 0 if there were none."
    ada = "Game 1: enter the agenda points of Ada; 0 if there were none."

    assert missing(ONR, WON, SECOND) == [(bo, 1, 2)]
    drawn = replace(WON, winner=None, end=GameEnd.TIME)
    assert missing(ONR, drawn, SECOND) == [(ada, 1, 1), (bo, 1, 2)]
    assert missing(ONR, replace(drawn, corp_agenda_points=0), SECOND) == [(bo, 1, 2)]
    assert missing(ONR, replace(WON, end=GameEnd.NO_SHOW), SECOND) == []
    assert missing(ANR, WON, SECOND) == []


@pytest.mark.parametrize(
    ("fields", "open_inputs"),
    [
        ({"totals": (3, 0)}, []),
        ({"flags": frozenset({Flag.INTENTIONAL_DRAW})}, []),
        ({"flags": frozenset({Flag.TWO_FOR_ONE})}, [1]),
        ({"flags": frozenset({Flag.TIMED})}, [1, 2]),
    ],
)
def test_totals_and_draws_require_no_games(fields, open_inputs: list[int]):
    assert [game for _, game, _ in missing(ANR, **fields)] == open_inputs


@pytest.mark.parametrize(
    ("game", "points"),
    [
        (WON, (7, 0)),
        (replace(WON, runner_agenda_points=4), (7, 4)),
        (replace(WON, winner=Role.RUNNER), (0, 7)),
        (replace(WON, end=GameEnd.FLATLINE), (0, 0)),
        (replace(WON, corp_agenda_points=8), (8, 0)),
    ],
)
def test_winner_by_agenda_points_has_seven(game: GameResult, points: tuple[int, int]):
    (completed,) = ONR.with_implied_values(MatchResult((game,))).games

    assert (completed.corp_agenda_points, completed.runner_agenda_points) == points


def test_missing_end_is_the_usual_end():
    assert ONR.usual_end(Role.CORP) is GameEnd.AGENDA
    assert ONR.usual_end(None) is GameEnd.TIME
    assert ANR.usual_end(Role.CORP) is GameEnd.NOT_RECORDED


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        (rules.total_missing(2, "Ada"), ("Enter the match points of Ada too.", None, 2)),
        (
            rules.victory_points_missing(3, "Ada"),
            ("Enter the victory points of Ada; 0 if there were none.", None, 3),
        ),
    ],
)
def test_victory_points_of_every_seat_are_required(
    missing: rules.MissingInput, expected: tuple[str, None, int]
):
    assert (str(missing.message), missing.game, missing.seat) == expected
