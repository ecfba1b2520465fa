"""Contents of the pages of series, and of invitations."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Prefetch
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from players.models import Player
from tournaments.event.permissions import Actor
from tournaments.models import (
    EveningPlan,
    InvitedPlayer,
    Registration,
    Series,
    SeriesScoring,
    Tournament,
)
from tournaments.series import permissions, queries, rules
from tournaments.series.queries import Season, ShownPlayer
from tournaments.series.rules import TIE_BREAKERS, SeasonCell, SeasonRow
from tournaments.statistics.pages import Statistics, statistics_of

# Events with a column on the page; the file has all.
EVENT_COLUMNS = 16
# Latest finished events listed on the page; the file has all.
LATEST_EVENTS = 50
ROWS_PER_PAGE = 50
NEXT_EVENINGS = 4


@dataclass(frozen=True)
class SeriesTable:
    """The table of a series; `events` are its finished events, first to last.

    The standings of an event that is `recomputing` do not yet include its last correction.
    """

    events: tuple[Tournament, ...]
    season: Season
    is_final: bool
    recomputing: Tournament | None

    @property
    def lines(self) -> Sequence[SeasonRow]:
        return self.season.lines

    @property
    def columns(self) -> tuple[Tournament, ...]:
        return self.events[-EVENT_COLUMNS:]

    def place_in_list(self, player: Player | None) -> int | None:
        """Return the row of this player, from 1, or None."""
        key = player.pk if player else None
        return next((nth for nth, row in enumerate(self.lines, 1) if row.player == key), None)


def series_table(series: Series) -> SeriesTable:
    """Return the current table; a constant number of queries."""
    season = queries.current_season(series)
    rows = queries.shown_events(series).filter(pk__in=[event.id for event in season.played])
    events = tuple(rows.only("name", "slug", "starts_on"))
    is_final = queries.is_season_over(series, len(events))
    return SeriesTable(events, season, is_final, queries.recomputing_event(season))


@dataclass(frozen=True)
class SeriesTableRow:
    """A row of the table; `cells` are (formatted day, cell) in column order."""

    line: SeasonRow
    player: ShownPlayer
    cells: tuple[tuple[str, SeasonCell | None], ...]
    is_new: bool
    is_me: bool

    @property
    def places_moved(self) -> int:
        return abs(self.line.moved or 0)

    @property
    def decided_by(self) -> str:
        key = self.line.decided_by
        return _(TIE_BREAKERS[key].name) if key else ""


@dataclass(frozen=True)
class SeriesPage:
    lines: tuple[SeriesTableRow, ...]
    finished: tuple[tuple[Tournament, ShownPlayer | None], ...]


def visible_series_page(
    series: Series, table: SeriesTable, lines: Iterable[SeasonRow], me: Player | None
) -> SeriesPage:
    """Return these rows of the table with names; a single query."""
    rows, latest = list(lines), table.events[: -LATEST_EVENTS - 1 : -1]
    keys = {event.pk for event in latest}
    winners = {
        evening.id: result.player
        for evening in table.season.played
        if evening.id in keys
        for result in evening.results
        if result.place == 1
    }
    names = queries.shown_players(series, [*(row.player for row in rows), *winners.values()])
    days = {event.pk: date_format(event.starts_on, "j M") for event in table.columns}
    return SeriesPage(
        lines=tuple(
            SeriesTableRow(
                line=row,
                player=names[row.player],
                cells=tuple((day, row.by_evening.get(event)) for event, day in days.items()),
                is_new=row.moved is None and len(table.events) > 1,
                is_me=me is not None and me.pk == row.player,
            )
            for row in rows
        ),
        finished=tuple((event, names.get(winners.get(event.pk, 0))) for event in latest),
    )


def counting_in_words(series: Series) -> str:
    if series.scoring == SeriesScoring.MATCH_POINTS:
        award = _("Each event awards the match points that players score there.")
    else:
        award = _(
            "Points by place: %(points)s, then %(points_for_playing)s for every later place."
        ) % {
            "points": ", ".join(map(str, series.place_points)) or _("none"),
            "points_for_playing": series.points_for_playing,
        }
    planned = series.planned_events
    numbers = {"best": series.best_of, "planned": planned}
    if series.best_of and planned:
        return f"{award} {_('The best %(best)s of %(planned)s events count.') % numbers}"
    if series.best_of:
        return f"{award} {_('The best %(best)s events count.') % numbers}"
    if planned:
        season = ngettext(
            "%(planned)s event this season.", "%(planned)s events this season.", planned
        )
        return f"{award} {season % numbers}"
    return award


def season_statistics(series: Series) -> Statistics:
    """Return statistics of the finished events, for the game that most of them use.

    Every reader of the series may see them: hidden decks are left out.
    """
    events = queries.shown_events(series).exclude(finished_at=None).order_by()
    return statistics_of(events)


@dataclass(frozen=True)
class QualifiedLine:
    player: ShownPlayer
    how: str
    by_table: bool


@dataclass(frozen=True)
class QualifiedPage:
    """The qualified players; `tied` players share the last place, for `places_left` places."""

    lines: tuple[QualifiedLine, ...]
    tied: tuple[ShownPlayer, ...]
    places_left: int
    is_season_over: bool


def qualified_page(series: Series, season: Season | None = None) -> QualifiedPage | None:
    """Return the qualified players so far, or None without qualification.

    `season` is an already computed season.
    """
    if not (series.qualify_per_event or series.qualify_by_table):
        return None
    season = season or queries.current_season(series)
    so_far = queries.qualified_so_far(series, season)
    players = [*(row.player for row in so_far.through), *so_far.tied]
    names = queries.shown_players(series, players)
    return QualifiedPage(
        lines=tuple(
            QualifiedLine(names[row.player], row.how, row.by_table) for row in so_far.through
        ),
        tied=tuple(names[player] for player in so_far.tied),
        places_left=so_far.places_left,
        is_season_over=queries.is_season_over(series, len(season.played)),
    )


@dataclass(frozen=True)
class NextEvening:
    """A future day of a plan: its opening time, or the event if it exists already."""

    day: date
    opens_at: datetime
    event: Tournament | None
    is_skipped: bool


@dataclass(frozen=True)
class PlanLine:
    """A plan with its schedule and the next days; none if stopped."""

    plan: EveningPlan
    when: str
    upcoming: tuple[NextEvening, ...]


def plan_lines(series: Series) -> list[PlanLine]:
    plans = series.plans.select_related("template").prefetch_related("evenings__event")
    in_order = sorted(plans, key=lambda plan: (not plan.is_running, plan.pk))
    return [_plan_line(plan) for plan in in_order]


def _plan_line(plan: EveningPlan) -> PlanLine:
    rule = queries.schedule_of(plan)
    rows = {row.day: row for row in plan.evenings.all()}
    days = rules.upcoming_evenings(rule, timezone.now(), NEXT_EVENINGS) if plan.is_running else []
    upcoming = (
        NextEvening(
            day=day,
            opens_at=rules.registration_opens_at(rule, day),
            event=rows[day].event if day in rows else None,
            is_skipped=day in rows and rows[day].is_skipped,
        )
        for day in days
    )
    return PlanLine(plan, _schedule_in_words(plan), tuple(upcoming))


MONTHLY_SCHEDULES = (
    gettext_lazy("The first %(weekday)s of each month, %(time)s (%(time_zone)s)"),
    gettext_lazy("The second %(weekday)s of each month, %(time)s (%(time_zone)s)"),
    gettext_lazy("The third %(weekday)s of each month, %(time)s (%(time_zone)s)"),
    gettext_lazy("The fourth %(weekday)s of each month, %(time)s (%(time_zone)s)"),
    gettext_lazy("The last %(weekday)s of each month, %(time)s (%(time_zone)s)"),
)


def _schedule_in_words(plan: EveningPlan) -> str:
    """Describe the schedule, such as "Every Tuesday, 19:00 (Europe/Berlin)"."""
    if plan.rhythm == rules.MONTHLY:
        schedule = str(MONTHLY_SCHEDULES[(plan.first_on.day - 1) // 7])
    elif plan.rhythm == rules.WEEKLY:
        schedule = _("Every %(weekday)s, %(time)s (%(time_zone)s)")
    else:
        schedule = _("Every second %(weekday)s, %(time)s (%(time_zone)s)")
    return schedule % {
        "weekday": date_format(plan.first_on, "l"),
        "time": time_format(plan.starts_at, "TIME_FORMAT"),
        "time_zone": plan.time_zone,
    }


@dataclass(frozen=True)
class InvitedLine:
    invited: InvitedPlayer
    has_joined: bool


def invited_lines(tournament: Tournament, actor: Actor) -> list[InvitedLine]:
    """Return all invited players in order. The series is None if the actor may not see it."""
    joined = set(tournament.registrations.values_list("player", flat=True))
    series = Prefetch("series", permissions.series_named_to(actor))
    rows = tournament.invited.select_related("player").prefetch_related(series)
    return [InvitedLine(row, row.player_id in joined) for row in rows]


@dataclass(frozen=True)
class Invitation:
    invited: InvitedPlayer
    can_join: bool


def open_invitations(actor: Actor) -> list[Invitation]:
    """Return the player's invitations to events that are not over, next event first."""
    joined = Registration.objects.filter(player=actor.player).values("tournament")
    rows = InvitedPlayer.objects.filter(
        player=actor.player,
        declined_at=None,
        tournament__finished_at=None,
        tournament__practice_of=None,
    ).exclude(tournament__in=joined)
    series = Prefetch("series", permissions.series_named_to(actor))
    in_order = rows.select_related("tournament").order_by("tournament__starts_on", "pk")
    return [
        Invitation(row, row.tournament.can_register()) for row in in_order.prefetch_related(series)
    ]


def count_not_invited(series: Series, page: QualifiedPage | None) -> int:
    if page is None or series.target is None:
        return 0
    invited = set(series.target.invited.values_list("player", flat=True))
    return sum(line.player.key not in invited for line in page.lines)
