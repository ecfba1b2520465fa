"""The table of a season: points of finished events, the best of them, and what breaks ties."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from matches.scoring import Points

PLACES, MATCH_POINTS = "places", "match_points"
"""What an event brings: points by place, or the match points won there."""


@dataclass(frozen=True, slots=True)
class Result:
    """Where a player came at an event, 1 is best, and the match points won there."""

    player: int
    place: int
    points: Points


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two players at one table: the match points of both."""

    one: int
    other: int
    points: Points
    others_points: Points


@dataclass(frozen=True)
class Evening:
    """A finished event of the season: the places, and who met whom."""

    id: int
    results: tuple[Result, ...]
    meetings: tuple[Meeting, ...] = ()

    @cached_property
    def players(self) -> frozenset[int]:
        """Everybody who met somebody."""
        return frozenset(one for met in self.meetings for one in (met.one, met.other))


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


@dataclass(frozen=True, slots=True)
class Cell:
    """One player at one event; `counts` is whether it is among the best that count."""

    evening: int
    place: int
    points: Points
    counts: bool


@dataclass(frozen=True)
class Line:
    """One player of the table. Players that nothing tells apart share a place.

    `decided_by` is the tie-breaker that put the player behind the one above, who has as many
    points; "" where the points did, or where they share the place. `moved` is how many places the
    last event took the player up, None for somebody new in the table.
    """

    place: int
    player: int
    points: Points
    cells: tuple[Cell, ...]
    decided_by: str = ""
    moved: int | None = None

    @cached_property
    def by_evening(self) -> Mapping[int, Cell]:
        """The cells by event."""
        return {cell.evening: cell for cell in self.cells}


@dataclass(frozen=True, slots=True)
class _Player:
    id: int
    cells: tuple[Cell, ...]

    @property
    def points(self) -> Points:
        return sum((cell.points for cell in self.cells if cell.counts), start=0)


Key: TypeAlias = tuple[Points, ...]
"""What is compared: the higher, the better."""
_Group: TypeAlias = Sequence[_Player]


@dataclass(frozen=True)
class TieBreaker:
    """What tells players with equal points apart, in words."""

    id: str
    name: str
    explanation: str
    keys: Callable[[_Group, Sequence[Evening]], Mapping[int, Key]]


def season_table(evenings: Sequence[Evening], rules: SeasonRules) -> tuple[Line, ...]:
    """The table after these events, first to last, with the movement since the one before it."""
    lines = _table(evenings, rules)
    before = {line.player: line.place for line in _table(evenings[:-1], rules)}
    return tuple(
        replace(line, moved=before[line.player] - line.place if line.player in before else None)
        for line in lines
    )


def _table(evenings: Sequence[Evening], rules: SeasonRules) -> list[Line]:
    players = sorted(_players(evenings, rules), key=lambda one: (-one.points, one.id))
    lines: list[Line] = []
    for group in _split(players, lambda one: (one.points,)):
        for decided_by, shared in _ranked(group, "", rules.tie_breakers, evenings):
            place = len(lines) + 1
            lines += (Line(place, one.id, one.points, one.cells, decided_by) for one in shared)
    return lines


def _players(evenings: Sequence[Evening], rules: SeasonRules) -> Iterator[_Player]:
    played: dict[int, list[Cell]] = {}
    for evening in evenings:
        for result in evening.results:
            cell = Cell(evening.id, result.place, rules.points_of(result), counts=True)
            played.setdefault(result.player, []).append(cell)
    for player, cells in played.items():
        yield _Player(player, _best_of(cells, rules.best_of))


def _best_of(cells: Sequence[Cell], best: int | None) -> tuple[Cell, ...]:
    """The cells in order; of equal ones at the edge the earlier counts."""
    if best is None or len(cells) <= best:
        return tuple(cells)
    by_points = sorted(range(len(cells)), key=lambda place: (-cells[place].points, place))
    counted = set(by_points[:best])
    return tuple(replace(cell, counts=place in counted) for place, cell in enumerate(cells))


def _split(group: _Group, key: Callable[[_Player], Key]) -> Iterator[list[_Player]]:
    """The group in parts that the key tells apart, best first."""
    parts: dict[Key, list[_Player]] = {}
    for one in group:
        parts.setdefault(key(one), []).append(one)
    yield from (parts[one] for one in sorted(parts, reverse=True))


def _ranked(
    group: _Group, decided_by: str, tie_breakers: Sequence[str], evenings: Sequence[Evening]
) -> Iterator[tuple[str, _Group]]:
    """Players who share a place, best first, each with what put them behind those before."""
    if len(group) == 1 or not tie_breakers:
        yield decided_by, group
        return
    first, *others = tie_breakers
    keys = TIE_BREAKERS[first].keys(group, evenings)
    for part in _split(group, lambda one: keys[one.id]):
        yield from _ranked(part, decided_by, others, evenings)
        decided_by = first


