"""A cut that was played elsewhere, in no bracket we know: games and places as a file has them."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.bracket.records import (
    Bracket,
    BracketState,
    Game,
    GameState,
    GameWon,
    Half,
    Placing,
    Seeded,
)
from engine.standings import PlayerId
from engine.systems import IMPORTED


@dataclass(frozen=True)
class ImportedGame:
    """A game of a round of the cut, counted from 1, and who played it."""

    number: int
    round: int
    players: tuple[PlayerId, PlayerId]


def imported_bracket(games: Sequence[ImportedGame], seeds: Sequence[PlayerId]) -> Bracket:
    """A bracket whose games name their players: nobody comes from another game."""
    place = {player: seed for seed, player in enumerate(seeds, start=1)}
    made = tuple(
        Game(
            game.number,
            Half.UPPER,
            game.round,
            (Seeded(place[game.players[0]]), Seeded(place[game.players[1]])),
        )
        for game in sorted(games, key=lambda game: game.number)
    )
    return Bracket(IMPORTED, len(seeds), made, is_reseeded=True)


def imported_state(
    bracket: Bracket,
    seeds: Sequence[PlayerId],
    results: Sequence[GameWon],
    places: Sequence[PlayerId | None],
) -> BracketState:
    """What is known of each game, and the places; nothing is left to be played."""
    won = {result.game: result for result in results}
    states = {}
    for game in bracket.games:
        players = tuple(seeds[source.seed - 1] for source in game.sources)  # type: ignore[union-attr]
        result = won.get(game.number)
        states[game.number] = GameState(
            game.number,
            (players[0], players[1]),
            is_needed=True,
            corp=result.corp if result else None,
            winner=result.winner if result else None,
        )
    placings = tuple(Placing(rank, player) for rank, player in enumerate(places, start=1))
    return BracketState(games=(), placings=placings, states=states)
