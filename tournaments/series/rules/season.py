"""The table of a season: points of finished events, best results and tie-breakers."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

from matches.scoring import Points

# Scoring of an event: points by place, or the match points won there.
PLACES, MATCH_POINTS = "places", "match_points"


class Result(NamedTuple):
    """A player's place at an event, 1 is best, and the match points won there."""

    player: int
    place: int
    points: Points


# Two players at a table, and the match points of both.
Meeting: TypeAlias = tuple[int, int, Points, Points]


@dataclass(frozen=True)
class Evening:
    """A finished event of the season: places and meetings."""

    id: int
    results: tuple[Result, ...]
    meetings: tuple[Meeting, ...] = ()


@dataclass(frozen=True)
class SeasonRules:
    """Scoring rules of a season.

    `place_points` are for place 1, 2 ...; later places bring `points_for_playing`. The `best_of`
    events with the most points count for each player, or all if None. `tie_breakers` are ids of
    TIE_BREAKERS, first to last.
    """

    scoring: str = PLACES
    place_points: tuple[int, ...] = ()
    points_for_playing: int = 0
    best_of: int | None = None
    tie_breakers: tuple[str, ...] = ()

    def points_of(self, result: Result) -> Points:
        if self.scoring == MATCH_POINTS:
            return result.points
        if result.place <= len(self.place_points):
            return self.place_points[result.place - 1]
        return self.points_for_playing


# A player's event: its key, the place and the points.
Brought: TypeAlias = tuple[int, int, Points]


class Cell(NamedTuple):
    """A player's result at an event; `counts` if it is among the best that count."""

    evening: int
    place: int
    points: Points
    counts: bool


@dataclass(frozen=True)
class Line:
    """A row of the table. Players who are still tied share a place.

    `brought` has the result of each event, of which `counted` events count. `decided_by` is the
    tie-breaker that separates the player from the player above with as many points. It is "" if the
    points decided, or if they share the place. `moved` is the number of places gained with the last
    event, None for a new player.
    """

    place: int
    player: int
    points: Points
    brought: Sequence[Brought]
    counted: int
    decided_by: str = ""
    moved: int | None = None

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        best = _best(self.brought, self.counted)
        return tuple(Cell(*one, counts=nth in best) for nth, one in enumerate(self.brought))

    @cached_property
    def by_evening(self) -> Mapping[int, Cell]:
        return {cell.evening: cell for cell in self.cells}

    @property
    def played(self) -> int:
        return len(self.brought)


class _Player(NamedTuple):
    id: int
    brought: Sequence[Brought]
    counted: int
    points: Points


# By player: each opponent with match points won minus points lost at a table.
Balances: TypeAlias = Mapping[int, Sequence[tuple[int, Points]]]


class Season(NamedTuple):
    """Further data of tie-breakers: the last event, and the meetings."""

    last: int
    balances: Balances


# The comparison key, higher is better.
Key: TypeAlias = tuple[Points, ...]
_Group: TypeAlias = Sequence[_Player]


@dataclass(frozen=True)
class TieBreaker:
    id: str
    name: str
    explanation: str
    keys: Callable[[_Group, Season], Mapping[int, Key]]


def season_table(evenings: Sequence[Evening], rules: SeasonRules) -> tuple[Line, ...]:
    """Return the table after these events, first to last, with the movement since the last event.

    Time grows with the results and meetings, not with players times events.
    """
    if not evenings:
        return ()
    *earlier, last = evenings
    brought: dict[int, list[Brought]] = defaultdict(list)
    balances: dict[int, list[tuple[int, Points]]] = defaultdict(list)
    _play(earlier, rules, brought, balances)
    old = {player: _player(player, own, rules) for player, own in brought.items()}
    before = _places(old.values(), rules, Season(earlier[-1].id, balances)) if earlier else {}
    _play([last], rules, brought, balances)
    new = {one.player: _player(one.player, brought[one.player], rules) for one in last.results}
    players, season = (old | new).values(), Season(last.id, balances)
    return tuple(
        Line(
            *(place, one.id, one.points, one.brought, one.counted, decided_by),
            moved=before[one.id] - place if one.id in before else None,
        )
        for place, one, decided_by in _table(players, rules, season)
    )


