"""Every way a table can end under its scoring rule, and minimum results in words.

A loser, or a player of a game without a winner, has 0 to 6 agenda points: 7 win the game. Only a
judge's decision could give more. Both players can lose a game of `anr`.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product

from engine.clinch.records import Ending
from engine.standings import Taken
from engine.standings.records import Exact
from matches.scoring import (
    AGENDA_POINTS_TO_WIN,
    AgendaRule,
    Flag,
    GameEnd,
    GameResult,
    MatchResult,
    RankRule,
    Role,
    ScoringRule,
    corp_in,
)

_PLACES = ("first", "second", "third", "fourth", "fifth")


@cache
def endings_of(rule: ScoringRule, seats: int = 2, *, unit: int = 1) -> tuple[Ending, ...]:
    """Return every distinct ending: points and games won per seat, without agenda points.

    Points are in parts; a point of the rule has `unit` parts.
    """
    return _endings(_results(rule, seats), rule, seats, unit)


@cache
def ordinary_endings_of(rule: ScoringRule, seats: int = 2, *, unit: int = 1) -> tuple[Ending, ...]:
    """Return the endings that players plan for: every game has a winner.

    Double losses, games without a winner, agreed draws and two-for-one are left out. In pods every
    order of places is ordinary.
    """
    if isinstance(rule, RankRule):
        return endings_of(rule, seats, unit=unit)
    return _endings(
        (
            result
            for result in _results(rule, seats)
            if not result.flags and all(game.winner is not None for game in result.games)
        ),
        rule,
        seats,
        unit,
    )


def _endings(
    results: Iterable[MatchResult], rule: ScoringRule, seats: int, unit: int
) -> tuple[Ending, ...]:
    found: dict[Ending, None] = {}
    for result in results:
        points = rule.match_points(result)
        found.setdefault(
            tuple(
                Taken(points[seat] * unit, result.games_won(seat)) for seat in range(1, seats + 1)
            )
        )
    return tuple(found)


def _results(rule: ScoringRule, seats: int) -> Iterator[MatchResult]:
    if isinstance(rule, RankRule):
        # As many different numbers as seats give every order with every tie.
        for victory_points in product(range(seats), repeat=seats):
            yield MatchResult(victory_points=victory_points)
        return
    games = [tuple(_games(rule, number)) for number in range(1, rule.games_per_match + 1)]
    for played in product(*games):
        yield MatchResult(games=played)
    if Flag.TWO_FOR_ONE in rule.flags:
        for game in games[0]:
            yield MatchResult(games=(game,), flags=frozenset({Flag.TWO_FOR_ONE}))
    if Flag.INTENTIONAL_DRAW in rule.flags:
        yield MatchResult(flags=frozenset({Flag.INTENTIONAL_DRAW}))


def _games(rule: ScoringRule, number: int) -> Iterator[GameResult]:
    """Yield every outcome of a game that affects the points. Seat 1 is Corp in game 1."""
    corp = corp_in(number, 1)
    if not isinstance(rule, AgendaRule):
        for winner in (Role.CORP, Role.RUNNER, None):
            yield GameResult(number, corp, winner, GameEnd.NOT_RECORDED)
        yield GameResult(number, corp, None, GameEnd.DOUBLE_LOSS)
        return
    few = range(AGENDA_POINTS_TO_WIN)
    for winner in (Role.CORP, Role.RUNNER, None):
        end = rule.usual_end(winner)
        for points in product(*(_kept(rule, role, winner, few) for role in Role)):
            yield GameResult(number, corp, winner, end, *points)


def _kept(rule: AgendaRule, role: Role, winner: Role | None, few: Iterable[int]) -> Iterable[int]:
    if role is winner:
        return (AGENDA_POINTS_TO_WIN,)
    return few if rule.keeps_agenda_points(role) else (0,)


def least_in_words(rule: ScoringRule, points: Exact, *, is_enough: bool = True) -> str:
    """Describe the minimum result for these points, such as "win both games".

    If `is_enough`, leave out a shared place that brings fewer points.
    """
    if points <= 0:
        return "any result"
    if isinstance(rule, AgendaRule):
        return _with_agenda_points(rule, points)
    if isinstance(rule, RankRule):
        return _with_ranks(rule, points, is_enough=is_enough)
    return _without(rule, points)


def _with_ranks(rule: RankRule, points: Exact, *, is_enough: bool) -> str:
    place = max((one for one, worth in enumerate(rule.rank_points) if worth >= points), default=0)
    name, or_better = _PLACES[place], " or better" if place else ""
    # Players who share a place split its points and those of the next places.
    worths = rule.rank_points[place:]
    sharing = [many for many in range(1, len(worths) + 1) if sum(worths[:many]) >= many * points]
    if not is_enough or len(sharing) == len(worths):
        return f"come {name}{or_better}"
    if len(sharing) == 1:
        return f"come {name} alone{or_better}"
    return f"come {name}, shared by {len(sharing)} at most{', or better' if place else ''}"


def _without(rule: ScoringRule, points: Exact) -> str:
    if rule.games_per_match == 1:
        return "win" if points > 1 else "draw or win"
    if points > 4:
        return "win both games"
    if points > 3:
        return "win a game and draw the other"
    if points > 2:
        return "win a game"
    return "draw both games, or win one" if points > 1 else "draw or win a game"


def _with_agenda_points(rule: AgendaRule, points: Exact) -> str:
    most = AGENDA_POINTS_TO_WIN - 1
    either = rule.keeps_agenda_points(Role.CORP)
    one = "win one and" if either else "win as Corp and"
    where = "in the other" if either else "as Runner"
    if points > 10 + most:
        return "win both games"
    if points > 10:
        said = f"win both games, or {one} have {_agenda(points - 10)} {where}"
        return said + (f", or {_agenda(points)} in all" if either and points <= 2 * most else "")
    if points > most and not either:
        return "win a game"
    kept = "" if either else " as Runner"
    return f"win a game, or have {_agenda(points)}{kept}"


def _agenda(points: Exact) -> str:
    return f"at least {points} agenda {'point' if points == 1 else 'points'}"
