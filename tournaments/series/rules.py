"""The table of a season, qualification from it, and the dates of recurring events."""

import re
from calendar import monthrange
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cached_property
from itertools import groupby, islice, takewhile
from operator import attrgetter
from typing import NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

from core.text import gettext_noop
from matches.scoring.results import Points

# Scoring of an event: points by place, or the match points won there.
PLACE_SCORING, MATCH_POINT_SCORING = "places", "match_points"


class EventResult(NamedTuple):
    """A player's place at an event, 1 is best, and the match points won there."""

    player: int
    place: int
    points: Points


# Two players at a table, and the match points of both.
Meeting: TypeAlias = tuple[int, int, Points, Points]


@dataclass(frozen=True)
class SeasonEvent:
    id: int
    results: tuple[EventResult, ...]
    meetings: tuple[Meeting, ...] = ()


@dataclass(frozen=True)
class SeasonRules:
    """Scoring rules of a season.

    `place_points` are for place 1, 2 ...; later places bring `points_for_playing`. The `best_of`
    events with the most points count for each player, or all if None. `tie_breakers` are ids of
    TIE_BREAKERS, first to last.
    """

    scoring: str = PLACE_SCORING
    place_points: tuple[int, ...] = ()
    points_for_playing: int = 0
    best_of: int | None = None
    tie_breakers: tuple[str, ...] = ()

    def points_of(self, result: EventResult) -> Points:
        if self.scoring == MATCH_POINT_SCORING:
            return result.points
        if result.place <= len(self.place_points):
            return self.place_points[result.place - 1]
        return self.points_for_playing


# A player's event: its key, the place and the points.
EventScore: TypeAlias = tuple[int, int, Points]


class SeasonCell(NamedTuple):
    """A player's result at an event; `counts` if it is among the best that count."""

    evening: int
    place: int
    points: Points
    counts: bool


@dataclass(frozen=True)
class SeasonRow:
    """A row of the table. Players who are still tied share a place.

    `brought` has the result of each event, of which `counted` events count. `decided_by` is the
    tie-breaker that separates the player from the player above with as many points. It is "" if the
    points decided, or if they share the place. `moved` is the number of places gained with the last
    event, None for a new player.
    """

    place: int
    player: int
    points: Points
    brought: Sequence[EventScore]
    counted: int
    decided_by: str = ""
    moved: int | None = None

    @cached_property
    def cells(self) -> tuple[SeasonCell, ...]:
        best = _counting_indexes(self.brought, self.counted)
        scores = enumerate(self.brought)
        return tuple(SeasonCell(*score, counts=nth in best) for nth, score in scores)

    @cached_property
    def by_evening(self) -> Mapping[int, SeasonCell]:
        return {cell.evening: cell for cell in self.cells}

    @property
    def played(self) -> int:
        return len(self.brought)


class _ScoredPlayer(NamedTuple):
    id: int
    brought: Sequence[EventScore]
    counted: int
    points: Points


# By player: each opponent with match points won minus points lost at a table.
HeadToHeadBalances: TypeAlias = Mapping[int, Sequence[tuple[int, Points]]]


class TieBreakData(NamedTuple):
    last: int
    balances: HeadToHeadBalances


# The comparison key, higher is better.
TieBreakKey: TypeAlias = tuple[Points, ...]
_TiedGroup: TypeAlias = Sequence[_ScoredPlayer]


@dataclass(frozen=True)
class SeasonTieBreaker:
    id: str
    name: str
    explanation: str
    keys: Callable[[_TiedGroup, TieBreakData], Mapping[int, TieBreakKey]]


def season_table(evenings: Sequence[SeasonEvent], rules: SeasonRules) -> tuple[SeasonRow, ...]:
    """Return the table after these events, first to last, with the movement since the last event.

    Time grows with the results and meetings, not with players times events.
    """
    if not evenings:
        return ()
    *earlier, last = evenings
    brought: dict[int, list[EventScore]] = defaultdict(list)
    balances: dict[int, list[tuple[int, Points]]] = defaultdict(list)
    _add_results(earlier, rules, brought, balances)
    old = {player: _scored_player(player, own, rules) for player, own in brought.items()}
    old_places: dict[int, int] = {}
    if earlier:
        season = TieBreakData(earlier[-1].id, balances)
        ranked = _ranked_players(old.values(), rules, season)
        old_places = {player.id: place for place, player, _ in ranked}
    _add_results([last], rules, brought, balances)
    new = {
        result.player: _scored_player(result.player, brought[result.player], rules)
        for result in last.results
    }
    players, season = (old | new).values(), TieBreakData(last.id, balances)
    return tuple(
        SeasonRow(
            *(place, player.id, player.points, player.brought, player.counted, decided_by),
            moved=old_places[player.id] - place if player.id in old_places else None,
        )
        for place, player, decided_by in _ranked_players(players, rules, season)
    )


