"""What a stream may show of a round: tables whose players do not mind, their points, the clock."""

from dataclasses import dataclass

from engine import table_plan
from matches.scoring import Points
from tournaments.event import queries
from tournaments.models import Round, Tournament
from tournaments.rounds.pages.tables import SeatLine, TableLine, table_lines


@dataclass(frozen=True)
class StreamSeat:
    """A player on the stream; `before` are the points they came with, None in round 1."""

    seat: SeatLine
    before: Points | None
    rank: int | None


@dataclass(frozen=True)
class StreamTable:
    """One table as the overlay shows it."""

    line: TableLine
    seats: tuple[StreamSeat, ...]


def stream_tables(
    tournament: Tournament, round_: Round, asked: int | None = None
) -> list[StreamTable]:
    """The feature tables, or the one asked for, or without either the first that may be shown.

    A table with somebody who avoids the stream is never among them, asked for or not.
    """
    hidden = set(
        tournament.registrations.filter(avoids_stream=True).values_list("number", flat=True)
    )
    lines = [
        line for line in table_lines(round_) if not line.is_bye and hidden.isdisjoint(line.numbers)
    ]
    feature = table_plan.numbers_of(tournament.feature_tables)
    wanted = (asked,) if asked is not None else feature
    shown = [line for line in lines if line.table in wanted] if wanted else lines[:1]
    places = _places(tournament)
    return [StreamTable(line, _seats(line, places)) for line in shown]


def _seats(line: TableLine, places: dict[int, tuple[int, Points]]) -> tuple[StreamSeat, ...]:
    nothing: tuple[int | None, Points | None] = (None, None)
    found = [(seat, places.get(seat.number, nothing)) for seat in line.seats]
    return tuple(StreamSeat(seat, points, rank) for seat, (rank, points) in found)


def _places(tournament: Tournament) -> dict[int, tuple[int, Points]]:
    """Rank and points in the standings in force, by the number of the player."""
    snapshot = queries.newest_snapshot(tournament)
    if snapshot is None:
        return {}
    rows = queries.standing_rows(snapshot)
    return {row.registration.number: (row.rank, row.match_points) for row in rows}
