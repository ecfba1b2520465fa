"""Where everybody sits at the player meeting: by name, so many to a table."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

FEWEST, MOST = 2, 8
"""How many a table may seat."""


@dataclass(frozen=True)
class Guest:
    """Somebody to seat; who has been `seated` stays, who has a `fixed` table sits there."""

    fixed: int | None = None
    seated: int | None = None


def tables_of(guests: Sequence[Guest], seats: int, room: Sequence[int] = ()) -> tuple[int, ...]:
    """A table for each guest, who come in order of their names.

    `room` are the numbers of the tables, 1, 2, 3 ... when empty; when they are full, the numbers
    behind the highest follow. A fixed table takes its guests even when it is full.
    """
    taken = Counter(table for table in map(_settled, guests) if table is not None)
    free = _free_seats(taken, seats, room)
    return tuple(_settled(guest) or next(free) for guest in guests)


def _settled(guest: Guest) -> int | None:
    return guest.seated or guest.fixed


def _free_seats(taken: Counter[int], seats: int, room: Sequence[int]) -> Iterator[int]:
    """The table of each seat that is left, table by table."""
    for table in room:
        yield from [table] * (seats - taken[table])
    for table in count(max(room) + 1 if room else 1):
        yield from [table] * (seats - taken[table])
