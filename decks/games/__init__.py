"""The supported games; other code does not refer to a game by its id.

Use the attributes of a game instead: `games.GAMES[tournament.game].has_decks`. To add a game, add a
record here, and a scoring rule in matches.scoring.definitions if none fits. Then run
`makemigrations` and update docs/openapi.yaml. tests/fourth_game adds a game this way.
"""

from decks.games.anr import ANR
from decks.games.free_radicals import FREE_RADICALS
from decks.games.onr import ONR
from decks.games.record import CardTables, Game, Words

__all__ = [
    "ANR",
    "DEFAULT",
    "FREE_RADICALS",
    "GAMES",
    "ONR",
    "CardTables",
    "Game",
    "Words",
    "choices",
    "for_abr",
    "with_decks",
]

# By id, in menu order.
GAMES: dict[str, Game] = {game.id: game for game in (ONR, ANR, FREE_RADICALS)}
DEFAULT = next(game for game in GAMES.values() if game.is_default)


def choices() -> list[tuple[str, str]]:
    return [(game.id, game.name) for game in GAMES.values()]


# Choices fixed at start-up, for definitions that are evaluated only once.
CHOICES = choices()


def with_decks() -> tuple[Game, ...]:
    return tuple(game for game in GAMES.values() if game.has_decks)


def for_abr() -> Game:
    """The only game with results on AlwaysBeRunning."""
    return next(game for game in GAMES.values() if game.is_on_abr)
