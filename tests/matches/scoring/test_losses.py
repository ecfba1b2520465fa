"""Imposed losses applied to a reported result."""

from itertools import product

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from matches.scoring.imposed_losses import (
    ImposedLoss,
    apply_losses,
    decided_games,
    losses_decide,
    lost_games,
    restore_reported_games,
    undecided_part,
)
from matches.scoring.results import Flag, GameEnd, GameResult, MatchResult, Role
from matches.scoring.rules import SCORING_RULES, scoring_rule

ONR, EITHER = scoring_rule("onr_runner_only"), scoring_rule("onr_either_side")
DOUBLE, SINGLE = scoring_rule("anr_double"), scoring_rule("anr_single")
PODS = scoring_rule("free_radicals")
CORPS = {1: 1, 2: 2}


def win_game(number: int, winner: Role, corp: int | None = None, loser: int = 3) -> GameResult:
    points = (7, loser) if winner is Role.CORP else (loser, 7)
    return GameResult(number, corp or number, winner, GameEnd.AGENDA, *points)


def win_game_without_points(number: int, winner: Role | None) -> GameResult:
    return GameResult(number, number, winner, GameEnd.NOT_RECORDED)


SWEEP_BY_1 = MatchResult((win_game(1, Role.CORP), win_game(2, Role.RUNNER)))


def points(rule, result: MatchResult, *losses: ImposedLoss) -> tuple[object, object]:
    points_by_seat = rule.match_points(apply_losses(rule, result, losses, CORPS))
    return points_by_seat[1], points_by_seat[2]


def test_lost_game_is_a_win_of_the_opponent_and_its_loser_has_no_points():
    result = apply_losses(EITHER, SWEEP_BY_1, [ImposedLoss(1, 2)], CORPS)

    assert result.games[0] == SWEEP_BY_1.games[0]
    assert result.games[1] == GameResult(2, 2, Role.CORP, GameEnd.JUDGE, 3, 0)
    assert EITHER.match_points(result) == {1: 10, 2: 13}


def test_game_lost_by_both_players_has_no_winner():
    losses = [ImposedLoss(1, 1), ImposedLoss(2, 1)]

    assert points(ONR, SWEEP_BY_1, *losses) == (10, 0)
    game = apply_losses(ONR, SWEEP_BY_1, losses, CORPS).games[0]
    assert game == GameResult(1, 1, None, GameEnd.JUDGE, 0, 0)
    result = MatchResult((win_game_without_points(1, Role.CORP), win_game_without_points(2, None)))
    game = apply_losses(DOUBLE, result, losses, CORPS).games[0]
    assert game == GameResult(1, 1, None, GameEnd.DOUBLE_LOSS)


def test_win_is_ten_points_whatever_the_winner_had():
    game = GameResult(1, 1, Role.CORP, GameEnd.JUDGE, 2, 12)
    result = MatchResult((game, win_game(2, Role.RUNNER)))

    assert points(ONR, result) == (20, 12)
    assert points(ONR, result, ImposedLoss(1, 1)) == (10, 10)


def test_no_show_does_not_win_by_a_penalty():
    alone = GameResult(1, 1, Role.CORP, GameEnd.NO_SHOW, 0, 0)
    result = MatchResult((alone, GameResult(2, 2, Role.RUNNER, GameEnd.NO_SHOW, 0, 0)))

    assert points(ONR, result, ImposedLoss(1, 1)) == (10, 0)
    assert points(DOUBLE, result, ImposedLoss(1, 1)) == (3, 0)


def test_unreported_match_is_open_until_every_game_is_lost():
    empty_result = MatchResult()

    assert apply_losses(ONR, empty_result, [ImposedLoss(1, 1)], CORPS) == empty_result
    assert not losses_decide(ONR, [ImposedLoss(1, 1)])
    assert points(ONR, empty_result, ImposedLoss(1)) == (0, 20)
    assert points(ONR, empty_result, ImposedLoss(1, 1), ImposedLoss(2, 2)) == (10, 10)
    assert points(SINGLE, empty_result, ImposedLoss(2, 1)) == (3, 0)
    assert losses_decide(SINGLE, [ImposedLoss(2, 1)])


def test_two_for_one_counts_a_lost_game_1_twice_and_ends_with_a_lost_game_2():
    result = MatchResult((win_game_without_points(1, Role.CORP),), frozenset({Flag.TWO_FOR_ONE}))

    assert points(DOUBLE, result) == (6, 0)
    assert points(DOUBLE, result, ImposedLoss(1, 1)) == (0, 6)
    assert points(DOUBLE, result, ImposedLoss(1, 2)) == (3, 3)
    ended = apply_losses(DOUBLE, result, [ImposedLoss(1, 2)], CORPS)
    assert ended.flags == frozenset()
    assert ended.games[1] == GameResult(2, 2, Role.CORP, GameEnd.JUDGE)


def test_players_in_swapped_seats_still_swap_roles():
    result = MatchResult(
        (GameResult(1, 2, Role.CORP, GameEnd.NOT_RECORDED),), frozenset({Flag.TWO_FOR_ONE})
    )

    lost_game = apply_losses(DOUBLE, result, [ImposedLoss(1, 2)], CORPS).games[1]

    assert (lost_game.corp, lost_game.winner) == (1, Role.RUNNER)


