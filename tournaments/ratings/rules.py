"""Ratings from games: Glicko-2 where two play, Plackett-Luce (Weng and Lin) where pods do.

A period is one day: what is played on it is weighed at once, by the ratings before that day. So
no order within a day matters, and none in which events came into the database.

Glicko-2 is M. Glickman, "Example of the Glicko-2 system" (2013), computed by `glicko2`. Plackett-
Luce is algorithm 4 of R. Weng and C. Lin, "A Bayesian approximation method for online ranking"
(JMLR 12, 2011), computed by `openskill` table by table; the tables of one day are put together as
independent measurements: their precisions add up.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Protocol, TypeAlias

from glicko2.math.algorithm import update_rating
from openskill.models import PlackettLuce

from matches.scoring import Flag, GameEnd

START = 1500.0
"""The rating of somebody who has not played."""
POINTS = 400 / math.log(10)
"""Points of a rating that raise the odds of a win e times: 400 are 10 to 1."""
WIDEST = 350.0
"""The deviation of somebody who has not played, in a game of two."""
SURE = 1.96
"""So many deviations to each side hold the rating in 95 of 100 cases."""
PROVISIONAL = 110.0
"""A rating less certain than this deviation is provisional."""
WEEK = 7
LISTED_DAYS = 365
"""Who has not played for longer is not listed."""
NOT_PLAYED = frozenset({GameEnd.NO_SHOW, GameEnd.JUDGE, GameEnd.DOUBLE_LOSS})
"""Games that did not end by play say nothing of strength."""
WIN_POINTS = 3
REVISION = 1
"""Raise it when the same games give other ratings: stored ones are then computed again."""
Places: TypeAlias = tuple[int, ...]
Ended: TypeAlias = tuple[GameEnd, int | None]
"""How a game ended, and the seat (1 or 2) that won it."""
DRAWN: Places = (1, 1)
WON: dict[int, Places] = {1: (1, 2), 2: (2, 1)}


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game that counts: the players, and the place of each, 1 best; equal places share it."""

    day: date
    event: int
    players: tuple[int, ...]
    places: Places


