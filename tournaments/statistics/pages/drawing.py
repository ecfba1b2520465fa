"""Charts for a page: a table of texts, and bars with positions in the drawing."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournaments.statistics.rules.charts import Chart, Kind, Line, Section
from tournaments.statistics.rules.rates import percent

# Lines of a chart on a page; files and the API have all.
SHOWN = 10
# Pixels: height of a line in the drawing, offset and thickness of its bar.
ROW, BAR, THICK = 44, 24, 12
NONE = "-"
TITLES = {
    Section.PLAYED: "What was played",
    Section.WINS: "Wins",
    Section.MATCH_UPS: "Match-ups",
    Section.ENDS: "Ends",
    Section.LENGTHS: "Time",
    Section.CUT: "Cut",
}


@dataclass(frozen=True)
class Bar:
    """A bar of the drawing.

    `width`, `low` and `high` are horizontal positions, such as "54.2%". `low` and `high` are the
    ends of a rate's interval, or empty.
    """

    y: int
    label: str
    side: str
    value: str
    width: str
    low: str = ""
    high: str = ""

    @property
    def bar_y(self) -> int:
        """The top of the bar."""
        return self.y + BAR

    @property
    def middle(self) -> int:
        """The middle of the bar, where the interval is drawn."""
        return self.bar_y + THICK // 2

    @property
    def end(self) -> int:
        """The bottom of the bar."""
        return self.bar_y + THICK


@dataclass(frozen=True)
class Drawing:
    """The bars of a chart, relative to the maximum; rates are relative to 100 %."""

    height: int
    bars: tuple[Bar, ...]
    is_rate: bool


@dataclass(frozen=True)
class Row:
    """A row of the table: name with faction, opponent, and formatted figures."""

    name: str
    group: str
    against: str
    figures: tuple[str, ...]


@dataclass(frozen=True)
class ChartPage:
    """A chart with its table.

    `more` is the number of lines that are only in files. `drawing` is None if all samples are too
    small.
    """

    id: str
    title: str
    about: str
    first: str
    against: str
    headings: tuple[str, ...]
    rows: tuple[Row, ...]
    more: int
    drawing: Drawing | None


@dataclass(frozen=True)
class SectionPage:
    id: str
    title: str
    charts: tuple[ChartPage, ...]


def sections_of(charts: Iterable[Chart]) -> list[SectionPage]:
    """Group charts by section, in page order."""
    found = list(charts)
    pages = (
        (section, tuple(chart_page(one) for one in found if one.section is section))
        for section in Section
    )
    return [SectionPage(section, TITLES[section], charts_) for section, charts_ in pages if charts_]


def chart_page(chart: Chart) -> ChartPage:
    """Return a chart as drawing and table, with the first `SHOWN` lines."""
    shown, columns = chart.lines[:SHOWN], chart.columns
    return ChartPage(
        id=chart.id,
        title=chart.title,
        about=chart.about,
        first=columns.name,
        against=columns.against,
        headings=tuple(_headings(chart)),
        rows=tuple(
            Row(one.name, _beside(one), one.against, tuple(_figures(chart, one))) for one in shown
        ),
        more=len(chart.lines) - len(shown),
        drawing=_drawing(chart, shown),
    )


def _beside(line: Line) -> str:
    """Return the faction, unless the name begins with it."""
    return "" if line.name.startswith(line.group) else line.group


def _headings(chart: Chart) -> Iterator[str]:
    columns = chart.columns
    match chart.kind:
        case Kind.AVERAGE:
            yield from (columns.average, columns.of)
        case Kind.SHARE:
            yield from (columns.hits, "Share")
            yield from filter(None, (columns.average,))
        case Kind.RATE:
            yield from (columns.hits, columns.of, "Share", "Interval")


def _figures(chart: Chart, line: Line) -> Iterator[str]:
    share = NONE if line.rate.share is None else percent(line.rate.share)
    match chart.kind:
        case Kind.AVERAGE:
            yield from (in_words(line.average), str(line.of))
        case Kind.SHARE:
            yield from (str(line.hits), share)
            yield from filter(None, (in_words(line.average),))
        case Kind.RATE:
            yield from (str(line.hits), str(line.of), share, _interval(line))


def _interval(line: Line) -> str:
    if line.rate.interval is None:
        return NONE
    low, high = (percent(one) for one in line.rate.interval)
    return f"{low.removesuffix(' %')}-{high}"


def in_words(average: Fraction | None) -> str:
    """Format an average with at most one decimal, halves up; "" for None."""
    if average is None:
        return ""
    whole, tenths = divmod(int(average * 10 + Fraction(1, 2)), 10)
    return f"{whole}.{tenths}" if tenths else str(whole)


def _drawing(chart: Chart, lines: Sequence[Line]) -> Drawing | None:
    drawn = [one for one in lines if chart.kind is not Kind.RATE or one.rate.is_enough]
    if not drawn:
        return None
    most = max((_size(chart, one) for one in drawn), default=0) or 1
    bars = tuple(_bar(chart, one, place * ROW, most) for place, one in enumerate(drawn))
    return Drawing(len(bars) * ROW, bars, is_rate=chart.kind is Kind.RATE)


def _size(chart: Chart, line: Line) -> Fraction | int:
    """Return the size that bars are scaled by; a rate is relative to 100 %."""
    match chart.kind:
        case Kind.AVERAGE:
            return line.average or 0
        case Kind.SHARE:
            return line.hits
        case Kind.RATE:
            return 1


def _bar(chart: Chart, line: Line, y: int, most: Fraction | int) -> Bar:
    label = f"{line.name} v {line.against}" if _is_pair(chart) else _named(line)
    interval = line.rate.interval if chart.kind is Kind.RATE else None
    size = line.rate.share or 0 if chart.kind is Kind.RATE else _size(chart, line)
    return Bar(
        y=y,
        label=label,
        side=line.side,
        value=_value(chart, line),
        width=_across(Fraction(size) / most),
        low=_across(interval[0]) if interval else "",
        high=_across(interval[1]) if interval else "",
    )


def _is_pair(chart: Chart) -> bool:
    return chart.section is Section.MATCH_UPS


def _named(line: Line) -> str:
    return f"{line.name}: {line.against} won" if line.against else line.name


def _value(chart: Chart, line: Line) -> str:
    if chart.kind is Kind.AVERAGE:
        return in_words(line.average)
    if line.rate.share is None:
        return str(line.hits)
    return percent(line.rate.share)


def _across(share: Fraction | float) -> str:
    return f"{float(share) * 100:.2f}%"
