"""What happens at the tables of the played event, and the figures that must follow.

Results are drawn here; points and tie-breakers come from tests/checker, which
imports nothing from the engine.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.checker import scoring, standings


@dataclass(frozen=True)
class PlayedGame:
    """Who won, by name; `stolen` are the agenda points of the loser."""

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
    """The event as it was played, kept apart from the site."""

    chance: random.Random
    rounds: list[list[dict[str, Any]]] = field(default_factory=list)

    def play(self, table: tuple[str, str]) -> tuple[PlayedGame, PlayedGame]:
        """Two games between the players of a table; the first is Corp in game 1."""
        first, second = table
        return self._game(1, first, second), self._game(2, second, first)

    def _game(self, number: int, corp: str, runner: str) -> PlayedGame:
        winner = self.chance.choice([corp, runner])
        return PlayedGame(number, corp, runner, winner, self.chance.randint(0, 6))

    def keep(self, round_: Iterable[tuple[tuple[str, str], tuple[PlayedGame, PlayedGame]]]) -> None:
        """Write down a round: each table with its games."""
        tables = []
        for (first, second), games in round_:
            points = scoring.match_points([_facts(game, first) for game in games], "runner_only")
            seats = [{"id": first, "points": points[1]}, {"id": second, "points": points[2]}]
            tables.append({"seats": seats})
        self.rounds.append(tables)

    def points_of(self, table: tuple[str, str]) -> tuple[int, int]:
        """Match points at this table in the round that was kept last."""
        for entry in self.rounds[-1]:
            first, second = entry["seats"]
            if (first["id"], second["id"]) == table:
                return first["points"], second["points"]
        raise LookupError(table)

    def figures(self, player: str) -> tuple[int, str, str]:
        """Match points, and both strengths of schedule to four digits."""
        return (
            standings.match_points(self.rounds, player),
            _four(standings.strength_of_schedule(self.rounds, player)),
            _four(standings.extended_strength_of_schedule(self.rounds, player)),
        )

    def order_key(self, player: str) -> tuple[Any, ...]:
        """What the order of the table must follow, the best first; equal keys go by lot."""
        return (
            -standings.match_points(self.rounds, player),
            -standings.strength_of_schedule(self.rounds, player),
            -standings.extended_strength_of_schedule(self.rounds, player),
        )


def _facts(game: PlayedGame, first: str) -> dict[str, Any]:
    return {
        "corp": 1 if game.corp == first else 2,
        "winner": "corp" if game.winner == game.corp else "runner",
        "corp_agenda": game.agenda_points(game.corp),
        "runner_agenda": game.agenda_points(game.runner),
    }


def _four(number: Any) -> str:
    """Four digits, halves up, by whole numbers alone."""
    units = (number.numerator * 20000 + number.denominator) // (2 * number.denominator)
    return f"{units // 10000}.{units % 10000:04d}"
