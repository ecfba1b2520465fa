"""Data of the rating pages, as frozen records, including the chart over time."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from decks.games import GAMES, GameDefinition
from players.models import Player
from tournaments.models import Rating, Tournament
from tournaments.ratings import queries
from tournaments.ratings.rules import LISTED_DAYS, Strength

WIDTH, HEIGHT = 360, 200
# Size and margins of the chart in its own units, which are pixels on a phone.
LEFT, RIGHT, TOP, BOTTOM = 36, 8, 10, 22
AXIS_STEPS = (10, 20, 50, 100, 200, 500, 1000)
MAX_AXIS_LINES = 5


@dataclass(frozen=True)
class DisplayedRating:
    value: int
    # Half of the 95 % interval.
    margin: int
    is_provisional: bool

    @property
    def low(self) -> int:
        return self.value - self.margin

    @property
    def high(self) -> int:
        return self.value + self.margin


def displayed_rating(strength: Strength) -> DisplayedRating:
    return DisplayedRating(round(strength.value), round(strength.margin), strength.is_provisional)


def rating_today(row: Rating, today: date) -> DisplayedRating:
    """Return a player's newest rating with its uncertainty as of today, which grows every week."""
    method = queries.rating_method(row.game)
    return displayed_rating(queries.strength_of(row).after(max(0, (today - row.day).days), method))


@dataclass(frozen=True)
class RankedLine:
    place: int
    player: Player
    rating: DisplayedRating
    events: int
    games: int
    last_played: date


def ranked_lines(rows: Iterable[Rating], values: Sequence[float]) -> list[RankedLine]:
    """Give each row its place in the whole list; `values` are all ratings, lowest first."""
    today = timezone.localdate()
    return [
        RankedLine(
            # Equal ratings share a place.
            place=len(values) - bisect_right(values, row.value) + 1,
            player=row.player,
            rating=rating_today(row, today),
            events=row.events,
            games=row.games,
            last_played=row.day,
        )
        for row in rows
    ]


@dataclass(frozen=True)
class RatingChange:
    day: date
    rating: DisplayedRating
    # Since the previous day of play; None on the first.
    change: int | None
    games: int
    events: tuple[Tournament, ...]

    @property
    def change_size(self) -> int:
        return abs(self.change or 0)


@dataclass(frozen=True)
class AxisLabel:
    at: float
    text: str


@dataclass(frozen=True)
class RatingChart:
    """A rating over time with its interval, ready to draw; points are "x,y x,y"."""

    line: str
    band: str
    dots: tuple[tuple[float, float, str], ...]
    heights: tuple[AxisLabel, ...]
    days: tuple[AxisLabel, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


@dataclass(frozen=True)
class RatingHistory:
    player: Player
    game: GameDefinition
    today: DisplayedRating
    last_played: date
    games: int
    events: int
    least_games: int
    steps: tuple[RatingChange, ...]
    chart: RatingChart

    @property
    def is_listed(self) -> bool:
        """True if the player has enough games for the list, and played in the last year."""
        since = timezone.localdate() - timedelta(LISTED_DAYS)
        return self.games >= self.least_games and self.last_played >= since


def rating_history(player: Player, game: str) -> RatingHistory | None:
    """Return the player's rating over time, or None; two queries.

    Callers check that it may be shown: `queries.players_with_visible_rating`.
    """
    rows = list(queries.ratings_over_time(player, game))
    if not rows:
        return None
    newest = rows[-1]
    return RatingHistory(
        player=player,
        game=GAMES[game],
        today=rating_today(newest, timezone.localdate()),
        last_played=newest.day,
        games=newest.games,
        events=newest.events,
        least_games=queries.rating_method(game).least_games,
        steps=tuple(_rating_changes(rows, queries.rated_events_of(player, game)))[::-1],
        chart=chart_of([(row.day, queries.strength_of(row)) for row in rows]),
    )


def _rating_changes(rows: Sequence[Rating], events: Iterable[Tournament]) -> Iterator[RatingChange]:
    events_by_day: defaultdict[date, list[Tournament]] = defaultdict(list)
    for event in events:
        events_by_day[event.last_day].append(event)
    earlier: Rating | None = None
    for row in rows:
        rating = displayed_rating(queries.strength_of(row))
        yield RatingChange(
            day=row.day,
            rating=rating,
            change=rating.value - round(earlier.value) if earlier else None,
            games=row.games - (earlier.games if earlier else 0),
            events=tuple(events_by_day[row.day]),
        )
        earlier = row


def chart_of(points: Sequence[tuple[date, Strength]]) -> RatingChart:
    """Return the chart of a rating after each of these days, oldest first; at least one day."""
    first, last = points[0][0], points[-1][0]
    lows = [strength.value - strength.margin for _day, strength in points]
    highs = [strength.value + strength.margin for _day, strength in points]
    marks = axis_marks(min(lows), max(highs))
    floor, ceiling = marks[0], marks[-1]

    def x(day: date) -> float:
        days = (last - first).days
        share = (day - first).days / days if days else 0.5
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y(value: float) -> float:
        share = (value - floor) / (ceiling - floor)
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)

    above = [f"{x(day)},{y(high)}" for (day, _), high in zip(points, highs, strict=True)]
    below = [f"{x(day)},{y(low)}" for (day, _), low in zip(points, lows, strict=True)]
    days = {first, last}
    return RatingChart(
        line=" ".join(f"{x(day)},{y(strength.value)}" for day, strength in points),
        band=" ".join([*above, *reversed(below)]),
        dots=tuple(
            (x(day), y(strength.value), _rating_in_words(day, strength)) for day, strength in points
        ),
        heights=tuple(AxisLabel(y(mark), str(mark)) for mark in marks),
        days=tuple(
            AxisLabel(x(day), date_format(day, "SHORT_MONTH_DATE_FORMAT")) for day in sorted(days)
        ),
    )


def _rating_in_words(day: date, strength: Strength) -> str:
    rating = displayed_rating(strength)
    return _("%(day)s: %(rating)s, plus or minus %(margin)s") % {
        "day": date_format(day, "SHORT_MONTH_DATE_FORMAT"),
        "rating": rating.value,
        "margin": rating.margin,
    }


def axis_marks(low: float, high: float) -> list[int]:
    """Return a few evenly spaced round numbers that enclose both values."""
    for step in AXIS_STEPS:
        start, end = int(low // step) * step, -int(-high // step) * step
        if (end - start) // step <= MAX_AXIS_LINES:
            break
    return list(range(start, max(end, start + step) + 1, step))
