"""Charts for a page, as bars and as tables."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from hashlib import sha256

from django.core.cache import caches
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.csv_tables import csv_bytes
from core.languages import in_words
from core.text import Message
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

# Lines of a chart on a page, as bars and in its table; files and the API have all.
MAX_BARS, MAX_ROWS = 8, 20
# The number of charts of a section that are open when a page loads; the others unfold.
OPEN_CHARTS = {ChartSection.PLAYED: 2, ChartSection.WINS: 3}
SECTION_TITLES = {
    ChartSection.PLAYED: gettext_lazy("What was played"),
    ChartSection.WINS: gettext_lazy("Wins"),
    ChartSection.MATCH_UPS: gettext_lazy("Match-ups"),
    ChartSection.ENDS: gettext_lazy("Endings"),
    ChartSection.LENGTHS: gettext_lazy("Time"),
    ChartSection.CUT: gettext_lazy("Cut"),
}


@dataclass(frozen=True)
class ChartBar:
    """A labelled row of a chart.

    Positions are horizontal, such as "54.2%", or "" if the row has no bar or no interval. Shares
    and rates are relative to 100 %, averages to the highest one.
    """

    label: str
    side: str
    # Numerator and denominator in words, and the share or average.
    counts: str
    value: str
    width: str
    low: str = ""
    high: str = ""


@dataclass(frozen=True)
class ChartTableRow:
    name: str
    group: str
    against: str
    figures: tuple[str, ...]


@dataclass(frozen=True)
class ChartPage:
    """A chart, and the same figures as a table."""

    id: str
    title: str
    about: str
    bars: tuple[ChartBar, ...]
    # The row that a folded chart shows.
    leader: ChartBar
    is_average: bool
    is_open: bool
    # Headings of the table.
    first: str
    against: str
    headings: tuple[str, ...]
    rows: tuple[ChartTableRow, ...]
    # The number of lines that only the table has, and of those that only files have.
    without_bar: int
    only_in_files: int

    @property
    def has_intervals(self) -> bool:
        return any(bar.high for bar in self.bars)


@dataclass(frozen=True)
class SectionPage:
    id: str
    title: str
    charts: tuple[ChartPage, ...]


def sections_of(charts: Iterable[Chart]) -> list[SectionPage]:
    all_charts = list(charts)
    sections = []
    for section in ChartSection:
        shown = [chart for chart in all_charts if chart.section is section]
        pages = tuple(
            chart_page(chart, is_open=place < OPEN_CHARTS.get(section, 0))
            for place, chart in enumerate(shown)
        )
        if pages:
            sections.append(SectionPage(section, str(SECTION_TITLES[section]), pages))
    return sections


def chart_page(chart: Chart, *, is_open: bool = True) -> ChartPage:
    shown, columns = chart.lines[:MAX_ROWS], chart.columns
    highest = max((line.average or Fraction(0) for line in shown), default=Fraction(0))
    bars = tuple(_draw_bar(chart, line, highest) for line in shown[:MAX_BARS])
    # A column without figures is left out.
    table = [(heading, cells) for heading, cells in _table_columns(chart, shown) if any(cells)]
    by_row = zip(*(cells for _, cells in table), strict=True)
    return ChartPage(
        id=chart.id,
        title=in_words(chart.title),
        about=in_words(chart.about),
        bars=bars,
        leader=max(
            zip(shown, bars, strict=False),
            key=lambda pair: pair[0].hits if chart.kind is ChartKind.SHARE else 0,
        )[1],
        is_average=chart.kind is ChartKind.AVERAGE,
        is_open=is_open,
        first=_(columns.name),
        against=columns.against and _(columns.against),
        headings=tuple(heading for heading, _ in table),
        rows=tuple(_table_row(line, figures) for line, figures in zip(shown, by_row, strict=True)),
        without_bar=len(shown) - len(bars),
        only_in_files=len(chart.lines) - len(shown),
    )


def _draw_bar(chart: Chart, line: ChartRow, highest: Fraction) -> ChartBar:
    label, against = _shown_name(line.name), _shown_name(line.against)
    if against:
        is_pair = chart.section is ChartSection.MATCH_UPS
        template = _("%(name)s v %(opponent)s") if is_pair else _("%(name)s: %(opponent)s")
        label = template % {"name": label, "opponent": against}
    share = line.rate.share
    percent = "" if share is None else format_percent(share)
    match chart.kind:
        case ChartKind.AVERAGE:
            average = line.average or Fraction(0)
            value = f"{format_average(average)} {_(chart.columns.average).lower()}"
            return ChartBar(label, line.side, "", value, _position(average / (highest or 1)))
        case ChartKind.SHARE:
            width = _position(Fraction(line.hits, line.of or 1))
            return ChartBar(label, line.side, str(line.hits), percent, width)
        case ChartKind.RATE:
            counts = _("%(hits)d of %(of)d") % {"hits": line.hits, "of": line.of}
            if share is None or line.rate.interval is None:
                return ChartBar(label, line.side, counts, "", "")
            low, high = map(_position, line.rate.interval)
            return ChartBar(label, line.side, counts, percent, _position(share), low, high)


def _position(share: Fraction | float) -> str:
    return f"{float(share) * 100:.2f}%"


def _table_row(line: ChartRow, figures: tuple[str, ...]) -> ChartTableRow:
    # The names of some identities begin with their faction.
    name = _shown_name(line.name)
    group = "" if name.startswith(line.group) else line.group
    return ChartTableRow(name, group, _shown_name(line.against), figures)


def _shown_name(name: str | Message) -> str:
    return in_words(name) if isinstance(name, Message) else name


def _table_columns(
    chart: Chart, lines: Sequence[ChartRow]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each heading with its cells; "" where a figure is missing."""
    columns = chart.columns
    hits = columns.hits and _(columns.hits), tuple(str(line.hits) for line in lines)
    of = _(columns.of), tuple(str(line.of) for line in lines)
    average_heading = columns.average and _(columns.average)
    average = average_heading, tuple(format_average(line.average) for line in lines)
    shares = (line.rate.share for line in lines)
    percents = tuple("" if share is None else format_percent(share) for share in shares)
    match chart.kind:
        case ChartKind.AVERAGE:
            yield from (average, of)
        case ChartKind.SHARE:
            yield from (hits, (_("Share"), percents), average)
        case ChartKind.RATE:
            yield from (hits, of, (_("Share"), percents))
            yield _("95 % interval"), tuple(map(_interval_in_words, lines))


def _interval_in_words(line: ChartRow) -> str:
    if line.rate.interval is None:
        return ""
    low, high = (format_percent(end) for end in line.rate.interval)
    return f"{low.removesuffix(' %')}–{high}"


def format_average(average: Fraction | None) -> str:
    """Format an average with at most one decimal, halves up; "" for None."""
    if average is None:
        return ""
    whole, tenths = divmod(int(average * 10 + Fraction(1, 2)), 10)
    return f"{whole}.{tenths}" if tenths else str(whole)


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
    rows = (
        (
            *(
                chart.id,
                str(line.name),
                str(line.against),
                line.group,
                line.side,
                line.count,
                line.of,
            ),
            *line.rounded_rate,
            None if line.average is None else round(float(line.average), rules.DIGITS),
        )
        for chart in charts
        for line in chart.lines
    )
    return csv_bytes(CSV_COLUMNS, rows)
