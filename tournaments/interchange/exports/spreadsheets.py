"""CSV exports of an event: roster, standings, pairings, results, games, cut and log."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import chain

from core.csv_tables import csv_bytes
from engine.standings import TIE_BREAKERS, as_decimal
from matches import records
from matches.models import Match, Seat
from matches.scoring import GameResult, Points, Role
from tournaments.event import queries
from tournaments.event.pages import log_line
from tournaments.event.snapshots import shown_tie_breakers
from tournaments.interchange.exports.event_files import placings_of
from tournaments.models import (
    LogEntry,
    Pairing,
    Registration,
    RegistrationState,
    Round,
    StandingSnapshot,
    Tournament,
)

PAIRING = ("round", "stage", "table", "bye")
RESULTS = (
    *("round", "table", "seat", "number", "player", "role_or_faction", "match_points"),
    *("corp_points", "runner_points", "victory_points", "bye", "flags"),
)
GAMES = (
    *("round", "table", "game", "corp_number", "corp", "runner_number", "runner", "winner"),
    *("end", "corp_agenda_points", "runner_agenda_points"),
)
CUT = ("place", "number", "player", "seed")

Row = tuple[object, ...]
Places = dict[int, Registration]
LOG = ("at", "who", "what", "about", "points", "changes", "reason")
STANDINGS = ("rank", "number", "name", "pronouns", "dropped", "match_points")
# `roster.read_csv` reads the first four columns.
ROSTER = ("name", "pronouns", "seed", "first_round_bye", "number", "state", "paid_at")


class Tables:
    """All published tables of an event, loaded with few queries. Drafts are excluded."""

    def __init__(self, tournament: Tournament) -> None:
        rounds = queries.visible_rounds(tournament).select_related("stage")
        self.rounds: dict[int, Round] = {round_.pk: round_ for round_ in rounds}
        entries = tournament.registrations.select_related("player")
        self.places: Places = {entry.player_id: entry for entry in entries}
        self.pairings: list[Pairing] = list(queries.published_pairings(tournament))

    def round_of(self, pairing: Pairing) -> Round:
        return self.rounds[pairing.round_id]


def pairings_csv(tournament: Tournament) -> bytes:
    """Export one row per table or bye, with number, name and role or faction of each player."""
    tables = Tables(tournament)
    rows = [_pairing_row(tables, pairing) for pairing in tables.pairings]
    seats = max((len(row) - len(PAIRING) for row in rows), default=6) // 3
    columns = ((f"number_{n}", f"player_{n}", f"role_or_faction_{n}") for n in range(1, seats + 1))
    width = len(PAIRING) + 3 * seats
    return csv_bytes(
        (*PAIRING, *chain.from_iterable(columns)),
        ((*row, *[None] * (width - len(row))) for row in rows),
    )


def _pairing_row(tables: Tables, pairing: Pairing) -> Row:
    round_ = tables.round_of(pairing)
    start = (round_.number, round_.stage.get_system_display(), pairing.table_number)
    if pairing.bye is not None:
        place = tables.places[pairing.bye.player_id]
        return (*start, True, place.number, place.player.name, None)
    seats = ((tables.places[seat.player_id], seat) for seat in _seats(pairing))
    seats_of_table = (
        (place.number, place.player.name, _part(pairing, seat)) for place, seat in seats
    )
    return (*start, False, *chain.from_iterable(seats_of_table))


def results_csv(tournament: Tournament) -> bytes:
    """Export one row per player and round; points only for settled results."""
    tables = Tables(tournament)
    return csv_bytes(RESULTS, (row for one in tables.pairings for row in _results(tables, one)))


def _results(tables: Tables, pairing: Pairing) -> Iterator[Row]:
    number = tables.round_of(pairing).number
    if pairing.bye is not None:
        place = tables.places[pairing.bye.player_id]
        name, points = place.player.name, pairing.bye_points
        yield (number, None, None, place.number, name, None, points, None, None, None, True, "")
    for seat in _seats(pairing):
        place, match = tables.places[seat.player_id], pairing.match
        assert match is not None
        yield (
            *(number, pairing.table_number, seat.position, place.number, place.player.name),
            _part(pairing, seat),
            _cell(seat.points) if match.is_settled else None,
            *(_points_as(role, match, seat) for role in (Role.CORP, Role.RUNNER)),
            _victory_points(match, seat),
            False,
            ", ".join(match.flags) if match.is_settled else "",
        )


def games_csv(tournament: Tournament) -> bytes:
    """Export one row per reported game of Corp and Runner."""
    tables = Tables(tournament)
    return csv_bytes(GAMES, (row for one in tables.pairings for row in _games(tables, one)))


def _games(tables: Tables, pairing: Pairing) -> Iterator[Row]:
    match = pairing.match
    if match is None:
        return
    players = {seat.position: tables.places[seat.player_id] for seat in _seats(pairing)}
    for game in records.settled_result(match).games:
        number = tables.round_of(pairing).number
        yield (number, pairing.table_number, game.number, *_game(game, players))


def _game(game: GameResult, players: Mapping[int, Registration]) -> Row:
    sides = (players[game.position(role)] for role in (Role.CORP, Role.RUNNER))
    return (
        *chain.from_iterable((place.number, place.player.name) for place in sides),
        *(game.winner.value if game.winner else None, game.end.value),
        *(game.corp_agenda_points, game.runner_agenda_points),
    )


def cut_csv(tournament: Tournament) -> bytes:
    """Export the places of the cut, best first, once it has begun; undecided places are empty."""
    stage = queries.cut_of_event(tournament)
    if stage is None or not queries.cut_has_begun(stage):
        return csv_bytes(CUT, ())
    names = dict(tournament.registrations.values_list("number", "player__name"))
    return csv_bytes(
        CUT,
        (
            (place.rank, place.id, None if place.id is None else names[int(place.id)], place.seed)
            for place in placings_of(stage)
        ),
    )


def _seats(pairing: Pairing) -> list[Seat]:
    return list(pairing.match.seats.all()) if pairing.match else []


def _part(pairing: Pairing, seat: Seat) -> str | None:
    """Role in the first game, or the faction, if known."""
    match = pairing.match
    if match is None or (pairing.has_open_choice and not match.is_settled):
        return None
    first = next(iter(seat.in_games()), None)
    return (first.role or first.faction or None) if first else None


def _points_as(role: Role, match: Match, seat: Seat) -> object:
    known = [
        part.points or 0
        for part in seat.in_games()
        if part.role == role and part.points is not None and match.is_settled
    ]
    return _cell(sum(known)) if known else None


def _victory_points(match: Match, seat: Seat) -> int | None:
    found = [part.victory_points for part in seat.in_games()]
    return next((points for points in found if points is not None and match.is_settled), None)


def _cell(points: Points | None) -> object:
    return None if points is None else as_cell(points)


def standings_csv(snapshot: StandingSnapshot, places: Mapping[int, int] | None = None) -> bytes:
    """Export the stored standings, best first, with the tie-breakers shown on the page.

    `places` adds a first column with places after the cut, by event number; undecided places are
    empty.
    """
    rows = list(queries.standing_rows(snapshot))
    shown = shown_tie_breakers(snapshot.tournament, [row.tie_breakers for row in rows])
    return csv_bytes(
        (*(["place"] if places else []), *STANDINGS, *shown),
        (
            (
                *([places.get(row.registration.number)] if places else []),
                row.rank,
                row.registration.number,
                row.registration.player.name,
                row.registration.player.pronouns,
                row.registration.state == RegistrationState.DROPPED,
                as_cell(row.match_points),
                *(_figure(id_, row.tie_breakers.get(id_)) for id_ in shown),
            )
            for row in rows
        ),
    )


def as_cell(points: Points) -> int | Decimal:
    """Convert a fraction to a decimal: spreadsheets read 10/3 as a date."""
    return points if isinstance(points, int) else Decimal(as_decimal(points))


def _figure(id_: str, exact: str | None) -> Decimal | None:
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
        ROSTER,
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
    return csv_bytes(LOG, map(_entry, entries))


def _entry(entry: LogEntry) -> tuple[object, ...]:
    line = log_line(entry)
    who = entry.user or entry.player or "Datafort"
    changes = "; ".join(line.changes)
    at = entry.at.isoformat(timespec="seconds")
    return (at, who, line.action, entry.subject, line.points, changes, entry.reason)
