"""Contradictions in a reported game or match (docs/rules.md), with figures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from matches.scoring.games import GameEnd, GameResult, Role

AGENDA_POINTS_TO_WIN = 7
MOST_AGENDA_POINTS = 99

# Codes and messages of the contradictions in a game.
Found = Iterator[tuple[str, str]]

_ONLY_WINNER: Mapping[GameEnd, tuple[Role, str]] = {
    GameEnd.FLATLINE: (Role.CORP, "a flatlined Runner loses"),
    GameEnd.DECKED: (Role.RUNNER, "a Corp that must draw from an empty R&D loses"),
    GameEnd.BAD_PUBLICITY: (Role.RUNNER, "a Corp with too much bad publicity loses"),
}
_DRAWABLE = frozenset({GameEnd.TIME, GameEnd.JUDGE})


@dataclass(frozen=True)
class Contradiction:
    """A contradiction. `game` is the number of the game, None for the match."""

    code: str
    message: str
    game: int | None = None


def contradictions(game: GameResult) -> Iterator[Contradiction]:
    """Yield contradictions in a game of `onr`, with figures and what to do."""
    checks = (seat, points_known, points_range, _winner, right_winner, _agenda_win, _unrewarded)
    for check in checks:
        for code, message in check(game):
            yield Contradiction(code, f"Game {game.number}: {message}", game.number)


def two_games(games: Sequence[GameResult]) -> Iterator[Contradiction]:
    """Yield contradictions between two games; those within a game are not repeated."""
    numbers = sorted(game.number for game in games)
    if numbers != [1, 2]:
        given = ", ".join(map(str, numbers)) or "none"
        yield Contradiction(
            "games", f"A match is game 1 and game 2, each once; given: {given}. Enter both."
        )
    elif games[0].corp == games[1].corp:
        yield Contradiction(
            "roles",
            f"Seat {games[0].corp} is Corp in both games, but roles swap after game 1. "
            "Change the Corp of one game.",
        )


def seat(game: GameResult) -> Found:
    """Check that the Corp is seat 1 or 2."""
    if game.corp not in (1, 2):
        yield "seat", f"seat {game.corp} cannot be Corp; choose seat 1 or seat 2."


def points_known(game: GameResult) -> Found:
    """Check that the agenda points of both sides are known."""
    for role in Role:
        if game.agenda_points(role) is None:
            yield "agenda_points_missing", f"the agenda points of the {role.label} are missing."


def points_range(game: GameResult) -> Found:
    """Check that entered agenda points are from 0 to 99."""
    for role in Role:
        points = game.agenda_points(role)
        if points is not None and not 0 <= points <= MOST_AGENDA_POINTS:
            yield (
                "agenda_points_range",
                f"{points} agenda points for the {role.label}; "
                f"enter a number from 0 to {MOST_AGENDA_POINTS}.",
            )


def right_winner(game: GameResult) -> Found:
    """Check the winner of ends that only a Corp or only a Runner can win."""
    only, because = _ONLY_WINNER.get(game.end, (game.winner, ""))
    if game.winner not in (None, only) and only is not None:
        yield (
            "wrong_winner",
            f'"{game.end.label}" cannot be won by the {only.other.label}: {because}. '
            f"Make the {only.label} the winner, or choose another end.",
        )


def _winner(game: GameResult) -> Found:
    if game.winner is None and game.end not in _DRAWABLE:
        yield (
            "no_winner",
            f'"{game.end.label}" needs a winner. Choose the winner, or choose '
            f'"{GameEnd.TIME.label}" if nobody won.',
        )
    # A timed-out game gives no points for a win.
    if game.winner is not None and game.end is GameEnd.TIME:
        yield (
            "winner_on_time",
            f'"{game.end.label}" has no winner, but the {game.winner.label} is named. '
            "Remove the winner, or choose how the game was won.",
        )


def _agenda_win(game: GameResult) -> Found:
    if game.end is not GameEnd.AGENDA or game.winner is None:
        return
    points = game.agenda_points(game.winner)
    if points is not None and points < AGENDA_POINTS_TO_WIN:
        yield (
            "too_few_agenda_points",
            f"the {game.winner.label} won by agenda points with {points}, but "
            f"{AGENDA_POINTS_TO_WIN} are needed. Correct the points, or choose another end.",
        )


def _unrewarded(game: GameResult) -> Found:
    # Only a judge can deny the win to a player who has reached the goal.
    if game.end is GameEnd.JUDGE:
        return
    for role in Role:
        points = game.agenda_points(role) or 0
        if role is not game.winner and points >= AGENDA_POINTS_TO_WIN:
            yield (
                "unrewarded_agenda_points",
                f"the {role.label} has {points} agenda points but did not win, and "
                f"{AGENDA_POINTS_TO_WIN} win the game. Correct the points or the winner.",
            )
