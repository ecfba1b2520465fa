"""What was played in closed rounds, as plain rows.

A large event has thousands of seats in games: as objects of the database they took most of the
time in which a round is closed and the next one is drafted.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.systems import STORED, SystemKind
from matches.models import SETTLED, GameSeat, Seat
from matches.scoring import Flag, Points, Role
from tournaments.models import Round, Tournament
from tournaments.queries.rounds import closed_pairings


@dataclass(frozen=True, slots=True)
class ClosedGame:
    """A game by its players: who won, if anybody, their roles, and their agenda points if known."""

    winner: int | None
    roles: dict[int, Role | None]
    agenda_points: dict[int, int | None]


@dataclass(frozen=True, slots=True)
class ClosedTable:
    """A table; points by player, in the order of their seats, None while they are not settled."""

    round: int
    in_pods: bool
    is_settled: bool
    is_two_for_one: bool
    points: Mapping[int, Points | None]
    games: tuple[ClosedGame, ...]


@dataclass(frozen=True, slots=True)
class ClosedBye:
    """A round without an opponent."""

    round: int
    player: int
    points: int


Closed: TypeAlias = ClosedTable | ClosedBye


def closed_tables(tournament: Tournament, up_to: Round | None = None) -> list[Closed]:
    """Tables and byes of closed rounds in order, up to one of them, without the cut: four queries.

    Players go by their number in the event.
    """
    numbers = dict(tournament.registrations.values_list("player", "number"))
    pairings = closed_pairings(tournament, up_to)
    # First which tables there are: not everybody who asks holds the event.
    rows = list(
        pairings.values_list(
            *("match", "round__number", "round__stage__system", "match__state", "match__flags"),
            *("bye__number", "bye_points"),
        )
    )
    matches = [match for match, *_ in rows if match is not None]
    points, games = _points(matches, numbers), _games(matches, numbers)
    return [
        ClosedTable(
            round=number,
            in_pods=STORED[system].kind is SystemKind.PODS,
            is_settled=state in SETTLED,
            is_two_for_one=Flag.TWO_FOR_ONE in flags,
            points=points[match],
            games=games[match],
        )
        if match is not None
        else ClosedBye(number, bye, bye_points)
        for match, number, system, state, flags, bye, bye_points in rows
    ]


def _points(
    matches: Sequence[int], numbers: Mapping[int, int]
) -> Mapping[int, Mapping[int, Points | None]]:
    """The points of each player, by match."""
    found: dict[int, dict[int, Points | None]] = defaultdict(dict)
    seats = Seat.objects.filter(match__in=matches).order_by("position")
    for match, player, points in seats.values_list("match", "player", "points"):
        found[match][numbers[player]] = points
    return found


def _games(
    matches: Sequence[int], numbers: Mapping[int, int]
) -> Mapping[int, tuple[ClosedGame, ...]]:
    """The games of each match in order, by match."""
    found: dict[int, dict[int, ClosedGame]] = defaultdict(dict)
    played = GameSeat.objects.filter(game__match__in=matches).order_by("game__number", "role", "pk")
    rows = played.values_list(
        *("game__match", "game__number", "game__winner__player"),
        *("seat__player", "role", "agenda_points"),
    )
    for match, number, winner, player, role, agenda_points in rows:
        game = found[match].get(number)
        if game is None:
            game = found[match][number] = ClosedGame(numbers.get(winner), {}, {})
        game.roles[numbers[player]] = Role(role) if role else None
        game.agenda_points[numbers[player]] = agenda_points
    return {match: tuple(games.values()) for match, games in found.items()}
