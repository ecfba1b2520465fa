"""Rating rules: Glicko-2 for two-player games, Plackett-Luce (Weng and Lin) for pods.

A period is a day: all its games are weighed together, by the ratings before that day. So neither
the order within a day nor the order of imports matters.

Glicko-2 is M. Glickman, "Example of the Glicko-2 system" (2013), computed by `glicko2`.
Plackett-Luce is algorithm 4 of R. Weng and C. Lin, "A Bayesian approximation method for online
ranking" (JMLR 12, 2011), computed by `openskill` table by table. The tables of a day are combined
as independent measurements: their precisions add up.
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

from matches.scoring.results import Flag, GameEnd

# The rating of a new player.
START_RATING = 1500.0
# Rating points that raise the odds of a win by a factor of e: 400 are 10 to 1.
POINTS_PER_UNIT = 400 / math.log(10)
# The deviation of a new player in a two-player game.
START_DEVIATION = 350.0
# Deviations to each side of the 95 % interval.
INTERVAL_DEVIATIONS = 1.96
# A rating with a larger deviation is provisional.
PROVISIONAL_DEVIATION = 110.0
DAYS_PER_WEEK = 7
# Players without a game in this many days are not listed.
LISTED_DAYS = 365
# Games that did not end by play carry no information about strength.
NOT_PLAYED = frozenset({GameEnd.NO_SHOW, GameEnd.JUDGE, GameEnd.DOUBLE_LOSS})
WIN_POINTS = 3
# Increase this if the same games give other ratings, to recompute the stored ratings.
REVISION = 1
Places: TypeAlias = tuple[int, ...]
# The end of a game, and the seat (1 or 2) that won it.
GameEnding: TypeAlias = tuple[GameEnd, int | None]
DRAWN_PLACES: Places = (1, 1)
WINNING_PLACES: dict[int, Places] = {1: (1, 2), 2: (2, 1)}


@dataclass(frozen=True, slots=True)
class RatedGame:
    day: date
    event: int
    players: tuple[int, ...]
    # 1 is best; ties share a place.
    places: Places


@dataclass(frozen=True, slots=True)
class Strength:
    value: float
    deviation: float
    # Specific to Glicko-2; None for pods.
    volatility: float | None = None

    def after(self, days: int, method: "RatingMethod") -> "Strength":
        """Return the strength with its uncertainty after this many days without play."""
        return method.rested(self, days // DAYS_PER_WEEK)

    @property
    def margin(self) -> float:
        """Half of the 95 % interval."""
        return INTERVAL_DEVIATIONS * self.deviation

    @property
    def is_provisional(self) -> bool:
        return self.deviation > PROVISIONAL_DEVIATION


@dataclass(frozen=True, slots=True)
class RatedDay:
    player: int
    day: date
    # After the games of this day.
    strength: Strength
    # Of all days so far.
    games: int
    events: int


class RatingMethod(Protocol):
    """A pure method that turns games into ratings: equal games give identical floats."""

    # Players with fewer games are not listed.
    least_games: int

    @property
    def constants(self) -> tuple[object, ...]:
        """Everything apart from the games that ratings depend on."""

    def start(self) -> Strength:
        """Return the strength of a new player."""

    def rested(self, strength: Strength, weeks: int) -> Strength:
        """Return a less certain strength after weeks without play."""

    def day(
        self, before: Mapping[int, Strength], games: Sequence[RatedGame]
    ) -> Mapping[int, Strength]:
        """Return the players' strengths after a day; `before` has those before it."""


class Glicko2:
    """Two-player games. Each day of play is a period, and so is each week without play."""

    least_games = 10
    tau, volatility = 0.5, 0.06
    constants = (
        REVISION,
        "Glicko-2",
        START_RATING,
        POINTS_PER_UNIT,
        START_DEVIATION,
        DAYS_PER_WEEK,
        tau,
        volatility,
    )

    def start(self) -> Strength:
        return Strength(START_RATING, START_DEVIATION, self.volatility)

    def rested(self, strength: Strength, weeks: int) -> Strength:
        volatility = strength.volatility or self.volatility
        variance = (strength.deviation / POINTS_PER_UNIT) ** 2 + weeks * volatility**2
        return Strength(
            strength.value, min(START_DEVIATION, math.sqrt(variance) * POINTS_PER_UNIT), volatility
        )

    def day(
        self, before: Mapping[int, Strength], games: Sequence[RatedGame]
    ) -> Mapping[int, Strength]:
        met: dict[int, list[tuple[float, float, float]]] = defaultdict(list)
        for game in games:
            (player, opponent), (place, against) = game.players, game.places
            score = 0.5 + (against - place) / 2
            met[player].append((*_glicko_units(before[opponent]), score))
            met[opponent].append((*_glicko_units(before[player]), 1 - score))
        # Float sums depend on their order, so sort to get reproducible results.
        return {player: self._updated(before[player], sorted(met[player])) for player in met}

    def _updated(self, strength: Strength, opponents: list[tuple[float, float, float]]) -> Strength:
        volatility = strength.volatility or self.volatility
        new = update_rating(*_glicko_units(strength), volatility, opponents, self.tau)
        deviation = min(START_DEVIATION, new.phi * POINTS_PER_UNIT)
        return Strength(START_RATING + new.mu * POINTS_PER_UNIT, deviation, new.sigma)


