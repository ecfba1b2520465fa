"""Input records of standings: each player's closed rounds, and random draws."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import NamedTuple, TypeAlias, TypeVar

from core.errors import Refusal

PlayerId: TypeAlias = int | str
AnyId = TypeVar("AnyId", bound=PlayerId)
# An exact number. Points are integers unless players share a place in a pod.
Exact: TypeAlias = int | Fraction


def id_order(player: PlayerId) -> tuple[bool, int, str]:
    """Return a sort key for ids: numbers by size, then texts alphabetically."""
    if isinstance(player, str):
        return True, 0, player
    return False, player, ""


def lots(players: Iterable[PlayerId], seed: int) -> dict[PlayerId, int]:
    """Return each player's place in the random draw, from 1.

    The draw of a player is the SHA-256 of `seed/id`, so anybody can repeat it. A late entry never
    changes the order of the rest.
    """
    drawn = sorted(players, key=lambda player: _draw(player, seed))
    return {player: place for place, player in enumerate(drawn, start=1)}


def _draw(player: PlayerId, seed: int) -> bytes:
    # `repr` quotes a text, so that the id "7" differs from the id 7.
    return sha256(f"{seed}/{player!r}".encode()).digest()


class StandingsRefused(Refusal):
    code = "records_disagree"


class Taken(NamedTuple):
    """A player's result at a table; agenda and victory points are None if unknown."""

    points: Exact
    games_won: int = 0
    agenda_points: int | None = None
    victory_points: int | None = None


class DuplicatePlayer(StandingsRefused):
    code = StandingsRefused.code


class UnknownOpponent(StandingsRefused):
    code = StandingsRefused.code


@dataclass(frozen=True, slots=True)
class Played:
    """A player's table in a closed round: opponents and result.

    `agenda_points` are the player's and the opponent's, None if the games are not known.
    `victory_points` are the player's, None if the game has none.
    """

    opponents: tuple[PlayerId, ...]
    points: Exact
    games_won: int = 0
    agenda_points: tuple[int, int] | None = None
    victory_points: int | None = None


@dataclass(frozen=True, slots=True)
class Bye:
    points: Exact


RoundRecord: TypeAlias = Played | Bye | None


@dataclass(frozen=True)
class Record:
    """A player's closed rounds, first round first; None where the player was not paired.

    Dropped players retain their played rounds. `manual_seed` is a manual order among players equal
    on match points; 1 is the best. `has_dropped` is set for a player who plays no more rounds.
    """

    id: PlayerId
    rounds: tuple[RoundRecord, ...] = ()
    manual_seed: int | None = None
    has_dropped: bool = False

    @property
    def match_points(self) -> Exact:
        return sum(entry.points for entry in self.rounds if entry is not None)

    @property
    def byes(self) -> int:
        return sum(isinstance(entry, Bye) for entry in self.rounds)

    def tables(self) -> Iterator[tuple[int, Played]]:
        """Yield round number and table, without byes and missed rounds."""
        for number, entry in enumerate(self.rounds, start=1):
            if isinstance(entry, Played):
                yield number, entry

    def meetings(self) -> Iterator[tuple[int, PlayerId]]:
        """Yield round number and opponent, once per meeting."""
        for number, table in self.tables():
            for opponent in table.opponents:
                yield number, opponent


def opponents_at(table: Iterable[AnyId]) -> dict[AnyId, tuple[AnyId, ...]]:
    """Return the opponents of each player at a table, in seat order."""
    players = tuple(table)
    return {one: tuple(other for other in players if other != one) for one in players}


def played(table: Mapping[AnyId, Taken]) -> dict[AnyId, Played]:
    """Return the standings entry of each player at a table, from the results in seat order.

    Agenda points are only compared between two players who both have them.
    """
    compared: dict[AnyId, tuple[int, int]] = {}
    if len(table) == 2:
        (one, its), (other, theirs) = table.items()
        if its.agenda_points is not None and theirs.agenda_points is not None:
            compared[one] = its.agenda_points, theirs.agenda_points
            compared[other] = theirs.agenda_points, its.agenda_points
    return {
        player: Played(
            opponents, *table[player][:2], compared.get(player), table[player].victory_points
        )
        for player, opponents in opponents_at(table).items()
    }
