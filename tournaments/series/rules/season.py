"""The table of a season: points of finished events, the best of them, and what breaks ties."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

from matches.scoring import Points

PLACES, MATCH_POINTS = "places", "match_points"
"""What an event brings: points by place, or the match points won there."""


class Result(NamedTuple):
    """Where a player came at an event, 1 is best, and the match points won there."""

    player: int
    place: int
    points: Points


Meeting: TypeAlias = tuple[int, int, Points, Points]
"""Two players at one table, and the match points of both."""


@dataclass(frozen=True)
class Evening:
    """A finished event of the season: the places, and who met whom."""

    id: int
    results: tuple[Result, ...]
    meetings: tuple[Meeting, ...] = ()


@dataclass(frozen=True)
class SeasonRules:
    """How a season counts.

    `place_points` are those of place 1, 2 ...; a place behind them brings `points_for_playing`.
    Of each player the `best_of` events with the most points count, None for all. `tie_breakers`
    are ids of TIE_BREAKERS, first to last.
    """

    scoring: str = PLACES
    place_points: tuple[int, ...] = ()
    points_for_playing: int = 0
    best_of: int | None = None
    tie_breakers: tuple[str, ...] = ()

    def points_of(self, result: Result) -> Points:
        """What this result brings for the season."""
        if self.scoring == MATCH_POINTS:
            return result.points
        if result.place <= len(self.place_points):
            return self.place_points[result.place - 1]
        return self.points_for_playing


Brought: TypeAlias = tuple[int, int, Points]
"""One event of a player: its key, the place there, and what that brought."""


class Cell(NamedTuple):
    """One player at one event; `counts` is whether it is among the best that count."""

    evening: int
    place: int
    points: Points
    counts: bool


@dataclass(frozen=True)
class Line:
    """One player of the table. Players that nothing tells apart share a place.

    `brought` is what each event brought, of which `counted` events count. `decided_by` is the
    tie-breaker that put the player behind the one above, who has as many points; "" where the
    points did, or where they share the place. `moved` is how many places the last event took the
    player up, None for somebody new in the table.
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
        """What each event brought, first to last."""
        best = _best(self.brought, self.counted)
        return tuple(Cell(*one, counts=nth in best) for nth, one in enumerate(self.brought))

    @cached_property
    def by_evening(self) -> Mapping[int, Cell]:
        """The cells by event."""
        return {cell.evening: cell for cell in self.cells}

    @property
    def played(self) -> int:
        """How many events."""
        return len(self.brought)


class _Player(NamedTuple):
    id: int
    brought: Sequence[Brought]
    counted: int
    points: Points


Balances: TypeAlias = Mapping[int, Sequence[tuple[int, Points]]]
"""By player: each opponent with the match points won less those lost at one table."""


class Season(NamedTuple):
    """What tie-breakers look at besides the results: the last event, and who met whom."""

    last: int
    balances: Balances


Key: TypeAlias = tuple[Points, ...]
"""What is compared: the higher, the better."""
_Group: TypeAlias = Sequence[_Player]


@dataclass(frozen=True)
class TieBreaker:
    """What tells players with equal points apart, in words."""

    id: str
    name: str
    explanation: str
    keys: Callable[[_Group, Season], Mapping[int, Key]]


def season_table(evenings: Sequence[Evening], rules: SeasonRules) -> tuple[Line, ...]:
    """The table after these events, first to last, with the movement since the one before it.

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
    """Add what these events brought."""
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
    """The place of each player, and the tie-breaker that put them behind those above."""
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
    # The list grows with the last event; this is what was there before it.
    return _Player(player, tuple(brought), counted, points)


def _best(brought: Sequence[Brought], counted: int) -> Collection[int]:
    """Where in the list those are that count; of equal ones at the edge the earlier does."""
    if counted == len(brought):
        return range(counted)
    by_points = sorted(range(len(brought)), key=lambda nth: (-brought[nth][2], nth))
    return set(by_points[:counted])


def _split(group: _Group, key: Callable[[_Player], Key]) -> Iterator[list[_Player]]:
    """The group in parts that the key tells apart, best first."""
    parts: dict[Key, list[_Player]] = {}
    for one in group:
        parts.setdefault(key(one), []).append(one)
    yield from (parts[one] for one in sorted(parts, reverse=True))


def _ranked(
    group: _Group, decided_by: str, tie_breakers: Sequence[str], season: Season
) -> Iterator[tuple[str, _Group]]:
    """Players who share a place, best first, each with what put them behind those before."""
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
    """Who was not there has no key, and comes behind any who was."""
    return {
        one.id: tuple(points for event, _, points in one.brought if event == season.last)
        for one in group
    }


def _head_to_head(group: _Group, season: Season) -> Mapping[int, Key]:
    """Points won less points lost at the tables where two of the group met."""
    here = {one.id for one in group}
    return {
        one: (sum((won for other, won in season.balances.get(one, ()) if other in here), start=0),)
        for one in here
    }


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
"""What an organiser can choose, by id."""
DEFAULT_TIE_BREAKERS = ("best_results", "wins", "head_to_head")
PLACE_POINTS = (10, 8, 6, 5, 4, 3, 2)
"""What places bring where nobody chose otherwise; every later one brings 1."""
