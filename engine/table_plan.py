"""Table numbers, seats at the meeting, and tables for deck checks.

Tables are in pairing order, best first. The rules, in this order: a table that stays has the same
number. A player with a fixed table plays there. The first tables whose players do not mind the
stream get the feature tables. The rest fill the ranges of the room from the front, without feature
tables. A fixed table whose player is not seated stays free as long as the room has another table.

At the meeting players sit in order of their names, N to a table. A deck check draws random tables,
least checked first.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count, repeat
from random import Random

# The highest table number.
HIGHEST_TABLE = 9999

# Limits of seats at a table.
MIN_SEATS, MAX_SEATS = 2, 8


class RangesError(ValueError):
    """Unreadable table ranges; the message is for the user."""


@dataclass(frozen=True)
class TableWish:
    # Fixed tables of its players.
    fixed: tuple[int, ...] = ()
    # Any of them avoids the stream.
    avoids_stream: bool = False
    # A number that stays.
    kept: int | None = None


@dataclass(frozen=True)
class FixedTableClash:
    # Place in the order of the tables.
    place: int
    number: int


def parse_ranges(ranges: str) -> tuple[int, ...]:
    """Return the numbers of "1-20, 31, 40-42" as typed, without repeats. Raise RangesError."""
    numbers = chain.from_iterable(_parse_range(part) for part in ranges.split(",") if part.strip())
    return tuple(dict.fromkeys(numbers))


def _parse_range(part: str) -> range:
    ends = [end.strip() for end in part.replace("–", "-").split("-")]
    if len(ends) > 2 or not all(end.isascii() and end.isdigit() for end in ends):
        raise RangesError(f'"{part.strip()}" is not a range of tables. Write it like 1-20, 31.')
    first, last = _parse_number(ends[0]), _parse_number(ends[-1])
    if last < first:
        raise RangesError(f'"{part.strip()}" runs backwards. The lower number comes first.')
    return range(first, last + 1)


def _parse_number(digits: str) -> int:
    if len(digits) > len(str(HIGHEST_TABLE)) or not 1 <= int(digits) <= HIGHEST_TABLE:
        raise RangesError(
            f"Tables have numbers from 1 to {HIGHEST_TABLE}; {digits} is not one of them."
        )
    return int(digits)


def assign_tables(
    wishes: Sequence[TableWish],
    room: Sequence[int] = (),
    feature: Sequence[int] = (),
    reserved: Collection[int] = (),
) -> tuple[tuple[int, ...], tuple[FixedTableClash, ...]]:
    """Return a number for each table, and the fixed tables that were not available.

    `room` are the numbers in use, by default 1, 2, 3 ...; after the last, numbers continue after
    the highest. `reserved` are the fixed tables of all players who may still play. All returned
    numbers differ.
    """
    # Numbers by place in the order.
    assigned = {place: wish.kept for place, wish in enumerate(wishes) if wish.kept is not None}
    clashes = []
    for place, wish in enumerate(wishes):
        for number in wish.fixed:
            if place not in assigned and number not in assigned.values():
                assigned[place] = number
            elif assigned.get(place) != number:
                clashes.append(FixedTableClash(place, number))
    willing = [
        place
        for place, wish in enumerate(wishes)
        if place not in assigned and not wish.avoids_stream
    ]
    taken = {*assigned.values(), *reserved}
    assigned.update(zip(willing, (n for n in feature if n not in taken), strict=False))
    free = _free_numbers(room, feature, set(assigned.values()), reserved)
    for place in range(len(wishes)):
        if place not in assigned:
            assigned[place] = next(free)
    return tuple(assigned[place] for place in range(len(wishes))), tuple(clashes)


def _free_numbers(
    room: Sequence[int], feature: Iterable[int], taken: set[int], reserved: Collection[int]
) -> Iterator[int]:
    closed = taken | set(feature)
    free = [number for number in room if number not in closed]
    yield from (number for number in free if number not in reserved)
    # An absent player's fixed table is better than a table that the room does not have.
    yield from (number for number in free if number in reserved)
    behind = count(max(room) + 1) if room else count(1)
    yield from (number for number in behind if number not in closed and number not in reserved)


@dataclass(frozen=True)
class MeetingGuest:
    # Tables, if any.
    fixed: int | None = None
    seated: int | None = None


def meeting_tables(
    guests: Sequence[MeetingGuest], seats: int, room: Sequence[int] = ()
) -> tuple[int, ...]:
    """Return a table for each guest, in the order of their names.

    `room` are the table numbers, by default 1, 2, 3 ...; when they are full, numbers continue after
    the highest. A fixed table takes its guests even if it is full.
    """
    tables = [guest.seated or guest.fixed for guest in guests]
    taken = Counter(tables)
    numbers = chain(room, count(max(room) + 1 if room else 1))
    free = chain.from_iterable(repeat(number, seats - taken[number]) for number in numbers)
    return tuple(table or next(free) for table in tables)


@dataclass(frozen=True)
class CheckableTable:
    number: int
    # Number of past checks of each player.
    checks: tuple[int, ...]

    @property
    def turn(self) -> tuple[int, int]:
        """Sort key: fewest checked players first, then fewest checks."""
        return sum(bool(count) for count in self.checks), sum(self.checks)


def draw_tables(tables: Iterable[CheckableTable], count: int, seed: int) -> tuple[int, ...]:
    """Draw tables, least checked first; the same tables and seed give the same draw."""
    shuffled = sorted(tables, key=lambda table: table.number)
    Random(seed).shuffle(shuffled)  # noqa: S311 - lots that can be drawn again
    chosen = sorted(shuffled, key=lambda table: table.turn)[:count]
    return tuple(sorted(table.number for table in chosen))
