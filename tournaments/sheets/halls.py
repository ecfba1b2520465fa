"""What one version of an event says to its players: asked once, however many look.

Kept by each process as it is, and read by many requests at once: nothing here is changed by who
gets it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock
from time import monotonic

from tournaments import queries, visibility
from tournaments.models import Registration, Round, Stage, Tournament
from tournaments.sheets.days import Day, KnownDay, day_of, days_of, moved_day
from tournaments.sheets.tables import TableLine, lines_of_tables, table_lines
from tournaments.systems import SystemKind

MOST_KEPT = 8
"""Halls of as many events; one of 500 players and nine rounds takes some megabytes."""
KEPT_SECONDS = 600.0
"""To ask for a large hall takes a quarter of a second of a core, so it is not done every minute."""
NOT_ASKED = -1
"""The version of a match nobody has asked for; that of a bye is None."""


@dataclass(eq=False)
class Hall:
    """The newest published round with its stage, and all that is asked for when it is wanted.

    `version` is the `hall_version` of the event this was asked for. What administrators change of
    factions shows up to ten minutes later.
    """

    tournament: Tournament
    version: int
    round: Round | None
    _days: Mapping[int, KnownDay] | None = None
    _tables: dict[int, tuple[int | None, TableLine]] = field(default_factory=dict)
    _one_asks_days: Lock = field(default_factory=Lock)
    _one_asks_tables: Lock = field(default_factory=Lock)
    _read_at: float = field(default_factory=monotonic)

    @property
    def is_young(self) -> bool:
        """Whether it may still be given out: a restored backup has old versions once more."""
        return monotonic() - self._read_at < KEPT_SECONDS

    @cached_property
    def planned(self) -> int | None:
        """How many rounds are planned; None where no page says."""
        if self.round is None or self.round.stage.way.is_elimination:
            return None
        is_fixed = self.round.stage.way.kind is not SystemKind.ROUND_ROBIN
        told = self.tournament.planned_rounds if is_fixed else None
        return told or queries.round_target(self.tournament)

    @cached_property
    def has_meeting(self) -> bool:
        """Whether the player meeting is on, until round 1 says where everybody sits."""
        return self.round is None and queries.meeting_is_on(self.tournament)

    @cached_property
    def stages(self) -> list[Stage]:
        """For what the decks of opponents show; none where there are no decks."""
        return visibility.stages_with_facts(self.tournament) if self.tournament.has_decks else []

    def day_of(self, registration: Registration, moves: int | None) -> Day:
        """The player's day; `moves` are theirs (sheets.days) of now, None where they are not known.

        What is told of a table in an open round moves no version, so that table is asked for anew;
        a result of a closed round does.
        """
        if moves is None:
            return day_of(registration, self.round)
        known = self._all_days().get(registration.player_id)
        if known is None:
            return day_of(registration, self.round)
        return known.day if known.moves == moves else moved_day(known.day, registration, self.round)

    def _all_days(self) -> Mapping[int, KnownDay]:
        if self._days is None:
            with self._one_asks_days:
                if self._days is None:
                    self._days = days_of(self.tournament, self.round)
        return self._days

    def table_lines(self) -> list[TableLine]:
        """All tables of the newest round in order, byes last: as `tables.table_lines`, for nobody.

        Only those whose match has moved since they were asked for are asked for again.
        """
        assert self.round is not None, "there are no tables before the first round"
        # Before the lines: what moves meanwhile is asked for once more the next time.
        versions = dict(self.round.pairings.values_list("pk", "match__version"))
        with self._one_asks_tables:
            old = [pk for pk, version in versions.items() if self._version_of(pk) != version]
            asked = queries.pairings_by_table(self.round).filter(pk__in=old)
            for pk, line in lines_of_tables(self.round, asked).items() if old else ():
                self._tables[pk] = versions[pk], line
            return [self._tables[pk][1] for pk in versions if pk in self._tables]

    def _version_of(self, pairing: int) -> int | None:
        return self._tables[pairing][0] if pairing in self._tables else NOT_ASKED


_halls: dict[int, Hall] = {}
"""By event, the one that was asked for last at the end."""
_guard = Lock()


def table_lines_now(round_: Round, me: Registration | None = None) -> list[TableLine]:
    """The tables of a published round in order, byes last; the newest round is asked for little."""
    hall = hall_of(round_.stage.tournament)
    if hall.round != round_:
        return table_lines(round_, me.player if me is not None else None)
    lines = hall.table_lines()
    return lines if me is None else [_seen_by(me, line) for line in lines]


def _seen_by(me: Registration, line: TableLine) -> TableLine:
    if me.number not in line.numbers:
        return line
    seats = (replace(seat, is_me=seat.number == me.number) for seat in line.seats)
    return replace(line, seats=tuple(seats))


def hall_of(tournament: Tournament) -> Hall:
    """The hall at the version of this row or a newer one; no query while it is kept.

    Ask with a row as it is committed: who is in the middle of a change asks for others as well.
    """
    with _guard:
        kept = _kept(tournament)
    if kept is not None and kept.version == tournament.hall_version:
        return kept
    # Read after the row: it is never older than its version says.
    return _keep(_read(tournament))


def _kept(tournament: Tournament) -> Hall | None:
    kept = _halls.get(tournament.pk)
    return kept if kept is not None and kept.is_young else None


def _keep(hall: Hall) -> Hall:
    """This hall, or that of the same version which somebody else has read meanwhile."""
    event = hall.tournament
    with _guard:
        kept = _kept(event)
        if kept is not None and kept.version == hall.version:
            return kept
        if kept is None or kept.version < hall.version:
            _halls.pop(event.pk, None)
            _halls[event.pk] = hall
        for old in [pk for pk, one in _halls.items() if not one.is_young]:
            del _halls[old]
        while len(_halls) > MOST_KEPT:
            del _halls[next(iter(_halls))]
    return hall


def forget() -> None:
    """Drop all halls of this process: the events of its database are others now."""
    with _guard:
        _halls.clear()


def _read(tournament: Tournament) -> Hall:
    rounds = queries.visible_rounds(tournament).select_related("stage")
    newest = rounds.defer("certificate", "relaxations").last()
    if newest is not None:
        newest.stage.tournament = tournament
    return Hall(tournament, tournament.hall_version, newest)
