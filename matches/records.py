"""Between the tables and the scoring rules: games as documents and as records.

A document is what a report keeps and the forms send: {"number", "corp",
"winner", "end", "corp_agenda_points", "runner_agenda_points"}; `corp` is the
position of the seat that played the Corp, `winner` a role or null.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from matches.models import Match
from matches.scoring import GameEnd, GameResult, Role


def from_documents(documents: Iterable[dict[str, Any]]) -> tuple[GameResult, ...]:
    """The games of a stored report, in order of number."""
    games = [
        GameResult(
            number=document["number"],
            corp=document["corp"],
            winner=Role(document["winner"]) if document["winner"] else None,
            end=GameEnd(document["end"]),
            corp_agenda_points=document["corp_agenda_points"],
            runner_agenda_points=document["runner_agenda_points"],
        )
        for document in documents
    ]
    return tuple(sorted(games, key=lambda game: game.number))


def to_documents(games: Iterable[GameResult]) -> list[dict[str, Any]]:
    """The games as they are stored in a report, in order of number."""
    return [
        {
            "number": game.number,
            "corp": game.corp,
            "winner": game.winner.value if game.winner else None,
            "end": game.end.value,
            "corp_agenda_points": game.corp_agenda_points,
            "runner_agenda_points": game.runner_agenda_points,
        }
        for game in sorted(games, key=lambda game: game.number)
    ]


def settled_games(match: Match) -> tuple[GameResult, ...]:
    """The settled games of a match; empty while it has no result.

    Reads games, their seats and the seats of the match: prefetch
    "games__seats__seat" for many matches.
    """
    if not match.is_settled:
        return ()
    results = []
    for game in match.games.all():
        by_role = {Role(seat.role): seat for seat in game.seats.all()}
        winners = (role for role, seat in by_role.items() if seat.seat_id == game.winner_id)
        results.append(
            GameResult(
                number=game.number,
                corp=by_role[Role.CORP].seat.position,
                winner=next(winners, None),
                end=GameEnd(game.end),
                corp_agenda_points=by_role[Role.CORP].agenda_points or 0,
                runner_agenda_points=by_role[Role.RUNNER].agenda_points or 0,
            )
        )
    return tuple(results)


def summary(games: Sequence[GameResult]) -> str:
    """A line for logs and conflicts: who won each game, how, with which agenda points."""
    return "; ".join(_game_line(game) for game in games) or "no result"


def _game_line(game: GameResult) -> str:
    winner = f"{game.winner.label} won" if game.winner else "no winner"
    points = f"Corp {game.corp_agenda_points}, Runner {game.runner_agenda_points}"
    return f"game {game.number}: {winner} ({game.end.label.lower()}; {points})"