def _glicko_units(strength: Strength) -> tuple[float, float]:
    return (strength.value - START_RATING) / POINTS_PER_UNIT, strength.deviation / POINTS_PER_UNIT


class Pods:
    """Ranked tables of two to five players."""

    least_games = 5
    model = PlackettLuce(tau=0.0)
    # The variance added per week.
    drift = (25 / 300) ** 2
    # Rating points per unit of the model: between two certain players 400 are 10 to 1 as well.
    points = POINTS_PER_UNIT / (math.sqrt(2) * 25 / 6)
    constants = (
        REVISION,
        "Plackett-Luce",
        START_RATING,
        POINTS_PER_UNIT,
        DAYS_PER_WEEK,
        drift,
        points,
    )

    def start(self) -> Strength:
        return Strength(START_RATING, self.model.sigma * self.points)

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
        """Yield each player's gain from a table: precision, and precision times rating."""
        seats = {
            player: (place, *self._own(came[player]))
            for player, place in zip(game.players, game.places, strict=True)
        }
        ranked = sorted(seats.values())
        teams = [[self.model.rating(mu=mu, sigma=sigma)] for _, mu, sigma in ranked]
        rated = self.model.rate(teams, ranks=[float(place) for place, *_ in ranked])
        # Equal players at the same place stay equal, whatever their order.
        after = {key: new for key, (new,) in reversed([*zip(ranked, rated, strict=True)])}
        for player, key in seats.items():
            _, mu, sigma = key
            new = after[key]
            precision = new.sigma**-2 - sigma**-2
            yield player, (precision, new.mu * new.sigma**-2 - mu * sigma**-2)

    def _own(self, strength: Strength) -> tuple[float, float]:
        mu = self.model.mu + (strength.value - START_RATING) / self.points
        return mu, strength.deviation / self.points

    def _with(self, strength: Strength, gains: Iterable[tuple[float, float]]) -> Strength:
        mu, sigma = self._own(strength)
        precisions, weighted = zip(*gains, strict=True)
        # `fsum` rounds once, so the order of the tables has no effect.
        precision = math.fsum([sigma**-2, *precisions])
        mean = math.fsum([mu * sigma**-2, *weighted]) / precision
        value = START_RATING + (mean - self.model.mu) * self.points
        return Strength(value, self._wide(1 / precision))


TWO, PODS = Glicko2(), Pods()


def rate(
    games: Iterable[RatedGame], method: RatingMethod, before: Mapping[int, RatedDay] | None = None
) -> Iterator[RatedDay]:
    """Yield a row for each player and day of play, day by day, independent of the order of games.

    `before` has the newest row of each player before the first of these games.
    """
    newest = dict(before or {})
    for day, played in groupby(sorted(games, key=lambda game: game.day), lambda game: game.day):
        today = list(played)
        counts: dict[int, int] = defaultdict(int)
        # An event is rated on a single day, so events of different days are different.
        events: dict[int, set[int]] = defaultdict(set)
        for game in today:
            for player in game.players:
                counts[player] += 1
                events[player].add(game.event)
        strengths = {
            player: _strength_at_start_of(day, newest.get(player), method) for player in counts
        }
        for player, strength in sorted(method.day(strengths, today).items()):
            games_before, events_before = 0, 0
            if player in newest:
                games_before, events_before = newest[player].games, newest[player].events
            newest[player] = RatedDay(
                player,
                day,
                strength,
                games_before + counts[player],
                events_before + len(events[player]),
            )
            yield newest[player]


def _strength_at_start_of(day: date, line: RatedDay | None, method: RatingMethod) -> Strength:
    if line is None:
        return method.start()
    # The update of the day itself counts as a week.
    weeks = (day - line.day).days // DAYS_PER_WEEK
    return method.rested(line.strength, max(0, weeks - 1))


def places_in_games(
    ended: Iterable[GameEnding],
    totals: Sequence[int],
    flags: Collection[Flag],
    games_per_match: int,
) -> Iterator[Places]:
    """Yield the places in each played game between seats 1 and 2 that counts.

    A two-for-one game counts double in the standings but is rated once. If only totals were typed
    (3 for a win, 1 for a draw), the games are derived from `totals`.
    """
    games = list(ended)
    if Flag.INTENTIONAL_DRAW in flags:
        return
    if not games:
        typed = _places_from_totals(totals, games_per_match)
        yield from typed[:1] if Flag.TWO_FOR_ONE in flags else typed
    for end, winner in games:
        if end not in NOT_PLAYED:
            yield DRAWN_PLACES if winner is None else WINNING_PLACES[winner]


def _places_from_totals(totals: Sequence[int], games_per_match: int) -> list[Places]:
    if len(totals) != len(DRAWN_PLACES):
        return []
    # A match has at most two drawn games: the remainder of its points.
    (won, drawn), (lost, also_drawn) = (divmod(total, WIN_POINTS) for total in totals)
    if drawn != also_drawn or won + lost + drawn > games_per_match:
        return []
    return [WINNING_PLACES[1]] * won + [WINNING_PLACES[2]] * lost + [DRAWN_PLACES] * drawn
