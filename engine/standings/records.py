"""What standings are made from: the closed rounds of each player, and lots drawn for them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import NamedTuple, TypeAlias, TypeVar

from core.errors import Refusal

PlayerId: TypeAlias = int | str
AnyId = TypeVar("AnyId", bound=PlayerId)
Exact: TypeAlias = int | Fraction
"""A number without rounding; points are whole but where a place in a pod is shared."""


def id_order(player: PlayerId) -> tuple[bool, int, str]:
    """A sort key for ids: numbers by size, then texts by letters."""
    if isinstance(player, str):
        return True, 0, player
    return False, player, ""


def lots(players: Iterable[PlayerId], seed: int) -> dict[PlayerId, int]:
    """Each player's place in the draw, 1 first.

    The draw of a player is the SHA-256 of `seed/id`, so that anybody can repeat it, and a late
    entry moves nobody past anybody else.
    """
    drawn = sorted(players, key=lambda player: _draw(player, seed))
    return {player: place for place, player in enumerate(drawn, start=1)}


def _draw(player: PlayerId, seed: int) -> bytes:
    # With quotes around a text, so that the id "7" is not the id 7.
    return sha256(f"{seed}/{player!r}".encode()).digest()


class StandingsRefused(Refusal):
    """The records contradict each other."""

    code = "records_disagree"


class Taken(NamedTuple):
    """What one player took from a table; agenda and victory points are None where not known."""

    points: Exact
    games_won: int = 0
    agenda_points: int | None = None
    victory_points: int | None = None


class DuplicatePlayer(StandingsRefused):
    """Two records for one player."""

    code = StandingsRefused.code


class UnknownOpponent(StandingsRefused):
    """A player met somebody who has no record."""

    code = StandingsRefused.code


@dataclass(frozen=True, slots=True)
class Played:
    """A table in one closed round: the others at it, and what this player took from it.

    `agenda_points` are this player's and the other one's, None where the games are not known;
    `victory_points` are this player's, None where the game has none.
    """

    opponents: tuple[PlayerId, ...]
    points: Exact
    games_won: int = 0
    agenda_points: tuple[int, int] | None = None
    victory_points: int | None = None


@dataclass(frozen=True, slots=True)
class Bye:
    """A round without an opponent, and the points given for it."""

    points: Exact


RoundRecord: TypeAlias = Played | Bye | None


@dataclass(frozen=True)
class Record:
    """One player's closed rounds, first round first; None where the player was not paired.

    A player who dropped keeps the rounds played. `manual_seed` is an order set by hand among
    players equal on match points, 1 best. `has_dropped` is set for a player who plays no more
    rounds.
    """

    id: PlayerId
    rounds: tuple[RoundRecord, ...] = ()
    manual_seed: int | None = None
    has_dropped: bool = False

    @property
    def match_points(self) -> Exact:
        """The sum over tables and byes."""
        return sum(entry.points for entry in self.rounds if entry is not None)

    @property
    def byes(self) -> int:
        """Rounds with a bye."""
        return sum(isinstance(entry, Bye) for entry in self.rounds)

    def tables(self) -> Iterator[tuple[int, Played]]:
        """Round number and table, byes and missed rounds left out."""
        for number, entry in enumerate(self.rounds, start=1):
            if isinstance(entry, Played):
                yield number, entry

    def meetings(self) -> Iterator[tuple[int, PlayerId]]:
        """Round number and opponent, once for each meeting: a second meeting counts again."""
        for number, table in self.tables():
            for opponent in table.opponents:
                yield number, opponent


def opponents_at(table: Iterable[AnyId]) -> dict[AnyId, tuple[AnyId, ...]]:
    """Who played whom: everybody at a table met everybody else there, in the order of the seats."""
    players = tuple(table)
    return {one: tuple(other for other in players if other != one) for one in players}


def played(table: Mapping[AnyId, Taken]) -> dict[AnyId, Played]:
    """What a table is to the standings, by player, from what each took in the order of the seats.

    Agenda points are compared between two players where those of both are known.
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
