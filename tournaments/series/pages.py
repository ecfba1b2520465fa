"""What the pages of a series show, as frozen records."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property

from django.utils import timezone

from core.text import counted
from matches.scoring import Points
from players.models import Player
from tournaments.models import (
    EveningPlan,
    InvitedPlayer,
    PlannedEvening,
    Series,
    SeriesScoring,
    Tournament,
)
from tournaments.series import queries
from tournaments.series.queries import ShownPlayer
from tournaments.series.rules import evenings
from tournaments.series.rules.evenings import Plan
from tournaments.series.rules.season import TIE_BREAKERS, Cell, Evening, Line, season_table

COLUMNS = 16
"""Events that have a column; the file has all."""
LINES = 200
NEXT_EVENINGS = 4


@dataclass(frozen=True)
class TableLine:
    """One player of the table; `cells` are (day, cell) in the order of the columns."""

    place: int
    player: ShownPlayer
    points: Points
    moved: int | None
    is_new: bool
    played: int
    counted: int
    cells: tuple[tuple[date, Cell | None], ...]
    decided_by: str
    is_me: bool

    @property
    def places_moved(self) -> int:
        """How many, up or down."""
        return abs(self.moved or 0)


@dataclass(frozen=True)
class SeriesTable:
    """The table of a series; `events` are its finished events, first to last."""

    events: tuple[Tournament, ...]
    lines: tuple[TableLine, ...]
    winners: Mapping[int, ShownPlayer]
    is_final: bool

    @property
    def columns(self) -> tuple[Tournament, ...]:
        """The latest events."""
        return self.events[-COLUMNS:]

    @property
    def left_out(self) -> int:
        """How many earlier events have no column."""
        return len(self.events) - len(self.columns)

    @property
    def finished(self) -> list[tuple[Tournament, ShownPlayer | None]]:
        """The events with their winners, the latest first."""
        return [(event, self.winners.get(event.pk)) for event in reversed(self.events)]

    @cached_property
    def mine(self) -> TableLine | None:
        """The line of the reader."""
        return next((line for line in self.lines if line.is_me), None)


def series_table(
    series: Series, me: Player | None = None, columns: int | None = COLUMNS
) -> SeriesTable:
    """The table as it stands; a constant number of queries."""
    played = queries.evenings(series)
    events = tuple(queries.shown_events(series).exclude(finished_at=None))
    lines = season_table(played, queries.rules_of(series))
    names = queries.shown_players(series, [line.player for line in lines])
    shown = [(one.pk, one.starts_on) for one in (events[-columns:] if columns else events)]
    return SeriesTable(
        events=events,
        lines=tuple(_line(line, names[line.player], shown, played, me) for line in lines),
        winners={
            evening.id: names[one.player]
            for evening in played
            for one in evening.results
            if one.place == 1
        },
        is_final=queries.is_season_over(series, len(events)),
    )


def _line(
    line: Line,
    player: ShownPlayer,
    shown: Sequence[tuple[int, date]],
    played: Sequence[Evening],
    me: Player | None,
) -> TableLine:
    by_evening = line.by_evening
    decided = TIE_BREAKERS[line.decided_by].name.lower() if line.decided_by else ""
    return TableLine(
        place=line.place,
        player=player,
        points=line.points,
        moved=line.moved,
        is_new=line.moved is None and len(played) > 1,
        played=len(line.cells),
        counted=sum(cell.counts for cell in line.cells),
        cells=tuple((day, by_evening.get(one)) for one, day in shown),
        decided_by=decided,
        is_me=me is not None and me.pk == line.player,
    )


def counting_in_words(series: Series) -> str:
    """How the series counts, in one or two sentences."""
    if series.scoring == SeriesScoring.MATCH_POINTS:
        first = "Each event brings the match points won there."
    else:
        points = ", ".join(map(str, series.place_points)) or "none"
        first = f"Points by place: {points}; every later place {series.points_for_playing}."
    planned = series.planned_events
    if series.best_of:
        return f"{first} The best {series.best_of}{f' of {planned}' if planned else ''} count."
    return f"{first} {counted(planned, 'event')} this season." if planned else first


def tie_breakers_in_words(series: Series) -> list[str]:
    """What tells players with equal points apart, in order."""
    return [TIE_BREAKERS[one].explanation for one in series.tie_breakers]


@dataclass(frozen=True)
class QualifiedLine:
    """Somebody who qualified, how, and whether they are invited."""

    player: ShownPlayer
    how: str
    by_table: bool


@dataclass(frozen=True)
class QualifiedPage:
    """Who goes through; `tied` share the place at the edge, of whom `places_left` go."""

    lines: tuple[QualifiedLine, ...]
    tied: tuple[ShownPlayer, ...]
    places_left: int
    is_season_over: bool


def qualified_page(series: Series) -> QualifiedPage | None:
    """Who qualified so far; None where nobody can."""
    if not (series.qualify_per_event or series.qualify_by_table):
        return None
    played = queries.evenings(series)
    found = queries.qualified_so_far(series, played)
    names = queries.shown_players(series, [*(one.player for one in found.through), *found.tied])
    return QualifiedPage(
        lines=tuple(
            QualifiedLine(names[one.player], one.how, one.by_table) for one in found.through
        ),
        tied=tuple(names[one] for one in found.tied),
        places_left=found.places_left,
        is_season_over=queries.is_season_over(series, len(played)),
    )


@dataclass(frozen=True)
class NextEvening:
    """An evening to come: when it opens, or the event that it is already."""

    day: date
    opens_at: datetime
    event: Tournament | None
    is_skipped: bool


@dataclass(frozen=True)
class PlanLine:
    """Recurring evenings, and the next of them; `rule` is a plan or None where it has stopped."""

    plan: EveningPlan
    when: str
    upcoming: tuple[NextEvening, ...]


def plan_lines(series: Series) -> list[PlanLine]:
    """The plans of the series, running ones first."""
    plans = series.plans.select_related("template").prefetch_related("evenings__event")
    return sorted(map(_plan_line, plans), key=lambda one: (not one.plan.is_running, one.plan.pk))


def _plan_line(plan: EveningPlan) -> PlanLine:
    rule = queries.plan_of(plan)
    done = {one.day: one for one in plan.evenings.all()}
    days = evenings.upcoming(rule, timezone.now(), NEXT_EVENINGS) if plan.is_running else []
    return PlanLine(plan, _when(plan), tuple(_next(rule, day, done) for day in days))


def _next(rule: Plan, day: date, done: Mapping[date, PlannedEvening]) -> NextEvening:
    row = done.get(day)
    return NextEvening(
        day=day,
        opens_at=evenings.opening(rule, day),
        event=row.event if row else None,
        is_skipped=bool(row and row.is_skipped),
    )


WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
NTH = ("first", "second", "third", "fourth", "last")


def _when(plan: EveningPlan) -> str:
    """Such as "Every Tuesday, 19:00 (Europe/Berlin)"."""
    day, hour = WEEKDAYS[plan.first_on.weekday()], f"{plan.starts_at:%H:%M} ({plan.time_zone})"
    if plan.rhythm == evenings.MONTHLY:
        return f"The {NTH[(plan.first_on.day - 1) // 7]} {day} of each month, {hour}"
    every = "Every" if plan.rhythm == evenings.WEEKLY else "Every second"
    return f"{every} {day}, {hour}"


@dataclass(frozen=True)
class InvitedLine:
    """Somebody who may join an event by invitation, and whether they have."""

    invited: InvitedPlayer
    has_joined: bool


def invited_lines(tournament: Tournament) -> list[InvitedLine]:
    """Everybody who is invited, in order."""
    joined = set(tournament.registrations.values_list("player", flat=True))
    rows = tournament.invited.select_related("player", "series")
    return [InvitedLine(row, row.player_id in joined) for row in rows]


def not_invited_yet(series: Series, page: QualifiedPage | None) -> int:
    """How many qualified and have no invitation to the event."""
    if page is None or series.target is None:
        return 0
    known = set(series.target.invited.values_list("player", flat=True))
    return sum(line.player.key not in known for line in page.lines)
