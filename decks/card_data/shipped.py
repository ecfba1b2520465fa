"""The tables shipped with the project."""

from functools import cache
from pathlib import Path

from decks.card_data import anr, onr
from decks.card_data.records import CardData
from decks.card_data.references import checked
from decks.titles import folded_title

DATA = Path(__file__).parents[1] / "data"
CARDS_ONR = DATA / "cards_onr.csv"
ALIASES_ONR = DATA / "cards_onr_aliases.csv"
CARDS_ANR = DATA / "cards_anr.csv"
PRINTINGS_ANR = DATA / "printings_anr.csv"
FORMATS_ANR = DATA / "formats_anr.json"


@cache
def shipped(game: str) -> CardData:
    """The shipped data of "onr" or "anr", read once. KeyError for another game."""
    readers = {
        "onr": lambda: onr.read(CARDS_ONR, ALIASES_ONR),
        "anr": lambda: anr.read(CARDS_ANR, PRINTINGS_ANR, FORMATS_ANR),
    }
    return checked(readers[game]())


def subtype_names() -> dict[str, str]:
    """Names of the subtypes we know by the ids other programs give them, as "code_gate"."""
    names = {name for card in shipped("anr").cards for name in card.subtypes.split(" - ")}
    return {folded_title(name).replace(" ", "_"): name for name in names if name}
