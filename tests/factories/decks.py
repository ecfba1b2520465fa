"""Cards and lists for tests, from the shipped cards."""

import random

from decks.catalogue import shipped_tables
from decks.legality.card_tables import CardTable
from decks.legality.records import CardFacts, CardSlot, FormatTable
from decks.sample_decks import sample_deck


def shipped_table(game: str = "onr") -> CardTable:
    """The card table as the importer would load it, without a database."""
    return shipped_tables(game).cards


def shipped_formats() -> FormatTable:
    """The formats of `anr` as the importer would load them, without a database."""
    return shipped_tables("anr").formats


def card(title: str, game: str = "onr") -> CardFacts:
    card_ = shipped_table(game).find(title)
    assert card_ is not None, title
    return card_


def agenda(points: int, number: int = 1) -> CardFacts:
    """An invented agenda worth this many points."""
    title = f"Agenda {number} of {points}"
    return CardFacts(-number, title, title.casefold(), "corp", "agenda", points)


def filler(side: str, number: int = 1) -> CardFacts:
    """An invented card without agenda points."""
    title = f"Filler {number} of the {side}"
    type_ = "ice" if side == "corp" else "program"
    return CardFacts(-1000 - number, title, title.casefold(), side, type_)


def corp_deck(size: int, points: int) -> list[CardSlot]:
    """`size` cards including 1-point agendas worth `points` in total."""
    slots = [CardSlot(agenda(1), points, 1), CardSlot(filler("corp"), size - points, 2)]
    return [slot for slot in slots if slot.quantity]


def runner_deck(size: int) -> list[CardSlot]:
    return [CardSlot(filler("runner"), size, 1)] if size else []


def legal_corp_list(seed: int = 1) -> str:
    """The text of a legal Corp deck of 45 real cards."""
    return sample_deck("corp", random.Random(seed), shipped_table().cards)


def legal_runner_list(seed: int = 1) -> str:
    """The text of a legal Runner deck of 45 real cards."""
    return sample_deck("runner", random.Random(seed), shipped_table().cards)
