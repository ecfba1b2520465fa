"""Display names of the factions of Android: Netrunner."""

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
    """True if the card has no faction. Neutral cards are never in faction."""
    return card.faction in NEUTRAL


def name_of(faction: str) -> str:
    """Return the name of a faction; for an unknown faction, its id as words."""
    return NAMES.get(faction) or faction.replace("_", " ").title()
