"""Derive matches from the points in a file: games if the points determine them, else totals."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from decks.games import Game
from engine.systems import first_stage
from matches.scoring import (
    AgendaRule,
    Flag,
    GameEnd,
    GameResult,
    GameRow,
    MatchResult,
    Role,
    ScoringRule,
    added,
    corp_in,
    from_rows,
    rules_of,
    to_rows,
)
from tournaments.interchange.formats.records import FileSeat, FileTable
from tournaments.interchange.own_document.checked_reader import filled
from tournaments.interchange.own_document.shapes import MATCH

Document = dict[str, Any]
WON, LOST, DRAWN = (3, 0), (0, 3), (1, 1)
ONR_WIN = 10


def rule_of(game: Game, system: str) -> ScoringRule:
    """Return the game's first scoring rule for this pairing system, else its default rule."""
    rules = rules_of(game.scoring_rules)
    fitting = (rule for rule in rules if any(one.id == system for one in first_stage(rule)))
    return next(fitting, rules[0])


def result_of(match: Mapping[str, Any], *, has_roles: bool) -> MatchResult:
    """Return the result of a match in a document, as far as it is settled."""
    places = {seat["id"]: place for place, seat in enumerate(match["seats"], start=1)}
    rows = [
        GameRow(
            game["number"],
            game["end"],
            places.get(game["winner"]),
            places[seat["id"]],
            *(seat["role"], seat["faction"], seat["agenda_points"], seat["victory_points"]),
        )
        for game in match["games"]
        for seat in game["seats"]
    ]
    totals = (seat["typed"] for seat in match["seats"])
    return from_rows(rows, has_roles=has_roles, flags=match["flags"], totals=totals)


def games_document(
    rows: Iterable[GameRow], ids: Mapping[int, int], points: Mapping[tuple[int, int], Any]
) -> list[Document]:
    """Convert the games of a match to a document; the inverse of `result_of`.

    `ids` are the players by position, `points` the points of each seat by game and position.
    """
    games: dict[int, Document] = {}
    for row in sorted(rows, key=lambda row: (row.number, row.role, row.position)):
        winner = None if row.winner is None else ids[row.winner]
        game = {"number": row.number, "end": row.end, "winner": winner, "seats": []}
        games.setdefault(row.number, game)["seats"].append(
            {
                "id": ids[row.position],
                "role": row.role,
                "faction": row.faction,
                "agenda_points": row.agenda_points,
                "victory_points": row.victory_points,
                "points": points.get((row.number, row.position)),
            }
        )
    return list(games.values())


def match_of(table: FileTable, ids: tuple[int, int], rule: ScoringRule) -> Document:
    """Return the match of a table, as far as it was played."""
    rows = _open_rows(rule, 2 if table.seats[0].role is Role.RUNNER else 1)
    if table.is_played and rule.has_one_game and table.seats[0].role is None:
        # Our default sides apply only to tables still to be played.
        rows = [row._replace(role="") for row in rows]
    if not table.is_played:
        seats = [{"id": player, "points": None, "typed": None} for player in ids]
        return filled(MATCH, seats=seats, games=games_document(rows, _by_position(ids), {}))
    points = _points(table)
    found = next(
        (one for one in _possible(table, points, rule) if _is_true(one, points, rule)), None
    )
    if found is None:
        return _totals(table, ids, points, rule, rows)
    return _settled(found, ids, points, rule, rows)


def _points(table: FileTable) -> tuple[int, int]:
    """Points of each seat; in a cut, the winner of a single game gets the points of a win."""
    if table.winner is not None and all(seat.points is None for seat in table.seats):
        return WON if table.winner == table.seats[0].id else LOST
    one, two = (seat.points or 0 for seat in table.seats)
    return one, two


def _possible(
    table: FileTable, points: tuple[int, int], rule: ScoringRule
) -> Iterator[MatchResult]:
    """Yield possible results, most likely first."""
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
    marks = {Flag.INTENTIONAL_DRAW: table.intentional_draw, Flag.TWO_FOR_ONE: table.two_for_one}
    return frozenset(flag for flag, holds in marks.items() if holds and flag in rule.flags)


