"""Brackets replayed game by game from the lists in docs/reference/rules.md.

A replay needs seeds (best first) and results. Single elimination of any size is reseeded after each
round. Double elimination is listed for 4, 8 and 16 players, a fixed single bracket for 4 and 8.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

# The games in order, without the reset after the last game.
DOUBLE = {
    4: "1v4 2v3 w1-w2 l1-l2 l3-w4 w3-w5",
    8: "1v8 4v5 2v7 3v6 w1-w2 w3-w4 l1-l2 l3-l4 w5-w6 l6-w7 l5-w8 w10-w11 l9-w12 w9-w13",
    16: (
        "1v16 8v9 5v12 4v13 3v14 6v11 7v10 2v15 l1-l2 l3-l4 l5-l6 l7-l8 w1-w2 w3-w4 w5-w6 w7-w8 "
        "l16-w9 l15-w10 l14-w11 l13-w12 w13-w14 w15-w16 w17-w18 w19-w20 l21-w23 l22-w24 w21-w22 "
        "w25-w26 l27-w28 w27-w29"
    ),
}

# Single elimination along the upper half of the same brackets.
FIXED = {4: "1v4 2v3 w1-w2", 8: "1v8 4v5 2v7 3v6 w1-w2 w3-w4 w5-w6"}

FIXED_OUT_IN = {4: ((1, 2),), 8: ((1, 2, 3, 4), (5, 6))}

# Games whose losers are out, by stage; losers of the first stage come last.
OUT_IN = {
    4: ((4,), (5,)),
    8: ((7, 8), (10, 11), (12,), (13,)),
    16: ((9, 10, 11, 12), (17, 18, 19, 20), (23, 24), (25, 26), (28,), (29,)),
}


@dataclass
class Replay:
    """Players and winners of each game, and the games of each stage."""

    players: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    winners: dict[int, Any] = field(default_factory=dict)
    stages: list[tuple[int, ...]] = field(default_factory=list)
    final: int = 0
    reset: int | None = None

    def loser(self, game: int) -> Any:
        """Return the loser of a game, None while it is open."""
        if game not in self.winners:
            return None
        return next(id_ for id_ in self.players[game] if id_ != self.winners[game])

    def open_games(self) -> set[int]:
        """Return the games that can be played now."""
        return {game for game in self.players if game not in self.winners}


def replay_double(seeds: list[Any], winners: dict[int, Any]) -> Replay:
    """Return a double elimination of 4, 8 or 16 after these results."""
    replay = _replay_list(DOUBLE[len(seeds)], OUT_IN[len(seeds)], seeds, winners)
    last_player = replay.players.get(replay.final, (None, None))[1]
    if last_player is not None and replay.winners.get(replay.final) == last_player:
        replay.reset = replay.final + 1
        _add(replay, replay.reset, *replay.players[replay.final], winners)
    return replay


def replay_fixed(seeds: list[Any], winners: dict[int, Any]) -> Replay:
    """Return a fixed single elimination of 4 or 8 after these results."""
    return _replay_list(FIXED[len(seeds)], FIXED_OUT_IN[len(seeds)], seeds, winners)


def _replay_list(
    games: str, stages: tuple[tuple[int, ...], ...], seeds: list[Any], winners: dict[int, Any]
) -> Replay:
    lines_ = games.split()
    replay = Replay(stages=list(stages), final=len(lines_))
    for number, sources in enumerate(lines_, start=1):
        first, second = (
            _player(replay, seeds, source) for source in sources.replace("v", "-").split("-")
        )
        _add(replay, number, first, second, winners)
    return replay


def replay_single(seeds: list[Any], winners: dict[int, Any]) -> Replay:
    """Return a single elimination, reseeded after each round, as far as the results go."""
    seed_index = {id_: index for index, id_ in enumerate(seeds)}
    replay, remaining, number = Replay(final=len(seeds) - 1), list(seeds), 0
    while len(remaining) > 1:
        # Only the first round has waiting players.
        waiting = (1 << (len(remaining) - 1).bit_length()) - len(remaining)
        playing = remaining[waiting:]
        stage = range(number + 1, number + 1 + len(playing) // 2)
        for game in stage:
            index = game - number - 1
            _add(replay, game, playing[index], playing[-1 - index], winners)
        number += len(stage)
        replay.stages.append(tuple(stage))
        if any(game not in replay.winners for game in stage):
            break
        remaining = sorted(
            [*remaining[:waiting], *(winners[game] for game in stage)], key=seed_index.__getitem__
        )
    replay.stages = [stage for stage in replay.stages if replay.final not in stage]
    return replay


def _player(replay: Replay, seeds: list[Any], source: str) -> Any:
    sources: dict[str, Callable[[int], Any]] = {"w": replay.winners.get, "l": replay.loser}
    if source[0] in sources:
        return sources[source[0]](int(source[1:]))
    return seeds[int(source) - 1]


def _add(replay: Replay, game: int, first: Any, second: Any, winners: dict[int, Any]) -> None:
    if first is None or second is None:
        return
    replay.players[game] = (first, second)
    if game in winners:
        replay.winners[game] = winners[game]
