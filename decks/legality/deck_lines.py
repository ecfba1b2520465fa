"""Resolve the lines of a list to cards, or to faults with suggested fixes."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.text import comparison_key
from decks.formats import plain_text
from decks.formats.deck_text import DeckLine, DeckText, DeckTextFormat, LineKind, LineReading
from decks.legality.card_tables import CardTable
from decks.legality.check_texts import CheckText, check_text
from decks.legality.records import Breach, CardFacts, CardSlot

# Limit on lines per list with suggestions, because the search for similar titles is slow.
MAX_SUGGESTIONS = 40
NO_SUGGESTION = check_text("nearest_titles_limit", limit=MAX_SUGGESTIONS)
READING_RULE = check_text("reading_rule")
IDENTITY_RULE = check_text("identity_rule")


def side_unclear_fault(cards_of_each: int = 0) -> Breach:
    problem = check_text("side_unclear")
    if cards_of_each:
        problem = check_text("side_tied", cards=cards_of_each)
    remedy = check_text("fix_lines_or_name_side")
    return Breach("side_unclear", (problem,), (remedy,), READING_RULE)


def unreadable_fault(line: DeckLine) -> Breach:
    assert line.reason is not None
    remedy = check_text("write_copies_and_title")
    return Breach("unreadable_line", (line.reason,), (remedy,), READING_RULE, line.number)


def unknown_card_fault(line: DeckLine, table: CardTable, *, suggests: bool = True) -> Breach:
    """Build the fault of a line whose code, id and title all match no card."""
    if line.is_identity:
        return unknown_identity_fault(line, table, suggests=suggests)
    title = line.title or line.card_id
    titles = table.nearest(title) if title and suggests else ()
    near = _nearest_titles(titles, suggests=suggests) if title else ()
    if line.printing:
        code, name = "unknown_printing", line.title or line.printing
        problem = check_text("unknown_printing", printing=line.printing)
        if line.title:
            problem = check_text(
                "unknown_printing_and_title", printing=line.printing, title=line.title
            )
        remedy = check_text("correct_code_or_write_title")
    else:
        code, name, problem = "unknown_card", title, check_text("unknown_card", title=title)
        remedy = check_text("comment_out" if line.title else "write_name_or_remove_entry")
    return Breach(
        code,
        (problem,),
        (*near, remedy),
        READING_RULE,
        line.number,
        name,
        suggestions=titles,
    )


def unknown_identity_fault(line: DeckLine, table: CardTable, *, suggests: bool = True) -> Breach:
    name = line.title or line.card_id or line.printing
    problem, remedy = check_text("unknown_identity", name=name), check_text("write_full_title")
    return _no_identity_fault(line, name, table, problem, remedy, suggests=suggests)


def no_identity_card_fault(
    line: DeckLine, card: CardFacts, table: CardTable, *, suggests: bool = True
) -> Breach:
    problem, remedy = check_text("not_an_identity", card=card.title), check_text("name_identity")
    return _no_identity_fault(line, card.title, table, problem, remedy, suggests=suggests)


def copies_fault(line: DeckLine, quantity: int, title: str) -> Breach:
    problem = check_text("line_copies", copies=quantity, title=title)
    remedy = check_text("write_copies_or_remove_line")
    return Breach("quantity", (problem,), (remedy,), READING_RULE, line.number, title)


def two_meanings_fault(
    line: DeckLine, meaning: tuple[LineReading, CardFacts], alternative: CardFacts
) -> Breach:
    reading, card = meaning
    problem = check_text("two_meanings", card=card.title, alternative=alternative.title)
    if card is alternative:
        problem = check_text("two_quantities", card=card.title)
    remedy = check_text("write_copies_first", copies=max(reading.quantity, 1), card=card.title)
    return Breach("unreadable_line", (problem,), (remedy,), READING_RULE, line.number)


def two_names_fault(line: DeckLine, by_code: CardFacts, by_title: CardFacts) -> Breach:
    problem = check_text(
        "two_names", title=by_title.title, printing=line.printing, card=by_code.title
    )
    remedy = check_text("correct_title_or_code")
    return Breach(
        "unreadable_line", (problem,), (remedy,), READING_RULE, line.number, by_title.title
    )


def _no_identity_fault(
    line: DeckLine,
    name: str,
    table: CardTable,
    problem: CheckText,
    remedy: CheckText,
    *,
    suggests: bool,
) -> Breach:
    titles = table.nearest_identities(name) if table.has_identities and suggests else ()
    remedies = (*_nearest_titles(titles, suggests=suggests), remedy)
    if not table.has_identities:
        remedies = (check_text("no_identities_in_game"),)
    return Breach(
        "unknown_identity",
        (problem,),
        remedies,
        IDENTITY_RULE,
        line.number,
        name,
        suggestions=titles,
    )


def _nearest_titles(titles: Sequence[str], *, suggests: bool = True) -> tuple[CheckText, ...]:
    if not suggests:
        return (NO_SUGGESTION,)
    return (check_text("nearest_titles", titles=[*titles]),) if titles else ()


# One line


@dataclass(frozen=True)
class ResolvedLine:
    """A line with its card and its fault, either of which may be None."""

    # Of an ambiguous line, the reading that matches the card.
    line: DeckLine
    card: CardFacts | None = None
    fault: Breach | None = None

    @property
    def is_identity(self) -> bool:
        """The line names an identity without a fault."""
        return self.card is not None and self.fault is None and self.card.is_identity

    @property
    def is_unknown(self) -> bool:
        return self.fault is not None and self.fault.code == "unknown_card"


def _resolve_line(
    line: DeckLine, table: CardTable, form: DeckTextFormat, *, suggests: bool
) -> ResolvedLine:
    """Resolve a line. Nothing is guessed: ambiguous lines are reported as faults.

    With `suggests`, faults for unknown titles and wrong identities include similar titles.
    """
    if line.kind == LineKind.UNREADABLE:
        return ResolvedLine(line, fault=unreadable_fault(line))
    if line.kind != LineKind.CARD:
        return ResolvedLine(line)
    resolved = _find_named(line, table, form)
    if resolved.fault:
        return resolved
    card, quantity = resolved.card, resolved.line.quantity
    if card is None:
        if line.maybe_heading and not table.looks_like_a_card(line.title):
            return ResolvedLine(line)
        if line.quantity <= 0 and not line.is_identity:
            name = line.title or line.card_id or line.printing
            return ResolvedLine(line, fault=copies_fault(line, line.quantity, name))
        return ResolvedLine(line, fault=unknown_card_fault(line, table, suggests=suggests))
    if line.is_identity and not card.is_identity:
        return replace(resolved, fault=no_identity_card_fault(line, card, table, suggests=suggests))
    if quantity <= 0:
        return replace(resolved, fault=copies_fault(line, quantity, card.title))
    return resolved


def _find_named(line: DeckLine, table: CardTable, form: DeckTextFormat) -> ResolvedLine:
    """Find the card by code, card id or title, without checking the quantity."""
    by_code = table.by_code(line.printing) if line.printing else None
    if by_code is None and line.card_id:
        return ResolvedLine(_without_code(line), table.by_card_id(line.card_id))
    meant = _meanings(line, table) if line.title else []
    if by_code is not None:
        return _find_by_code(line, by_code, meant, form)
    if not meant:
        return ResolvedLine(line)
    if len(meant) > 1:
        return ResolvedLine(line, fault=two_meanings_fault(line, meant[0], meant[1][1]))
    reading, card = meant[0]
    return ResolvedLine(_as_read(_without_code(line), reading), card)


def _find_by_code(
    line: DeckLine,
    card: CardFacts,
    meant: list[tuple[LineReading, CardFacts]],
    form: DeckTextFormat,
) -> ResolvedLine:
    """Find the card by code, which must not contradict the title in typed lines."""
    readings = [reading for reading, named in meant if named is card]
    if meant and not readings and form == DeckTextFormat.PLAIN_TEXT and not line.is_identity:
        return ResolvedLine(line, fault=two_names_fault(line, card, meant[0][1]))
    if len(readings) > 1:
        return ResolvedLine(line, fault=two_meanings_fault(line, (readings[0], card), card))
    return ResolvedLine(_as_read(line, readings[0]) if readings else line, card)


def _meanings(line: DeckLine, table: CardTable) -> list[tuple[LineReading, CardFacts]]:
    """Return the readings that match cards, one for each quantity.

    For the same quantity the longest title is chosen, because it covers most of the line.
    """
    by_copies: dict[int, tuple[LineReading, CardFacts]] = {}
    for reading in line.readings:
        card = table.find(reading.title)
        # The number may be part of a longer title: "Fang 2" of "Fang 2.0".
        longer = f"{reading.title} {reading.quantity}"
        if card is None or (reading.is_loose and table.has_longer_title(longer)):
            continue
        known = by_copies.get(reading.quantity)
        if known is None or len(reading.title) > len(known[0].title):
            by_copies[reading.quantity] = (reading, card)
    return list(by_copies.values())


def _as_read(line: DeckLine, reading: LineReading) -> DeckLine:
    if reading.title == line.title and reading.quantity == line.quantity:
        return line
    quantity, title, is_bare, _ = reading
    return replace(line, quantity=quantity, title=title, is_bare=is_bare)


def _without_code(line: DeckLine) -> DeckLine:
    return replace(line, printing="") if line.printing else line


# All lines of a list


SLUG_LINE = re.compile(r"[\w-]+")
LEADING_YEAR = re.compile(r"(?:19|20)\d\d ")
UNREAD_CODES = ("unknown_card", "unknown_printing")


def resolve_lines(deck: DeckText, table: CardTable) -> tuple[ResolvedLine, ...]:
    """Look up every line. Nothing is guessed: similar titles are only suggestions."""
    lines: list[ResolvedLine] = []
    faults = 0
    for line in deck.lines:
        suggests = faults < MAX_SUGGESTIONS
        lines.append(_resolve_line(line, table, deck.form, suggests=suggests))
        faults += lines[-1].fault is not None
    _mark_name(lines, table)
    if table.has_identities:
        _mark_identity(lines, table)
        # If the source declares the identity, ignore the same card among the other lines.
        declared = {line.card for line in lines if line.is_identity and line.line.is_identity}
        for place, resolved in enumerate(lines):
            is_repeated = resolved.is_identity and resolved.card in declared
            if is_repeated and not resolved.line.is_identity:
                lines[place] = ResolvedLine(resolved.line)
    return tuple(lines)


def card_slots(lines: Iterable[ResolvedLine]) -> tuple[CardSlot, ...]:
    return tuple(
        CardSlot(line.card, line.line.quantity, line.line.number, line.line.printing)
        for line in lines
        if line.card is not None and line.fault is None and not line.card.is_identity
    )


def listed_identity(lines: Iterable[ResolvedLine]) -> ResolvedLine | None:
    """Return the identity line, or None if the list names no identity or several."""
    named = [line for line in lines if line.is_identity]
    return named[0] if len({line.card for line in named}) == 1 else None


def deck_name(deck: DeckText, lines: Iterable[ResolvedLine]) -> str:
    if deck.name:
        return deck.name
    first = next((item.line.text for item in lines if item.line.kind == LineKind.NAME), "")
    return plain_text.without_markup(first)[0].strip()


def reading_breaches(deck: DeckText, lines: Sequence[ResolvedLine]) -> Iterator[Breach]:
    if deck.problem:
        code = "list_too_long" if deck.form == DeckTextFormat.PLAIN_TEXT else "unreadable_file"
        remedies = (deck.remedy,) if deck.remedy else ()
        yield Breach(code, (deck.problem,), remedies, READING_RULE)
    yield from (line.fault for line in lines if line.fault is not None)


def identity_breaches(lines: Sequence[ResolvedLine]) -> Iterator[Breach]:
    """Check that the list names exactly one identity, with one copy."""
    named = [line for line in lines if line.is_identity]
    cards = list(dict.fromkeys(line.card.title for line in named if line.card))
    if len(cards) > 1:
        lines_of = [[item.card.title, item.line.number] for item in named if item.card]
        problem = check_text("several_identities", number=len(cards), title_lines=lines_of)
        remedy = check_text("keep_one_identity")
        yield Breach(
            "several_identities", (problem,), (remedy,), IDENTITY_RULE, named[0].line.number
        )
    elif cards and (total := sum(line.line.quantity for line in named)) != 1:
        problem = check_text("identity_copies", copies=total, title=cards[0])
        remedy = check_text("write_identity_once")
        line = named[-1].line.number
        yield Breach("quantity", (problem,), (remedy,), IDENTITY_RULE, line, cards[0])
    elif not cards and not any(_is_wrong_identity(line) for line in lines):
        problem, remedy = check_text("no_identity"), check_text("write_identity")
        yield Breach("no_identity", (problem,), (remedy,), IDENTITY_RULE)


def unread_copies(lines: Iterable[ResolvedLine]) -> int:
    return sum(
        line.line.quantity for line in lines if line.fault and line.fault.code in UNREAD_CODES
    )


def canonical_entries(lines: Sequence[ResolvedLine]) -> Iterator[tuple[str, int]]:
    """Unknown cards use their own spelling; the identity is omitted."""
    identity = listed_identity(lines)
    for line in lines:
        if identity is not None and line.is_identity:
            continue
        if line.card is not None or line.fault is not None:
            source = line.line
            name = source.title or source.card_id or source.printing or source.text
            yield (line.card.title_key if line.card else comparison_key(name)), source.quantity


def _mark_name(lines: list[ResolvedLine], table: CardTable) -> None:
    """Treat the first line as the deck name if it is no card or starts an export."""
    places = _content_places(lines)
    if len(places) < 2:
        return
    first, second = lines[places[0]], lines[places[1]]
    is_words = (
        ((first.is_unknown and first.line.is_bare) or _begins_with_a_year(first.line))
        and (second.is_identity or not table.has_identities)
        and not table.looks_like_a_card(first.line.title or first.line.text)
    )
    # In a NetrunnerDB export, the name may match a card title: it comes first, the identity second,
    # and every other line has a quantity.
    is_export = (
        table.has_identities
        and (second.is_identity or second.is_unknown)
        and second.line.is_bare
        and not any(lines[place].line.is_bare for place in places[2:])
        and _is_netrunnerdb_export(lines, first, second)
    )
    if is_words or is_export:
        lines[places[0]] = ResolvedLine(replace(first.line, kind=LineKind.NAME))


def _is_netrunnerdb_export(
    lines: Iterable[ResolvedLine], first: ResolvedLine, second: ResolvedLine
) -> bool:
    """Recognise an export by a slug above an identity with its set, a bold name, or the footer."""
    is_file = (
        [first.line.number, second.line.number] == [1, 2]
        and SLUG_LINE.fullmatch(first.line.text.strip("\ufeff "))
        and second.line.text.rstrip().endswith(")")
    )
    if is_file or plain_text.bold_words(first.line.text):
        return True
    remarks = (line.line.text for line in lines if line.line.kind == LineKind.COMMENT)
    return any(plain_text.is_footer(plain_text.without_markup(text)[0].strip()) for text in remarks)


def _begins_with_a_year(line: DeckLine) -> bool:
    # "2025 Worlds" starts with a year, not a quantity.
    return bool(LEADING_YEAR.match(line.text)) and line.text.isprintable()


def _mark_identity(lines: list[ResolvedLine], table: CardTable) -> None:
    """Treat an unknown title as a misspelled identity if the list names none."""
    if any(line.is_identity or _is_wrong_identity(line) for line in lines):
        return
    # The last unknown title before the first quantity, unless it is closer to another type.
    bare: list[int] = []
    for place in _content_places(lines):
        if not lines[place].line.is_bare:
            break
        if lines[place].is_unknown:
            bare.append(place)
    for place in bare[-1:]:
        line = lines[place].line
        if table.looks_like_an_identity(line.title):
            lines[place] = ResolvedLine(line, fault=unknown_identity_fault(line, table))


def _content_places(lines: Sequence[ResolvedLine]) -> list[int]:
    """Indexes of the lines with a card or a fault."""
    return [place for place, line in enumerate(lines) if line.card or line.fault]


def _is_wrong_identity(line: ResolvedLine) -> bool:
    """Return True if the line is meant as the identity but already has a fault."""
    of_identity = line.card is not None and line.card.is_identity
    return line.fault is not None and (of_identity or line.fault.code == "unknown_identity")


# The identity to check a list with


@dataclass(frozen=True)
class ChosenIdentity:
    """The identity of the list or the one given separately, with its breaches."""

    card: CardFacts | None
    line: int | None
    breaches: tuple[Breach, ...]


def choose_identity(
    lines: Sequence[ResolvedLine], table: CardTable, identity: str
) -> ChosenIdentity:
    """Return the identity given by title, card id or printing, otherwise that of the list."""
    # Nothing is guessed: an unknown identity, or a contradiction with the list, is a breach.
    named = listed_identity(lines)
    breaches = list(identity_breaches(lines))
    name = identity.strip()
    if not name:
        card, line = (named.card, named.line.number) if named else (None, None)
        return ChosenIdentity(card, line, tuple(breaches))
    card = table.find(name) or table.by_card_id(name) or table.by_code(name)
    # The given identity replaces the missing one.
    breaches = [breach for breach in breaches if breach.code != "no_identity"]
    if card is None or not card.is_identity:
        breaches.append(_unknown_given_identity(name, card, table))
        card = named.card if named else None
    if named and named.card and card and named.card != card:
        breaches.append(
            Breach(
                "other_identity",
                (check_text("other_identity", title=named.card.title, card=card.title),),
                (check_text("choose_one_identity"),),
                IDENTITY_RULE,
                named.line.number,
                named.card.title,
            )
        )
    line = named.line.number if named and named.card == card else None
    return ChosenIdentity(card, line, tuple(breaches))


def _unknown_given_identity(name: str, card: CardFacts | None, table: CardTable) -> Breach:
    problem = check_text("unknown_identity", name=name)
    nearest = _nearest_titles(table.nearest_identities(name))
    remedies = (*nearest, check_text("give_full_title"))
    if card:
        problem = check_text("not_an_identity_but_type", card=card.title, type=card.type)
        remedies = (check_text("give_full_identity_title"),)
    return Breach("unknown_identity", (problem,), remedies, IDENTITY_RULE, card=name)
