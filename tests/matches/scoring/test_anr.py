"""Android: Netrunner: 3 points for a win, 1 for a draw, one or two games per match."""

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.scoring.results import Flag, GameEnd, GameResult, MatchResult, Role
from matches.scoring.rules import SCORING_RULES, ScoringRule
from tests.checker import scoring as checker

DOUBLE = SCORING_RULES["anr_double"]
SINGLE = SCORING_RULES["anr_single"]
CORP, RUNNER, NOBODY = Role.CORP, Role.RUNNER, None


def game(number: int, winner: Role | None, end: GameEnd = GameEnd.NOT_RECORDED) -> GameResult:
    """Seat 1 is Corp in game 1, seat 2 in game 2."""
    return GameResult(number, number, winner, end)


def match(*winners: Role | None, flags: Sequence[Flag] = (), **fields: object) -> MatchResult:
    games = tuple(game(number, winner) for number, winner in enumerate(winners, start=1))
    return MatchResult(games, frozenset(flags), **fields)  # type: ignore[arg-type]


def codes(rule: ScoringRule, result: MatchResult) -> list[str]:
    return [contradiction.code for contradiction in rule.contradictions(result)]


@pytest.mark.parametrize(
    ("winners", "points"),
    [
        ((CORP, RUNNER), {1: 6, 2: 0}),
        ((CORP, CORP), {1: 3, 2: 3}),
        ((RUNNER, RUNNER), {1: 3, 2: 3}),
        ((CORP, NOBODY), {1: 4, 2: 1}),
        ((NOBODY, NOBODY), {1: 2, 2: 2}),
        ((RUNNER, CORP), {1: 0, 2: 6}),
    ],
)
def test_points_of_two_games_add_up_by_seat(
    winners: tuple[Role | None, ...], points: dict[int, int]
) -> None:
    assert DOUBLE.match_points(match(*winners)) == points
    assert codes(DOUBLE, match(*winners)) == []


@pytest.mark.parametrize(
    ("winner", "points"), [(CORP, {1: 3, 2: 0}), (RUNNER, {1: 0, 2: 3}), (NOBODY, {1: 1, 2: 1})]
)
def test_points_of_a_single_game(winner: Role | None, points: dict[int, int]) -> None:
    assert SINGLE.match_points(match(winner)) == points
    assert codes(SINGLE, match(winner)) == []


def test_two_for_one_counts_game_1_twice() -> None:
    result = match(CORP, flags=[Flag.TWO_FOR_ONE])

    assert DOUBLE.match_points(result) == {1: 6, 2: 0}
    assert [str(share.reason) for share in DOUBLE.shares(result)[1]] == [
        "2 x 3 for a win as Corp, counted twice"
    ]
    assert codes(DOUBLE, result) == []


@pytest.mark.parametrize(("rule", "points"), [(DOUBLE, 2), (SINGLE, 1)])
def test_intentional_draw_draws_all_games(rule: ScoringRule, points: int) -> None:
    result = match(flags=[Flag.INTENTIONAL_DRAW])

    assert rule.match_points(result) == {1: points, 2: points}
    assert codes(rule, result) == []


def test_timed_match_scores_its_games() -> None:
    result = match(CORP, NOBODY, flags=[Flag.TIMED])

    assert DOUBLE.match_points(result) == {1: 4, 2: 1}
    assert codes(DOUBLE, result) == []


def test_both_players_can_lose_a_game() -> None:
    double_loss = MatchResult((game(1, NOBODY, GameEnd.DOUBLE_LOSS), game(2, CORP)))

    assert DOUBLE.match_points(double_loss) == {1: 0, 2: 3}
    assert codes(DOUBLE, double_loss) == []


@pytest.mark.parametrize(
    ("rule", "possible"),
    [
        (DOUBLE, {(6, 0), (4, 1), (3, 3), (2, 2), (1, 4), (0, 6)}),
        (SINGLE, {(3, 0), (1, 1), (0, 3)}),
    ],
)
def test_possible_totals(rule: ScoringRule, possible: set[tuple[int, int]]) -> None:
    accepted = {
        totals for totals in product(range(8), repeat=2) if not codes(rule, match(totals=totals))
    }

    assert accepted == possible
    assert rule.match_points(match(totals=(4, 1))) == {1: 4, 2: 1}


@pytest.mark.parametrize(
    ("flag", "possible"),
    [(Flag.TWO_FOR_ONE, {(6, 0), (2, 2), (0, 6)}), (Flag.INTENTIONAL_DRAW, {(3, 3), (2, 2)})],
)
def test_flag_limits_the_totals(flag: Flag, possible: set[tuple[int, int]]) -> None:
    accepted = {
        totals
        for totals in product(range(7), repeat=2)
        if not codes(DOUBLE, match(totals=totals, flags=[flag]))
    }

    assert accepted == possible


