"""What each line of a list says: a card, nothing, or something to mend."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.text import comparison_key
from decks.formats.deck_text import DeckLine, DeckText, LineKind
from decks.legality.card_table import CardTable
from decks.legality.records import Breach, CardFacts, CardSlot

READING = "Reading of lists: a line is a number of copies and a title"


@dataclass(frozen=True)
class ResolvedLine:
    """A line with the card it names, or with what is wrong with it; or neither."""

    line: DeckLine
    card: CardFacts | None = None
    fault: Breach | None = None

    @property
    def counts(self) -> bool:
        return self.card is not None and self.fault is None


def resolve(deck: DeckText, table: CardTable) -> tuple[ResolvedLine, ...]:
    """Every line looked up. Nothing is guessed: a near title is only a suggestion."""
    return tuple(_resolve_line(line, table) for line in deck.lines)


def slots_of(lines: Iterable[ResolvedLine]) -> tuple[CardSlot, ...]:
    """The lines that add cards to the deck."""
    return tuple(
        CardSlot(line.card, line.line.quantity, line.line.number)
        for line in lines
        if line.card is not None and line.counts
    )


def breaches(deck: DeckText, lines: Sequence[ResolvedLine]) -> Iterator[Breach]:
    """What is wrong with the reading, before any rule of the game."""
    if deck.problem:
        remedy = "Hand in one deck, one card a line."
        yield Breach("list_too_long", deck.problem, remedy, rule=READING)
    yield from (line.fault for line in lines if line.fault is not None)


def unread_copies(lines: Iterable[ResolvedLine]) -> int:
    """Copies on lines whose title is unknown."""
    faults = (line for line in lines if line.fault and line.fault.code == "unknown_card")
    return sum(line.line.quantity for line in faults)


def canonical_entries(lines: Iterable[ResolvedLine]) -> Iterator[tuple[str, int]]:
    """(title_key, copies) for the seal; unknown titles stand in their own spelling."""
    for line in lines:
        if line.card is not None or line.fault is not None:
            title = line.line.title or line.line.text
            key = line.card.title_key if line.card else comparison_key(title)
            yield key, line.line.quantity


def _resolve_line(line: DeckLine, table: CardTable) -> ResolvedLine:
    if line.kind == LineKind.UNREADABLE:
        remedy = "Write the number of copies and the title, such as: 3 Bodyweight Data Creche"
        fault = Breach("unreadable_line", line.reason, remedy, line.number, rule=READING)
        return ResolvedLine(line, fault=fault)
    if line.kind != LineKind.CARD:
        return ResolvedLine(line)
    card = table.find(line.title)
    if card is None:
        return _unknown(line, table)
    if line.quantity <= 0:
        return ResolvedLine(line, card, _quantity_fault(line, card.title))
    return ResolvedLine(line, card)


def _unknown(line: DeckLine, table: CardTable) -> ResolvedLine:
    if line.maybe_heading and not table.looks_like_a_card(line.title):
        return ResolvedLine(line)
    if line.quantity <= 0:
        return ResolvedLine(line, fault=_quantity_fault(line, line.title))
    nearest = table.nearest(line.title)
    remedy = "Put # before the line if it is not a card."
    if nearest:
        remedy = f"Nearest titles: {'; '.join(nearest)}. {remedy}"
    message = f'No card is called "{line.title}".'
    fault = Breach("unknown_card", message, remedy, line.number, line.title, READING)
    return ResolvedLine(line, fault=fault)


def _quantity_fault(line: DeckLine, title: str) -> Breach:
    message = f"{line.quantity} copies of {title}: a line has at least 1."
    remedy = "Write how many copies there are, or take the line out."
    return Breach("quantity", message, remedy, line.number, title, READING)
