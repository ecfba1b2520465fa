"""Records of an event document."""

from dataclasses import dataclass
from typing import TypeAlias

from engine.standings import DEFAULT_TIE_BREAKERS, PlayerId
from engine.systems import System
from matches.scoring import Role


@dataclass(frozen=True)
class Player:
    """A player of the event. `seed` folds round 1 and is the manual seed of the standings."""

    id: PlayerId
    active: bool = True
    first_round_bye: bool = False
    seed: int | None = None
    group: str | None = None


@dataclass(frozen=True)
class Seat:
    """A player at a table.

    `points` is None before the table is played. `agenda_points` is None for unknown games,
    `victory_points` is None outside pods.
    """

    id: PlayerId
    role: Role | None = None
    points: int | None = None
    games_won: int = 0
    agenda_points: int | None = None
    victory_points: int | None = None


@dataclass(frozen=True)
class Table:
    """A table of a round, with its seats in document order."""

    number: int
    seats: tuple[Seat, ...]

    @property
    def is_open(self) -> bool:
        """True if results are missing."""
        return any(seat.points is None for seat in self.seats)

    @property
    def players(self) -> tuple[PlayerId, ...]:
        return tuple(seat.id for seat in self.seats)

    def seat_with(self, role: Role) -> Seat | None:
        return next((seat for seat in self.seats if seat.role is role), None)


@dataclass(frozen=True)
class Bye:
    """A round without an opponent. `points` is None if missing."""

    player: PlayerId
    points: int | None = None

    @property
    def is_open(self) -> bool:
        return self.points is None

    @property
    def players(self) -> tuple[PlayerId, ...]:
        return (self.player,)


Entry: TypeAlias = Table | Bye
Round: TypeAlias = tuple[Entry, ...]


def is_closed(round_: Round) -> bool:
    return not any(entry.is_open for entry in round_)


@dataclass(frozen=True)
class Event:
    """An event: players, played rounds and options.

    `locked` tables and byes stay in the next round. `force` pairs before all results are in.
    `as_of_round` selects the standings after that round. `point_unit` is the number of points in
    the document that make one point, for shared places. If `avoid_second_meetings` is None, the
    planned rounds decide.
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
        return tuple(player for player in self.players if player.active)

    @property
    def entered(self) -> int:
        """The number of players who play or have played, without no-shows."""
        ids = {player.id for player in self.active}
        ids.update(player for round_ in self.rounds for entry in round_ for player in entry.players)
        return len(ids)

    @property
    def next_round(self) -> int:
        return len(self.rounds) + 1

    @property
    def closed_rounds(self) -> tuple[Round, ...]:
        """The rounds with all their results. Only the last round can be incomplete."""
        return tuple(round_ for round_ in self.rounds if is_closed(round_))
