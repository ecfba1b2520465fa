"""The tables shipped with the project."""

from collections.abc import Callable, Mapping
from functools import cache

from decks.card_data import anr, plain
from decks.card_data.records import CardData
from decks.card_data.references import checked
from decks.games import ANR, GAMES
from decks.titles import folded_title

_READERS: Mapping[str, Callable[..., CardData]] = {
    "plain": plain.read,
    # These are the tables of one game, whoever names them.
    "public": lambda _, *files: anr.read(*files),
}


@cache
def shipped(game: str) -> CardData:
    """The shipped data of a game, read once. KeyError for a game without any."""
    tables = GAMES[game].card_tables
    if tables is None:
        raise KeyError(game)
    return checked(_READERS[tables.layout](GAMES[game], *tables.files))


def subtype_names() -> dict[str, str]:
    """Names of the subtypes we know by the ids other programs give them, as "code_gate"."""
    names = {name for card in shipped(ANR.id).cards for name in card.subtypes.split(" - ")}
    return {folded_title(name).replace(" ", "_"): name for name in names if name}
