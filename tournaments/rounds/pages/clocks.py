"""Round clocks as shown on pages, and their controls. Devices count down on their own."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from engine.bracket.round_names import RoundName
from engine.clock import ClockState
from tournaments.event import queries
from tournaments.models import Pairing, Round
from tournaments.models.round_names import round_in_sentence


@dataclass(frozen=True)
class ClockFace:
    """The clock of a round, or of one table in it.

    `left` are the seconds left on a stopped clock; a running clock has `ends_at` instead.
    `extra_minutes` are minutes of the table beyond those of the room.
    """

    round_number: int
    state: ClockState
    ends_at: datetime | None
    left: int
    overtime: int
    table: int | None = None
    extra_minutes: int = 0
    bracket_rounds: tuple[RoundName, ...] = ()

    @property
    def round_in_sentence(self) -> str:
        """The round within a sentence: "round 3", "the semifinals"."""
        return round_in_sentence(self.round_number, self.bracket_rounds)

    @property
    def end(self) -> int | None:
        """`ends_at` in milliseconds, for scripts."""
        return round(self.ends_at.timestamp() * 1000) if self.ends_at else None

    @property
    def left_in_words(self) -> str:
        """`left` as minutes and seconds: 34:05, or +0:10 past zero."""
        minutes, seconds = divmod(abs(self.left), 60)
        return f"{'+' if self.left < 0 else ''}{minutes}:{seconds:02}"


@dataclass(frozen=True)
class TableTime:
    table: int
    extra_minutes: int
    clock: ClockFace


@dataclass(frozen=True)
class ClockControls:
    """Clock controls for the staff; `seen` are the minutes added so far."""

    clock: ClockFace
    round_number: int
    minutes: int
    seen: int
    pause_mark: int
    tables: tuple[TableTime, ...]

    @property
    def is_running(self) -> bool:
        return self.clock.state is ClockState.RUNNING

    @property
    def is_paused(self) -> bool:
        return self.clock.state is ClockState.PAUSED


def face(
    round_: Round | None, table: int | None = None, extra_minutes: int = 0
) -> ClockFace | None:
    """Return the clock of the room, or of a `table` with its extra minutes.

    None without a round, and for a draft or a closed round.
    """
    if round_ is None or not round_.is_played:
        return None
    clock = queries.clock_of(round_).with_extra(extra_minutes)
    stands = clock.state is not ClockState.RUNNING
    return ClockFace(
        round_number=round_.number,
        state=clock.state,
        ends_at=clock.ends_at,
        left=round(clock.left(timezone.now()).total_seconds()) if stands else 0,
        overtime=clock.overtime_minutes * 60,
        table=table,
        extra_minutes=extra_minutes,
        bracket_rounds=round_.bracket_rounds,
    )


def table_times(round_: Round) -> tuple[TableTime, ...]:
    """Return the tables still playing that have extra minutes, in order."""
    return _times(round_, queries.tables_with_extra(round_))


def _times(round_: Round, tables: Iterable[Pairing]) -> tuple[TableTime, ...]:
    rows = ((table.table_number, table.extra_minutes) for table in tables if table.extra_minutes)
    found = ((table, extra, face(round_, table, extra)) for table, extra in rows)
    return tuple(TableTime(table, extra, clock) for table, extra, clock in found if table and clock)


def controls(
    round_: Round | None, open_tables: Iterable[Pairing] | None = None
) -> ClockControls | None:
    """Return the clock controls of the desk; None if the round has no clock.

    `open_tables` are the tables still playing, if the caller has them.
    """
    clock = face(round_)
    if round_ is None or clock is None:
        return None
    return ClockControls(
        clock=clock,
        round_number=round_.number,
        minutes=queries.clock_of(round_).minutes,
        seen=round_.extra_minutes,
        pause_mark=queries.pause_mark(round_),
        tables=table_times(round_) if open_tables is None else _times(round_, open_tables),
    )