def test_second_game_of_an_intentional_draw_stays_drawn():
    agreed = MatchResult(flags=frozenset({Flag.INTENTIONAL_DRAW}))

    assert points(DOUBLE, agreed, ImposedLoss(1, 1)) == (1, 4)
    assert points(SINGLE, agreed, ImposedLoss(1, 1)) == (0, 3)
    assert not apply_losses(DOUBLE, agreed, [ImposedLoss(1, 1)], CORPS).is_intentional_draw


def test_only_a_lost_match_overrides_typed_totals():
    typed = MatchResult(totals=(6, 0))

    assert apply_losses(DOUBLE, typed, [ImposedLoss(1, 1)], CORPS) == typed
    assert points(DOUBLE, typed, ImposedLoss(1)) == (0, 6)
    assert points(DOUBLE, typed, ImposedLoss(1), ImposedLoss(2)) == (0, 0)
    assert points(SINGLE, MatchResult(totals=(3, 0)), ImposedLoss(1, 1)) == (0, 3)


@pytest.mark.parametrize(
    ("reported", "losers", "expected"),
    [
        ((9, 4, 2), {1}, (0, 4, 2)),
        ((9, 4, 0), {1}, (0, 5, 1)),
        ((9, 4, 0), {3}, (9, 4, 0)),
        ((9, 0, 0), {1, 2}, (0, 0, 1)),
        ((0, 0), {1}, (0, 1)),
    ],
)
def test_penalised_player_of_a_pod_is_last(reported, losers, expected):
    losses = [ImposedLoss(seat) for seat in losers]
    result = apply_losses(PODS, MatchResult(victory_points=reported), losses, {}, len(reported))

    assert result.victory_points == expected


def test_pod_continues_without_penalised_players_until_one_is_left():
    assert apply_losses(PODS, MatchResult(), [ImposedLoss(1)], {}, 3) == MatchResult()
    last = apply_losses(PODS, MatchResult(), [ImposedLoss(1), ImposedLoss(3, 1)], {}, 3)
    assert last.victory_points == (0, 1, 0)
    assert not losses_decide(PODS, [ImposedLoss(1), ImposedLoss(2)], 2)


DRAWN_TWICE = MatchResult((win_game_without_points(1, None),), frozenset({Flag.TWO_FOR_ONE}))
RULES = st.sampled_from(list(SCORING_RULES.values()))
LOSSES = st.sets(
    st.builds(ImposedLoss, st.sampled_from((1, 2)), st.sampled_from((None, 1, 2))), max_size=4
)


@st.composite
def results(draw, rule) -> MatchResult:
    """Any result that a table of two can report, under any rule."""
    if not rule.has_roles:
        return MatchResult(victory_points=(draw(st.integers(0, 9)), draw(st.integers(0, 9))))
    kinds = ["games"] if not rule.takes_totals else ["games", "totals", "agreed", "twice"]
    kind = draw(st.sampled_from(kinds))
    if kind == "totals":
        sums = [(6, 0), (0, 6), (3, 3), (4, 1), (2, 2)]
        of_one_game = [(3, 0), (0, 3), (1, 1)]
        return MatchResult(totals=draw(st.sampled_from(sums if rule is DOUBLE else of_one_game)))
    if kind == "agreed":
        return MatchResult(flags=frozenset({Flag.INTENTIONAL_DRAW}))
    flip = draw(st.booleans())
    count = 1 if kind == "twice" else rule.games_per_match
    flags = frozenset({Flag.TWO_FOR_ONE}) if kind == "twice" and rule is DOUBLE else frozenset()
    corps = (3 - number if flip else number for number in range(1, count + 1))
    games = (draw(games_of(rule, number, corp)) for number, corp in enumerate(corps, start=1))
    return MatchResult(tuple(games), flags)


@st.composite
def games_of(draw, rule, number: int, corp: int) -> GameResult:
    """A game with up to ten agenda points per side; nobody scores against a no-show."""
    winner, end = draw(st.sampled_from((None, *Role))), draw(st.sampled_from(rule.ends))
    max_points = 0 if end is GameEnd.NO_SHOW else 10
    points = st.integers(0, max_points)
    return GameResult(number, corp, winner, end, draw(points), draw(points))


@st.composite
def results_and_losses(draw) -> tuple[object, MatchResult, set[ImposedLoss]]:
    rule = draw(RULES)
    result, losses = draw(results(rule)), draw(LOSSES)
    assume(not list(rule.contradictions(result)))
    fitting = {loss for loss in losses if (loss.game or 1) <= rule.games_per_match}
    return rule, result, fitting


@given(results_and_losses())
@example((DOUBLE, DRAWN_TWICE, {ImposedLoss(2, 2)}))
def test_applying_losses_twice_changes_nothing(case):
    rule, result, losses = case

    applied_once = apply_losses(rule, result, losses, CORPS)

    assert apply_losses(rule, applied_once, losses, CORPS) == applied_once
    assert not list(rule.contradictions(applied_once))


