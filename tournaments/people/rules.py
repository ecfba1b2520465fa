"""Plain rules of a player's page: results as a record, and what a place is called."""

from collections.abc import Iterable
from dataclasses import dataclass

from matches.scoring import Points

WON = "Winner"


@dataclass(frozen=True)
class Record:
    """Matches won, drawn and lost by match points, and byes, which nobody wins against anybody."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    byes: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing was played."""
        return not (self.won or self.drawn or self.lost or self.byes)

    def __str__(self) -> str:
        """As people write it: "3-1-0", and "3-1-0, 1 bye"."""
        record = f"{self.won}-{self.drawn}-{self.lost}"
        if not self.byes:
            return record
        return f"{record}, {self.byes} bye{'' if self.byes == 1 else 's'}"


def record_of(tables: Iterable[tuple[Points, Points]], byes: int = 0) -> Record:
    """The record of settled tables of two: (own points, those of the opponent) each."""
    won = drawn = lost = 0
    for own, other in tables:
        won += own > other
        drawn += own == other
        lost += own < other
    return Record(won, drawn, lost, byes)


def place_in_words(rank: int | None, players: int, *, in_cut: int | None, is_finished: bool) -> str:
    """How an event went: "Winner", "Place 3 of 24, in the cut", "Place 5 of 24", "" before any.

    `rank` is the place in the standings, None before a round is closed; `in_cut` that in the cut,
    0 while it is open, None for who was not in it. Nobody wins an event that is not finished.
    """
    if in_cut == 1 or (is_finished and in_cut is None and rank == 1):
        return f"{WON} of {players}"
    if in_cut:
        return f"Place {in_cut} of {players}, in the cut"
    place = f"Place {rank} of {players}" if rank is not None else ""
    if in_cut is None:
        return place
    return f"{place}, now in the cut" if place else "Now in the cut"
