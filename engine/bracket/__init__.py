"""Brackets: from seeds and results to playable games and placings."""

from functools import lru_cache

from engine.bracket.games import double_games, fixed_games, reseeded_games
from engine.bracket.imported import ImportedGame, imported_bracket, imported_state
from engine.bracket.playing import is_out, play, rounds_left
from engine.bracket.records import (
    Bracket,
    BracketRefused,
    BracketState,
    Game,
    GameState,
    GameWon,
    Half,
    LoserOf,
    NextGame,
    ResultRefused,
    RolesBy,
    Seeded,
    SeedsRefused,
    Source,
    StillIn,
    UnknownSystem,
    WinnerOf,
)
from engine.systems import IMPORTED


def bracket_for(system: str, size: int, *, fixed: bool = False) -> Bracket:
    """Return the games of a cut of at least 2 players.

    A single elimination is reseeded after every round unless it is `fixed`; a double elimination is
    always fixed. Raises UnknownSystem, SeedsRefused.
    """
    if size < 2:
        raise SeedsRefused(f"A bracket needs at least 2 players, there are {size}.", "seeds")
    if system == "double_elimination":
        return Bracket(system, size, double_games(size))
    if system != "single_elimination":
        raise UnknownSystem(f"{system!r} is not a kind of elimination.", "system")
    if fixed:
        return Bracket(system, size, fixed_games(size))
    return Bracket(system, size, reseeded_games(size), is_reseeded=True)


@lru_cache(maxsize=64)
def rounds_of_cut(system: str, size: int) -> int:
    """Return the number of rounds of a cut, without a bracket reset."""
    bracket = bracket_for(system, size)
    return rounds_left(bracket, play(bracket, range(1, size + 1), (), seed=0).states)