def _best_results(group: _Group, _: Sequence[Evening]) -> Mapping[int, Key]:
    return {
        one.id: tuple(sorted((cell.points for cell in one.cells), reverse=True)) for one in group
    }


def _wins(group: _Group, _: Sequence[Evening]) -> Mapping[int, Key]:
    return {one.id: (sum(cell.place == 1 for cell in one.cells),) for one in group}


def _events(group: _Group, _: Sequence[Evening]) -> Mapping[int, Key]:
    return {one.id: (len(one.cells),) for one in group}


def _all_results(group: _Group, _: Sequence[Evening]) -> Mapping[int, Key]:
    return {one.id: (sum((cell.points for cell in one.cells), start=0),) for one in group}


def _last_event(group: _Group, evenings: Sequence[Evening]) -> Mapping[int, Key]:
    """Who was not there has no key, and comes behind any who was."""
    last = evenings[-1].id
    return {
        one.id: tuple(cell.points for cell in one.cells if cell.evening == last) for one in group
    }


def _head_to_head(group: _Group, evenings: Sequence[Evening]) -> Mapping[int, Key]:
    """Points won less points lost at the tables where two of the group met."""
    balance: dict[int, Points] = dict.fromkeys((one.id for one in group), 0)
    for evening in evenings:
        # Most evenings have at most one of a few tied players.
        here = evening.players & balance.keys()
        for met in evening.meetings if len(here) > 1 else ():
            if met.one in here and met.other in here:
                balance[met.one] += met.points - met.others_points
                balance[met.other] += met.others_points - met.points
    return {player: (points,) for player, points in balance.items()}


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


@dataclass(frozen=True)
class Places:
    """How many qualify: the first of each event, and of the table at its end.

    With `passes_down` a place of somebody who has qualified already goes to the next one of that
    event; of the table it always does.
    """

    per_evening: int = 0
    by_table: int = 0
    passes_down: bool = True


@dataclass(frozen=True)
class Passage:
    """Somebody who qualified: at the `evening`, None for by the table, and the place there.

    `passed` are the places before it that went to nobody new, with why: who had them had
    qualified "already", or "declined".
    """

    player: int
    evening: int | None
    place: int
    passed: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class Qualification:
    """Who qualified, in the order in which they did.

    `tied` are players who share the place at the edge: `places_left` of them go through, and
    nothing in the table says who.
    """

    passages: tuple[Passage, ...]
    tied: tuple[int, ...] = ()
    places_left: int = 0


ALREADY, DECLINED = "already", "declined"


def qualified(
    evenings: Sequence[Evening],
    table: Sequence[Line],
    places: Places,
    declined: frozenset[int] = frozenset(),
) -> Qualification:
    """Who goes through: first event by event, then by the table. Who `declined` is passed over."""
    through: dict[int, Passage] = {}
    for evening in evenings:
        ranked = sorted(evening.results, key=lambda one: (one.place, one.player))
        given = places.per_evening if places.passes_down else len(ranked)
        reach = len(ranked) if places.passes_down else places.per_evening
        standing = [(one.place, one.player) for one in ranked[:reach]]
        _pass(standing, given, evening.id, declined, through)
    tied = _by_table(table, places.by_table, declined, through)
    left = places.by_table - sum(one.evening is None for one in through.values())
    return Qualification(tuple(through.values()), tuple(tied), left if tied else 0)


def _by_table(
    table: Sequence[Line], given: int, declined: frozenset[int], through: dict[int, Passage]
) -> list[int]:
    """Those who share the place at the edge; the others go through."""
    passed: list[tuple[int, str]] = []
    left = given
    for place in sorted({line.place for line in table}):
        sharing = [line.player for line in table if line.place == place]
        new = [one for one in sharing if one not in through and one not in declined]
        if left <= 0:
            break
        if len(new) > left:
            return new
        passed += [(place, _why(one, declined)) for one in sharing if one not in new]
        for one in new:
            through[one] = Passage(one, None, place, tuple(passed))
        left -= len(new)
    return []


def _pass(
    standing: Sequence[tuple[int, int]],
    given: int,
    evening: int,
    declined: frozenset[int],
    through: dict[int, Passage],
) -> None:
    passed: list[tuple[int, str]] = []
    left = given
    for place, player in standing:
        if left <= 0:
            return
        if player in through or player in declined:
            passed.append((place, _why(player, declined)))
            continue
        through[player] = Passage(player, evening, place, tuple(passed))
        left -= 1


def _why(player: int, declined: frozenset[int]) -> str:
    return DECLINED if player in declined else ALREADY
