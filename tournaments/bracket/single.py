"""Single elimination, seeded anew from round to round or fixed (DESIGN 4.5)."""

from tournaments.bracket.assembling import (
    Assembly,
    add_first_round,
    add_upper_round,
    rounds_of,
)
from tournaments.bracket.records import Game, Half, Seeded, Source, StillIn


def fixed_games(size: int) -> tuple[Game, ...]:
    """Who meets whom later is fixed at the start: the winners of 1v8 and 4v5, and so on."""
    assembly = Assembly()
    add_first_round(assembly, size)
    rounds = rounds_of(size)
    for round_ in range(2, rounds + 1):
        add_upper_round(assembly, round_, range(1 << (rounds - round_)))
    return tuple(assembly.games)


def reseeded_games(size: int) -> tuple[Game, ...]:
    """In each round the best seed left meets the worst one left.

    Of a size that is no power of two the best seeds wait in round 1, until one is left: of three,
    2 meets 3 while 1 waits.
    """
    games: list[Game] = []
    left = 1 << rounds_of(size)
    waiting, players = left - size, size
    for round_ in range(1, rounds_of(size) + 1):
        for place in range(waiting + 1, (waiting + players) // 2 + 1):
            pair = (place, waiting + players + 1 - place)
            sources: tuple[Source, Source] = (_of(round_, pair[0]), _of(round_, pair[1]))
            games.append(Game(len(games) + 1, Half.UPPER, round_, sources))
        left //= 2
        waiting, players = 0, left
    return tuple(games)


def _of(round_: int, place: int) -> Source:
    return Seeded(place) if round_ == 1 else StillIn(round_ - 1, place)
