"""A parsed list, and the side it belongs to."""

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
    """A list with its resolved lines, the given side, and the day of the check."""

    game: str
    deck: DeckText
    lines: tuple[ResolvedLine, ...]
    side: str | None
    date: datetime.date


def side_of_most(listed: ReadList, slots: Iterable[CardSlot]) -> str:
    """Return the side of most cards; empty for a tie if faulty lines may decide it.

    Raises NothingRead, and SideUnclear for an empty list or a tie without faulty lines.
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
