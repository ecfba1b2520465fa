"""Brackets played to the end at random, and short notations of their games."""

import random
from collections.abc import Callable, Sequence

from engine.bracket.games import (
    Bracket,
    BracketGame,
    BracketState,
    GameWon,
    LoserOf,
    NextGame,
    PlayerSource,
    RemainingSeed,
    SeededPlayer,
    WinnerOf,
    play_bracket,
)

Choice = Callable[[NextGame], int]


def in_words(bracket: Bracket) -> list[str]:
    """["1: 1v4", "3: w1-w2", ...] in the notation of docs/rules.md."""
    return [_game(game) for game in bracket.games]


def _game(game: BracketGame) -> str:
    first, second = (_source(source) for source in game.sources)
    return f"{game.number}: {first}{'v' if first.isdigit() else '-'}{second}"


def _source(source: PlayerSource) -> str:
    match source:
        case SeededPlayer(seed):
            return str(seed)
        case WinnerOf(game):
            return f"w{game}"
        case LoserOf(game):
            return f"l{game}"
    assert isinstance(source, RemainingSeed)
    return f"best{source.place} after {source.after_round}"


def seeds_of(bracket: Bracket) -> list[int]:
    """Players 101, 102, ..., so that ids differ from seeds."""
    return list(range(101, 101 + bracket.size))


def play_out(
    bracket: Bracket, choose: Choice, *, seed: int = 7
) -> tuple[list[tuple[NextGame, GameWon]], BracketState]:
    """Play all open games, and then those that open; `choose` returns the winning seat (0 or 1)."""
    played: list[tuple[NextGame, GameWon]] = []
    state = play_bracket(bracket, seeds_of(bracket), (), seed=seed)
    while state.games:
        for game in state.games:
            winner = game.seats[choose(game)].id
            played.append((game, GameWon(game.number, winner, game.chooser)))
        state = play_bracket(
            bracket, seeds_of(bracket), [result for _, result in played], seed=seed
        )
    return played, state


def by_chance(seed: int) -> Choice:
    """A random winner."""
    chance = random.Random(seed)
    return lambda game: chance.randrange(2)


def better_seed(game: NextGame) -> int:
    """The better seed wins."""
    return 0


def won(*games: tuple[int, int]) -> list[GameWon]:
    """Results as (game, winner)."""
    return [GameWon(game, winner) for game, winner in games]


def after(bracket: Bracket, results: Sequence[GameWon], *, seed: int = 7) -> BracketState:
    """The bracket of players 101, 102, ... after these results."""
    return play_bracket(bracket, seeds_of(bracket), results, seed=seed)
