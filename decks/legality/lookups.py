"""Resolve one line to a card by code, id or title."""

from dataclasses import replace
from typing import NamedTuple

from decks.formats.deck_text import DeckLine, LineKind, ListForm, Reading
from decks.legality import line_faults
from decks.legality.card_table import CardTable
from decks.legality.records import Breach, CardFacts


class Found(NamedTuple):
    """The resolved line with its card and its fault, either of which may be None."""

    line: DeckLine
    card: CardFacts | None = None
    fault: Breach | None = None


def look_up(line: DeckLine, table: CardTable, form: ListForm, *, suggests: bool = True) -> Found:
    """Resolve a line. Nothing is guessed: ambiguous lines are reported as faults.

    With `suggests`, faults for unknown titles and wrong identities include similar titles.
    """
    if line.kind == LineKind.UNREADABLE:
        return Found(line, fault=line_faults.unreadable(line))
    if line.kind != LineKind.CARD:
        return Found(line)
    found = _named(line, table, form)
    if found.card is None:
        return found if found.fault else _unknown(line, table, suggests=suggests)
    if line.is_identity and not found.card.is_identity:
        fault = line_faults.no_identity_card(line, found.card, table, suggests=suggests)
        return found._replace(fault=fault)
    if found.line.quantity <= 0:
        fault = line_faults.copies(line, found.line.quantity, found.card.title)
        return found._replace(fault=fault)
    return found


def _named(line: DeckLine, table: CardTable, form: ListForm) -> Found:
    by_code = table.by_code(line.printing) if line.printing else None
    if by_code is None and line.card_id:
        return Found(_without_code(line), table.by_card_id(line.card_id))
    meant = _meanings(line, table) if line.title else []
    if by_code is not None:
        return _named_by_code(line, by_code, meant, form)
    if not meant:
        return Found(line)
    reading, card = meant[0]
    for _, other in meant[1:]:
        return Found(line, fault=line_faults.two_meanings(line, meant[0], other))
    return Found(_as_read(_without_code(line), reading), card)


def _named_by_code(
    line: DeckLine, card: CardFacts, meant: list[tuple[Reading, CardFacts]], form: ListForm
) -> Found:
    """The code takes precedence, but in typed lines it must not contradict the title."""
    readings = [reading for reading, one in meant if one is card]
    if meant and not readings and form == ListForm.PLAIN_TEXT and not line.is_identity:
        return Found(line, fault=line_faults.two_names(line, card, meant[0][1]))
    if len(readings) > 1:
        return Found(line, fault=line_faults.two_meanings(line, (readings[0], card), card))
    return Found(_as_read(line, readings[0]) if readings else line, card)


def _meanings(line: DeckLine, table: CardTable) -> list[tuple[Reading, CardFacts]]:
    """Return the readings that match cards, one for each quantity.

    For the same quantity the longest title is chosen, because it covers most of the line.
    """
    by_copies: dict[int, tuple[Reading, CardFacts]] = {}
    for reading in line.readings:
        card = table.find(reading.title)
        if card is None or (reading.is_loose and _may_be_longer(reading, table)):
            continue
        known = by_copies.get(reading.quantity)
        if known is None or len(reading.title) > len(known[0].title):
            by_copies[reading.quantity] = (reading, card)
    return list(by_copies.values())


def _may_be_longer(reading: Reading, table: CardTable) -> bool:
    """True if the number may be part of a longer title: "Fang 2" of "Fang 2.0"."""
    return table.may_go_on(f"{reading.title} {reading.quantity}")


def _as_read(line: DeckLine, reading: Reading) -> DeckLine:
    if reading.title == line.title and reading.quantity == line.quantity:
        return line
    quantity, title, is_bare, _ = reading
    return replace(line, quantity=quantity, title=title, is_bare=is_bare)


def _without_code(line: DeckLine) -> DeckLine:
    return replace(line, printing="") if line.printing else line


def _unknown(line: DeckLine, table: CardTable, *, suggests: bool) -> Found:
    if line.maybe_heading and not table.looks_like_a_card(line.title):
        return Found(line)
    if line.quantity <= 0 and not line.is_identity:
        name = line.title or line.card_id or line.printing
        return Found(line, fault=line_faults.copies(line, line.quantity, name))
    return Found(line, fault=line_faults.unknown(line, table, suggests=suggests))
