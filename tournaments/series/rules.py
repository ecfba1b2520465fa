"""The table of a season: points of finished events, best results and tie-breakers."""

import re
from calendar import monthrange
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cached_property
from itertools import groupby, takewhile
from typing import NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

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
    """A finished event of the season: places and meetings."""

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
        return tuple(SeasonCell(*one, counts=nth in best) for nth, one in enumerate(self.brought))

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
    """Further data of tie-breakers: the last event, and the meetings."""

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
    before = (
        _places_by_player(old.values(), rules, TieBreakData(earlier[-1].id, balances))
        if earlier
        else {}
    )
    _add_results([last], rules, brought, balances)
    new = {
        one.player: _scored_player(one.player, brought[one.player], rules) for one in last.results
    }
    players, season = (old | new).values(), TieBreakData(last.id, balances)
    return tuple(
        SeasonRow(
            *(place, one.id, one.points, one.brought, one.counted, decided_by),
            moved=before[one.id] - place if one.id in before else None,
        )
        for place, one, decided_by in _ranked_players(players, rules, season)
    )


def _add_results(
    evenings: Iterable[SeasonEvent],
    rules: SeasonRules,
    brought: dict[int, list[EventScore]],
    balances: dict[int, list[tuple[int, Points]]],
) -> None:
    """Add the results of these events."""
    for evening in evenings:
        for result in evening.results:
            points = rules.points_of(result)
            brought[result.player].append((evening.id, result.place, points))
        for one, other, points, theirs in evening.meetings:
            balances[one].append((other, points - theirs))
            balances[other].append((one, theirs - points))


def _places_by_player(
    players: Collection[_ScoredPlayer], rules: SeasonRules, season: TieBreakData
) -> Mapping[int, int]:
    return {one.id: place for place, one, _ in _ranked_players(players, rules, season)}


def _ranked_players(
    players: Collection[_ScoredPlayer], rules: SeasonRules, season: TieBreakData
) -> Iterator[tuple[int, _ScoredPlayer, str]]:
    """Yield each player with place and deciding tie-breaker."""
    place = 1
    for group in _split_by_key(sorted(players, key=_player_id), lambda one: (one.points,)):
        for decided_by, shared in _ranked_groups(group, "", rules.tie_breakers, season):
            yield from ((place, one, decided_by) for one in shared)
            place += len(shared)


def _player_id(player: _ScoredPlayer) -> int:
    return player.id


def _scored_player(player: int, brought: Sequence[EventScore], rules: SeasonRules) -> _ScoredPlayer:
    counted = min(len(brought), rules.best_of or len(brought))
    best = _counting_indexes(brought, counted)
    points = sum((one[2] for nth, one in enumerate(brought) if nth in best), start=0)
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
    """Split the group by the key, best first."""
    parts: dict[TieBreakKey, list[_ScoredPlayer]] = {}
    for one in group:
        parts.setdefault(key(one), []).append(one)
    yield from (parts[one] for one in sorted(parts, reverse=True))


def _ranked_groups(
    group: _TiedGroup, decided_by: str, tie_breakers: Sequence[str], season: TieBreakData
) -> Iterator[tuple[str, _TiedGroup]]:
    """Yield groups that share a place, best first, with the deciding tie-breaker."""
    if len(group) == 1 or not tie_breakers:
        yield decided_by, group
        return
    first, *others = tie_breakers
    keys = TIE_BREAKERS[first].keys(group, season)
    for part in _split_by_key(group, lambda one: keys[one.id]):
        yield from _ranked_groups(part, decided_by, others, season)
        decided_by = first


def _best_results(group: _TiedGroup, _: TieBreakData) -> Mapping[int, TieBreakKey]:
    return {one.id: tuple(sorted((won[2] for won in one.brought), reverse=True)) for one in group}


def _wins(group: _TiedGroup, _: TieBreakData) -> Mapping[int, TieBreakKey]:
    return {one.id: (sum(place == 1 for _, place, _ in one.brought),) for one in group}


def _events_played(group: _TiedGroup, _: TieBreakData) -> Mapping[int, TieBreakKey]:
    return {one.id: (len(one.brought),) for one in group}


def _all_results(group: _TiedGroup, _: TieBreakData) -> Mapping[int, TieBreakKey]:
    return {one.id: (sum((won[2] for won in one.brought), start=0),) for one in group}


def _last_event(group: _TiedGroup, season: TieBreakData) -> Mapping[int, TieBreakKey]:
    """Players who missed the last event have an empty key, which sorts last."""
    return {
        one.id: tuple(points for event, _, points in one.brought if event == season.last)
        for one in group
    }


