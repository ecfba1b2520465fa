"""Card data shipped with the project."""

from collections.abc import Callable, Mapping
from functools import cache

from decks.card_data import anr, plain
from decks.card_data.records import CardData
from decks.card_data.references import checked
from decks.games import ANR, GAMES
from decks.titles import folded_title

_READERS: Mapping[str, Callable[..., CardData]] = {
    "plain": plain.read,
    # The game is fixed: this layout exists only for Android: Netrunner.
    "public": lambda _, *files: anr.read(*files),
}


@cache
def shipped(game: str) -> CardData:
    """Load the shipped data of a game once. Raises KeyError if there is none."""
    tables = GAMES[game].card_tables
    if tables is None:
        raise KeyError(game)
    return checked(_READERS[tables.layout](GAMES[game], *tables.files))


def subtype_names() -> dict[str, str]:
    """Map ids such as "code_gate" to the names of the known subtypes."""
    names = {name for card in shipped(ANR.id).cards for name in card.subtypes.split(" - ")}
    return {folded_title(name).replace(" ", "_"): name for name in names if name}
