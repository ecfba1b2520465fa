"""Pasted lists of real Android: Netrunner cards, and their resolved lines."""

from decks.formats import readers
from decks.formats.deck_text import DeckText
from decks.legality import deck_lines
from decks.legality.deck_lines import ResolvedLine
from tests.factories.decks import shipped_table

# Core Set cards; legal by the basic rules, 45 cards and 14 influence.
CORE_RUNNER_TEXT = """\
Noise: Hacker Extraordinaire (Core Set)

Event (14)
2x Account Siphon (Core Set) ••••• •••
3x Déjà Vu (Core Set)
3x Diesel (Core Set) ••••• •
3x Sure Gamble (Core Set)
3x Stimhack (Core Set)

Resource (6)
3x Wyldside (Core Set)
3x Ice Carver (Core Set)

Program (22)
3x Parasite (Core Set)
2x Yog.0 (Core Set)
3x Corroder (Core Set)
3x Mimic (Core Set)
3x Medium (Core Set)
3x Datasucker (Core Set)
3x Djinn (Core Set)
2x Grimoire (Core Set)
3x Infiltration (Core Set)
"""

# Legal in Standard from the rotation of April 2025 on; Sting! is banned from 3 October 2025.
RESTORING_TEXT = """\
Jinteki: Restoring Humanity

3 Send a Message
3 Offworld Office
3 Sting!
1 Longevity Serum
3 Urtica Cipher
3 Regolith Mining License
3 Diviner
3 Karunā
3 Tithe
3 Palisade
3 Anemone
3 Whitespace
3 Hedge Fund
3 Hansei Review
3 Neurospike
2 Mavirus
"""


def resolved(text: str, game: str = "anr") -> tuple[DeckText, tuple[ResolvedLine, ...]]:
    deck = readers.read_deck(text)
    return deck, deck_lines.resolve_lines(deck, shipped_table(game))