def _single(seat: FileSeat, points: tuple[int, int]) -> Iterator[GameResult]:
    if seat.role is None or points not in (WON, LOST, DRAWN):
        return
    corp = 1 if seat.role is Role.CORP else 2
    winner = {WON: seat.role, LOST: seat.role.other, DRAWN: None}[points]
    yield GameResult(1, corp, winner, GameEnd.NOT_RECORDED)


def _double(number: int, one: FileSeat, two: FileSeat, rule: ScoringRule) -> Iterator[GameResult]:
    """Game 1, in which the first seat is Corp, or game 2, in which the second seat is."""
    corp, runner = (one, two) if number == 1 else (two, one)
    as_corp, as_runner = corp.corp_points, runner.runner_points
    if as_corp is None or as_runner is None:
        return
    if isinstance(rule, AgendaRule):
        yield from _agenda_game(number, as_corp, as_runner)
        return
    winners = {WON: Role.CORP, LOST: Role.RUNNER, DRAWN: None}
    if (as_corp, as_runner) in winners:
        winner = winners[as_corp, as_runner]
        yield GameResult(number, number, winner, GameEnd.NOT_RECORDED)


def _agenda_game(number: int, as_corp: int, as_runner: int) -> Iterator[GameResult]:
    """In ONR the winner has 10 points; without a win, players score their agenda points."""
    if as_corp == ONR_WIN and 0 <= as_runner < ONR_WIN:
        yield GameResult(number, number, Role.CORP, GameEnd.NOT_RECORDED, None, as_runner)
    elif as_runner == ONR_WIN and 0 <= as_corp < ONR_WIN:
        yield GameResult(number, number, Role.RUNNER, GameEnd.NOT_RECORDED, as_corp, None)
    elif 0 <= as_corp < ONR_WIN and 0 <= as_runner < ONR_WIN:
        yield GameResult(number, number, None, GameEnd.TIME, as_corp, as_runner)


def _is_true(result: MatchResult, points: tuple[int, int], rule: ScoringRule) -> bool:
    """Return True if the result yields the points of the file and can be entered here."""
    if not result:
        return False
    if rule.takes_totals and any(rule.contradictions(result)):
        return False
    made = rule.match_points(result)
    return (made[1], made[2]) == points


def _settled(
    result: MatchResult,
    ids: tuple[int, int],
    points: tuple[int, int],
    rule: ScoringRule,
    rows: Sequence[GameRow],
) -> Document:
    played = {game.number for game in result.games}
    by_game = {
        (number, position): added(share for share in shares if share.game == number)
        for position, shares in rule.shares(result).items()
        for number in played
    }
    return filled(
        MATCH,
        seats=_seats(ids, points, typed=False),
        games=games_document(to_rows(result, rows), _by_position(ids), by_game),
        state="decided",
        flags=sorted(flag.value for flag in result.flags),
    )


def _totals(
    table: FileTable,
    ids: tuple[int, int],
    points: tuple[int, int],
    rule: ScoringRule,
    rows: Sequence[GameRow],
) -> Document:
    """Keep only the points, because the games are unknown or contradict them."""
    return filled(
        MATCH,
        seats=_seats(ids, points, typed=True),
        games=games_document(rows, _by_position(ids), {}),
        state="decided",
        flags=sorted(flag.value for flag in _flags(table, rule)),
    )


def _seats(ids: tuple[int, int], points: tuple[int, int], *, typed: bool) -> list[Document]:
    return [
        {"id": player, "points": taken, "typed": taken if typed else None}
        for player, taken in zip(ids, points, strict=True)
    ]


def _by_position(ids: tuple[int, int]) -> dict[int, int]:
    return dict(enumerate(ids, start=1))


def _open_rows(rule: ScoringRule, first_corp: int) -> list[GameRow]:
    """Rows of an unreported match; in game 1 the seat `first_corp` is Corp."""
    return [
        GameRow(number, "", None, position, role.value, "", None, None)
        for number in range(1, rule.games_per_match + 1)
        for role, position in (
            (Role.CORP, corp_in(number, first_corp)),
            (Role.RUNNER, 3 - corp_in(number, first_corp)),
        )
    ]
