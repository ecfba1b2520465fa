"""The factions of Android: Netrunner as messages call them."""

from decks.legality.records import CardFacts

NEUTRAL = frozenset({"neutral_corp", "neutral_runner"})

NAMES = {
    "adam": "Adam",
    "anarch": "Anarch",
    "apex": "Apex",
    "criminal": "Criminal",
    "haas_bioroid": "Haas-Bioroid",
    "jinteki": "Jinteki",
    "nbn": "NBN",
    "neutral_corp": "Neutral",
    "neutral_runner": "Neutral",
    "shaper": "Shaper",
    "sunny_lebeau": "Sunny Lebeau",
    "weyland_consortium": "Weyland Consortium",
}


def is_neutral(card: CardFacts) -> bool:
    """Whether the card is of no faction. Neutral cards are in faction for nobody."""
    return card.faction in NEUTRAL


def name_of(faction: str) -> str:
    """The name of a faction by its id; one that is not known keeps the words of its id."""
    return NAMES.get(faction) or faction.replace("_", " ").title()
