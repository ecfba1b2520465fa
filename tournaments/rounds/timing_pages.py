"""Round clocks with their controls, and the expected end of rounds and days."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby, pairwise
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from engine.bracket.display import RoundName
from engine.bracket.games import rounds_of_cut
from engine.round_plan import MIN_PLAYERS_FOR_CUT, usual_cut_size
from engine.systems import SystemKind
from engine.timing import (
    ClockState,
    ExpectedEnd,
    Pace,
    RoundTiming,
    TimeSpread,
    expected_end,
    measure_pace,
    round_duration,
    time_left_in_gap,
    time_left_in_round,
)
from tournaments.models import Pairing, Round, Tournament
from tournaments.models.rounds import round_in_sentence
from tournaments.rounds.cut import Cut, get_cut


@dataclass(frozen=True)
class ClockFace:
    """The clock of a round, or of one table in it. Devices count down on their own."""

    round_number: int
    state: ClockState
    # Only for a running clock.
    ends_at: datetime | None
    # Seconds left on a stopped clock.
    left: int
    overtime: int
    table: int | None = None
    # Minutes of the table beyond those of the room.
    extra_minutes: int = 0
    bracket_rounds: tuple[RoundName, ...] = ()

    @property
    def round_in_sentence(self) -> str:
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


def get_clock_face(
    round_: Round | None, table: int | None = None, extra_minutes: int = 0
) -> ClockFace | None:
    """Return the clock of the room, or of a `table`; None unless the round is being played."""
    if round_ is None or not round_.is_played:
        return None
    clock = round_.clock().with_extra(extra_minutes)
    is_stopped = clock.state is not ClockState.RUNNING
    return ClockFace(
        round_number=round_.number,
        state=clock.state,
        ends_at=clock.ends_at,
        left=round(clock.left(timezone.now()).total_seconds()) if is_stopped else 0,
        overtime=clock.overtime_minutes * 60,
        table=table,
        extra_minutes=extra_minutes,
        bracket_rounds=round_.bracket_rounds,
    )


def table_times(round_: Round) -> tuple[TableTime, ...]:
    return _table_times(round_, round_.tables_with_extra_time())


def _table_times(round_: Round, tables: Iterable[Pairing]) -> tuple[TableTime, ...]:
    times = []
    for table in tables:
        number, extra = table.table_number, table.extra_minutes
        clock = get_clock_face(round_, number, extra) if number and extra else None
        if number and clock:
            times.append(TableTime(number, extra, clock))
    return tuple(times)


def get_clock_controls(
    round_: Round | None, open_tables: Iterable[Pairing] | None = None
) -> ClockControls | None:
    """Return the clock controls of the desk; `open_tables` are still playing, if known."""
    clock = get_clock_face(round_)
    if round_ is None or clock is None:
        return None
    return ClockControls(
        clock=clock,
        round_number=round_.number,
        minutes=round_.clock().minutes,
        seen=round_.extra_minutes,
        pause_mark=round_.pause_mark,
        tables=table_times(round_) if open_tables is None else _table_times(round_, open_tables),
    )


# Expected ends, and warnings if they are after closing time.

# Seconds. The estimate is not exact to the minute.
ROUNDING_SECONDS = 300


@dataclass(frozen=True)
class ExpectedStart:
    """The expected start of a round, or of a round of the cut."""

    number: int
    at: datetime
    is_cut: bool


@dataclass(frozen=True)
class DayEnd:
    """The expected end of a day, which is that of its last round."""

    day: int
    # Empty for an event of one day.
    label: str
    last_number: int
    last: ExpectedEnd
    closes_at: datetime | None
    # The last round that ends before closing time; 0 for none, or without a closing time.
    fits_until: int
    zone: ZoneInfo
    # True if the day ends with the cut, whose rounds have names instead of numbers.
    is_cut: bool
    starts: tuple[ExpectedStart, ...] = ()

    @property
    def is_late(self) -> bool:
        return self.closes_at is not None and self.last.typical > self.closes_at

    @property
    def warning(self) -> str:
        if not self.is_late or self.closes_at is None:
            return ""
        if self.label and self.is_cut:
            text = _(
                "%(day)s: the cut is expected to end at %(ends)s, after closing time (%(closes)s)."
            )
        elif self.label:
            text = _(
                "%(day)s: round %(round)s is expected to end at %(ends)s, after closing time "
                "(%(closes)s)."
            )
        elif self.is_cut:
            text = _("The cut is expected to end at %(ends)s, after closing time (%(closes)s).")
        else:
            text = _(
                "Round %(round)s is expected to end at %(ends)s, after closing time (%(closes)s)."
            )
        late = text % {
            "day": self.label,
            "round": self.last_number,
            "ends": self._at(self.last.typical),
            "closes": self._at(self.closes_at),
        }
        if not self.fits_until:
            return late
        return f"{late} {_('There is time up to round %(round)s.') % {'round': self.fits_until}}"

    @property
    def time_of_end(self) -> str:
        return self._at(self.last.typical)

    def _at(self, moment: datetime) -> str:
        local = moment.astimezone(self.zone)
        is_that_day = local.date() == self.last.typical.astimezone(self.zone).date()
        return date_format(local, "H:i" if is_that_day else "l H:i")


@dataclass(frozen=True)
class EndTimes:
    """Expected ends of the remaining rounds and days."""

    # The round at the tables.
    round_number: int | None
    round: ExpectedEnd | None
    # The remaining days with a known end, at least one.
    days: tuple[DayEnd, ...]
    # Number of rounds the estimate is based on.
    measured: int
    # Size and system of the planned or usual cut, if no cut is made yet.
    cut_size: int = 0
    cut_system: str = ""
    with_cut: ExpectedEnd | None = None
    # Name of the newest round within a sentence, if it is in a cut.
    cut_round: str = ""

    @property
    def today(self) -> DayEnd:
        return self.days[0]

    @property
    def _final(self) -> DayEnd:
        return self.days[-1]

    @property
    def last_number(self) -> int:
        return self._final.last_number

    @property
    def last(self) -> ExpectedEnd:
        return self._final.last

    @property
    def ends_around(self) -> str:
        """The time of day of the expected end of a one-day event, else an empty string."""
        return "" if len(self.days) > 1 else self._final.time_of_end

    @property
    def fits_until(self) -> int:
        """The last round that ends before closing time on the last day; 0 for none."""
        return self._final.fits_until

    @property
    def closes_at(self) -> datetime | None:
        return self._final.closes_at

    @property
    def names_round(self) -> bool:
        return self.round is not None and self.round_number != self.today.last_number

    @property
    def is_late(self) -> bool:
        return any(day.is_late for day in self.days)

    @property
    def warning(self) -> str:
        return " ".join(day.warning for day in self.days if day.is_late)


@dataclass(frozen=True)
class _ComingRound:
    number: int
    is_cut: bool


@dataclass(frozen=True)
class _EstimateInput:
    """Input of the estimate; `latest` is the newest published round."""

    tournament: Tournament
    pace: Pace
    now: datetime
    latest: Round | None
    open_tables: int

    @property
    def minutes(self) -> int:
        return self.tournament.round_minutes

    @property
    def at_tables(self) -> Round | None:
        return self.latest if self.latest and self.latest.is_played else None

    @property
    def played(self) -> _ComingRound:
        if self.latest is None:
            return _ComingRound(0, is_cut=False)
        return _ComingRound(self.latest.number, self.latest.is_in_cut)

    def day_of(self, round_: _ComingRound) -> int:
        if self.tournament.day_two_on is None:
            return 1
        first = self.tournament.day_two_round
        return 1 + (round_.is_cut if first is None else round_.number >= first)


def get_end_times(tournament: Tournament) -> EndTimes | None:
    """Return the expected end times of an event; a constant number of queries."""
    if tournament.is_finished:
        return None
    rounds = list(
        tournament.rounds.published()
        .select_related("stage__tournament")
        .defer("certificate", "relaxations")
    )
    latest = rounds[-1] if rounds else None
    is_open = latest is not None and latest.is_played
    stage, players = tournament.get_cut(), tournament.registrations.not_waiting().count()
    # Do not reveal a cut that is not published yet.
    is_public = stage is not None and (
        stage.seeds_shown_at is not None or any(round_.stage_id == stage.pk for round_ in rounds)
    )
    return estimate_end_times(
        tournament,
        rounds,
        target=tournament.rounds_to_announce(players, has_begun=bool(rounds)),
        open_tables=latest.open_tables().count() if latest and is_open else 0,
        players=players,
        cut=get_cut(stage) if stage and is_public else None,
    )


def estimate_end_times(
    tournament: Tournament,
    rounds: Sequence[Round],
    *,
    target: int,
    open_tables: int,
    players: int,
    cut: Cut | None,
) -> EndTimes | None:
    """Return the expected end times, from all `rounds` of the event; one query.

    `target` rounds are played before a cut; `open_tables` counts tables still playing. None for an
    event that is over, has no start time, or lasts several days without a known split of rounds.
    """
    now, two_days = timezone.now(), tournament.day_two_on is not None
    is_long = not (tournament.is_one_day or two_days)
    if tournament.is_finished or is_long or target < 1:
        return None
    began = [round_ for round_ in rounds if not round_.is_draft]
    start = now if began else tournament.starts_at
    if start is None:
        return None
    pace = measure_pace(
        [*_played_rounds(rounds)], [*_played_rounds(tournament.comparable_rounds())]
    )
    latest = began[-1] if began else None
    data = _EstimateInput(tournament, pace, max(now, start), latest, open_tables)
    return _build_end_times(
        data, _coming_rounds(data, target, cut), _expected_cut_size(data, players, cut)
    )


def _coming_rounds(data: _EstimateInput, target: int, cut: Cut | None) -> list[_ComingRound]:
    number, at_tables = data.played.number, data.at_tables
    if cut is None:
        later = [False] * max(0, target - number)
    else:
        later = [True] * cut.rounds_after(at_tables)
    rounds = _number_rounds(number, later)
    return [data.played, *rounds] if at_tables else rounds


def _number_rounds(before: int, cuts: Iterable[bool]) -> list[_ComingRound]:
    return [_ComingRound(number, is_cut) for number, is_cut in enumerate(cuts, start=before + 1)]


def _expected_cut_size(data: _EstimateInput, players: int, cut: Cut | None) -> int:
    """Return the size of the planned or usual cut; 0 for none, or if a cut is made already."""
    system = data.latest.stage.way if data.latest else data.tournament.current_stage().way
    if cut is not None or system.kind is not SystemKind.SWISS:
        return 0
    usual = usual_cut_size(players) if players >= MIN_PLAYERS_FOR_CUT else 0
    # Until round 1 is published, players can still join, so a planned cut keeps its size.
    event, has_begun = data.tournament, data.latest is not None
    planned = event.planned_cut_size(players) if has_begun else event.planned_cut
    return planned or usual


def _build_end_times(
    data: _EstimateInput, to_come: list[_ComingRound], cut_size: int
) -> EndTimes | None:
    """Return the ends of the known rounds by day, and the end with a cut after them."""
    event, at_tables = data.tournament, data.at_tables
    last = to_come[-1].number if to_come else data.played.number
    system = event.planned_cut_system
    cut = _number_rounds(last, [True] * rounds_of_cut(system, cut_size)) if cut_size else []
    whole = _day_ends(data, [*to_come, *cut])
    # A cut that is planned, or fills day 2, is certain.
    is_day_two = event.day_two_on is not None and event.day_two_round is None
    is_sure = is_day_two or event.planned_cut is not None
    days = whole if is_sure else _day_ends(data, to_come)
    if not days:
        return None
    has_cut = bool(cut) and whole[-1].last_number == cut[-1].number
    round_end = expected_end(data.now, _round_times(data, to_come[0])) if at_tables else None
    return EndTimes(
        round_number=at_tables.number if at_tables else None,
        round=_round_up(round_end) if round_end else None,
        days=days,
        measured=max(data.pace.overrun.count, data.pace.cut_overrun.count),
        cut_size=cut_size,
        cut_system=system,
        with_cut=whole[-1].last if has_cut else None,
        cut_round=data.latest.in_sentence if data.latest and data.latest.bracket_rounds else "",
    )


def _day_ends(data: _EstimateInput, rounds: Sequence[_ComingRound]) -> tuple[DayEnd, ...]:
    days: list[DayEnd] = []
    for day, coming in groupby(rounds, data.day_of):
        has_begun = day == 1 or data.day_of(data.played) == day
        starts = data.now if has_begun else _start_of_day_two(data, days)
        if starts is None:
            break
        days.append(_day_end(data, day, starts, list(coming)))
    return tuple(days)


def _start_of_day_two(data: _EstimateInput, before: Sequence[DayEnd]) -> datetime | None:
    """Return the set start of day 2, or now if that is past; never before day 1 is over."""
    event = data.tournament
    today = data.now.astimezone(event.zone).date()
    is_today = event.day_two_on is not None and event.day_two_on <= today
    starts = event.day_two_at or (data.now if is_today else None)
    return starts and max(starts, data.now, *(day.last.typical for day in before))


def _day_end(
    data: _EstimateInput, day: int, starts: datetime, rounds: Sequence[_ComingRound]
) -> DayEnd:
    event, ends, begins, parts = data.tournament, [], [], list[TimeSpread]()
    for coming in rounds:
        *pause, play = _round_times(data, coming)
        # The first round of a day has no break before it.
        parts += [] if starts > data.now and coming is rounds[0] else pause
        begin = _round_up(expected_end(starts, parts)).typical
        begins.append(ExpectedStart(coming.number, begin, coming.is_cut))
        parts.append(play)
        ends.append(expected_end(starts, parts))
    two_days = event.day_two_on is not None
    closes = event.closes_on(event.day_two_on if day == 2 and event.day_two_on else event.starts_on)
    fitting = [
        coming.number
        for coming, end in zip(rounds, ends, strict=True)
        if closes and end.typical <= closes
    ]
    return DayEnd(
        day=day,
        label=_("Day %(day)s") % {"day": day} if two_days else "",
        last_number=rounds[-1].number,
        last=_round_up(ends[-1]),
        closes_at=closes,
        fits_until=fitting[-1] if fitting else 0,
        zone=event.zone,
        is_cut=rounds[-1].is_cut,
        starts=tuple(begins),
    )


def _round_times(data: _EstimateInput, coming: _ComingRound) -> Iterator[TimeSpread]:
    """Yield the rest of the round at the tables; else the break before a round, then the round."""
    at_tables, latest, pace = data.at_tables, data.latest, data.pace
    if at_tables is not None and at_tables.number == coming.number:
        clock, is_cut = at_tables.clock(), at_tables.is_in_cut
        if at_tables.started_at is None:
            yield round_duration(pace, clock.minutes, is_cut=is_cut)
        else:
            yield time_left_in_round(
                clock, pace, data.now, open_tables=data.open_tables, is_cut=is_cut
            )
        return
    is_next = at_tables is None and coming.number == data.played.number + 1
    closed_at = latest.closed_at if latest else None
    yield time_left_in_gap(pace, closed_at, data.now) if is_next else pace.gap
    yield round_duration(pace, data.minutes, is_cut=coming.is_cut)


def _round_up(end: ExpectedEnd) -> ExpectedEnd:
    low, typical, high = (
        moment + timedelta(seconds=-moment.timestamp() % ROUNDING_SECONDS)
        for moment in (end.low, end.typical, end.high)
    )
    return ExpectedEnd(low, typical, high)


def _played_rounds(rounds: Iterable[Round]) -> Iterator[RoundTiming]:
    """Yield the timing of closed rounds; the gap is to the next round of the same event."""
    ordered = [*rounds]
    for round_, next_ in pairwise([*ordered, None]):
        if round_ is None or not (round_.is_closed and round_.started_at and round_.closed_at):
            continue
        is_next = next_ is not None and next_.stage.tournament_id == round_.stage.tournament_id
        started = next_.started_at if next_ is not None and is_next else None
        pauses = timedelta(seconds=round_.paused_seconds)
        yield RoundTiming(
            minutes=round_.stage.tournament.round_minutes + round_.extra_minutes,
            played=round_.closed_at - round_.started_at - pauses,
            gap=started - round_.closed_at if started else None,
            is_cut=round_.is_in_cut,
        )
