"""A draft as its organiser reads it: who meets, with which points, and why."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from matches.scoring import Role
from tournaments import field as field_of_event
from tournaments import queries
from tournaments.models import Pairing, Registration, Round
from tournaments.pairing import Reason


@dataclass(frozen=True)
class DraftSeat:
    """A player of the draft; `role` is that of game 1, None for a bye."""

    registration: Registration
    match_points: int
    byes: int
    role: Role | None = None
    met_before: bool = False


@dataclass(frozen=True)
class DraftRow:
    """A table, or a bye with one seat. `reasons` are sentences."""

    pairing: Pairing
    seats: tuple[DraftSeat, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class DraftSheet:
    """The whole draft; `relaxations` say which rules had to give way."""

    tables: tuple[DraftRow, ...]
    byes: tuple[DraftRow, ...]
    relaxations: tuple[str, ...]
    gone: tuple[Registration, ...] = field(default=())
    arrived: tuple[Registration, ...] = field(default=())

    @property
    def seats(self) -> list[DraftSeat]:
        """Everybody in it, by name, for the choice of two to swap."""
        seats = [seat for row in (*self.tables, *self.byes) for seat in row.seats]
        return sorted(seats, key=lambda seat: seat.registration.player.sort_key)


def draft_sheet(round_: Round) -> DraftSheet:
    """Lay the draft out; a constant number of queries."""
    tournament = round_.stage.tournament
    registrations = {entry.player_id: entry for entry in queries.roster(tournament)}
    past = field_of_event.history(tournament)
    names = {entry.number: entry.player.name for entry in registrations.values()}
    rows = [
        DraftRow(pairing, _seats(pairing, registrations, past), sentences(pairing.reasons, names))
        for pairing in queries.pairings_by_table(round_)
    ]
    gone, arrived = queries.changes_since_draft(round_)
    return DraftSheet(
        tables=tuple(row for row in rows if row.pairing.match is not None),
        byes=tuple(row for row in rows if row.pairing.match is None),
        relaxations=sentences(round_.relaxations, names),
        gone=tuple(gone),
        arrived=tuple(arrived),
    )


def sentences(reasons: Iterable[Mapping[str, Any]], names: Mapping[int, str]) -> tuple[str, ...]:
    """Stored reasons ({"kind", "players", "text"}) with the names of the players."""
    return tuple(
        Reason(reason["kind"], tuple(reason["players"]), reason["text"]).sentence(names)  # type: ignore[arg-type]
        for reason in reasons
    )


def _seats(
    pairing: Pairing,
    registrations: Mapping[int, Registration],
    past: field_of_event.History,
) -> tuple[DraftSeat, ...]:
    if pairing.match is None:
        assert pairing.bye is not None
        return (_seat(registrations[pairing.bye.player_id], past),)
    entries = [registrations[seat.player_id] for seat in pairing.match.seats.all()]
    numbers = {entry.number for entry in entries}
    return tuple(
        _seat(entry, past, role, others=numbers - {entry.number})
        for entry, role in zip(entries, (Role.CORP, Role.RUNNER), strict=True)
    )


def _seat(
    registration: Registration,
    past: field_of_event.History,
    role: Role | None = None,
    others: Iterable[int] = (),
) -> DraftSeat:
    entrant = past.entrant(registration)
    met = {meeting.opponent for meeting in entrant.opponents}
    return DraftSeat(
        registration, entrant.match_points, entrant.byes, role, bool(met.intersection(others))
    )
