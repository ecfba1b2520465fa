"""An event as its document tells it."""

from dataclasses import dataclass
from typing import TypeAlias

from engine.standings import DEFAULT_TIE_BREAKERS, PlayerId
from engine.systems import System
from matches.scoring import Role


@dataclass(frozen=True)
class Player:
    """Somebody in the event. `seed` folds round 1 and is the manual seed of the standings."""

    id: PlayerId
    active: bool = True
    first_round_bye: bool = False
    seed: int | None = None
    group: str | None = None


@dataclass(frozen=True)
class Seat:
    """A player at a table; `points` is None while the table is not played.

    `agenda_points` is None where the games are not known, `victory_points` where there are none.
    """

    id: PlayerId
    role: Role | None = None
    points: int | None = None
    games_won: int = 0
    agenda_points: int | None = None
    victory_points: int | None = None


@dataclass(frozen=True)
class Table:
    """A table of one round, seats in the order of the document."""

    number: int
    seats: tuple[Seat, ...]

    @property
    def is_open(self) -> bool:
        """Whether results are missing."""
        return any(seat.points is None for seat in self.seats)

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Who sits here."""
        return tuple(seat.id for seat in self.seats)

    def seat_with(self, role: Role) -> Seat | None:
        """The seat that has this role."""
        return next((seat for seat in self.seats if seat.role is role), None)


@dataclass(frozen=True)
class Bye:
    """A round without an opponent; `points` is None while they are not given."""

    player: PlayerId
    points: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether the points are missing."""
        return self.points is None

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Who sits out."""
        return (self.player,)


Entry: TypeAlias = Table | Bye
Round: TypeAlias = tuple[Entry, ...]


def is_closed(round_: Round) -> bool:
    """Whether all results of a round are there."""
    return not any(entry.is_open for entry in round_)


@dataclass(frozen=True)
class Event:
    """A whole event: who is in it, what was played, and what is asked.

    `locked` are tables and byes of the next round that stay; `force` pairs before all results
    are in; `as_of_round` asks for standings after that round; `point_unit` is how many of the
    points make one, where places are shared. `avoid_second_meetings` is None where the planned
    rounds decide.
    """

    system: System
    seed: int = 0
    planned_rounds: int | None = None
    avoid_second_meetings: bool | None = None
    players: tuple[Player, ...] = ()
    rounds: tuple[Round, ...] = ()
    locked: Round = ()
    tie_breakers: tuple[str, ...] = DEFAULT_TIE_BREAKERS
    force: bool = False
    as_of_round: int | None = None
    point_unit: int = 1

    @property
    def active(self) -> tuple[Player, ...]:
        """Who is to be paired."""
        return tuple(player for player in self.players if player.active)

    @property
    def entered(self) -> int:
        """The number of players who play or have played, without those who never came."""
        ids = {player.id for player in self.active}
        ids.update(player for round_ in self.rounds for entry in round_ for player in entry.players)
        return len(ids)

    @property
    def next_round(self) -> int:
        """The number of the round to be paired."""
        return len(self.rounds) + 1

    @property
    def closed_rounds(self) -> tuple[Round, ...]:
        """The rounds with all their results; only the last one can be without."""
        return tuple(round_ for round_ in self.rounds if is_closed(round_))