def _add_results(
    evenings: Iterable[SeasonEvent],
    rules: SeasonRules,
    brought: dict[int, list[EventScore]],
    balances: dict[int, list[tuple[int, Points]]],
) -> None:
    for evening in evenings:
        for result in evening.results:
            points = rules.points_of(result)
            brought[result.player].append((evening.id, result.place, points))
        for player, opponent, points, against in evening.meetings:
            balances[player].append((opponent, points - against))
            balances[opponent].append((player, against - points))


def _ranked_players(
    players: Collection[_ScoredPlayer], rules: SeasonRules, season: TieBreakData
) -> Iterator[tuple[int, _ScoredPlayer, str]]:
    place = 1
    by_id = sorted(players, key=attrgetter("id"))
    for group in _split_by_key(by_id, lambda player: (player.points,)):
        for decided_by, shared in _ranked_groups(group, "", rules.tie_breakers, season):
            yield from ((place, player, decided_by) for player in shared)
            place += len(shared)


def _scored_player(player: int, brought: Sequence[EventScore], rules: SeasonRules) -> _ScoredPlayer:
    counted = min(len(brought), rules.best_of or len(brought))
    best = _counting_indexes(brought, counted)
    points = sum((score[2] for nth, score in enumerate(brought) if nth in best), start=0)
    # A copy: the list grows with the last event.
    return _ScoredPlayer(player, tuple(brought), counted, points)


def _counting_indexes(brought: Sequence[EventScore], counted: int) -> Collection[int]:
    """Return the indexes of the results that count; of equal results the earlier counts."""
    if counted == len(brought):
        return range(counted)
    by_points = sorted(range(len(brought)), key=lambda nth: (-brought[nth][2], nth))
    return set(by_points[:counted])


def _split_by_key(
    group: _TiedGroup, key: Callable[[_ScoredPlayer], TieBreakKey]
) -> Iterator[list[_ScoredPlayer]]:
    parts: dict[TieBreakKey, list[_ScoredPlayer]] = {}
    for player in group:
        parts.setdefault(key(player), []).append(player)
    yield from (parts[value] for value in sorted(parts, reverse=True))


def _ranked_groups(
    group: _TiedGroup, decided_by: str, tie_breakers: Sequence[str], season: TieBreakData
) -> Iterator[tuple[str, _TiedGroup]]:
    """Yield groups that share a place, best first, with the deciding tie-breaker."""
    if len(group) == 1 or not tie_breakers:
        yield decided_by, group
        return
    first, *rest = tie_breakers
    keys = TIE_BREAKERS[first].keys(group, season)
    for part in _split_by_key(group, lambda player: keys[player.id]):
        yield from _ranked_groups(part, decided_by, rest, season)
        decided_by = first


def _best_results(group: _TiedGroup, _: TieBreakData) -> Mapping[int, TieBreakKey]:
    return {
        player.id: tuple(sorted((points for _, _, points in player.brought), reverse=True))
        for player in group
    }


def _wins(group: _TiedGroup, _: TieBreakData) -> Mapping[int, TieBreakKey]:
    return {player.id: (sum(place == 1 for _, place, _ in player.brought),) for player in group}


def _events_played(group: _TiedGroup, _: TieBreakData) -> Mapping[int, TieBreakKey]:
    return {player.id: (len(player.brought),) for player in group}


def _all_results(group: _TiedGroup, _: TieBreakData) -> Mapping[int, TieBreakKey]:
    return {
        player.id: (sum((points for _, _, points in player.brought), start=0),) for player in group
    }


def _last_event(group: _TiedGroup, season: TieBreakData) -> Mapping[int, TieBreakKey]:
    """Players who missed the last event have an empty key, which sorts last."""
    return {
        player.id: tuple(points for event, _, points in player.brought if event == season.last)
        for player in group
    }


def _head_to_head(group: _TiedGroup, season: TieBreakData) -> Mapping[int, TieBreakKey]:
    """Points won minus points lost at tables where two players of the group met."""
    tied = {player.id for player in group}
    return {
        player: (
            sum((won for rival, won in season.balances.get(player, ()) if rival in tied), start=0),
        )
        for player in tied
    }


