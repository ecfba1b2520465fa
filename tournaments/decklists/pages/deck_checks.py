"""Data of the deck check pages. Callers check permissions."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from decks.models import DecklistVersion, DeckSlot
from tournaments.decklists import queries
from tournaments.models import DeckCheck, DeckCheckDraw, Tournament


@dataclass(frozen=True)
class DrawnTable:
    """The decks to check at a table."""

    number: int
    checks: tuple[DeckCheck, ...]


@dataclass(frozen=True)
class Drawn:
    """A draw with its tables in order."""

    draw: DeckCheckDraw
    tables: tuple[DrawnTable, ...]


@dataclass(frozen=True)
class TickLine:
    """A box to tick: copies of a card; `place` is its position in the list, from 1."""

    place: int
    quantity: int
    title: str


@dataclass(frozen=True)
class TickGroup:
    """The boxes of one card type, with their total copies."""

    heading: str
    copies: int
    lines: tuple[TickLine, ...]


@dataclass(frozen=True)
class TickList:
    """A deck to compare with its list, in list order and by type.

    `size` excludes the identity. `unread` are the problems of lines that name no known card.
    """

    check: DeckCheck
    identity: str
    size: int
    in_list_order: tuple[TickGroup, ...]
    by_type: tuple[TickGroup, ...]
    unread: tuple[str, ...]


def drawn_tables(tournament: Tournament) -> list[Drawn]:
    """All draws, newest first, in one query."""
    checks = queries.deck_checks(tournament)
    return [
        Drawn(draw, tuple(_tables(of_draw)))
        for draw, of_draw in groupby(checks, key=lambda check: check.draw)
    ]


def tick_list(check: DeckCheck) -> TickList:
    """Build the tick list of a check. Requires "version__slots__card" prefetched."""
    version = check.version
    slots = sorted(version.slots.all(), key=lambda slot: (slot.position, slot.pk))
    # Lists from older versions have no positions, so count the entries here.
    placed = list(enumerate(slots, start=1))
    by_type = sorted(placed, key=lambda one: (one[1].card.type, one[1].card.title_key))
    return TickList(
        check=check,
        identity=version.identity.title if version.identity else "",
        size=sum(slot.quantity for slot in slots),
        in_list_order=(_group("", placed),),
        by_type=tuple(
            _group(type_.capitalize(), list(of_type))
            for type_, of_type in groupby(by_type, key=lambda one: one[1].card.type)
        ),
        unread=tuple(_unread(version)),
    )


def _tables(checks: Iterable[DeckCheck]) -> Iterable[DrawnTable]:
    for number, at_table in groupby(checks, key=lambda check: check.table_number):
        yield DrawnTable(number, tuple(at_table))


def _group(heading: str, placed: list[tuple[int, DeckSlot]]) -> TickGroup:
    lines = tuple(TickLine(place, slot.quantity, slot.card.title) for place, slot in placed)
    return TickGroup(heading, sum(line.quantity for line in lines), lines)


def _unread(version: DecklistVersion) -> Iterable[str]:
    for breach in version.breaches:
        if breach["code"].startswith(("unknown_", "unreadable_", "quantity")):
            yield f"Line {breach['line']}: {breach['message']}"
