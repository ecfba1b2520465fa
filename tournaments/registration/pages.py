"""Contents of pages on arrivals, missing players, the waiting list and the meeting."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

from django.db.models import QuerySet

from matches.models import MatchState, Seat
from players.models import Player
from tournaments.models import Pairing, Registration, RegistrationState, Round, Tournament
from tournaments.results.my_rounds import RoundLine


@dataclass(frozen=True)
class OpponentAtTable:
    name: str
    number: int
    is_missed: bool


@dataclass(frozen=True)
class PlayerAttendance:
    # Set on the waiting list, which is over once round 1 is public.
    waiting_place: int | None = None
    list_is_over: bool = False
    can_return: bool = False
    # Set while opponents can be reported missing there.
    table: int | None = None
    i_am_missed: bool = False
    opponents: tuple[OpponentAtTable, ...] = ()
    decided_after: int | None = None


def attendance_of_player(
    registration: Registration, round_: Round | None, line: RoundLine | None
) -> PlayerAttendance:
    """Load the attendance for the player's own page; `line` is their table in the round.

    At most one query, unless the player is on the waiting list or has dropped.
    """
    if registration.state == RegistrationState.WAITING:
        return PlayerAttendance(
            waiting_place=registration.waiting_position(),
            list_is_over=not registration.tournament.waiting_list_moves(),
        )
    can_return = registration.can_return()
    is_open = line is not None and line.match is not None and line.match.state == MatchState.OPEN
    if round_ is None or line is None or not (is_open and round_.is_played):
        return PlayerAttendance(can_return=can_return)
    absences = line.pairing.absences.filter(applied_at=None).order_by()
    missed = set(absences.values_list("registration__number", flat=True))
    return PlayerAttendance(
        can_return=can_return,
        table=line.table.table,
        i_am_missed=registration.number in missed,
        opponents=tuple(
            OpponentAtTable(seat.name, seat.number, seat.number in missed)
            for seat in sorted(line.opponents, key=lambda seat: seat.number)
        ),
        decided_after=registration.tournament.no_show_minutes,
    )


def players_at_table(pairing: Pairing) -> QuerySet[Registration]:
    assert pairing.match_id is not None
    entries = pairing.round.stage.tournament.registrations.select_related("player")
    seats = Seat.objects.filter(match=pairing.match_id)
    return entries.filter(player__in=seats.values("player")).order_by("number")


@dataclass(frozen=True)
class TableWithMissing:
    table: int
    missed: tuple[Registration, ...]


@dataclass(frozen=True)
class DeskAttendance:
    left_behind: tuple[Registration, ...] = ()
    missed: tuple[TableWithMissing, ...] = ()
    waiting: tuple[Registration, ...] = ()
    list_is_over: bool = False

    def __bool__(self) -> bool:
        return bool(self.left_behind or self.missed or self.waiting)


def desk_attendance(
    tournament: Tournament, round_: Round | None, states: Mapping[str, int]
) -> DeskAttendance:
    # `states` counts players by state, so that empty lists cost no query.
    if tournament.is_finished:
        return DeskAttendance()
    dropped, waiting = states[RegistrationState.DROPPED], states[RegistrationState.WAITING]
    missing = list(round_.open_absences()) if round_ else []
    return DeskAttendance(
        left_behind=tuple(tournament.registrations.dropped_for_absence()) if dropped else (),
        missed=tuple(
            TableWithMissing(table, tuple(absence.registration for absence in absences))
            for table, absences in groupby(
                missing, lambda absence: absence.pairing.table_number or 0
            )
        ),
        waiting=tuple(tournament.registrations.waiting_list()) if waiting else (),
        list_is_over=bool(waiting) and not tournament.waiting_list_moves(),
    )


@dataclass(frozen=True)
class MeetingLine:
    name: str
    pronouns: str
    number: int
    table: int
    is_me: bool


def meeting_lines(tournament: Tournament, me: Player | None = None) -> list[MeetingLine]:
    return [
        MeetingLine(
            name=entry.player.name,
            pronouns=entry.player.pronouns,
            number=entry.number,
            table=entry.meeting_table,
            is_me=me is not None and entry.player_id == me.pk,
        )
        for entry in tournament.registrations.seated_for_meeting()
        if entry.meeting_table is not None
    ]


def meeting_tables(lines: list[MeetingLine]) -> list[tuple[int, list[MeetingLine]]]:
    ordered = sorted(lines, key=lambda line: line.table)
    return [(table, list(seats)) for table, seats in groupby(ordered, lambda line: line.table)]
