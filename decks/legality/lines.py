"""Resolve the lines of a list to cards or faults."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.text import comparison_key
from decks.formats import headings, markup
from decks.formats.deck_text import DeckLine, DeckText, LineKind, ListForm
from decks.legality import line_faults
from decks.legality.card_table import CardTable
from decks.legality.line_faults import IDENTITY, READING
from decks.legality.lookups import look_up
from decks.legality.records import Breach, CardFacts, CardSlot

SLUG = re.compile(r"[\w-]+")
YEAR = re.compile(r"(?:19|20)\d\d ")
UNREAD = ("unknown_card", "unknown_printing")


@dataclass(frozen=True)
class ResolvedLine:
    """A line with its card and its fault, either of which may be None.

    For ambiguous lines, `line` is the reading that matches the card.
    """

    line: DeckLine
    card: CardFacts | None = None
    fault: Breach | None = None

    @property
    def is_identity(self) -> bool:
        """True if the line names an identity without a fault."""
        return self.card is not None and self.fault is None and self.card.is_identity

    @property
    def is_unknown(self) -> bool:
        return self.fault is not None and self.fault.code == "unknown_card"


def resolve(deck: DeckText, table: CardTable) -> tuple[ResolvedLine, ...]:
    """Look up every line. Nothing is guessed: similar titles are only suggestions."""
    lines: list[ResolvedLine] = []
    faults = 0
    for line in deck.lines:
        suggests = faults < line_faults.MOST_SUGGESTIONS
        lines.append(ResolvedLine(*look_up(line, table, deck.form, suggests=suggests)))
        faults += lines[-1].fault is not None
    if table.has_identities:
        _mark_the_name(lines, table)
        _mark_the_identity(lines, table)
        _drop_the_identity_among_the_cards(lines)
    else:
        _mark_an_unknown_first_line(lines, table)
    return tuple(lines)


def slots_of(lines: Iterable[ResolvedLine]) -> tuple[CardSlot, ...]:
    """Return the lines that add cards to the deck, without the identity."""
    return tuple(
        CardSlot(line.card, line.line.quantity, line.line.number, line.line.printing)
        for line in lines
        if line.card is not None and line.fault is None and not line.card.is_identity
    )


def identity_of(lines: Iterable[ResolvedLine]) -> ResolvedLine | None:
    """Return the identity line, or None if the list names no identity or several."""
    named = [line for line in lines if line.is_identity]
    return named[0] if len({line.card for line in named}) == 1 else None


def deck_name(deck: DeckText, lines: Iterable[ResolvedLine]) -> str:
    if deck.name:
        return deck.name
    first = next((one.line.text for one in lines if one.line.kind == LineKind.NAME), "")
    return markup.without_markup(first)[0].strip()


def breaches(deck: DeckText, lines: Sequence[ResolvedLine]) -> Iterator[Breach]:
    """Yield the parsing faults, which come before any rule of the game."""
    if deck.problem:
        code = "list_too_long" if deck.form == ListForm.PLAIN_TEXT else "unreadable_file"
        yield Breach(code, deck.problem, deck.remedy, rule=READING)
    yield from (line.fault for line in lines if line.fault is not None)


def identity_breaches(lines: Sequence[ResolvedLine]) -> Iterator[Breach]:
    """Check that the list names exactly one identity, with one copy."""
    named = [line for line in lines if line.is_identity]
    cards = list(dict.fromkeys(line.card.title for line in named if line.card))
    if len(cards) > 1:
        listed = [f"{one.card.title} (line {one.line.number})" for one in named if one.card]
        message = f"The list names {len(cards)} identities: {'; '.join(listed)}."
        remedy = "Keep the line of the identity you play."
        yield Breach("several_identities", message, remedy, named[0].line.number, rule=IDENTITY)
    elif cards and (total := sum(line.line.quantity for line in named)) != 1:
        message = f"{total} copies of {cards[0]}: a deck has its identity once."
        remedy = "Write it on one line, without a number of copies."
        yield Breach("quantity", message, remedy, named[-1].line.number, cards[0], IDENTITY)
    elif not cards and not any(_is_wrong_identity(line) for line in lines):
        remedy = "Write the full title of the identity on a line of its own."
        yield Breach("no_identity", "The list names no identity.", remedy, rule=IDENTITY)


def unread_copies(lines: Iterable[ResolvedLine]) -> int:
    """Count the copies on lines without a known card."""
    return sum(line.line.quantity for line in lines if line.fault and line.fault.code in UNREAD)


def canonical_entries(lines: Sequence[ResolvedLine]) -> Iterator[tuple[str, int]]:
    """Yield (title_key, copies) for the seal; unknown cards use their own spelling.

    The identity is omitted, because the seal includes it separately.
    """
    identity = identity_of(lines)
    for line in lines:
        if identity is not None and line.is_identity:
            continue
        if line.card is not None or line.fault is not None:
            said = line.line
            name = said.title or said.card_id or said.printing or said.text
            yield (line.card.title_key if line.card else comparison_key(name)), said.quantity


def _mark_the_name(lines: list[ResolvedLine], table: CardTable) -> None:
    """Mark the first line as the deck name if it names no card and an identity follows.

    In a NetrunnerDB export, the name may match a card title: it comes first, the identity second,
    and every other line has a quantity.
    """
    said = _said(lines)
    if len(said) < 2:
        return
    first, second = lines[said[0]], lines[said[1]]
    is_export = (
        second.line.is_bare
        and not any(lines[place].line.is_bare for place in said[2:])
        and _is_netrunnerdb_export(lines, first, second)
    )
    is_words = (
        ((first.is_unknown and first.line.is_bare) or _begins_with_a_year(first.line))
        and second.is_identity
        and not table.looks_like_a_card(first.line.title or first.line.text)
    )
    if is_words or (is_export and (second.is_identity or second.is_unknown)):
        lines[said[0]] = ResolvedLine(replace(first.line, kind=LineKind.NAME))


def _is_netrunnerdb_export(
    lines: Iterable[ResolvedLine], first: ResolvedLine, second: ResolvedLine
) -> bool:
    """Recognise an export by a slug above an identity with its set, a bold name, or the footer."""
    is_file = (
        [first.line.number, second.line.number] == [1, 2]
        and SLUG.fullmatch(first.line.text.strip("\ufeff "))
        and second.line.text.rstrip().endswith(")")
    )
    if is_file or markup.bold_words(first.line.text):
        return True
    remarks = (line.line.text for line in lines if line.line.kind == LineKind.COMMENT)
    return any(headings.is_footer(markup.without_markup(text)[0].strip()) for text in remarks)


def _mark_an_unknown_first_line(lines: list[ResolvedLine], table: CardTable) -> None:
    """Without identities, an unknown title without a quantity in line 1 is the deck name."""
    said = _said(lines)
    if len(said) < 2:
        return
    first = lines[said[0]]
    is_name = (first.is_unknown and first.line.is_bare) or _begins_with_a_year(first.line)
    if is_name and not table.looks_like_a_card(first.line.title or first.line.text):
        lines[said[0]] = ResolvedLine(replace(first.line, kind=LineKind.NAME))


def _begins_with_a_year(line: DeckLine) -> bool:
    """ "2025 Worlds" starts with a year, not a quantity."""
    return bool(YEAR.match(line.text)) and line.text.isprintable()


def _mark_the_identity(lines: list[ResolvedLine], table: CardTable) -> None:
    """Treat an unknown title as a misspelled identity if the list names none.

    The candidate is the last unknown title before the first quantity, unless it is closer to a card
    of another type.
    """
    if any(line.is_identity or _is_wrong_identity(line) for line in lines):
        return
    bare: list[int] = []
    for place in _said(lines):
        if not lines[place].line.is_bare:
            break
        if lines[place].is_unknown:
            bare.append(place)
    for place in bare[-1:]:
        line = lines[place].line
        if table.looks_like_an_identity(line.title):
            lines[place] = ResolvedLine(line, fault=line_faults.unknown_identity(line, table))


def _drop_the_identity_among_the_cards(lines: list[ResolvedLine]) -> None:
    """If the source declares the identity, ignore the same card among the other lines."""
    declared = {line.card for line in lines if line.is_identity and line.line.is_identity}
    for place, line in enumerate(lines):
        if line.is_identity and not line.line.is_identity and line.card in declared:
            lines[place] = ResolvedLine(line.line)


def _said(lines: Sequence[ResolvedLine]) -> list[int]:
    """Indexes of the lines with a card or a fault."""
    return [place for place, line in enumerate(lines) if line.card or line.fault]


def _is_wrong_identity(line: ResolvedLine) -> bool:
    """True if the line is meant as the identity but already has a fault."""
    of_identity = line.card is not None and line.card.is_identity
    return line.fault is not None and (of_identity or line.fault.code == "unknown_identity")
