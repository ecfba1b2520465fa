"""Rules of a player's page: match record and wording of a final place."""

from collections.abc import Iterable
from dataclasses import dataclass

from matches.scoring.results import Points

WINNER = "Winner"


@dataclass(frozen=True)
class MatchRecord:
    won: int = 0
    drawn: int = 0
    lost: int = 0
    byes: int = 0

    @property
    def is_empty(self) -> bool:
        return not (self.won or self.drawn or self.lost or self.byes)

    def __str__(self) -> str:
        record = f"{self.won}-{self.drawn}-{self.lost}"
        if not self.byes:
            return record
        return f"{record}, {self.byes} bye{'' if self.byes == 1 else 's'}"


def record_of(tables: Iterable[tuple[Points, Points]], byes: int = 0) -> MatchRecord:
    """Count the record of two-player tables given as (own points, opponent's points)."""
    won = drawn = lost = 0
    for own, other in tables:
        won += own > other
        drawn += own == other
        lost += own < other
    return MatchRecord(won, drawn, lost, byes)


def place_in_words(rank: int | None, players: int, *, in_cut: int | None, is_finished: bool) -> str:
    """Return the result as text: "Winner of 24", "Place 3 of 24, in the cut", "" before any result.

    `rank` is the place in the standings, None before a round is closed. `in_cut` is the place in
    the cut: 0 while undecided, None for a player outside it. Rank 1 wins only a finished event.
    """
    if in_cut == 1 or (is_finished and in_cut is None and rank == 1):
        return f"{WINNER} of {players}"
    if in_cut:
        return f"Place {in_cut} of {players}, in the cut"
    place = f"Place {rank} of {players}" if rank is not None else ""
    if in_cut is None:
        return place
    return f"{place}, now in the cut" if place else "Now in the cut"