# The tie-breakers an organiser can choose, by id.
TIE_BREAKERS: Mapping[str, SeasonTieBreaker] = {
    tie_breaker.id: tie_breaker
    for tie_breaker in (
        SeasonTieBreaker(
            "best_results",
            gettext_noop("Best results"),
            gettext_noop("the best single result, then the second best, and so on"),
            _best_results,
        ),
        SeasonTieBreaker(
            "wins", gettext_noop("Wins"), gettext_noop("the number of events won"), _wins
        ),
        SeasonTieBreaker(
            "head_to_head",
            gettext_noop("Head-to-head"),
            gettext_noop(
                "match points won minus match points lost in matches between the tied players"
            ),
            _head_to_head,
        ),
        SeasonTieBreaker(
            "all_results",
            gettext_noop("All results"),
            gettext_noop("the points of all events, including events that do not count"),
            _all_results,
        ),
        SeasonTieBreaker(
            "events",
            gettext_noop("Events played"),
            gettext_noop("the number of events played"),
            _events_played,
        ),
        SeasonTieBreaker(
            "last_event",
            gettext_noop("Last event"),
            gettext_noop("the points of the last event"),
            _last_event,
        ),
    )
}
DEFAULT_TIE_BREAKERS = ("best_results", "wins", "head_to_head")
# Default points by place; every later place brings 1.
PLACE_POINTS = (10, 8, 6, 5, 4, 3, 2)


# Qualification from a season: the best of each event, then of its table.


@dataclass(frozen=True)
class QualifyingPlaces:
    """The number of qualifying places per event and in the final table.

    With `passes_down`, an event place of an already qualified player goes to the next player of
    that event. Table places and places of players who declined always pass down.
    """

    per_evening: int = 0
    by_table: int = 0
    passes_down: bool = True


@dataclass(frozen=True)
class Qualifier:
    """A qualified player: the `evening` (None for the table) and the place there.

    `passed` are earlier places that were skipped, with the reason: "already" qualified or
    "declined". A `chosen` player shares the place with other players.
    """

    player: int
    evening: int | None
    place: int
    passed: tuple[tuple[int, str], ...] = ()
    chosen: bool = False


@dataclass(frozen=True)
class Qualification:
    """Qualified players, in the order in which they qualified.

    `tied` players share the last place. `places_left` of them go through; the table does not
    decide, so the organiser chooses.
    """

    passages: tuple[Qualifier, ...]
    tied: tuple[int, ...] = ()
    places_left: int = 0


ALREADY_QUALIFIED, DECLINED = "already", "declined"


def season_qualification(
    evenings: Sequence[SeasonEvent],
    table: Sequence[SeasonRow],
    places: QualifyingPlaces,
    declined: frozenset[int] = frozenset(),
    elsewhere: frozenset[int] = frozenset(),
    chosen: frozenset[int] = frozenset(),
) -> Qualification:
    """Return the qualified players: first event by event, then by the table.

    Players who `declined` are skipped; players invited from `elsewhere` already have a place. Among
    players who share the last place of the table, `chosen` players come first.
    """
    through: dict[int, Qualifier] = {}
    over = {**dict.fromkeys(elsewhere, ALREADY_QUALIFIED), **dict.fromkeys(declined, DECLINED)}
    for evening in evenings:
        _qualify_by_event(evening, places, over, through)
    tied = _qualify_by_table(table, places.by_table, over, chosen, through)
    left = places.by_table - sum(row.evening is None for row in through.values())
    return Qualification(tuple(through.values()), tuple(tied), left if tied else 0)


def _qualify_by_table(
    table: Sequence[SeasonRow],
    places: int,
    over: Mapping[int, str],
    chosen: frozenset[int],
    through: dict[int, Qualifier],
) -> list[int]:
    """Add the players who qualify by the table; return the players tied at the last place."""
    passed: list[tuple[int, str]] = []
    left = places
    for place, lines in groupby(table, lambda line: line.place):
        if left <= 0:
            break
        sharing = [line.player for line in lines]
        new = [player for player in sharing if player not in through and player not in over]
        if len(new) > left:
            picked = [player for player in new if player in chosen][:left]
            for player in picked:
                through[player] = Qualifier(player, None, place, tuple(passed), chosen=True)
            return [player for player in new if player not in picked] if len(picked) < left else []
        skipped = (player for player in sharing if player not in new)
        passed += [(place, over.get(player, ALREADY_QUALIFIED)) for player in skipped]
        for player in new:
            through[player] = Qualifier(player, None, place, tuple(passed))
        left -= len(new)
    return []


