"""The games that can be played: no other code knows one by its id.

Ask the record of a game what it is like: `games.GAMES[tournament.game].has_decks`. Another game
is another record here, with a scoring rule in matches.scoring.definitions if none there is its
own; `makemigrations` and docs/openapi.yaml then tell it too. tests/fourth_game adds one.
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

GAMES: dict[str, Game] = {game.id: game for game in (ONR, ANR, FREE_RADICALS)}
"""By id, in the order of every menu."""
DEFAULT = next(game for game in GAMES.values() if game.is_default)


def choices() -> list[tuple[str, str]]:
    """(id, name) of each game."""
    return [(game.id, game.name) for game in GAMES.values()]


CHOICES = choices()
"""For what is described once, when the site starts."""


def with_decks() -> tuple[Game, ...]:
    """The games that have cards, and decks made of them."""
    return tuple(game for game in GAMES.values() if game.has_decks)


def for_abr() -> Game:
    """The game whose results AlwaysBeRunning takes."""
    return next(game for game in GAMES.values() if game.is_on_abr)