@given(results_and_losses())
def test_loser_never_gains_and_opponent_never_loses(case):
    rule, result, losses = case
    before = rule.match_points(result)
    after = rule.match_points(apply_losses(rule, result, losses, CORPS))

    for loser_seat, opponent_seat in ((1, 2), (2, 1)):
        if {loss.seat for loss in losses} == {loser_seat}:
            assert after[loser_seat] <= before[loser_seat]
            assert after[opponent_seat] >= before[opponent_seat]


@given(RULES, LOSSES)
def test_losses_that_decide_settle_every_game(rule, losses):
    fitting = {loss for loss in losses if (loss.game or 1) <= rule.games_per_match}
    result = apply_losses(rule, MatchResult(), fitting, CORPS)

    assert bool(result) is (bool(fitting) and losses_decide(rule, fitting))
    assert not result or not list(rule.contradictions(result))


def test_lost_match_gives_the_winner_all_points():
    for rule, seat in product((ONR, EITHER, DOUBLE, SINGLE), (1, 2)):
        points_by_seat = rule.match_points(
            apply_losses(rule, MatchResult(), [ImposedLoss(seat)], CORPS)
        )
        assert points_by_seat == {seat: 0, 3 - seat: rule.bye_points}


class TestUnreportedGames:
    def test_lost_game_counts_as_decided_by_a_judge(self):
        (game,) = decided_games(ONR, [ImposedLoss(1, 2)], CORPS)

        assert (game.number, game.corp, game.winner, game.end) == (2, 2, Role.CORP, GameEnd.JUDGE)

    def test_pod_has_no_games_to_lose(self):
        assert lost_games(PODS, [ImposedLoss(1)]) == {}


class TestApartFromLosses:
    def test_lost_games_are_left_out(self):
        undecided = undecided_part(ONR, SWEEP_BY_1, [ImposedLoss(1, 2)])

        assert undecided.games == SWEEP_BY_1.games[:1]

    def test_victory_points_of_the_penalised_player_are_left_out(self):
        reported = MatchResult(victory_points=(30, 25, 25))

        assert undecided_part(PODS, reported, [ImposedLoss(2)]).victory_points == (30, 0, 25)


class TestWithReportedGames:
    def test_lost_game_is_stored_as_reported(self):
        stored = apply_losses(ONR, SWEEP_BY_1, [ImposedLoss(1, 2)], CORPS)

        assert restore_reported_games(ONR, stored, SWEEP_BY_1, [ImposedLoss(1, 2)]) == SWEEP_BY_1

    def test_lost_match_is_stored_as_reported(self):
        entered = apply_losses(ONR, SWEEP_BY_1, [ImposedLoss(1)], CORPS)

        assert restore_reported_games(ONR, entered, SWEEP_BY_1, [ImposedLoss(1)]) == SWEEP_BY_1

    def test_lost_game_that_was_never_reported_stays_as_entered(self):
        entered = MatchResult((win_game(1, Role.CORP), win_game(2, Role.CORP)))

        assert restore_reported_games(ONR, entered, MatchResult(), [ImposedLoss(1, 2)]) == entered

    def test_other_games_are_stored_as_entered(self):
        entered = MatchResult((win_game(1, Role.RUNNER), win_game(2, Role.CORP)))

        stored = restore_reported_games(ONR, entered, SWEEP_BY_1, [ImposedLoss(1, 2)])

        assert stored.games == (entered.games[0], SWEEP_BY_1.games[1])

    def test_report_with_other_roles_does_not_count(self):
        entered = MatchResult((win_game(1, Role.CORP), win_game(2, Role.CORP)))
        reported = MatchResult((win_game(1, Role.CORP, corp=2), win_game(2, Role.RUNNER, corp=1)))

        assert restore_reported_games(ONR, entered, reported, [ImposedLoss(1, 2)]) == entered

    @pytest.mark.parametrize(
        ("flag", "number", "is_left_out"),
        [
            (Flag.TWO_FOR_ONE, 2, True),
            (Flag.TWO_FOR_ONE, 1, False),
            (Flag.INTENTIONAL_DRAW, 1, True),
        ],
    )
    def test_lost_game_omitted_by_a_flag_is_left_out(self, flag, number, is_left_out):
        entered = MatchResult((win_game(number, Role.CORP),), flags=frozenset({flag}))

        stored = restore_reported_games(DOUBLE, entered, MatchResult(), [ImposedLoss(1, number)])

        assert (stored.games == ()) is is_left_out

    def test_victory_points_of_the_penalised_player_are_stored_as_reported(self):
        entered = MatchResult(victory_points=(28, 0, 24))
        reported = MatchResult(victory_points=(30, 25, 25))

        assert restore_reported_games(PODS, entered, reported, [ImposedLoss(2)]).victory_points == (
            28,
            25,
            24,
        )

    def test_victory_points_of_another_number_of_players_do_not_count(self):
        entered = MatchResult(victory_points=(28, 0, 24))

        assert restore_reported_games(PODS, entered, MatchResult(), [ImposedLoss(2)]) == entered
