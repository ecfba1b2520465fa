"""A cut imported from a file: its games and places, in no bracket of ours."""

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
    """A game of an imported cut. Rounds count from 1."""

    number: int
    round: int
    players: tuple[PlayerId, PlayerId]


def imported_bracket(games: Sequence[ImportedGame], seeds: Sequence[PlayerId]) -> Bracket:
    """Return a bracket whose games name their players instead of earlier games."""
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
    """Return the state of each game and the places; no games are left to play."""
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
