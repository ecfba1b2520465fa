"""A list that was read, and whose deck it is."""

import datetime
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from decks.formats.deck_text import DeckText
from decks.legality.lines import ResolvedLine
from decks.legality.records import CardSlot
from decks.models import Side
from decks.services.refusals import NothingRead, SideUnclear


@dataclass(frozen=True)
class ReadList:
    """A list with the cards of its lines, the side somebody gave it, and the day it is for."""

    deck: DeckText
    lines: tuple[ResolvedLine, ...]
    side: str | None
    date: datetime.date


def side_of_most(listed: ReadList, slots: Iterable[CardSlot]) -> str:
    """The side of most cards. Raises NothingRead, and SideUnclear for a tie or no card at all."""
    if listed.deck.problem and not listed.deck.cards:
        raise NothingRead(f"{listed.deck.problem} {listed.deck.remedy}".rstrip())
    copies = Counter(dict.fromkeys(Side.values, 0))
    for slot in slots:
        copies[slot.card.side] += slot.quantity
    (first, most), (_, fewest) = copies.most_common()
    if most == fewest:
        raise SideUnclear(_not_told(copies, listed.lines))
    return first


def _not_told(copies: Counter[str], lines: Iterable[ResolvedLine]) -> str:
    counts = f"{copies[Side.CORP]} Corp and {copies[Side.RUNNER]} Runner cards"
    message = f"The list has {counts}: say which side it is, Corp or Runner."
    fault = next((line.fault for line in lines if line.fault), None)
    if fault is None and not copies.total():
        return "The list names no card: write one card a line, or say which side it is."
    if fault is None:
        return message
    return f"{message} Line {fault.line}: {fault.message} {fault.remedy}"