def _play(
    evenings: Iterable[Evening],
    rules: SeasonRules,
    brought: dict[int, list[Brought]],
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


def _places(players: Collection[_Player], rules: SeasonRules, season: Season) -> Mapping[int, int]:
    return {one.id: place for place, one, _ in _table(players, rules, season)}


def _table(
    players: Collection[_Player], rules: SeasonRules, season: Season
) -> Iterator[tuple[int, _Player, str]]:
    """Yield each player with place and deciding tie-breaker."""
    place = 1
    for group in _split(sorted(players, key=_by_id), lambda one: (one.points,)):
        for decided_by, shared in _ranked(group, "", rules.tie_breakers, season):
            yield from ((place, one, decided_by) for one in shared)
            place += len(shared)


def _by_id(player: _Player) -> int:
    return player.id


def _player(player: int, brought: Sequence[Brought], rules: SeasonRules) -> _Player:
    counted = min(len(brought), rules.best_of or len(brought))
    best = _best(brought, counted)
    points = sum((one[2] for nth, one in enumerate(brought) if nth in best), start=0)
    # A copy: the list grows with the last event.
    return _Player(player, tuple(brought), counted, points)


def _best(brought: Sequence[Brought], counted: int) -> Collection[int]:
    """Return the indexes of the results that count; of equal results the earlier counts."""
    if counted == len(brought):
        return range(counted)
    by_points = sorted(range(len(brought)), key=lambda nth: (-brought[nth][2], nth))
    return set(by_points[:counted])


def _split(group: _Group, key: Callable[[_Player], Key]) -> Iterator[list[_Player]]:
    """Split the group by the key, best first."""
    parts: dict[Key, list[_Player]] = {}
    for one in group:
        parts.setdefault(key(one), []).append(one)
    yield from (parts[one] for one in sorted(parts, reverse=True))


def _ranked(
    group: _Group, decided_by: str, tie_breakers: Sequence[str], season: Season
) -> Iterator[tuple[str, _Group]]:
    """Yield groups that share a place, best first, with the deciding tie-breaker."""
    if len(group) == 1 or not tie_breakers:
        yield decided_by, group
        return
    first, *others = tie_breakers
    keys = TIE_BREAKERS[first].keys(group, season)
    for part in _split(group, lambda one: keys[one.id]):
        yield from _ranked(part, decided_by, others, season)
        decided_by = first


def _best_results(group: _Group, _: Season) -> Mapping[int, Key]:
    return {one.id: tuple(sorted((won[2] for won in one.brought), reverse=True)) for one in group}


def _wins(group: _Group, _: Season) -> Mapping[int, Key]:
    return {one.id: (sum(place == 1 for _, place, _ in one.brought),) for one in group}


def _events(group: _Group, _: Season) -> Mapping[int, Key]:
    return {one.id: (len(one.brought),) for one in group}


def _all_results(group: _Group, _: Season) -> Mapping[int, Key]:
    return {one.id: (sum((won[2] for won in one.brought), start=0),) for one in group}


def _last_event(group: _Group, season: Season) -> Mapping[int, Key]:
    """Players who missed the last event have an empty key, which sorts last."""
    return {
        one.id: tuple(points for event, _, points in one.brought if event == season.last)
        for one in group
    }


def _head_to_head(group: _Group, season: Season) -> Mapping[int, Key]:
    """Points won minus points lost at tables where two players of the group met."""
    here = {one.id for one in group}
    return {
        one: (sum((won for other, won in season.balances.get(one, ()) if other in here), start=0),)
        for one in here
    }


# The tie-breakers an organiser can choose, by id.
TIE_BREAKERS: Mapping[str, TieBreaker] = {
    one.id: one
    for one in (
        TieBreaker(
            "best_results",
            "Best results",
            "the best single result, then the second best, and so on",
            _best_results,
        ),
        TieBreaker("wins", "Wins", "the number of events won", _wins),
        TieBreaker(
            "head_to_head",
            "Head to head",
            "match points won less match points lost where the tied players met",
            _head_to_head,
        ),
        TieBreaker(
            "all_results",
            "All results",
            "the points of all events, also of those that do not count",
            _all_results,
        ),
        TieBreaker("events", "Events played", "the number of events played", _events),
        TieBreaker("last_event", "Last event", "the points of the last event", _last_event),
    )
}
DEFAULT_TIE_BREAKERS = ("best_results", "wins", "head_to_head")
# Default points by place; every later place brings 1.
PLACE_POINTS = (10, 8, 6, 5, 4, 3, 2)
