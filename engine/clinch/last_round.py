"""Records of the last round: open tables, verdicts and needs."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import product
from typing import TypeAlias

from engine.standings.records import Exact, PlayerId, SeatResult, StandingsRecord
from matches.scoring.results import Flag, GameEnd, GameResult, MatchResult, Role, corp_seat
from matches.scoring.rules import AGENDA_POINTS_TO_WIN, AgendaRule, RankRule, ScoringRule

# One way a table can end: the result of each seat, in seat order.
TableEnding: TypeAlias = tuple[SeatResult, ...]

# The ending of each open table, by table number.
TableEndings: TypeAlias = Mapping[int, TableEnding]


@dataclass(frozen=True)
class UndecidedTable:
    """A table of the last round without a confirmed result, and every way it can end.

    Verdicts count every ending. Examples prefer the endings in `ordinary`, unless it is empty.
    """

    number: int
    players: tuple[PlayerId, ...]
    endings: tuple[TableEnding, ...]
    ordinary: tuple[TableEnding, ...] = ()

    def has_ordinary(self, ending: TableEnding) -> bool:
        return not self.ordinary or ending in self.ordinary


@dataclass(frozen=True)
class LastRound:
    """The last round while it is played.

    `records` has all players with their confirmed results, and None in this round for players at
    open tables. The best `places` advance. `gone` players have results but cannot take a place.
    Without a cut `gone` is empty: dropped players stay in the standings, even in first place.
    """

    records: tuple[StandingsRecord, ...]
    tables: tuple[UndecidedTable, ...]
    tie_breakers: tuple[str, ...]
    places: int
    seed: int = 0
    gone: frozenset[PlayerId] = frozenset()


class ClinchVerdict(StrEnum):
    """The certain outcome of a player. OPEN also covers cases without a proof."""

    IN = "in"
    OUT = "out"
    OPEN = "open"


@dataclass(frozen=True)
class ScenarioExample:
    """Results with which a player misses or makes it.

    `place` is the player's place with these results. If they leave tables out, it is the best
    possible place for a miss and the worst possible for a success. `level` has the rivals equal on
    every tie-breaker before `decided_by`, which then decides.
    """

    own_points: Exact | None
    results: TableEndings
    place: int
    is_whole: bool
    level: tuple[PlayerId, ...] = ()
    decided_by: str = ""
    is_ordinary: bool = True


@dataclass(frozen=True)
class ClinchNeed:
    """The certain facts about a player, provided that nobody drops.

    `safe_from` is the lowest score from the player's own table that surely is enough, as is any
    higher score. `possible_from` is the lowest score with which the player can still make it. Both
    are None if no result does it, and without an open table.

    `place` is the decided place in the standings. It is not set if a dropped player is ahead. With
    open tables it is set only if nobody has dropped.

    `missing` has results with which the player misses despite the best unsafe result. `making` has
    results with which the player makes it, if nothing is safe. Both are ordinary results if
    possible. `ordinary_from` is the lowest score with which ordinary results do it, if nothing is
    safe; None if they never do.

    If the search gave up, `is_proven` is False: some results may then be safe, or out of reach,
    without being reported.
    """

    player: PlayerId
    verdict: ClinchVerdict
    place: int | None = None
    safe_from: Exact | None = None
    possible_from: Exact | None = None
    missing: ScenarioExample | None = None
    making: ScenarioExample | None = None
    ordinary_from: Exact | None = None
    is_proven: bool = True


# Every way a table can end under its scoring rule, and minimum results in words.


_PLACE_NAMES = ("first", "second", "third", "fourth", "fifth")


@cache
def endings_of(rule: ScoringRule, seats: int = 2, *, unit: int = 1) -> tuple[TableEnding, ...]:
    """Return every distinct ending: points and games won per seat, without agenda points.

    Points are in parts; a point of the rule has `unit` parts.
    """
    return _distinct_endings(_possible_results(rule, seats), rule, seats, unit)


@cache
def ordinary_endings_of(
    rule: ScoringRule, seats: int = 2, *, unit: int = 1
) -> tuple[TableEnding, ...]:
    """Return the endings that players plan for: every game has a winner.

    Double losses, games without a winner, agreed draws and two-for-one are left out. In pods every
    order of places is ordinary.
    """
    if isinstance(rule, RankRule):
        return endings_of(rule, seats, unit=unit)
    return _distinct_endings(
        (
            result
            for result in _possible_results(rule, seats)
            if not result.flags and all(game.winner is not None for game in result.games)
        ),
        rule,
        seats,
        unit,
    )


def _distinct_endings(
    results: Iterable[MatchResult], rule: ScoringRule, seats: int, unit: int
) -> tuple[TableEnding, ...]:
    found: dict[TableEnding, None] = {}
    for result in results:
        points = rule.match_points(result)
        found.setdefault(
            tuple(
                SeatResult(points[seat] * unit, result.games_won(seat))
                for seat in range(1, seats + 1)
            )
        )
    return tuple(found)


def _possible_results(rule: ScoringRule, seats: int) -> Iterator[MatchResult]:
    if isinstance(rule, RankRule):
        # As many different numbers as seats give every order with every tie.
        for victory_points in product(range(seats), repeat=seats):
            yield MatchResult(victory_points=victory_points)
        return
    games = [tuple(_possible_games(rule, number)) for number in range(1, rule.games_per_match + 1)]
    for played in product(*games):
        yield MatchResult(games=played)
    if Flag.TWO_FOR_ONE in rule.flags:
        for game in games[0]:
            yield MatchResult(games=(game,), flags=frozenset({Flag.TWO_FOR_ONE}))
    if Flag.INTENTIONAL_DRAW in rule.flags:
        yield MatchResult(flags=frozenset({Flag.INTENTIONAL_DRAW}))


def _possible_games(rule: ScoringRule, number: int) -> Iterator[GameResult]:
    """Yield every outcome of a game that affects the points. Seat 1 is Corp in game 1."""
    corp = corp_seat(number, 1)
    if not isinstance(rule, AgendaRule):
        for winner in (Role.CORP, Role.RUNNER, None):
            yield GameResult(number, corp, winner, GameEnd.NOT_RECORDED)
        yield GameResult(number, corp, None, GameEnd.DOUBLE_LOSS)
        return
    few = range(AGENDA_POINTS_TO_WIN)
    for winner in (Role.CORP, Role.RUNNER, None):
        end = rule.usual_end(winner)
        for points in product(*(_possible_agenda_points(rule, role, winner, few) for role in Role)):
            yield GameResult(number, corp, winner, end, *points)


def _possible_agenda_points(
    rule: AgendaRule, role: Role, winner: Role | None, few: Iterable[int]
) -> Iterable[int]:
    if role is winner:
        return (AGENDA_POINTS_TO_WIN,)
    return few if rule.keeps_agenda_points(role) else (0,)


def minimum_in_words(rule: ScoringRule, points: Exact, *, is_enough: bool = True) -> str:
    """Describe the minimum result for these points, such as "win both games".

    If `is_enough`, leave out a shared place that brings fewer points.
    """
    if points <= 0:
        return "any result"
    if isinstance(rule, AgendaRule):
        return _minimum_agenda_result(rule, points)
    if isinstance(rule, RankRule):
        return _minimum_rank(rule, points, is_enough=is_enough)
    return _minimum_wins(rule, points)


def _minimum_rank(rule: RankRule, points: Exact, *, is_enough: bool) -> str:
    place = max((one for one, worth in enumerate(rule.rank_points) if worth >= points), default=0)
    name, or_better = _PLACE_NAMES[place], " or better" if place else ""
    # Players who share a place split its points and those of the next places.
    worths = rule.rank_points[place:]
    sharing = [many for many in range(1, len(worths) + 1) if sum(worths[:many]) >= many * points]
    if not is_enough or len(sharing) == len(worths):
        return f"come {name}{or_better}"
    if len(sharing) == 1:
        return f"come {name} alone{or_better}"
    return f"come {name}, shared by {len(sharing)} at most{', or better' if place else ''}"


def _minimum_wins(rule: ScoringRule, points: Exact) -> str:
    if rule.games_per_match == 1:
        return "win" if points > 1 else "draw or win"
    if points > 4:
        return "win both games"
    if points > 3:
        return "win a game and draw the other"
    if points > 2:
        return "win a game"
    return "draw both games, or win one" if points > 1 else "draw or win a game"


def _minimum_agenda_result(rule: AgendaRule, points: Exact) -> str:
    most = AGENDA_POINTS_TO_WIN - 1
    either = rule.keeps_agenda_points(Role.CORP)
    one = "win one and" if either else "win as Corp and"
    where = "in the other" if either else "as Runner"
    if points > 10 + most:
        return "win both games"
    if points > 10:
        said = f"win both games, or {one} have {_agenda_points_in_words(points - 10)} {where}"
        return said + (
            f", or {_agenda_points_in_words(points)} in all"
            if either and points <= 2 * most
            else ""
        )
    if points > most and not either:
        return "win a game"
    kept = "" if either else " as Runner"
    return f"win a game, or have {_agenda_points_in_words(points)}{kept}"


def _agenda_points_in_words(points: Exact) -> str:
    return f"at least {points} agenda {'point' if points == 1 else 'points'}"
