"""A season computed by hand: every figure of its pages from the results at the tables.

Points and tie-breakers of an evening come from tests/checker; those of the season, ratings and
intervals from code that imports nothing from the site.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

from scipy.stats import binomtest

from tests.checker import scoring, standings
from tests.tournaments.ratings.glicko_by_hand import by_the_paper
from tests.tournaments.series.season_by_hand import SeasonByHand

RULE = "runner_only"
SCALE = 173.7178
"""Rating points per unit of the Glicko-2 scale."""
Key = tuple[Fraction, Fraction, Fraction]


@dataclass(frozen=True)
class GameRecord:
    """A game: its sides, the winner, and the agenda points of the loser."""

    corp: str
    runner: str
    winner: str
    stolen: int


@dataclass(frozen=True)
class TableRecord:
    """A table of a round, with its players in seat order."""

    round: int
    seats: tuple[str, str]
    games: tuple[GameRecord, ...]

    @cached_property
    def points(self) -> tuple[int, int]:
        """Match points of both players."""
        earned = scoring.match_points(
            [_checker_game(game, self.seats[0]) for game in self.games], RULE
        )
        return earned[1], earned[2]

    def points_of(self, player: str) -> tuple[int, int]:
        """Match points of the player, and of the opponent."""
        seat = self.seats.index(player)
        return self.points[seat], self.points[1 - seat]

    def opponent_of(self, player: str) -> str:
        return self.seats[1 - self.seats.index(player)]


def _checker_game(game: GameRecord, first: str) -> dict[str, Any]:
    by_side = {"corp": game.corp, "runner": game.runner}
    agenda = {side: 7 if player == game.winner else game.stolen for side, player in by_side.items()}
    return {
        "corp": 1 if game.corp == first else 2,
        "winner": "corp" if game.winner == game.corp else "runner",
        "corp_agenda": agenda["corp"],
        "runner_agenda": agenda["runner"],
    }


class EveningByHand:
    """One evening; `order` lists its players by rank, including the random draw."""

    def __init__(self, day: date, tables: Iterable[TableRecord]) -> None:
        self.day, self.tables = day, list(tables)
        self.order: list[str] = []

    @cached_property
    def players(self) -> set[str]:
        return {player for table in self.tables for player in table.seats}

    @property
    def games(self) -> list[GameRecord]:
        return [game for table in self.tables for game in table.games]

    def key(self, player: str) -> Key:
        """Sort key of the standings, higher is better; a random draw decides between equal keys."""
        return _key(self.rounds, player)

    @cached_property
    def rounds(self) -> list[list[dict[str, Any]]]:
        """Rounds in the format of the checker."""
        tables_by_round: dict[int, list[dict[str, Any]]] = {}
        for table in self.tables:
            seats = [{"id": player, "points": table.points_of(player)[0]} for player in table.seats]
            tables_by_round.setdefault(table.round, []).append({"seats": seats})
        return [tables for _, tables in sorted(tables_by_round.items())]

    def possible_winners(self, open_table: tuple[str, str]) -> Iterator[set[str]]:
        """Yield the players in first place for every possible result of the last open table."""
        for points in endings():
            seats = [
                {"id": player, "points": seat_points}
                for player, seat_points in zip(open_table, points, strict=True)
            ]
            rounds = [*self.rounds[:-1], [*self.rounds[-1], {"seats": seats}]]
            best = max(standings.match_points(rounds, player) for player in self.players)
            keys = {
                player: _key(rounds, player)
                for player in self.players
                if standings.match_points(rounds, player) == best
            }
            yield {player for player, key in keys.items() if key == max(keys.values())}


def _key(rounds: list[list[dict[str, Any]]], player: str) -> Key:
    return (
        Fraction(standings.match_points(rounds, player)),
        standings.strength_of_schedule(rounds, player),
        standings.extended_strength_of_schedule(rounds, player),
    )


def endings() -> set[tuple[int, int]]:
    """Every total of two games, each won or drawn, with 0 to 6 agenda points for a loser."""
    scores = [
        scoring.points({"winner": winner, "corp_agenda": corp, "runner_agenda": runner}, RULE)
        for winner, corp, runner in product(("corp", "runner", None), range(7), range(7))
    ]
    game_points = {(game["corp"], game["runner"]) for game in scores}
    return {
        (corp + other_runner, runner + other_corp)
        for (corp, runner), (other_corp, other_runner) in product(game_points, game_points)
    }


def read_evenings(facts: Path, days: Mapping[str, date]) -> list[EveningByHand]:
    """Return the evenings by day; `days` maps the slugs of events."""
    tables: dict[str, list[TableRecord]] = {slug: [] for slug in days}
    for line in facts.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        games = tuple(GameRecord(*game) for game in row["games"])
        tables[row["event"]].append(TableRecord(row["round"], tuple(row["table"]), games))
    evenings = [EveningByHand(days[slug], tables[slug]) for slug in days]
    return sorted(evenings, key=lambda evening: evening.day)


def season_of(evenings: list[EveningByHand], **rules: Any) -> SeasonByHand:
    """The season of these evenings; players are identified by name."""
    rows: list[Any] = []
    results: list[Any] = []
    for number, evening in enumerate(evenings, start=1):
        for rank, player in enumerate(evening.order, start=1):
            rows.append((number, player, rank, evening.key(player)[0]))
        for table in evening.tables:
            results.append((number, *table.seats, *map(Fraction, table.points)))
    return SeasonByHand(rows, results, list(range(1, len(evenings) + 1)), **rules)


@dataclass(frozen=True)
class RatedPlayer:
    """A rating after the player's last day of play."""

    value: float
    deviation: float
    volatility: float
    day: date

    def margin_on(self, today: date) -> float:
        """Half of the interval, which grows with every week without play."""
        weeks = max(0, (today - self.day).days // 7)
        wide = math.sqrt(self.deviation**2 + weeks * (self.volatility * SCALE) ** 2)
        return 1.96 * min(350.0, wide)


def ratings_of(evenings: list[EveningByHand]) -> dict[str, RatedPlayer]:
    """Glicko-2 ratings; every evening and every whole week without an evening is a period."""
    ratings: dict[str, RatedPlayer] = {}
    for evening in evenings:
        before = {
            player: _rating_before(ratings.get(player), evening.day) for player in evening.players
        }
        for player in evening.players:
            results = []
            for game in evening.games:
                if player in (game.corp, game.runner):
                    opponent = game.runner if player == game.corp else game.corp
                    results.append((*before[opponent][:2], float(game.winner == player)))
            ratings[player] = RatedPlayer(*by_the_paper(before[player], results), evening.day)
    return ratings


def _rating_before(rated: RatedPlayer | None, day: date) -> tuple[float, float, float]:
    if rated is None:
        return 1500.0, 350.0, 0.06
    weeks = max(0, (day - rated.day).days // 7 - 1)
    wide = math.sqrt(rated.deviation**2 + weeks * (rated.volatility * SCALE) ** 2)
    return rated.value, min(350.0, wide), rated.volatility


def win_rate_cells(won: int, games: int) -> list[str]:
    """Cells of a row in the statistics: wins, games, share and Wilson's interval."""
    ends = binomtest(won, games).proportion_ci(0.95, method="wilson")
    low, high = (math.floor(end * 100 + 0.5) for end in (ends.low, ends.high))
    share = math.floor(Fraction(won * 100, games) + Fraction(1, 2))
    return [str(won), str(games), f"{share} %", f"{low}–{high} %"]