@dataclass(frozen=True, slots=True)
class Strength:
    """A rating with its deviation; `volatility` is Glicko-2's own, None for pods."""

    value: float
    deviation: float
    volatility: float | None = None

    def after(self, days: int, method: "Method") -> "Strength":
        """As sure as it is so many days after the player's last day of play."""
        return method.rested(self, days // WEEK)

    @property
    def margin(self) -> float:
        """Half of the interval that holds the strength in 95 of 100 cases."""
        return SURE * self.deviation

    @property
    def is_provisional(self) -> bool:
        return self.deviation > PROVISIONAL


@dataclass(frozen=True, slots=True)
class Line:
    """A player after a day of play, with all games and events up to then."""

    player: int
    day: date
    strength: Strength
    games: int
    events: int


class Method(Protocol):
    """How games become ratings. All is pure: equal games give equal bits."""

    least_games: int
    """Who has played fewer is not listed."""

    @property
    def constants(self) -> tuple[object, ...]:
        """Everything but the games that ratings depend on."""

    def start(self) -> Strength:
        """Of somebody who has not played."""

    def rested(self, strength: Strength, weeks: int) -> Strength:
        """Less sure after so many weeks without play."""

    def day(
        self, before: Mapping[int, Strength], games: Sequence[RatedGame]
    ) -> Mapping[int, Strength]:
        """The players of a day after it; `before` has each as they came."""


class Glicko2:
    """Two players a game. A day of play is a period, and so is each week without."""

    least_games = 10
    tau, volatility = 0.5, 0.06
    constants = (REVISION, "Glicko-2", START, POINTS, WIDEST, WEEK, tau, volatility)

    def start(self) -> Strength:
        return Strength(START, WIDEST, self.volatility)

    def rested(self, strength: Strength, weeks: int) -> Strength:
        volatility = strength.volatility or self.volatility
        variance = (strength.deviation / POINTS) ** 2 + weeks * volatility**2
        return Strength(strength.value, min(WIDEST, math.sqrt(variance) * POINTS), volatility)

    def day(
        self, before: Mapping[int, Strength], games: Sequence[RatedGame]
    ) -> Mapping[int, Strength]:
        met: dict[int, list[tuple[float, float, float]]] = defaultdict(list)
        for game in games:
            (one, other), (place, against) = game.players, game.places
            score = 0.5 + (against - place) / 2
            met[one].append((*_natural(before[other]), score))
            met[other].append((*_natural(before[one]), 1 - score))
        # Sums of floats depend on their order: the same games always come in the same one.
        return {player: self._updated(before[player], sorted(met[player])) for player in met}

    def _updated(self, strength: Strength, opponents: list[tuple[float, float, float]]) -> Strength:
        volatility = strength.volatility or self.volatility
        new = update_rating(*_natural(strength), volatility, opponents, self.tau)
        deviation = min(WIDEST, new.phi * POINTS)
        return Strength(START + new.mu * POINTS, deviation, new.sigma)


def _natural(strength: Strength) -> tuple[float, float]:
    return (strength.value - START) / POINTS, strength.deviation / POINTS


class Pods:
    """Tables of two to five, ranked. `drift` is what a week adds to the variance."""

    least_games = 5
    model = PlackettLuce(tau=0.0)
    drift = (25 / 300) ** 2
    points = POINTS / (math.sqrt(2) * 25 / 6)
    """Of a rating for one of the model: between two sure players 400 are 10 to 1 here too."""
    constants = (REVISION, "Plackett-Luce", START, POINTS, WEEK, drift, points)

    def start(self) -> Strength:
        return Strength(START, self.model.sigma * self.points)

    def rested(self, strength: Strength, weeks: int) -> Strength:
        variance = (strength.deviation / self.points) ** 2 + weeks * self.drift
        return Strength(strength.value, min(self.start().deviation, self._wide(variance)))

    def _wide(self, variance: float) -> float:
        return math.sqrt(variance) * self.points

    def day(
        self, before: Mapping[int, Strength], games: Sequence[RatedGame]
    ) -> Mapping[int, Strength]:
        came = {player: self.rested(strength, 1) for player, strength in before.items()}
        gained: dict[int, list[tuple[float, float]]] = defaultdict(list)
        for game in games:
            for player, gain in self._gains(came, game):
                gained[player].append(gain)
        return {player: self._with(came[player], gains) for player, gains in gained.items()}

    def _gains(
        self, came: Mapping[int, Strength], game: RatedGame
    ) -> Iterator[tuple[int, tuple[float, float]]]:
        """What the table says of each player: precision, and precision times rating."""
        seats = {
            player: (place, *self._own(came[player]))
            for player, place in zip(game.players, game.places, strict=True)
        }
        ranked = sorted(seats.values())
        teams = [[self.model.rating(mu=mu, sigma=sigma)] for _, mu, sigma in ranked]
        rated = self.model.rate(teams, ranks=[float(place) for place, *_ in ranked])
        # Equals at one place leave as equals, whoever of them was written first.
        after = {key: new for key, (new,) in reversed([*zip(ranked, rated, strict=True)])}
        for player, key in seats.items():
            _, mu, sigma = key
            new = after[key]
            precision = new.sigma**-2 - sigma**-2
            yield player, (precision, new.mu * new.sigma**-2 - mu * sigma**-2)

    def _own(self, strength: Strength) -> tuple[float, float]:
        """In the model's own numbers."""
        mu = self.model.mu + (strength.value - START) / self.points
        return mu, strength.deviation / self.points

    def _with(self, strength: Strength, gains: Iterable[tuple[float, float]]) -> Strength:
        mu, sigma = self._own(strength)
        precisions, weighted = zip(*gains, strict=True)
        # `fsum` rounds once, so no order of the tables shows.
        precision = math.fsum([sigma**-2, *precisions])
        mean = math.fsum([mu * sigma**-2, *weighted]) / precision
        value = START + (mean - self.model.mu) * self.points
        return Strength(value, self._wide(1 / precision))


TWO, PODS = Glicko2(), Pods()


def rate(
    games: Iterable[RatedGame], method: Method, before: Mapping[int, Line] | None = None
) -> Iterator[Line]:
    """A line for each player and day of play, day by day; the same whatever the order of games.

    `before` has the newest line of each player from before the first of these games.
    """
    newest = dict(before or {})
    for day, played in groupby(sorted(games, key=lambda game: game.day), lambda game: game.day):
        today = list(played)
        counts: dict[int, int] = defaultdict(int)
        # An event is rated on one day, so the events of two days are different ones.
        events: dict[int, set[int]] = defaultdict(set)
        for game in today:
            for player in game.players:
                counts[player] += 1
                events[player].add(game.event)
        strengths = {player: _on(day, newest.get(player), method) for player in counts}
        for player, strength in sorted(method.day(strengths, today).items()):
            games_before, events_before = 0, 0
            if player in newest:
                games_before, events_before = newest[player].games, newest[player].events
            newest[player] = Line(
                player,
                day,
                strength,
                games_before + counts[player],
                events_before + len(events[player]),
            )
            yield newest[player]


def _on(day: date, line: Line | None, method: Method) -> Strength:
    """As the player comes; the update of the day itself counts for one week."""
    if line is None:
        return method.start()
    weeks = (day - line.day).days // WEEK
    return method.rested(line.strength, max(0, weeks - 1))


def games_of_two(
    ended: Iterable[Ended], totals: Sequence[int], flags: Collection[Flag], games_per_match: int
) -> Iterator[Places]:
    """The places in each game between seats 1 and 2 that was played and counts.

    Two games are two; a game that counts twice for the standings is one. Where only `totals` were
    typed (3 for a win, 1 for a draw), the games are those that add up to them.
    """
    games = list(ended)
    if Flag.INTENTIONAL_DRAW in flags:
        return
    if not games:
        typed = _of_totals(totals, games_per_match)
        yield from typed[:1] if Flag.TWO_FOR_ONE in flags else typed
    for end, winner in games:
        if end not in NOT_PLAYED:
            yield DRAWN if winner is None else WON[winner]


def _of_totals(totals: Sequence[int], games_per_match: int) -> list[Places]:
    """At most two games are drawn, so the rest of a division by 3 tells how many."""
    if len(totals) != len(DRAWN):
        return []
    (won, drawn), (lost, also_drawn) = (divmod(total, WIN_POINTS) for total in totals)
    if drawn != also_drawn or won + lost + drawn > games_per_match:
        return []
    return [WON[1]] * won + [WON[2]] * lost + [DRAWN] * drawn