def _head_to_head(group: _TiedGroup, season: TieBreakData) -> Mapping[int, TieBreakKey]:
    """Points won minus points lost at tables where two players of the group met."""
    here = {one.id for one in group}
    return {
        one: (sum((won for other, won in season.balances.get(one, ()) if other in here), start=0),)
        for one in here
    }


# The tie-breakers an organiser can choose, by id.
TIE_BREAKERS: Mapping[str, SeasonTieBreaker] = {
    one.id: one
    for one in (
        SeasonTieBreaker(
            "best_results",
            "Best results",
            "the best single result, then the second best, and so on",
            _best_results,
        ),
        SeasonTieBreaker("wins", "Wins", "the number of events won", _wins),
        SeasonTieBreaker(
            "head_to_head",
            "Head to head",
            "match points won less match points lost where the tied players met",
            _head_to_head,
        ),
        SeasonTieBreaker(
            "all_results",
            "All results",
            "the points of all events, also of those that do not count",
            _all_results,
        ),
        SeasonTieBreaker("events", "Events played", "the number of events played", _events_played),
        SeasonTieBreaker("last_event", "Last event", "the points of the last event", _last_event),
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
    left = places.by_table - sum(one.evening is None for one in through.values())
    return Qualification(tuple(through.values()), tuple(tied), left if tied else 0)


def _qualify_by_table(
    table: Sequence[SeasonRow],
    given: int,
    over: Mapping[int, str],
    chosen: frozenset[int],
    through: dict[int, Qualifier],
) -> list[int]:
    """Add the players who qualify by the table; return the players tied at the last place."""
    passed: list[tuple[int, str]] = []
    left = given
    for place, lines in groupby(table, lambda line: line.place):
        sharing = [line.player for line in lines]
        new = [one for one in sharing if one not in through and one not in over]
        if left <= 0:
            break
        if len(new) > left:
            picked = [one for one in new if one in chosen][:left]
            for one in picked:
                through[one] = Qualifier(one, None, place, tuple(passed), chosen=True)
            return [one for one in new if one not in picked] if len(picked) < left else []
        passed += [(place, over.get(one, ALREADY_QUALIFIED)) for one in sharing if one not in new]
        for one in new:
            through[one] = Qualifier(one, None, place, tuple(passed))
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
    for one in sorted(evening.results, key=lambda one: (one.place, one.player)):
        if left <= 0:
            return
        if one.player in through or one.player in over:
            why = over.get(one.player, ALREADY_QUALIFIED)
            passed.append((one.place, why))
            if why == ALREADY_QUALIFIED and not places.passes_down:
                left -= 1
            continue
        through[one.player] = Qualifier(one.player, evening.id, one.place, tuple(passed))
        left -= 1


# Dates of recurring evenings, their opening times, and names of copies.


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
    """Evenings on the weekday of `first`, at a time in the zone, until the `last` day.

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
    """Yield its days in order, endlessly without a last day."""
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
    """Return the opening time of registration for this evening, in local time of the zone."""
    return _utc_moment(day - timedelta(days=plan.days_before), plan.opens_at, plan.zone)


def evening_starts_at(plan: EveningSchedule, day: date) -> datetime:
    return _utc_moment(day, plan.starts_at, plan.zone)


def _utc_moment(day: date, hour: time, zone: str) -> datetime:
    """Convert to UTC. A skipped hour moves forward; of a repeated hour the first counts."""
    return datetime.combine(day, hour, ZoneInfo(zone)).astimezone(ZoneInfo("UTC"))


def due_evenings(plan: EveningSchedule, now: datetime) -> list[date]:
    """Return the evenings that are open but have not begun.

    After downtime a site therefore opens them late.
    """
    opened = takewhile(lambda day: registration_opens_at(plan, day) <= now, evening_days(plan))
    return [day for day in opened if evening_starts_at(plan, day) > now]


def upcoming_evenings(plan: EveningSchedule, now: datetime, most: int) -> list[date]:
    """Return the next evenings that have not begun."""
    found: list[date] = []
    for day in evening_days(plan):
        if evening_starts_at(plan, day) > now:
            found.append(day)
        if len(found) == most:
            break
    return found


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
    found = TRAILING_NUMBER.search(name)
    if found is None:
        return name
    number, mark = str(int(found[1]) + 1), name[found.start() - 1]
    return name[: found.start() - 1][: MAX_NAME_LENGTH - len(number) - 1] + mark + number
