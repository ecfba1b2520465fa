"""From the points of a file to a match: games where the points tell them, else totals."""

from collections.abc import Iterator
from typing import Any

from matches.scoring import Flag, GameEnd, GameResult, MatchResult, Role, ScoringRule
from tournaments.interchange.own.fields import filled
from tournaments.interchange.own.shapes import GAME, GAME_SEAT, MATCH
from tournaments.interchange.records import FileSeat, FileTable

Told = dict[str, Any]
WON, LOST, DRAWN = (3, 0), (0, 3), (1, 1)
ONR_WIN = 10


def match_of(table: FileTable, ids: tuple[int, int], rule: ScoringRule) -> Told:
    """The match of a table, as far as it was played."""
    first_corp = 2 if table.seats[0].role is Role.RUNNER else 1
    if not table.is_played:
        seats = [{"id": player, "points": None, "typed": None} for player in ids]
        return filled(MATCH, seats=seats, games=_open_games(ids, rule, first_corp))
    points = _points(table)
    found = next(
        (one for one in _possible(table, points, rule) if _is_true(one, points, rule)), None
    )
    if found is None:
        return _totals(table, ids, points, rule, first_corp)
    return _settled(found, ids, points, rule, first_corp)


def _points(table: FileTable) -> tuple[int, int]:
    """What each seat takes; in a cut the winner of one game has what a win brings."""
    if table.winner is not None and all(seat.points is None for seat in table.seats):
        return WON if table.winner == table.seats[0].id else LOST
    one, two = (seat.points or 0 for seat in table.seats)
    return one, two


def _possible(
    table: FileTable, points: tuple[int, int], rule: ScoringRule
) -> Iterator[MatchResult]:
    """What can have happened, the likeliest first."""
    flags = _flags(table, rule)
    one, two = table.seats
    if table.intentional_draw:
        yield MatchResult(flags=flags)
    if rule.games_per_match == 1:
        yield MatchResult(games=tuple(_single(one, points)), flags=flags)
        return
    games = (*_double(1, one, two, rule), *_double(2, one, two, rule))
    if len(games) == rule.games_per_match:
        if table.two_for_one:
            yield MatchResult(games=games[:1], flags=flags)
        yield MatchResult(games=games, flags=flags - {Flag.TWO_FOR_ONE})


def _flags(table: FileTable, rule: ScoringRule) -> frozenset[Flag]:
    told = {Flag.INTENTIONAL_DRAW: table.intentional_draw, Flag.TWO_FOR_ONE: table.two_for_one}
    return frozenset(flag for flag, holds in told.items() if holds and flag in rule.flags)


def _single(seat: FileSeat, points: tuple[int, int]) -> Iterator[GameResult]:
    if seat.role is None or points not in (WON, LOST, DRAWN):
        return
    corp = 1 if seat.role is Role.CORP else 2
    winner = {WON: seat.role, LOST: seat.role.other, DRAWN: None}[points]
    yield GameResult(1, corp, winner, GameEnd.NOT_TOLD)


def _double(number: int, one: FileSeat, two: FileSeat, rule: ScoringRule) -> Iterator[GameResult]:
    """Game 1, in which the first seat is Corp, or game 2, in which the second one is."""
    corp, runner = (one, two) if number == 1 else (two, one)
    as_corp, as_runner = corp.corp_points, runner.runner_points
    if as_corp is None or as_runner is None:
        return
    if rule.game == "onr":
        yield from _agenda_game(number, as_corp, as_runner)
        return
    winners = {WON: Role.CORP, LOST: Role.RUNNER, DRAWN: None}
    if (as_corp, as_runner) in winners:
        winner = winners[as_corp, as_runner]
        yield GameResult(number, number, winner, GameEnd.NOT_TOLD)


def _agenda_game(number: int, as_corp: int, as_runner: int) -> Iterator[GameResult]:
    """In ONR the winner has 10; a Runner without it has a point for each agenda point."""
    if as_corp == ONR_WIN and 0 <= as_runner < ONR_WIN:
        yield GameResult(number, number, Role.CORP, GameEnd.NOT_TOLD, None, as_runner)
    elif as_runner == ONR_WIN and 0 <= as_corp < ONR_WIN:
        yield GameResult(number, number, Role.RUNNER, GameEnd.NOT_TOLD, as_corp, None)
    elif 0 <= as_corp < ONR_WIN and 0 <= as_runner < ONR_WIN:
        yield GameResult(number, number, None, GameEnd.TIME, as_corp, as_runner)


def _is_true(result: MatchResult, points: tuple[int, int], rule: ScoringRule) -> bool:
    """Whether it comes to the points of the file, and can be told here."""
    if not result:
        return False
    if rule.takes_totals and any(rule.contradictions(result)):
        return False
    told = rule.match_points(result)
    return (told[1], told[2]) == points


def _settled(
    result: MatchResult,
    ids: tuple[int, int],
    points: tuple[int, int],
    rule: ScoringRule,
    first_corp: int,
) -> Told:
    shares = rule.shares(result)
    played = {game.number: game for game in result.games}
    games = []
    for open_game in _open_games(ids, rule, first_corp):
        told = played.get(open_game["number"])
        games.append(open_game if told is None else _game(told, ids, shares))
    return filled(
        MATCH,
        seats=_seats(ids, points, typed=False),
        games=games,
        state="decided",
        flags=sorted(flag.value for flag in result.flags),
    )


def _game(told: GameResult, ids: tuple[int, int], shares: Any) -> Told:
    seats = [
        filled(
            GAME_SEAT,
            id=ids[told.position(role) - 1],
            role=role.value,
            agenda_points=told.agenda_points(role),
            points=sum(
                part.points for part in shares[told.position(role)] if part.game == told.number
            ),
        )
        for role in Role
    ]
    winner = ids[told.position(told.winner) - 1] if told.winner else None
    return filled(GAME, number=told.number, seats=seats, end=told.end.value, winner=winner)


def _totals(
    table: FileTable,
    ids: tuple[int, int],
    points: tuple[int, int],
    rule: ScoringRule,
    first_corp: int,
) -> Told:
    """The games are not known, or are not what the points say: these alone are kept."""
    return filled(
        MATCH,
        seats=_seats(ids, points, typed=True),
        games=_open_games(ids, rule, first_corp),
        state="decided",
        flags=sorted(flag.value for flag in _flags(table, rule)),
    )


def _seats(ids: tuple[int, int], points: tuple[int, int], *, typed: bool) -> list[Told]:
    return [
        {"id": player, "points": taken, "typed": taken if typed else None}
        for player, taken in zip(ids, points, strict=True)
    ]


def _open_games(ids: tuple[int, int], rule: ScoringRule, first_corp: int) -> list[Told]:
    """The games of a match nobody has told: in the first one `first_corp` is the Corp's seat."""
    games = []
    for number in range(1, rule.games_per_match + 1):
        corp = first_corp if number % 2 else 3 - first_corp
        seats = [
            filled(GAME_SEAT, id=ids[corp - 1], role=Role.CORP.value),
            filled(GAME_SEAT, id=ids[2 - corp], role=Role.RUNNER.value),
        ]
        games.append(filled(GAME, number=number, seats=seats))
    return games
