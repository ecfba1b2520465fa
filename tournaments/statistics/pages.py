"""Charts for a page: a table of texts, and bars with positions in the drawing."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from hashlib import sha256

from django.core.cache import caches
from django.db.models import QuerySet

from core.csv_tables import csv_bytes
from decks.games import GAMES
from players.models import Player
from tournaments.models import Tournament
from tournaments.statistics import queries, rules, stored_counts
from tournaments.statistics.queries import Scope, has_sides
from tournaments.statistics.rules import (
    Chart,
    ChartKind,
    ChartRow,
    ChartSection,
    charts_of,
    charts_of_player,
    format_percent,
    own_cut_chart,
)
from tournaments.statistics.tallies import OpponentCount, PlayCount, Tallies

# Lines of a chart on a page; files and the API have all.
MOST_ROWS = 10
# Pixels: height of a line in the drawing, offset and thickness of its bar.
ROW, BAR, THICK = 44, 24, 12
NO_FIGURE = "-"
SECTION_TITLES = {
    ChartSection.PLAYED: "What was played",
    ChartSection.WINS: "Wins",
    ChartSection.MATCH_UPS: "Match-ups",
    ChartSection.ENDS: "Ends",
    ChartSection.LENGTHS: "Time",
    ChartSection.CUT: "Cut",
}


@dataclass(frozen=True)
class ChartBar:
    y: int
    label: str
    side: str
    value: str
    # Horizontal positions, such as "54.2%": the bar's end, and the ends of a rate's interval or "".
    width: str
    low: str = ""
    high: str = ""

    @property
    def bar_y(self) -> int:
        return self.y + BAR

    @property
    def middle(self) -> int:
        return self.bar_y + THICK // 2

    @property
    def end(self) -> int:
        return self.bar_y + THICK


@dataclass(frozen=True)
class ChartDrawing:
    """The bars of a chart, relative to the maximum; rates are relative to 100 %."""

    height: int
    bars: tuple[ChartBar, ...]
    is_rate: bool


@dataclass(frozen=True)
class ChartTableRow:
    name: str
    group: str
    against: str
    figures: tuple[str, ...]


@dataclass(frozen=True)
class ChartPage:
    """A chart with its table."""

    id: str
    title: str
    about: str
    first: str
    against: str
    headings: tuple[str, ...]
    rows: tuple[ChartTableRow, ...]
    # The number of lines that are only in files.
    more: int
    # None if all samples are too small.
    drawing: ChartDrawing | None


@dataclass(frozen=True)
class SectionPage:
    id: str
    title: str
    charts: tuple[ChartPage, ...]


def sections_of(charts: Iterable[Chart]) -> list[SectionPage]:
    all_charts = list(charts)
    pages = (
        (section, tuple(chart_page(chart) for chart in all_charts if chart.section is section))
        for section in ChartSection
    )
    return [
        SectionPage(section, SECTION_TITLES[section], charts_)
        for section, charts_ in pages
        if charts_
    ]


def chart_page(chart: Chart) -> ChartPage:
    shown, columns = chart.lines[:MOST_ROWS], chart.columns
    return ChartPage(
        id=chart.id,
        title=chart.title,
        about=chart.about,
        first=columns.name,
        against=columns.against,
        headings=tuple(_column_headings(chart)),
        rows=tuple(_table_row(chart, line) for line in shown),
        more=len(chart.lines) - len(shown),
        drawing=_draw_chart(chart, shown),
    )


def _table_row(chart: Chart, line: ChartRow) -> ChartTableRow:
    # The names of some identities begin with their faction.
    group = "" if line.name.startswith(line.group) else line.group
    return ChartTableRow(line.name, group, line.against, tuple(_row_figures(chart, line)))


def _column_headings(chart: Chart) -> Iterator[str]:
    columns = chart.columns
    match chart.kind:
        case ChartKind.AVERAGE:
            yield from (columns.average, columns.of)
        case ChartKind.SHARE:
            yield from (columns.hits, "Share")
            yield from filter(None, (columns.average,))
        case ChartKind.RATE:
            yield from (columns.hits, columns.of, "Share", "Interval")


def _row_figures(chart: Chart, line: ChartRow) -> Iterator[str]:
    share = NO_FIGURE if line.rate.share is None else format_percent(line.rate.share)
    match chart.kind:
        case ChartKind.AVERAGE:
            yield from (format_average(line.average), str(line.of))
        case ChartKind.SHARE:
            yield from (str(line.hits), share)
            yield from filter(None, (format_average(line.average),))
        case ChartKind.RATE:
            yield from (str(line.hits), str(line.of), share, _interval_in_words(line))


def _interval_in_words(line: ChartRow) -> str:
    if line.rate.interval is None:
        return NO_FIGURE
    low, high = (format_percent(end) for end in line.rate.interval)
    return f"{low.removesuffix(' %')}-{high}"


def format_average(average: Fraction | None) -> str:
    """Format an average with at most one decimal, halves up; "" for None."""
    if average is None:
        return ""
    whole, tenths = divmod(int(average * 10 + Fraction(1, 2)), 10)
    return f"{whole}.{tenths}" if tenths else str(whole)


def _draw_chart(chart: Chart, lines: Sequence[ChartRow]) -> ChartDrawing | None:
    drawn = [line for line in lines if chart.kind is not ChartKind.RATE or line.rate.is_enough]
    if not drawn:
        return None
    most = max((_bar_size(chart, line) for line in drawn), default=0) or 1
    bars = tuple(_draw_bar(chart, line, place * ROW, most) for place, line in enumerate(drawn))
    return ChartDrawing(len(bars) * ROW, bars, is_rate=chart.kind is ChartKind.RATE)


def _bar_size(chart: Chart, line: ChartRow) -> Fraction | int:
    match chart.kind:
        case ChartKind.AVERAGE:
            return line.average or 0
        case ChartKind.SHARE:
            return line.hits
        case ChartKind.RATE:
            return 1


def _draw_bar(chart: Chart, line: ChartRow, y: int, most: Fraction | int) -> ChartBar:
    label = line.name
    if line.against:
        is_pair = chart.section is ChartSection.MATCH_UPS
        label += f" v {line.against}" if is_pair else f": {line.against} won"
    share, interval, size = line.rate.share, None, _bar_size(chart, line)
    value = str(line.hits) if share is None else format_percent(share)
    if chart.kind is ChartKind.AVERAGE:
        value = format_average(line.average)
    if chart.kind is ChartKind.RATE:
        interval, size = line.rate.interval, share or 0
    return ChartBar(
        y=y,
        label=label,
        side=line.side,
        value=value,
        width=_horizontal_position(Fraction(size) / most),
        low=_horizontal_position(interval[0]) if interval else "",
        high=_horizontal_position(interval[1]) if interval else "",
    )


def _horizontal_position(share: Fraction | float) -> str:
    return f"{float(share) * 100:.2f}%"


# Statistics of a set of events: a single event, a season or the site.


CACHED_SECONDS = 600


@dataclass(frozen=True)
class Statistics:
    game: str
    count: PlayCount
    # In page order.
    charts: tuple[Chart, ...]
    # The event is still being played, so small groups of decks are left out.
    hides_small: bool
    # Number of events that changed since they were counted: with their older figures, or none yet.
    late_events: int = 0
    # The age of the figures, if there are late events, and on a large site.
    counted_at: datetime | None = None

    @property
    def game_name(self) -> str:
        return GAMES[self.game].name


def statistics_of(events: QuerySet[Tournament], game: str = "") -> Statistics:
    """Return the statistics of this game, by default the game of most events.

    `events` are any events the reader may open. The result is the same for all readers: identities
    and decks count where the public sees them. It is cached until an event changes. The number of
    queries is constant.
    """
    usual = game or queries.usual_game(queries.event_counts_by_game(events))
    return statistics_of_scope(queries.scope_of(events, usual))


def statistics_of_scope(scope: Scope) -> Statistics:
    key = f"statistics:{sha256(scope.mark.encode()).hexdigest()}"
    statistics: Statistics | None = caches["pages"].get(key)
    if statistics is None:
        statistics = _compute_statistics(scope)
        caches["pages"].set(key, statistics, CACHED_SECONDS)
    return statistics


def statistics_of_event(tournament: Tournament) -> Statistics:
    return statistics_of(Tournament.objects.filter(pk=tournament.pk), tournament.game)


def _compute_statistics(scope: Scope) -> Statistics:
    adds_up = scope.stored or scope.totals is not None
    tallies = stored_counts.sum_of_scope(scope) if adds_up else queries.count_scope(scope)
    return Statistics(
        game=scope.game,
        count=tallies.count,
        charts=charts_of(tallies),
        hides_small=tallies.hides_small,
        late_events=scope.late,
        counted_at=scope.counted_at,
    )


# Statistics of a player in a set of events: charts and opponents.


@dataclass(frozen=True)
class PlayerRecord:
    game: str
    events: int
    charts: tuple[Chart, ...]
    opponents: tuple[OpponentCount, ...]

    @property
    def game_name(self) -> str:
        return GAMES[self.game].name

    # By match points; at a table of several players, each of them counts as an opponent.

    @property
    def won(self) -> int:
        return sum(opponent.won for opponent in self.opponents)

    @property
    def drawn(self) -> int:
        return sum(opponent.drawn for opponent in self.opponents)

    @property
    def lost(self) -> int:
        return sum(opponent.lost for opponent in self.opponents)


def records_of_player(
    player: Player, events: QuerySet[Tournament], *, own: bool = False
) -> tuple[PlayerRecord, ...]:
    """Return the player's record for each game in these events, most played first.

    The caller selects the events: the player took part, the reader may open them, and the player
    allows showing them. Settled results of published rounds count. Identities count where the
    public sees them and the event is over. With `own`, for the player's private page, all of the
    player's identities count.

    Opponents have their stored names; callers leave out opponents who hide their names. The number
    of queries does not depend on the number of events or opponents.
    """
    return tuple(
        PlayerRecord(
            game=scope.game,
            events=scope.number,
            charts=_player_charts(player, scope, own),
            opponents=tuple(queries.opponent_counts(player, scope)),
        )
        for scope in queries.scopes_by_game(events)
    )


def _player_charts(player: Player, scope: Scope, own: bool) -> tuple[Chart, ...]:
    if has_sides(scope.game):
        return charts_of_player(queries.player_tallies(player, scope, own=own))
    sittings = list(queries.pod_seat_counts(scope, player))
    tallies = Tallies(sittings=sittings, factions=queries.pod_faction_names())
    charts = rules.pod_charts(tallies)
    cut = own_cut_chart(queries.player_cut_count(player, scope))
    return tuple(chart for chart in (*charts, cut) if chart.lines)


# CSV export of statistics: a row for each line of each chart.


CSV_COLUMNS = (
    *("chart", "name", "against", "faction", "side", "count", "of"),
    *("share", "lowest", "highest", "average"),
)


def statistics_csv(charts: Iterable[Chart]) -> bytes:
    return csv_bytes(CSV_COLUMNS, (row for chart in charts for row in _csv_rows(chart)))


def _csv_rows(chart: Chart) -> Iterator[tuple[object, ...]]:
    for line in chart.lines:
        yield (
            *(chart.id, line.name, line.against, line.group, line.side, line.count, line.of),
            *line.rounded_rate,
            None if line.average is None else round(float(line.average), rules.DIGITS),
        )
