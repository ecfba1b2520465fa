"""Content of stream overlays: a table, the standings, the clock.

Overlays contain only public data and never name players who avoid the stream.
"""

from collections import Counter
from dataclasses import dataclass

from engine import table_plan
from matches.models import Game
from matches.scoring import Points, Role
from tournaments.event import queries
from tournaments.event.pages import Identities, IdentityLine, identities_beside_names
from tournaments.models import Pairing, Round, Tournament
from tournaments.results.pages.standings import StandingLine, standings_table
from tournaments.rounds.pages import clocks
from tournaments.rounds.pages.clocks import ClockFace
from tournaments.rounds.pages.tables import SeatLine, TableLine, table_lines

NOT_NAMED = "Not on the stream"


@dataclass(frozen=True)
class StreamSeat:
    """A player on the stream; `before` is the points in the current standings, None in round 1."""

    seat: SeatLine
    before: Points | None
    rank: int | None


@dataclass(frozen=True)
class StreamTable:
    line: TableLine
    seats: tuple[StreamSeat, ...]


def stream_tables(
    tournament: Tournament, round_: Round, asked: int | None = None
) -> list[StreamTable]:
    """Return the table with this number, else the feature tables, else the first table.

    Tables with a player who avoids the stream are always left out.
    """
    hidden = queries.off_stream(tournament)
    lines = [
        line for line in table_lines(round_) if not line.is_bye and hidden.isdisjoint(line.numbers)
    ]
    feature = table_plan.numbers_of(tournament.feature_tables)
    wanted = (asked,) if asked is not None else feature
    shown = [line for line in lines if line.table in wanted] if wanted else lines[:1]
    places = _places(tournament)
    return [StreamTable(line, _stream_seats(line, places)) for line in shown]


def _stream_seats(line: TableLine, places: dict[int, tuple[int, Points]]) -> tuple[StreamSeat, ...]:
    nothing: tuple[int | None, Points | None] = (None, None)
    found = [(seat, places.get(seat.number, nothing)) for seat in line.seats]
    return tuple(StreamSeat(seat, points, rank) for seat, (rank, points) in found)


def _places(tournament: Tournament) -> dict[int, tuple[int, Points]]:
    """Return rank and points in the current standings by player number."""
    snapshot = queries.newest_snapshot(tournament)
    if snapshot is None:
        return {}
    rows = queries.standing_rows(snapshot)
    return {row.registration.number: (row.rank, row.match_points) for row in rows}


@dataclass(frozen=True)
class OverlaySeat:
    """A player at the overlay's table; `before` is the points in the current standings.

    `games_won` is None until the result is settled, and in games without roles.
    """

    number: int
    name: str
    pronouns: str
    role: Role | None
    faction: str
    identities: tuple[IdentityLine, ...]
    games_won: int | None
    points: Points | None
    has_won: bool
    before: Points | None
    rank: int | None
    chooses: bool = False


@dataclass(frozen=True)
class OverlayTable:
    """The overlay's table; `seats` is empty if the table is missing or may not be shown."""

    round_number: int | None
    number: int | None
    seats: tuple[OverlaySeat, ...]
    clock: ClockFace | None
    round_name: str = ""

    @property
    def is_shown(self) -> bool:
        return bool(self.seats)


@dataclass(frozen=True)
class OverlayRow:
    """A row of the standings; for a hidden player `number` is None and the texts are ""."""

    rank: int
    number: int | None
    name: str
    pronouns: str
    points: Points

    @property
    def is_named(self) -> bool:
        return self.number is not None


@dataclass(frozen=True)
class OverlayStandings:
    """One page of the current standings; `pages` is the number of pages."""

    after_round: int | None
    page: int
    pages: int
    rows: tuple[OverlayRow, ...]


def table(tournament: Tournament, asked: int | None) -> OverlayTable:
    """Return the table with this number in the newest round, or else the first feature table."""
    round_ = queries.newest_visible_round(tournament)
    if round_ is None:
        return OverlayTable(None, asked, (), None)
    found = next(iter(stream_tables(tournament, round_, asked)), None)
    if found is None:
        return OverlayTable(round_.number, asked, (), clocks.face(round_))
    pairing = queries.pairings_by_table(round_).get(table_number=found.line.table)
    clock = clocks.face(round_, found.line.table, pairing.extra_minutes)
    return OverlayTable(
        round_.number,
        found.line.table,
        _overlay_seats(tournament, pairing, found),
        clock,
        round_name=found.line.round_title or round_.name,
    )


def _overlay_seats(
    tournament: Tournament, pairing: Pairing, found: StreamTable
) -> tuple[OverlaySeat, ...]:
    identities = identities_beside_names(tournament, None)
    won = _games_won(pairing) if found.line.is_settled else None
    is_single = pairing.match is not None and pairing.match.rule.games_per_match == 1
    return tuple(_overlay_seat(one, identities, won, is_single=is_single) for one in found.seats)


def _overlay_seat(
    one: StreamSeat, identities: Identities, won: Counter[int] | None, *, is_single: bool
) -> OverlaySeat:
    seat = one.seat
    shown = identities.get(seat.number, ())
    if is_single and seat.role:
        shown = tuple(line for line in shown if line.side == seat.role.value)
    return OverlaySeat(
        number=seat.number,
        name=seat.name,
        pronouns=seat.pronouns,
        role=seat.role,
        faction=seat.faction,
        identities=shown,
        games_won=None if won is None or not seat.role else won[seat.number],
        points=seat.points,
        has_won=seat.has_won,
        before=one.before,
        rank=one.rank,
        chooses=seat.chooses,
    )


def _games_won(pairing: Pairing) -> Counter[int]:
    """Count games won in the match by player number."""
    tournament = pairing.round.stage.tournament
    winners = Game.objects.filter(match=pairing.match_id, winner__isnull=False)
    numbers = dict(tournament.registrations.values_list("player_id", "number"))
    return Counter(numbers[player] for player in winners.values_list("winner__player", flat=True))


def standings(tournament: Tournament, top: int, page: int) -> OverlayStandings:
    """Return one page of the current standings with `top` rows; empty after the last page."""
    snapshot = queries.newest_snapshot(tournament)
    if snapshot is None:
        return OverlayStandings(None, page, 0, ())
    hidden = queries.off_stream(tournament)
    lines = standings_table(tournament, snapshot, None).lines
    rows = tuple(_overlay_row(line, hidden) for line in lines[(page - 1) * top : page * top])
    return OverlayStandings(snapshot.round.number, page, -(-len(lines) // top), rows)


def _overlay_row(line: StandingLine, hidden: set[int]) -> OverlayRow:
    if line.number in hidden:
        return OverlayRow(line.rank, None, "", "", line.match_points)
    return OverlayRow(line.rank, line.number, line.name, line.pronouns, line.match_points)