@pytest.mark.parametrize(
    ("rule", "result", "code"),
    [
        (DOUBLE, match(CORP), "games"),
        (SINGLE, match(CORP, CORP), "games"),
        (DOUBLE, match(), "games"),
        (SINGLE, match(), "games"),
        (DOUBLE, match(flags=[Flag.TWO_FOR_ONE]), "games"),
        (DOUBLE, match(CORP, CORP, flags=[Flag.TWO_FOR_ONE]), "games"),
        (SINGLE, match(CORP, flags=[Flag.TWO_FOR_ONE]), "flag"),
        (
            DOUBLE,
            match(CORP, NOBODY, flags=[Flag.INTENTIONAL_DRAW]),
            "intentional_draw_with_winner",
        ),
        (DOUBLE, match(flags=[Flag.INTENTIONAL_DRAW, Flag.TIMED]), "flags"),
        (DOUBLE, match(CORP, CORP, totals=(3, 3)), "totals_and_games"),
        (DOUBLE, match(totals=(6, 6)), "totals"),
        (DOUBLE, match(totals=(6,)), "totals"),
        (DOUBLE, match(CORP, CORP, victory_points=(1, 2)), "victory_points"),
        (DOUBLE, MatchResult((game(1, CORP), GameResult(2, 1, CORP, GameEnd.TIME))), "roles"),
        (SINGLE, MatchResult((game(1, RUNNER, GameEnd.FLATLINE),)), "wrong_winner"),
        (SINGLE, MatchResult((game(1, NOBODY, GameEnd.CONCESSION),)), "no_winner"),
        (SINGLE, MatchResult((game(1, CORP, GameEnd.DOUBLE_LOSS),)), "winner_of_double_loss"),
        (SINGLE, MatchResult((game(1, CORP, GameEnd.BAD_PUBLICITY),)), "end"),
    ],
)
def test_impossible_result_is_named(rule: ScoringRule, result: MatchResult, code: str) -> None:
    assert code in codes(rule, result)


def test_flags_of_an_intentional_draw_are_ordered() -> None:
    result = match(flags=list(Flag))

    messages = [
        str(contradiction.message)
        for contradiction in DOUBLE.contradictions(result)
        if contradiction.code == "flags"
    ]

    assert [message.split('"')[1] for message in messages] == ["Conceded", "Timed", "Two for one"]


def test_impossible_totals_list_the_possible_totals() -> None:
    (contradiction,) = DOUBLE.contradictions(match(totals=(5, 1)))

    assert str(contradiction.message) == (
        "5:1 is not a possible score. Possible scores: 6:0, 4:1, 2:2, 3:3, 1:4, 0:6. "
        "Correct the totals, or enter the games."
    )


def test_1996_rules_have_no_flags_and_totals() -> None:
    onr = SCORING_RULES["onr_runner_only"]

    assert "flag" in codes(onr, match(flags=[Flag.TIMED]))
    assert "totals" in codes(onr, match(totals=(10, 10)))


winners = st.sampled_from([CORP, RUNNER, NOBODY])
RULES = st.sampled_from([DOUBLE, SINGLE])


@st.composite
def played(draw: st.DrawFn, rule: ScoringRule) -> MatchResult:
    # Either seat may be Corp first.
    two_for_one = rule is DOUBLE and draw(st.booleans())
    first = draw(st.sampled_from([1, 2]))
    number = 1 if two_for_one else rule.games_per_match
    games = tuple(
        GameResult(
            game_number, first if game_number == 1 else 3 - first, winner, draw(_end(winner))
        )
        for game_number in range(1, number + 1)
        for winner in [draw(winners)]
    )
    return MatchResult(games, frozenset([Flag.TWO_FOR_ONE] if two_for_one else []))


def _end(winner: Role | None) -> st.SearchStrategy[GameEnd]:
    if winner is NOBODY:
        return st.sampled_from([GameEnd.TIME, GameEnd.NOT_RECORDED, GameEnd.DOUBLE_LOSS])
    return st.sampled_from([GameEnd.AGENDA, GameEnd.NOT_RECORDED, GameEnd.TIME, GameEnd.NO_SHOW])


def as_document(result: MatchResult) -> dict[str, object]:
    return {
        "flags": [flag.value for flag in result.flags],
        "games": [
            {
                "corp": game.corp,
                "winner": game.winner and game.winner.value,
                "double_loss": game.end is GameEnd.DOUBLE_LOSS,
            }
            for game in result.games
        ],
    }


@given(st.data(), RULES)
def test_points_agree_with_the_checker(data: st.DataObject, rule: ScoringRule) -> None:
    result = data.draw(played(rule))

    assert codes(rule, result) == []
    assert list(rule.match_points(result).values()) == checker.seat_points(
        as_document(result), rule.id
    )
