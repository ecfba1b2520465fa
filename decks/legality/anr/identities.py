"""Exceptions of single identities to the rules of deck construction, as data.

Source: the texts of these cards, restated; DECK_RULES 4, 5, 7, 9 and 10.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from decks.legality.anr.deck import AnrDeck
from decks.legality.records import CardFacts

DRAFT_SET = "draft"


@dataclass(frozen=True)
class Terms:
    """Exceptions of one identity to the common rules; `source` is their origin.

    `singleton`: at most one copy of each card. `any_copies`: no copy limit. `any_agendas`: agendas
    of every faction. `guest_agendas`: maximum number of different agendas of each other faction.
    `forbidden_faction`: no card of this faction. `first_copy_free`: the card type whose first copy
    of each title costs no influence.
    """

    source: str = ""
    singleton: bool = False
    any_copies: bool = False
    any_agendas: bool = False
    guest_agendas: int = 0
    forbidden_faction: str = ""
    first_copy_free: str = ""


COMMON = Terms()

DRAFT = Terms(
    "Draft set: any number of copies, and agendas of every faction",
    any_copies=True,
    any_agendas=True,
)

BY_CARD_ID: Mapping[str, Terms] = {
    "ampere_cybernetics_for_anyone": Terms(
        "Text of Ampère: Cybernetics For Anyone:"
        " 1 copy of a card at most, and up to 2 different agendas of each faction",
        singleton=True,
        guest_agendas=2,
    ),
    "nova_initiumia_catalyst_impetus": Terms(
        "Text of Nova Initiumia: Catalyst & Impetus: 1 copy of a card at most",
        singleton=True,
    ),
    "custom_biotics_engineered_for_success": Terms(
        "Text of Custom Biotics: Engineered for Success: no Jinteki cards",
        forbidden_faction="jinteki",
    ),
    "the_professor_keeper_of_knowledge": Terms(
        "Text of The Professor: Keeper of Knowledge:"
        " the first copy of each program costs no influence",
        first_copy_free="program",
    ),
}


def terms_of(identity: CardFacts | None) -> Terms:
    """Return the terms of an identity, or the common rules without an identity."""
    if identity is None:
        return COMMON
    if any(printing.set_id == DRAFT_SET for printing in identity.printings):
        return DRAFT
    return BY_CARD_ID.get(identity.card_id, COMMON)


def ruling_identity(deck: AnrDeck) -> CardFacts | None:
    """Return the identity that governs the deck, or None if it is missing or of the wrong side.

    An identity of the wrong side is a breach of its own; its figures do not apply to this deck.
    """
    identity = deck.identity
    return identity if identity is not None and identity.side == deck.side else None
