"""What single identities change about the rules of construction, as data.

Source: the texts of these cards, restated; DECK_RULES 4, 5, 7, 9 and 10.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from decks.legality.anr.deck import AnrDeck
from decks.legality.records import CardFacts

DRAFT_SET = "draft"


@dataclass(frozen=True)
class Terms:
    """How the decks of one identity depart from the common rules; `source` says why.

    `singleton`: at most one copy of each card. `any_copies` and `any_agendas`: no limit of
    copies, agendas of every faction. `guest_agendas`: so many different agendas of each other
    faction. `forbidden_faction`: no card of it. `first_copy_free`: the type of cards whose
    first copy of each title costs no influence.
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
    """The terms of an identity; without one the common rules hold."""
    if identity is None:
        return COMMON
    if any(printing.set_id == DRAFT_SET for printing in identity.printings):
        return DRAFT
    return BY_CARD_ID.get(identity.card_id, COMMON)


def ruling_identity(deck: AnrDeck) -> CardFacts | None:
    """The identity the deck is judged by: None if the list has none, or one of the other side.

    The other side's identity is a breach of its own; its figures say nothing about this deck.
    """
    identity = deck.identity
    return identity if identity is not None and identity.side == deck.side else None
