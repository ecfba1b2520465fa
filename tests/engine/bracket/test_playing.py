"""Next games, roles and placings."""

import itertools

import pytest

from engine.bracket.games import (
    BracketHalf,
    GameWon,
    ResultRefused,
    RolesBy,
    SeedsRefused,
    bracket_for,
    is_eliminated,
    play_bracket,
    rounds_left,
    rounds_of_cut,
)
from matches.scoring.results import Role
from tests.engine.bracket.events import after, better_seed, play_out, seeds_of, won

TOP_4 = bracket_for("double_elimination", 4)
TOP_8 = bracket_for("single_elimination", 8)


def pairs(state):
    return {game.number: tuple(seat.id for seat in game.seats) for game in state.games}


def roles(state, number):
    seats = next(game.seats for game in state.games if game.number == number)
    return {seat.id: seat.role for seat in seats}


def order(state):
    return [placing.id for placing in state.placings]


def test_first_games_can_be_played_immediately():
    assert pairs(after(TOP_4, [])) == {1: (101, 104), 2: (102, 103)}


def test_game_is_played_as_soon_as_both_players_are_known():
    assert pairs(after(TOP_4, won((1, 104), (2, 102)))) == {3: (102, 104), 4: (101, 103)}


def test_best_remaining_seed_meets_the_worst_remaining_seed():
    first_round = won((1, 108), (2, 102), (3, 103), (4, 105))

    assert pairs(after(TOP_8, first_round)) == {5: (102, 108), 6: (103, 105)}


def test_bracket_is_not_reseeded_during_a_round():
    assert pairs(after(TOP_8, won((1, 108), (2, 102), (3, 103)))) == {4: (104, 105)}


def test_fixed_bracket_starts_the_next_game_before_the_round_is_over():
    fixed = bracket_for("single_elimination", 8, fixed=True)

    assert pairs(after(fixed, won((1, 108), (2, 105)))) == {
        3: (102, 107),
        4: (103, 106),
        5: (105, 108),
    }


def test_rounds_left_are_counted_to_the_winner():
    first_round = won((1, 108), (2, 102), (3, 103), (4, 105))
    # A lower round waits for the losers of an upper one.
    halves = [after(TOP_4, results) for results in ([], won((1, 104), (2, 102)))]

    assert rounds_left(TOP_8, after(TOP_8, []).states) == 3
    assert rounds_left(TOP_8, after(TOP_8, first_round).states) == 2
    assert [rounds_left(TOP_4, state.states) for state in halves] == [4, 3]


def test_decided_games_at_the_tables_delay_the_next_round():
    bracket = bracket_for("double_elimination", 8)
    results: list[GameWon] = []
    for _round in range(2):
        games = pairs(after(bracket, results))
        results += won(*((number, min(players)) for number, players in games.items()))
    at_tables = pairs(after(bracket, results))
    upper_final = next(game.number for game in bracket.games if game.number in at_tables)
    results += won(
        *((game, min(seats)) for game, seats in at_tables.items() if game != upper_final)
    )
    states = after(bracket, results).states

    # The lower games of round 3 are over, the upper final is still open.
    assert bracket.games[upper_final - 1].half is BracketHalf.UPPER
    assert rounds_left(bracket, states) == 3
    assert rounds_left(bracket, states, at_tables) == 4


def eliminated_players(state):
    return [player for player in seeds_of(TOP_4) if is_eliminated(TOP_4, state, player)]


def test_loser_of_an_upper_game_plays_on_and_loser_of_a_lower_game_is_out():
    first_round = won((1, 104), (2, 102))

    assert eliminated_players(after(TOP_4, first_round)) == []
    assert eliminated_players(after(TOP_4, first_round + won((4, 103)))) == [101]


def test_only_a_lost_final_without_bracket_reset_ends_the_cut_for_its_loser():
    to_the_final = won((1, 101), (2, 102), (3, 101), (4, 103), (5, 102))

    assert eliminated_players(after(TOP_4, to_the_final + won((6, 101)))) == [102, 103, 104]
    assert eliminated_players(after(TOP_4, to_the_final + won((6, 102)))) == [103, 104]
    assert eliminated_players(after(TOP_4, to_the_final + won((6, 102), (7, 102)))) == [
        101,
        103,
        104,
    ]


def test_higher_seed_chooses_in_the_first_game():
    game = after(TOP_4, []).games[0]

    assert game.roles_by is RolesBy.CHOICE
    assert game.chooser == 101
    assert [seat.role for seat in game.seats] == [None, None]


def test_player_with_fewer_corp_games_is_corp_in_later_games():
    results = [GameWon(1, 101, corp=101), GameWon(2, 102, corp=103)]

    state = after(TOP_4, results)

    assert roles(state, 3) == {101: Role.RUNNER, 102: Role.CORP}
    assert roles(state, 4) == {103: Role.RUNNER, 104: Role.CORP}


def test_player_without_games_is_corp_by_the_count():
    top_3 = bracket_for("single_elimination", 3)

    state = after(top_3, [GameWon(1, 103, corp=103)])

    assert state.games[0].roles_by is RolesBy.COUNT
    assert state.games[0].chooser is None
    assert roles(state, 2) == {101: Role.CORP, 103: Role.RUNNER}


