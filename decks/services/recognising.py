"""Of which game a list is, when it was judged as one of another."""

from decks.catalogue import card_table
from decks.formats.deck_text import DeckText
from decks.formats.reading import read
from decks.games import GameSystem

GAMES = (GameSystem.ONR, GameSystem.ANR)
"""The games that have cards."""


def likelier_game(text: str, game: str) -> GameSystem | None:
    """The other game, where it knows more lines of the list than `game` does; else None."""
    deck = read(text)
    known = {one: _known(deck, one) for one in GAMES}
    best = max(GAMES, key=lambda one: known[one])
    return best if known[best] > known[GameSystem(game)] else None


def _known(deck: DeckText, game: GameSystem) -> int:
    table = card_table(game)
    return sum(table.find(line.title) is not None for line in deck.lines)
