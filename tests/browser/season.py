"""A season by hand: every figure of its pages from what happened at the tables, and nothing else.

Points and tie-breakers of an evening come from tests/checker, those of the season, ratings and
intervals from computations that import nothing from the site.
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
"""Points of a rating for one of the natural scale of Glicko-2."""
Key = tuple[Fraction, Fraction, Fraction]


@dataclass(frozen=True)
class Won:
    """A game: its sides, who won, and the agenda points of the loser."""

    corp: str
    runner: str
    winner: str
    stolen: int


@dataclass(frozen=True)
class Sat:
    """A table of a round, its players in their seats."""

    round: int
    seats: tuple[str, str]
    games: tuple[Won, ...]

    @cached_property
    def points(self) -> tuple[int, int]:
        """Match points of both."""
        earned = scoring.match_points([_facts(one, self.seats[0]) for one in self.games], RULE)
        return earned[1], earned[2]

    def points_of(self, player: str) -> tuple[int, int]:
        """Their own, and those of the opponent."""
        own = self.seats.index(player)
        return self.points[own], self.points[1 - own]

    def other(self, player: str) -> str:
        return self.seats[1 - self.seats.index(player)]


def _facts(game: Won, first: str) -> dict[str, Any]:
    by_side = {"corp": game.corp, "runner": game.runner}
    agenda = {side: 7 if who == game.winner else game.stolen for side, who in by_side.items()}
    return {
        "corp": 1 if game.corp == first else 2,
        "winner": "corp" if game.winner == game.corp else "runner",
        "corp_agenda": agenda["corp"],
        "runner_agenda": agenda["runner"],
    }


class EveningByHand:
    """One evening; `order` are its players by place, once the lot has spoken."""

    def __init__(self, day: date, tables: Iterable[Sat]) -> None:
        self.day, self.tables = day, list(tables)
        self.order: list[str] = []

    @cached_property
    def players(self) -> set[str]:
        return {player for table in self.tables for player in table.seats}

    @property
    def games(self) -> list[Won]:
        return [game for table in self.tables for game in table.games]

    def key(self, player: str) -> Key:
        """What the places follow, more is better; equal keys go by lot."""
        return _key(self.rounds, player)

    @cached_property
    def rounds(self) -> list[list[dict[str, Any]]]:
        """As the checker reads them."""
        found: dict[int, list[dict[str, Any]]] = {}
        for table in self.tables:
            seats = [{"id": who, "points": table.points_of(who)[0]} for who in table.seats]
            found.setdefault(table.round, []).append({"seats": seats})
        return [tables for _, tables in sorted(found.items())]

    def could_win(self, open_table: tuple[str, str]) -> Iterator[set[str]]:
        """Whoever stands first, by every end of the one table that is still open."""
        for points in endings():
            seats = [
                {"id": one, "points": own} for one, own in zip(open_table, points, strict=True)
            ]
            rounds = [*self.rounds[:-1], [*self.rounds[-1], {"seats": seats}]]
            most = max(standings.match_points(rounds, one) for one in self.players)
            keys = {
                one: _key(rounds, one)
                for one in self.players
                if standings.match_points(rounds, one) == most
            }
            yield {one for one, key in keys.items() if key == max(keys.values())}


def _key(rounds: list[list[dict[str, Any]]], player: str) -> Key:
    return (
        Fraction(standings.match_points(rounds, player)),
        standings.strength_of_schedule(rounds, player),
        standings.extended_strength_of_schedule(rounds, player),
    )


def endings() -> set[tuple[int, int]]:
    """Every sum of two games, each won by either side or by nobody, with 0 to 6 for a loser."""
    one = [
        scoring.points({"winner": winner, "corp_agenda": corp, "runner_agenda": runner}, RULE)
        for winner, corp, runner in product(("corp", "runner", None), range(7), range(7))
    ]
    each = {(game["corp"], game["runner"]) for game in one}
    return {
        (corp + other_runner, runner + other_corp)
        for (corp, runner), (other_corp, other_runner) in product(each, each)
    }


def read_facts(facts: Path, days: Mapping[str, date]) -> list[EveningByHand]:
    """The evenings by day; `days` are by the slug of the event."""
    tables: dict[str, list[Sat]] = {slug: [] for slug in days}
    for line in facts.read_text(encoding="utf-8").splitlines():
        kept = json.loads(line)
        games = tuple(Won(*game) for game in kept["games"])
        tables[kept["event"]].append(Sat(kept["round"], tuple(kept["table"]), games))
    found = [EveningByHand(days[slug], tables[slug]) for slug in days]
    return sorted(found, key=lambda one: one.day)


def season_of(evenings: list[EveningByHand], **rules: Any) -> SeasonByHand:
    """The season of these evenings; players are their names."""
    rows: list[Any] = []
    met: list[Any] = []
    for number, evening in enumerate(evenings, start=1):
        for place, player in enumerate(evening.order, start=1):
            rows.append((number, player, place, evening.key(player)[0]))
        for table in evening.tables:
            met.append((number, *table.seats, *map(Fraction, table.points)))
    return SeasonByHand(rows, met, list(range(1, len(evenings) + 1)), **rules)


@dataclass(frozen=True)
class Rated:
    """A rating after its last day of play."""

    value: float
    deviation: float
    volatility: float
    day: date

    def margin_on(self, today: date) -> float:
        """Half of the interval, wider by every week without play."""
        weeks = max(0, (today - self.day).days // 7)
        wide = math.sqrt(self.deviation**2 + weeks * (self.volatility * SCALE) ** 2)
        return 1.96 * min(350.0, wide)


def ratings_of(evenings: list[EveningByHand]) -> dict[str, Rated]:
    """Glicko-2, an evening a period, as is each whole week without one."""
    found: dict[str, Rated] = {}
    for evening in evenings:
        came = {player: _as_they_came(found.get(player), evening.day) for player in evening.players}
        for player in evening.players:
            met = []
            for game in evening.games:
                if player in (game.corp, game.runner):
                    other = game.runner if player == game.corp else game.corp
                    met.append((*came[other][:2], float(game.winner == player)))
            found[player] = Rated(*by_the_paper(came[player], met), evening.day)
    return found


def _as_they_came(rated: Rated | None, day: date) -> tuple[float, float, float]:
    if rated is None:
        return 1500.0, 350.0, 0.06
    weeks = max(0, (day - rated.day).days // 7 - 1)
    wide = math.sqrt(rated.deviation**2 + weeks * (rated.volatility * SCALE) ** 2)
    return rated.value, min(350.0, wide), rated.volatility


def wins_in_words(won: int, games: int) -> list[str]:
    """Won, of, the share and Wilson's interval as a table of statistics says them."""
    ends = binomtest(won, games).proportion_ci(0.95, method="wilson")
    low, high = (math.floor(end * 100 + 0.5) for end in (ends.low, ends.high))
    share = math.floor(Fraction(won * 100, games) + Fraction(1, 2))
    return [str(won), str(games), f"{share} %", f"{low}-{high} %"]