def test_equal_counts_are_drawn_repeatably():
    results = [GameWon(1, 101, corp=101), GameWon(2, 102, corp=102)]
    drawn = {
        seed: tuple(
            roles(after(TOP_4, shuffled, seed=seed), 3)[101]
            for shuffled in itertools.permutations(results)
        )
        for seed in range(20)
    }

    assert all(first == second for first, second in drawn.values())
    assert {first for first, _ in drawn.values()} == {Role.CORP, Role.RUNNER}


def test_recorded_role_overrides_the_assigned_role():
    results = [
        GameWon(1, 101, corp=101),
        GameWon(2, 102, corp=103),
        GameWon(3, 101, corp=101),
        GameWon(4, 103),
        GameWon(5, 103, corp=102),
    ]

    state = after(TOP_4, results)

    # 101 was Corp twice; 103 was Corp in game 2, then Runner in games 4 and 5.
    assert roles(state, 6) == {101: Role.RUNNER, 103: Role.CORP}


def test_unknown_choice_of_roles_does_not_count():
    top_4 = bracket_for("single_elimination", 4)

    state = after(top_4, [GameWon(1, 101), GameWon(2, 102, corp=102)])

    assert roles(state, 3) == {101: Role.CORP, 102: Role.RUNNER}


UP_TO_THE_FINAL = [
    GameWon(1, 101, corp=101),
    GameWon(2, 102, corp=103),
    GameWon(3, 101),
    GameWon(4, 104),
    GameWon(5, 102),
]


def test_reset_is_played_when_the_final_is_won_from_below():
    final = roles(after(TOP_4, UP_TO_THE_FINAL), 6)
    state = after(TOP_4, [*UP_TO_THE_FINAL, GameWon(6, 102)])

    assert pairs(state) == {7: (101, 102)}
    assert roles(state, 7) == {player: role.other for player, role in final.items()}
    assert state.games[0].roles_by is RolesBy.FINAL
    assert order(state) == [None, None, 104, 103]


def test_reset_swaps_the_roles_of_the_played_final():
    final_roles = roles(after(TOP_4, UP_TO_THE_FINAL), 6)
    runner = next(player for player, role in final_roles.items() if role is Role.RUNNER)

    state = after(TOP_4, [*UP_TO_THE_FINAL, GameWon(6, 102, corp=runner)])

    assert roles(state, 7)[runner] is Role.RUNNER


def test_without_a_loss_the_winner_of_the_final_needs_no_reset():
    state = after(TOP_4, [*UP_TO_THE_FINAL, GameWon(6, 101)])

    assert state.games == ()
    assert state.states[7].is_needed is False
    assert order(state) == [101, 102, 104, 103]


def test_reset_decides_the_cut():
    state = after(TOP_4, [*UP_TO_THE_FINAL, GameWon(6, 102), GameWon(7, 102)])

    assert state.is_over
    assert order(state) == [102, 101, 104, 103]


def test_players_eliminated_in_the_same_round_are_placed_by_seed():
    state = after(TOP_8, won((4, 105), (3, 106), (2, 102), (1, 108)))

    assert order(state) == [None, None, None, None, 101, 103, 104, 107]


def test_places_stay_open_until_their_round_is_played():
    assert order(after(TOP_8, won((1, 101), (2, 102), (3, 103)))) == [None] * 8


def test_without_upsets_places_equal_seeds():
    _, state = play_out(bracket_for("double_elimination", 16), better_seed)

    assert order(state) == seeds_of(bracket_for("double_elimination", 16))


@pytest.mark.parametrize(
    ("results", "message", "path"),
    [
        (won((8, 101)), "no game 8; the games are 1 to 7", "results[0].game"),
        (won((0, 101)), "no game 0", "results[0].game"),
        (won((1, 101), (2, 102), (1, 101)), "Game 1 has two results", "results[2].game"),
        (won((1, 101), (3, 101)), "Game 3 cannot be played yet", "results[1].game"),
        (won((2, 102), (1, 103)), "Player 103 does not play game 1", "results[1].winner"),
        ([GameWon(1, 101, corp=102)], "Player 102 does not play game 1", "results[0].corp"),
        (
            [*UP_TO_THE_FINAL, GameWon(6, 101), GameWon(7, 101)],
            "Game 7 is not played",
            "results[6].game",
        ),
        ([*UP_TO_THE_FINAL, GameWon(7, 101)], "Game 7 cannot be played yet", "results[5].game"),
    ],
)
def test_results_that_do_not_fit_are_refused(results, message, path):
    with pytest.raises(ResultRefused, match=message) as refusal:
        after(TOP_4, results)

    assert refusal.value.details == {"path": path}


def test_player_seeded_twice_is_refused():
    with pytest.raises(SeedsRefused, match="Player 3 is seeded twice") as refusal:
        play_bracket(TOP_4, [3, 5, 3, 8], [], seed=1)

    assert refusal.value.details == {"path": "seeds[2]"}


def test_seeds_fill_the_bracket():
    with pytest.raises(SeedsRefused, match="for 4 players, but 3 are seeded"):
        play_bracket(TOP_4, [3, 5, 8], [], seed=1)


@pytest.mark.parametrize(
    ("system", "size", "rounds"),
    [
        ("single_elimination", 4, 2),
        ("single_elimination", 6, 3),
        ("double_elimination", 4, 4),
        ("double_elimination", 8, 6),
    ],
)
def test_rounds_of_a_cut_exclude_the_reset(system: str, size: int, rounds: int):
    assert rounds_of_cut(system, size) == rounds