def _qualify_by_event(
    evening: SeasonEvent,
    places: QualifyingPlaces,
    over: Mapping[int, str],
    through: dict[int, Qualifier],
) -> None:
    passed: list[tuple[int, str]] = []
    left = places.per_evening
    for player, place, _ in sorted(evening.results, key=attrgetter("place", "player")):
        if left <= 0:
            return
        if player in through or player in over:
            why = over.get(player, ALREADY_QUALIFIED)
            passed.append((place, why))
            if why == ALREADY_QUALIFIED and not places.passes_down:
                left -= 1
            continue
        through[player] = Qualifier(player, evening.id, place, tuple(passed))
        left -= 1


# Dates of recurring events, their opening times, and names of copies.


WEEKLY, FORTNIGHTLY, MONTHLY = "weekly", "fortnightly", "monthly"
RHYTHM_STEPS = {WEEKLY: timedelta(days=7), FORTNIGHTLY: timedelta(days=14)}
WEEK = timedelta(days=7)
# A fifth weekday means the last in the month, because most months have four.
LAST_OF_MONTH = 5
# Maximum length of an event's name.
MAX_NAME_LENGTH = 120
# The number at the end of a name; four digits are a year.
TRAILING_NUMBER = re.compile(r"(?<=[ #])([0-9]{1,3})$")


@dataclass(frozen=True)
class EveningSchedule:
    """Events on the weekday of `first`, at a time in the zone, until the `last` day.

    Registration opens `days_before` days before, at `opens_at`. Monthly is the same weekday of the
    month: the second Tuesday, or the last.
    """

    first: date
    rhythm: str
    starts_at: time
    zone: str
    days_before: int
    opens_at: time
    last: date | None = None


def evening_days(plan: EveningSchedule) -> Iterator[date]:
    days = _monthly_days(plan.first) if plan.rhythm == MONTHLY else _days_by_step(plan)
    return takewhile(lambda day: plan.last is None or day <= plan.last, days)


def _days_by_step(plan: EveningSchedule) -> Iterator[date]:
    day, step = plan.first, RHYTHM_STEPS[plan.rhythm]
    while day <= date.max - step:
        yield day
        day += step


def _monthly_days(first: date) -> Iterator[date]:
    nth, month = (first.day - 1) // 7 + 1, first.replace(day=1)
    while month.year < date.max.year:
        yield _nth_weekday(month, first.weekday(), nth)
        month = (month + timedelta(days=31)).replace(day=1)


def _nth_weekday(month: date, weekday: int, nth: int) -> date:
    """Return the nth of this weekday in the month; the last if there is no fifth."""
    day = month.replace(day=1 + (weekday - month.weekday()) % 7) + (nth - 1) * WEEK
    last = monthrange(month.year, month.month)[1]
    return day if day.month == month.month and day.day <= last else day - WEEK


def registration_opens_at(plan: EveningSchedule, day: date) -> datetime:
    return _utc_moment(day - timedelta(days=plan.days_before), plan.opens_at, plan.zone)


def evening_starts_at(plan: EveningSchedule, day: date) -> datetime:
    return _utc_moment(day, plan.starts_at, plan.zone)


def _utc_moment(day: date, hour: time, zone: str) -> datetime:
    """Convert to UTC. A skipped hour moves forward; of a repeated hour the first counts."""
    return datetime.combine(day, hour, ZoneInfo(zone)).astimezone(ZoneInfo("UTC"))


def due_evenings(plan: EveningSchedule, now: datetime) -> list[date]:
    """Return the days with open registration whose events have not begun.

    After downtime a site therefore opens them late.
    """
    opened = takewhile(lambda day: registration_opens_at(plan, day) <= now, evening_days(plan))
    return [day for day in opened if evening_starts_at(plan, day) > now]


def upcoming_evenings(plan: EveningSchedule, now: datetime, most: int) -> list[date]:
    """Return at most `most` days whose events have not begun."""
    days = (day for day in evening_days(plan) if evening_starts_at(plan, day) > now)
    return list(islice(days, most))


def next_week(day: date, today: date) -> date:
    """Return the same weekday a week later, or the first that is not in the past."""
    weeks = max(1, -((day - today).days // 7))
    later = day + weeks * WEEK
    return later if later >= today else later + WEEK


def name_of_copy(name: str, day: date, later: date) -> str:
    """Return the name of a copy: with the next number, or with its own date.

    If a longer number leaves no room, the words before it are cut.
    """
    if day.isoformat() in name:
        return name.replace(day.isoformat(), later.isoformat())
    match = TRAILING_NUMBER.search(name)
    if match is None:
        return name
    number, mark = str(int(match[1]) + 1), name[match.start() - 1]
    return name[: match.start() - 1][: MAX_NAME_LENGTH - len(number) - 1] + mark + number
