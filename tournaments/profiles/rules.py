"""Rules of a player's page: match record and wording of a final place."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.text import Message, gettext_noop
from matches.scoring.results import Points


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


@dataclass(frozen=True)
class EventPlace:
    has_won: bool = False
    # "Winner of 24", "Place 3 of 24, in the cut"; None before any result.
    words: Message | None = None


def event_place(
    rank: int | None, players: int, *, in_cut: int | None, is_finished: bool
) -> EventPlace:
    """Return the place of a player at an event.

    `rank` is the place in the standings, None before a round is closed. `in_cut` is the place in
    the cut: 0 while undecided, None for a player outside it. Rank 1 wins only a finished event.
    """
    values = {"place": in_cut or rank, "players": players}
    if in_cut == 1 or (is_finished and in_cut is None and rank == 1):
        return EventPlace(True, Message(gettext_noop("Winner of %(players)s"), values))
    if in_cut:
        text = gettext_noop("Place %(place)s of %(players)s, in the cut")
    elif in_cut is None:
        text = gettext_noop("Place %(place)s of %(players)s") if rank is not None else ""
    elif rank is not None:
        text = gettext_noop("Place %(place)s of %(players)s, now in the cut")
    else:
        text = gettext_noop("Now in the cut")
    return EventPlace(words=Message(text, values) if text else None)
