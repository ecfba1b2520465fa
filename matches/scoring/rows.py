"""Results as rows, in the database and in a tournament file."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from matches.scoring.games import GameEnd, GameResult, Role
from matches.scoring.results import Flag, MatchResult


class GameRow(NamedTuple):
    """The stored row of a seat in a game. `winner` and `position` are positions of seats.

    `end` is empty while the game has no result. `role` is empty in a pod and if unknown, `faction`
    outside a pod.
    """

    number: int
    end: str
    winner: int | None
    position: int
    role: str
    faction: str
    agenda_points: int | None
    victory_points: int | None


def to_rows(result: MatchResult, before: Sequence[GameRow]) -> list[GameRow]:
    """Return the rows of a match with this result, in the order of its rows `before`.

    A game not recorded loses its result but not its roles; unknown roles become those of the game.
    Factions that were not entered are unchanged.
    """
    games = {game.number: game for game in result.games}
    return [
        _with_place(row, result)
        if result.victory_points
        else _with_game(row, games.get(row.number))
        for row in before
    ]


def _with_game(row: GameRow, game: GameResult | None) -> GameRow:
    if game is None:
        return row._replace(end="", winner=None, agenda_points=None, victory_points=None)
    role = game.role(row.position)
    return row._replace(
        end=game.end.value,
        winner=game.position(game.winner) if game.winner else None,
        role=role.value,
        agenda_points=game.agenda_points(role),
        victory_points=None,
    )


def _with_place(row: GameRow, result: MatchResult) -> GameRow:
    return row._replace(
        end="",
        winner=None,
        faction=result.factions[row.position - 1] if result.factions else row.faction,
        agenda_points=None,
        victory_points=result.victory_points[row.position - 1],
    )


def from_rows(
    rows: Iterable[GameRow],
    *,
    has_roles: bool,
    flags: Iterable[str],
    totals: Iterable[int | None],
) -> MatchResult:
    """Return the result of a settled match from a row for each seat of each game.

    `totals` are by seat. Totals and victory points are used only if every seat has them.
    """
    kept = frozenset(map(Flag, flags))
    if has_roles:
        return MatchResult(games=_games(rows), flags=kept, totals=_complete(totals))
    seats = sorted(rows, key=lambda row: row.position)
    factions = tuple(row.faction for row in seats)
    return MatchResult(
        flags=kept,
        victory_points=_complete(row.victory_points for row in seats),
        factions=factions if any(factions) else (),
    )


def _complete(numbers: Iterable[int | None]) -> tuple[int, ...]:
    """Return the numbers, or () if any is unknown."""
    given = tuple(numbers)
    known = tuple(number for number in given if number is not None)
    return known if len(known) == len(given) else ()


def _games(rows: Iterable[GameRow]) -> tuple[GameResult, ...]:
    """Return the games that have ended. An event has thousands, so rows are read at most twice."""
    ended = [row for row in rows if row.end]
    runners = {row.number: row for row in ended if row.role == Role.RUNNER}
    games = [_game(row, runners[row.number]) for row in ended if row.role == Role.CORP]
    return tuple(sorted(games, key=lambda game: game.number))


def _game(corp: GameRow, runner: GameRow) -> GameResult:
    winner = None
    if corp.winner is not None:
        winner = Role.CORP if corp.winner == corp.position else Role.RUNNER
    return GameResult(
        corp.number,
        corp.position,
        winner,
        GameEnd(corp.end),
        corp.agenda_points,
        runner.agenda_points,
    )
