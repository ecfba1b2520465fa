"""When the round and the event are expected to end, and whether that is after closing time."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format

from core.time_zones import known_zones
from engine.bracket.games import rounds_of
from engine.round_plan import FEWEST_FOR_A_CUT, usual_cut
from engine.systems import SystemKind
from engine.timing import (
    Expected,
    Pace,
    PlayedRound,
    Spread,
    expected,
    pace_of,
    rest_of_gap,
    round_time,
    rounds_to_come,
    running_round,
)
from tournaments.event import queries
from tournaments.models import Round, Tournament
from tournaments.rounds.elimination import Cut, cut_of

ROUNDED_TO = 300
"""Seconds: nobody knows it to the minute."""


@dataclass(frozen=True)
class EndTimes:
    """When what is left will be over, as moments in the zone of the event.

    `round` is the end of the round at the tables, `last` that of the last round that is known to
    come, which has the number `last_number`. `with_cut` is the end with the usual cut of
    `cut_size`, where none is made yet. `measured` are the rounds it was measured on.
    """

    tournament: Tournament
    round_number: int | None
    round: Expected | None
    last_number: int
    last: Expected
    measured: int
    cut_size: int = 0
    with_cut: Expected | None = None
    fits_until: int = 0
    """The last round that ends before closing time; 0 for none or where nobody said when."""

    @property
    def closes_at(self) -> datetime | None:
        """When it must be over."""
        return self.tournament.closes_at

    @property
    def names_round(self) -> bool:
        """Whether the end of the round is another one than that of the last."""
        return self.round is not None and self.round_number != self.last_number

    @property
    def is_late(self) -> bool:
        """Whether the last round is expected to end after that."""
        return self.closes_at is not None and self.last.typical > self.closes_at

    @property
    def warning(self) -> str:
        """What the desk says of it; empty while all fits."""
        if not self.is_late or self.closes_at is None:
            return ""
        ends, closes = self._at(self.last.typical), self._at(self.closes_at)
        late = (
            f"Round {self.last_number} is expected to end at {ends}, after closing time ({closes})."
        )
        return f"{late} Up to round {self.fits_until} fits." if self.fits_until else late

    def _at(self, moment: datetime) -> str:
        local = moment.astimezone(zone_of(self.tournament))
        is_today = local.date() == self.last.typical.astimezone(local.tzinfo).date()
        return date_format(local, "H:i" if is_today else "l H:i")


def zone_of(tournament: Tournament) -> ZoneInfo:
    """Where the clock on the wall hangs."""
    return ZoneInfo(tournament.time_zone if tournament.time_zone in known_zones() else "UTC")


def end_times(
    tournament: Tournament,
    rounds: Sequence[Round],
    *,
    target: int,
    open_tables: int,
    players: int,
    cut: Cut | None = None,
) -> EndTimes | None:
    """What is expected now, from all `rounds` of the event; one query.

    `target` rounds come before a cut; `open_tables` are those of the round at the tables. None
    where nobody can say: the event is over, has no hour, or lasts several days.
    """
    now = timezone.now()
    if tournament.is_finished or tournament.last_day > tournament.starts_on or target < 1:
        return None
    began = [one for one in rounds if not one.is_draft]
    start = now if began else tournament.starts_at
    if start is None:
        return None
    pace = pace_of([*_played(rounds)], [*_played(queries.earlier_rounds(tournament))])
    seen = _Seen(tournament, pace, max(now, start), began[-1] if began else None, open_tables)
    return _end_times(seen, _to_come(seen, target, cut), players, cut)


def end_times_of(tournament: Tournament) -> EndTimes | None:
    """The same of an event of which nothing is at hand yet; a constant number of queries."""
    if tournament.is_finished:
        return None
    rounds = list(
        queries.visible_rounds(tournament)
        .select_related("stage__tournament")
        .defer("certificate", "relaxations")
    )
    latest = rounds[-1] if rounds else None
    is_open = latest is not None and latest.is_played
    stage = queries.cut_of_event(tournament)
    # A cut that is made and not published yet is nobody else's business.
    is_public = stage is not None and any(round_.stage_id == stage.pk for round_ in rounds)
    return end_times(
        tournament,
        rounds,
        target=queries.round_target(tournament),
        open_tables=queries.open_tables(latest).count() if latest and is_open else 0,
        players=queries.players(tournament).count(),
        cut=cut_of(stage) if stage and is_public else None,
    )


@dataclass(frozen=True)
class _Seen:
    """What the reckoning goes by; `latest` is the round that was published last."""

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
    def number(self) -> int:
        """Of the newest round, 0 before the first."""
        return self.latest.number if self.latest else 0


def _to_come(seen: _Seen, target: int, cut: Cut | None) -> list[bool]:
    """Rounds after the newest one, each with whether it is of the cut."""
    if cut is not None:
        is_at_tables = seen.at_tables is not None and seen.at_tables.stage_id == cut.stage.pk
        return [True] * max(0, cut.rounds_left - is_at_tables)
    return [False] * max(0, target - seen.number)


def _end_times(seen: _Seen, to_come: list[bool], players: int, cut: Cut | None) -> EndTimes | None:
    first = [*_first(seen, to_come)]
    if not first:
        return None
    later = to_come if seen.at_tables else to_come[1:]
    rest = rounds_to_come(seen.pace, seen.minutes, later)
    ends = [expected(seen.now, [*first, *rest[: 2 * more]]) for more in range(len(rest) // 2 + 1)]
    number = seen.number if seen.at_tables else seen.number + 1
    closes = seen.tournament.closes_at
    fitting = [number + more for more, end in enumerate(ends) if closes and end.typical <= closes]
    size = _usual_cut(seen, players) if cut is None else 0
    more = rounds_to_come(seen.pace, seen.minutes, [True] * rounds_of(size)) if size else []
    return EndTimes(
        tournament=seen.tournament,
        round_number=seen.at_tables.number if seen.at_tables else None,
        round=_rounded(ends[0]) if seen.at_tables else None,
        last_number=number + len(ends) - 1,
        last=_rounded(ends[-1]),
        measured=max(seen.pace.overrun.count, seen.pace.cut_overrun.count),
        cut_size=size,
        with_cut=_rounded(expected(seen.now, [*first, *rest, *more])) if size else None,
        fits_until=fitting[-1] if fitting else 0,
    )


def _first(seen: _Seen, to_come: Sequence[bool]) -> Iterator[Spread]:
    """The round at the tables, or the gap and the round that come next; nothing after the last."""
    if round_ := seen.at_tables:
        is_cut, clock = round_.stage.way.is_elimination, queries.clock_of(round_)
        if round_.started_at is None:
            yield round_time(seen.pace, clock.minutes, is_cut=is_cut)
        else:
            open_tables = seen.open_tables
            yield running_round(clock, seen.pace, seen.now, open_tables=open_tables, is_cut=is_cut)
    elif to_come:
        yield rest_of_gap(seen.pace, seen.latest.closed_at if seen.latest else None, seen.now)
        yield round_time(seen.pace, seen.minutes, is_cut=to_come[0])


def _usual_cut(seen: _Seen, players: int) -> int:
    """How large a cut would be, where one is likely to follow."""
    system = seen.latest.stage.way if seen.latest else queries.current_stage(seen.tournament).way
    is_swiss = system.kind is SystemKind.SWISS
    return usual_cut(players) if is_swiss and players >= FEWEST_FOR_A_CUT else 0


def _rounded(end: Expected) -> Expected:
    """To five minutes, upwards."""
    low, typical, high = map(_up, (end.low, end.typical, end.high))
    return Expected(low, typical, high)


def _up(moment: datetime) -> datetime:
    over = -moment.timestamp() % ROUNDED_TO
    return moment + timedelta(seconds=over)


def _played(rounds: Iterable[Round]) -> Iterator[PlayedRound]:
    """Closed rounds as they were timed; the gap is to the next round of the same event."""
    ordered = [*rounds]
    for round_, next_ in pairwise([*ordered, None]):
        if round_ is None or not (round_.is_closed and round_.started_at and round_.closed_at):
            continue
        is_next = next_ is not None and next_.stage.tournament_id == round_.stage.tournament_id
        started = next_.started_at if next_ is not None and is_next else None
        pauses = timedelta(seconds=round_.paused_seconds)
        yield PlayedRound(
            minutes=round_.stage.tournament.round_minutes + round_.extra_minutes,
            played=round_.closed_at - round_.started_at - pauses,
            gap=started - round_.closed_at if started else None,
            is_cut=round_.stage.way.is_elimination,
        )
