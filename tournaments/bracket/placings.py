"""Who came where: who goes out later is placed better, equals by seed (DESIGN 4.5)."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from tournaments.bracket.records import Bracket, Game, GameState, Half, Placing
from tournaments.standings import PlayerId


def placings(
    bracket: Bracket, seeds: Sequence[PlayerId], states: Mapping[int, GameState]
) -> tuple[Placing, ...]:
    """Every place, the winner first. The places of a round stay open until all of it is played."""
    order = [*_finalists(bracket, states)]
    for games in reversed(_rounds_that_put_out(bracket)):
        losers = [states[game.number].loser for game in games]
        if None in losers:
            order += [None] * len(losers)
        else:
            order += [player for player in seeds if player in losers]
    return tuple(Placing(rank, player) for rank, player in enumerate(order, start=1))


def _finalists(
    bracket: Bracket, states: Mapping[int, GameState]
) -> tuple[PlayerId | None, PlayerId | None]:
    last = states[bracket.final.number]
    if bracket.reset is not None and last.winner is not None:
        reset = states[bracket.reset.number]
        last = reset if reset.is_needed else last
    return last.winner, last.loser


def _rounds_that_put_out(bracket: Bracket) -> list[list[Game]]:
    """The rounds whose losers are out, the first one first, without the final."""
    half = Half.UPPER if bracket.reset is None else Half.LOWER
    games = [game for game in bracket.games if game.half is half and game != bracket.final]
    in_order = sorted(games, key=lambda game: game.round)
    return [list(group) for _, group in groupby(in_order, key=lambda game: game.round)]
