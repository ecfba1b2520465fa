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

    game: str
    deck: DeckText
    lines: tuple[ResolvedLine, ...]
    side: str | None
    date: datetime.date


def side_of_most(listed: ReadList, slots: Iterable[CardSlot]) -> str:
    """The side of most cards; empty for a tie with lines to fix, which may decide it.

    Raises NothingRead, and SideUnclear for a tie of readable lines and for an empty list.
    """
    if listed.deck.problem and not listed.deck.cards:
        raise NothingRead(f"{listed.deck.problem} {listed.deck.remedy}".rstrip())
    copies = Counter(dict.fromkeys(Side.values, 0))
    for slot in slots:
        copies[slot.card.side] += slot.quantity
    (first, most), (_, fewest) = copies.most_common()
    if most != fewest:
        return first
    if any(line.fault for line in listed.lines):
        return ""
    raise SideUnclear(_why_unclear(copies))


def _why_unclear(copies: Counter[str]) -> str:
    if not copies.total():
        return "The list names no card: write one card a line, or say which side it is."
    counts = f"{copies[Side.CORP]} Corp and {copies[Side.RUNNER]} Runner cards"
    return f"The list has {counts}: say which side it is, Corp or Runner."
