"""CSV exports of an event: roster, standings, pairings, results, games, cut and log."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import chain

from core.csv_tables import csv_bytes
from engine.standings.records import as_decimal
from engine.standings.tie_breakers import TIE_BREAKERS
from matches import records as matches_records
from matches.models import Match, Seat
from matches.scoring.results import GameResult, Points, Role
from tournaments.event.pages import log_line
from tournaments.event.snapshots import visible_tie_breakers
from tournaments.files.event_files import placings_of
from tournaments.models import (
    LogEntry,
    Pairing,
    Registration,
    RegistrationState,
    Round,
    StandingSnapshot,
    Tournament,
)

PAIRING_COLUMNS = ("round", "stage", "table", "bye")
RESULT_COLUMNS = (
    *("round", "table", "seat", "number", "player", "role_or_faction", "match_points"),
    *("corp_points", "runner_points", "victory_points", "bye", "flags"),
)
GAME_COLUMNS = (
    *("round", "table", "game", "corp_number", "corp", "runner_number", "runner", "winner"),
    *("end", "corp_agenda_points", "runner_agenda_points"),
)
CUT_COLUMNS = ("place", "number", "player", "seed")

CsvRow = tuple[object, ...]
LOG_COLUMNS = ("at", "who", "what", "about", "points", "changes", "reason")
STANDINGS_COLUMNS = ("rank", "number", "name", "pronouns", "dropped", "match_points")
# `roster.read_csv` reads the first four columns.
ROSTER_COLUMNS = ("name", "pronouns", "seed", "first_round_bye", "number", "state", "paid_at")


class PublishedTables:
    """All published tables of an event, loaded with few queries. Drafts are excluded."""

    def __init__(self, tournament: Tournament) -> None:
        rounds = tournament.rounds.published().select_related("stage")
        self.rounds: dict[int, Round] = {round_.pk: round_ for round_ in rounds}
        entries = tournament.registrations.select_related("player")
        self.places = {entry.player_id: entry for entry in entries}
        self.pairings: list[Pairing] = list(tournament.published_pairings())

    def round_of(self, pairing: Pairing) -> Round:
        return self.rounds[pairing.round_id]


def pairings_csv(tournament: Tournament) -> bytes:
    """Export one row per table or bye, with number, name and role or faction of each player."""
    tables = PublishedTables(tournament)
    rows = [_pairing_row(tables, pairing) for pairing in tables.pairings]
    seats = max((len(row) - len(PAIRING_COLUMNS) for row in rows), default=6) // 3
    columns = ((f"number_{n}", f"player_{n}", f"role_or_faction_{n}") for n in range(1, seats + 1))
    width = len(PAIRING_COLUMNS) + 3 * seats
    return csv_bytes(
        (*PAIRING_COLUMNS, *chain.from_iterable(columns)),
        ((*row, *[None] * (width - len(row))) for row in rows),
    )


def _pairing_row(tables: PublishedTables, pairing: Pairing) -> CsvRow:
    round_ = tables.round_of(pairing)
    start = (round_.number, round_.stage.get_system_display(), pairing.table_number)
    if pairing.bye is not None:
        place = tables.places[pairing.bye.player_id]
        return (*start, True, place.number, place.player.name, None)
    seats = ((tables.places[seat.player_id], seat) for seat in _seats_of_pairing(pairing))
    seats_of_table = (
        (place.number, place.player.name, _role_or_faction(pairing, seat)) for place, seat in seats
    )
    return (*start, False, *chain.from_iterable(seats_of_table))


def results_csv(tournament: Tournament) -> bytes:
    """Export one row per player and round; points only for settled results."""
    tables = PublishedTables(tournament)
    return csv_bytes(
        RESULT_COLUMNS,
        (row for pairing in tables.pairings for row in _result_rows(tables, pairing)),
    )


def _result_rows(tables: PublishedTables, pairing: Pairing) -> Iterator[CsvRow]:
    number = tables.round_of(pairing).number
    if pairing.bye is not None:
        place = tables.places[pairing.bye.player_id]
        name, points = place.player.name, pairing.bye_points
        yield (number, None, None, place.number, name, None, points, None, None, None, True, "")
    for seat in _seats_of_pairing(pairing):
        place, match = tables.places[seat.player_id], pairing.match
        assert match is not None
        yield (
            *(number, pairing.table_number, seat.position, place.number, place.player.name),
            _role_or_faction(pairing, seat),
            _optional_cell(seat.points) if match.is_settled else None,
            *(_points_as(role, match, seat) for role in (Role.CORP, Role.RUNNER)),
            _victory_points(match, seat),
            False,
            ", ".join(match.flags) if match.is_settled else "",
        )


def games_csv(tournament: Tournament) -> bytes:
    """Export one row per reported game of Corp and Runner."""
    tables = PublishedTables(tournament)
    return csv_bytes(
        GAME_COLUMNS, (row for pairing in tables.pairings for row in _game_rows(tables, pairing))
    )


def _game_rows(tables: PublishedTables, pairing: Pairing) -> Iterator[CsvRow]:
    match = pairing.match
    if match is None:
        return
    players = {seat.position: tables.places[seat.player_id] for seat in _seats_of_pairing(pairing)}
    for game in matches_records.settled_result(match).games:
        number = tables.round_of(pairing).number
        yield (number, pairing.table_number, game.number, *_game_cells(game, players))


def _game_cells(game: GameResult, players: Mapping[int, Registration]) -> CsvRow:
    sides = (players[game.position(role)] for role in (Role.CORP, Role.RUNNER))
    return (
        *chain.from_iterable((place.number, place.player.name) for place in sides),
        *(game.winner.value if game.winner else None, game.end.value),
        *(game.corp_agenda_points, game.runner_agenda_points),
    )


def cut_csv(tournament: Tournament) -> bytes:
    """Export the places of the cut, best first, once it has begun; undecided places are empty."""
    stage = tournament.get_cut()
    if stage is None or not stage.has_published_round():
        return csv_bytes(CUT_COLUMNS, ())
    names = dict(tournament.registrations.values_list("number", "player__name"))
    return csv_bytes(
        CUT_COLUMNS,
        (
            (place.rank, place.id, None if place.id is None else names[int(place.id)], place.seed)
            for place in placings_of(stage)
        ),
    )


def _seats_of_pairing(pairing: Pairing) -> list[Seat]:
    return list(pairing.match.seats.all()) if pairing.match else []


def _role_or_faction(pairing: Pairing, seat: Seat) -> str | None:
    """Role in the first game, or the faction, if known."""
    match = pairing.match
    if match is None or (pairing.has_open_choice and not match.is_settled):
        return None
    first = next(iter(seat.game_seats()), None)
    return (first.role or first.faction or None) if first else None


def _points_as(role: Role, match: Match, seat: Seat) -> object:
    known = [
        game.points or 0
        for game in seat.game_seats()
        if game.role == role and game.points is not None and match.is_settled
    ]
    return _optional_cell(sum(known)) if known else None


def _victory_points(match: Match, seat: Seat) -> int | None:
    if not match.is_settled:
        return None
    scores = (game.victory_points for game in seat.game_seats())
    return next((points for points in scores if points is not None), None)


def _optional_cell(points: Points | None) -> object:
    return None if points is None else as_cell(points)


def standings_csv(snapshot: StandingSnapshot, places: Mapping[int, int] | None = None) -> bytes:
    """Export the stored standings, best first, with the tie-breakers shown on the page.

    `places` adds a first column with places after the cut, by event number; undecided places are
    empty.
    """
    rows = list(snapshot.rows.ranked())
    shown = visible_tie_breakers(snapshot.tournament, [row.tie_breakers for row in rows])
    return csv_bytes(
        (*(["place"] if places else []), *STANDINGS_COLUMNS, *shown),
        (
            (
                *([places.get(row.registration.number)] if places else []),
                row.rank,
                row.registration.number,
                row.registration.player.name,
                row.registration.player.pronouns,
                row.registration.state == RegistrationState.DROPPED,
                as_cell(row.match_points),
                *(_figure_cell(id_, row.tie_breakers.get(id_)) for id_ in shown),
            )
            for row in rows
        ),
    )


def as_cell(points: Points) -> int | Decimal:
    """Convert a fraction to a decimal: spreadsheets read 10/3 as a date."""
    return points if isinstance(points, int) else Decimal(as_decimal(points))


def _figure_cell(id_: str, exact: str | None) -> Decimal | None:
    if exact is None:
        return None
    figure = Fraction(exact)
    # Head-to-head points may also be fractions, such as 3/2.
    is_decimal = TIE_BREAKERS[id_].is_mean or figure.denominator != 1
    return Decimal(as_decimal(figure) if is_decimal else exact)


def roster_csv(tournament: Tournament) -> bytes:
    """Export the roster by number, in a format that another event can import.

    The import ignores the payment column, because a payment belongs to one event.
    """
    entries = tournament.registrations.select_related("player").order_by("number")
    return csv_bytes(
        ROSTER_COLUMNS,
        (
            (
                entry.player.name,
                entry.player.pronouns,
                entry.seed,
                entry.first_round_bye,
                entry.number,
                entry.state,
                entry.paid_at and entry.paid_at.isoformat(timespec="seconds"),
            )
            for entry in entries
        ),
    )


def log_csv(entries: Iterable[LogEntry]) -> bytes:
    """Export these log entries; callers pass only entries that the reader may see."""
    return csv_bytes(LOG_COLUMNS, map(_log_row, entries))


def _log_row(entry: LogEntry) -> CsvRow:
    line = log_line(entry)
    author = entry.user or entry.player or "Datafort"
    changes = "; ".join(line.changes)
    at = entry.at.isoformat(timespec="seconds")
    return (at, author, line.action, entry.shown_subject, line.points, changes, entry.shown_reason)
