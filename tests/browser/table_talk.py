"""Random results at the tables of the event, and the figures that must follow from them.

Points and tie-breakers come from tests/checker, which imports nothing from the engine.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.checker import scoring, standings


@dataclass(frozen=True)
class PlayedGame:
    """A game with the names of its players; `stolen` are the agenda points of the loser."""

    number: int
    corp: str
    runner: str
    winner: str
    stolen: int

    @property
    def loser(self) -> str:
        return self.runner if self.winner == self.corp else self.corp

    def agenda_points(self, player: str) -> int:
        return 7 if player == self.winner else self.stolen


@dataclass
class Ledger:
    """The results of the event, recorded apart from the site."""

    chance: random.Random
    rounds: list[list[dict[str, Any]]] = field(default_factory=list)

    def play(self, table: tuple[str, str]) -> tuple[PlayedGame, PlayedGame]:
        """Play two games between the players of a table; the first player is Corp in game 1."""
        first, second = table
        return self._game(1, first, second), self._game(2, second, first)

    def _game(self, number: int, corp: str, runner: str) -> PlayedGame:
        winner = self.chance.choice([corp, runner])
        return PlayedGame(number, corp, runner, winner, self.chance.randint(0, 6))

    def keep(self, round_: Iterable[tuple[tuple[str, str], tuple[PlayedGame, PlayedGame]]]) -> None:
        """Record a round: each table with its games."""
        tables = []
        for (first, second), games in round_:
            points = scoring.match_points(
                [_checker_game(game, first) for game in games], "runner_only"
            )
            seats = [{"id": first, "points": points[1]}, {"id": second, "points": points[2]}]
            tables.append({"seats": seats})
        self.rounds.append(tables)

    def points_of(self, table: tuple[str, str]) -> tuple[int, int]:
        """Match points at this table in the last recorded round."""
        for entry in self.rounds[-1]:
            first, second = entry["seats"]
            if (first["id"], second["id"]) == table:
                return first["points"], second["points"]
        raise LookupError(table)

    def figures(self, player: str) -> tuple[int, str, str]:
        """Match points, and both strengths of schedule to four digits."""
        return (
            standings.match_points(self.rounds, player),
            _four_digits(standings.strength_of_schedule(self.rounds, player)),
            _four_digits(standings.extended_strength_of_schedule(self.rounds, player)),
        )

    def order_key(self, player: str) -> tuple[Any, ...]:
        """Sort key of the standings, best first; a random draw decides between equal keys."""
        return (
            -standings.match_points(self.rounds, player),
            -standings.strength_of_schedule(self.rounds, player),
            -standings.extended_strength_of_schedule(self.rounds, player),
        )


def _checker_game(game: PlayedGame, first: str) -> dict[str, Any]:
    return {
        "corp": 1 if game.corp == first else 2,
        "winner": "corp" if game.winner == game.corp else "runner",
        "corp_agenda": game.agenda_points(game.corp),
        "runner_agenda": game.agenda_points(game.runner),
    }


def _four_digits(number: Any) -> str:
    """Round half up to four digits, with integers only."""
    units = (number.numerator * 20000 + number.denominator) // (2 * number.denominator)
    return f"{units // 10000}.{units % 10000:04d}"
