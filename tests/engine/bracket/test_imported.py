"""A cut played elsewhere: its games and placings as in the imported file."""

from engine.bracket.games import (
    BracketGame,
    BracketGameState,
    BracketHalf,
    GameWon,
    ImportedGame,
    Placing,
    SeededPlayer,
    imported_bracket,
    imported_state,
    is_eliminated,
)

SEEDS = ["ada", "bea", "cy", "dan"]
GAMES = [
    ImportedGame(3, 2, ("cy", "ada")),
    ImportedGame(1, 1, ("ada", "dan")),
    ImportedGame(2, 1, ("bea", "cy")),
]


def test_imported_games_are_in_order_with_seeds():
    bracket = imported_bracket(GAMES, SEEDS)

    assert bracket.games == (
        BracketGame(1, BracketHalf.UPPER, 1, (SeededPlayer(1), SeededPlayer(4))),
        BracketGame(2, BracketHalf.UPPER, 1, (SeededPlayer(2), SeededPlayer(3))),
        BracketGame(3, BracketHalf.UPPER, 2, (SeededPlayer(3), SeededPlayer(1))),
    )
    assert (bracket.system, bracket.size, bracket.is_reseeded) == ("told_elimination", 4, True)


def test_imported_game_has_players_and_result():
    bracket = imported_bracket(GAMES, SEEDS)

    state = imported_state(bracket, SEEDS, [GameWon(2, "cy", corp="bea")], ["ada", None, "cy"])

    assert state.states == {
        1: BracketGameState(1, ("ada", "dan"), is_needed=True, corp=None, winner=None),
        2: BracketGameState(2, ("bea", "cy"), is_needed=True, corp="bea", winner="cy"),
        3: BracketGameState(3, ("cy", "ada"), is_needed=True, corp=None, winner=None),
    }


def test_imported_cut_has_no_next_games_and_places_from_1():
    state = imported_state(imported_bracket(GAMES, SEEDS), SEEDS, [], ["ada", None, "cy"])

    assert state.games == ()
    assert state.placings == (Placing(1, "ada"), Placing(2, None), Placing(3, "cy"))


def test_players_with_a_stated_placing_are_eliminated():
    bracket = imported_bracket(GAMES, SEEDS)
    state = imported_state(bracket, SEEDS, [GameWon(2, "cy", corp="bea")], ["ada", None, "cy"])

    assert [is_eliminated(bracket, state, player) for player in SEEDS] == [True, False, True, False]
