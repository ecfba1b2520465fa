"""Figures of a whole field, each computed once, in time linear in players x rounds.

All averages of a field share a denominator: the least common multiple of the round counts and the
opponent counts. Sums are therefore sums of integers, and a Fraction is made once per answer.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import lcm
from typing import TypeAlias

from engine.standings.records import (
    Bye,
    DuplicatePlayer,
    Exact,
    Played,
    PlayerId,
    Record,
    RoundRecord,
    UnknownOpponent,
)

# For each player, all players equal so far, including the player.
Equals: TypeAlias = Mapping[PlayerId, Sequence[PlayerId]]
SOS = "strength_of_schedule"


@dataclass(frozen=True)
class Figures:
    """A figure for each player who has it: a number, or a numerator over the denominator.

    Numerators are integers unless points are fractions. `places` has the place of every player if
    the numbers alone do not give the order; lower is better.
    """

    numerators: Mapping[PlayerId, Exact]
    denominator: int | None = None
    places: Mapping[PlayerId, int] | None = None

    @cached_property
    def exact(self) -> Mapping[PlayerId, Exact]:
        """The figures as exact fractions in lowest terms."""
        below = self.denominator
        if below is None:
            return self.numerators
        return {player: Fraction(above, below) for player, above in self.numerators.items()}


def sums(figures: Figures, of_each: Mapping[PlayerId, Sequence[PlayerId]]) -> Figures:
    """Return, for each player, the sum of the listed players' figures."""
    numerator = figures.numerators.__getitem__
    return Figures(
        {player: sum(map(numerator, others)) for player, others in of_each.items()},
        figures.denominator,
    )


def means(figures: Figures, of_each: Mapping[PlayerId, Sequence[PlayerId]]) -> Figures:
    """Return, for each player, the mean of the listed players' figures; 0 without any."""
    totals = sums(figures, of_each)
    return ratios(
        totals.numerators,
        {player: len(others) for player, others in of_each.items()},
        figures.denominator or 1,
    )


def ratios(
    above: Mapping[PlayerId, Exact], below: Mapping[PlayerId, int], denominator: int = 1
) -> Figures:
    """Return a ratio for each player; 0 if the divisor is 0."""
    counts = set(below.values())
    scale = lcm_of(counts)
    factors = {count: scale // (count or 1) for count in counts}
    return Figures(
        {player: above[player] * factors[count] for player, count in below.items()},
        scale * denominator,
    )


def lcm_of(counts: Iterable[int]) -> int:
    """Return the least common multiple, ignoring 0."""
    return lcm(*set(counts) - {0})


class Field:
    """All players of a tournament with their closed rounds, and the seed of the random draw.

    `opponents` lists a player's opponents, once per meeting.
    """

    def __init__(self, records: Iterable[Record], seed: int) -> None:
        """Raise DuplicatePlayer or UnknownOpponent if the records are inconsistent."""
        self.seed = seed
        self.records: dict[PlayerId, Record] = {}
        for record in records:
            if record.id in self.records:
                raise DuplicatePlayer(f"Player {record.id} has two records.")
            self.records[record.id] = record
        tallies = {player: _tally(record.rounds) for player, record in self.records.items()}
        self.points = {player: tally[0] for player, tally in tallies.items()}
        self.games = {player: tally[1] for player, tally in tallies.items()}
        self.played = {player: tally[2] for player, tally in tallies.items()}
        self.byes = {player: tally[3] for player, tally in tallies.items()}
        self.opponents = {player: tally[4] for player, tally in tallies.items()}
        self._check_opponents()

    def _check_opponents(self) -> None:
        unknown = set(chain.from_iterable(self.opponents.values())) - self.records.keys()
        if unknown:
            player, opponent = next(
                (player, opponent)
                for player, met in self.opponents.items()
                for opponent in met
                if opponent in unknown
            )
            raise UnknownOpponent(f"Player {player} met {opponent}, who has no record.")

    @cached_property
    def counted(self) -> Mapping[PlayerId, int]:
        """The number of rounds in which each player had a table or a bye."""
        return {player: count + self.byes[player] for player, count in self.played.items()}

    @cached_property
    def most_in_a_round(self) -> Exact:
        """The highest points of any player in a round, including byes."""
        return max((entry.points for entry in self._entries()), default=0)

    @cached_property
    def fewest_in_a_round(self) -> Exact:
        """The lowest points of any player in a round, at most 0."""
        return min((entry.points for entry in self._entries() if entry.points < 0), default=0)

    def _entries(self) -> Iterator[Played | Bye]:
        rounds = chain.from_iterable(record.rounds for record in self.records.values())
        return (entry for entry in rounds if entry is not None)

    @cached_property
    def strength_of_schedule(self) -> Figures:
        """The mean of the opponents' match points per round; 0 without opponents."""
        return means(ratios(self.points, self.counted), self.opponents)

    @cached_property
    def extended_strength_of_schedule(self) -> Figures:
        """The mean of the opponents' strength of schedule; 0 without opponents."""
        return means(self.strength_of_schedule, self.opponents)


@dataclass(frozen=True)
class StoredFigures:
    """A player's stored figures by tie-breaker; `counted` is the number of rounds not missed."""

    values: Mapping[str, Exact | None]
    counted: int


class StoredField(Field):
    """A player's rounds, with stored figures of the player and all opponents.

    Only `points`, `counted` and `strength_of_schedule` have the figures.
    """

    def __init__(self, record: Record, rows: Mapping[PlayerId, StoredFigures]) -> None:
        """Raise UnknownOpponent if an opponent has no figures."""
        others = (Record(player) for player in rows if player != record.id)
        super().__init__((record, *others), seed=0)
        self.points = {player: row.values["match_points"] or 0 for player, row in rows.items()}
        self.counted = {player: row.counted for player, row in rows.items()}
        strengths = {player: row.values.get(SOS) for player, row in rows.items()}
        self.strength_of_schedule = Figures(
            {player: value for player, value in strengths.items() if value is not None}
        )


def _tally(rounds: Iterable[RoundRecord]) -> tuple[Exact, int, int, int, list[PlayerId]]:
    """Return points, games won, tables, byes and opponents."""
    # A single pass: a large field has tens of thousands of entries.
    points: Exact = 0
    games = played = byes = 0
    met: list[PlayerId] = []
    for entry in rounds:
        if isinstance(entry, Played):
            played += 1
            points += entry.points
            games += entry.games_won
            met += entry.opponents
        elif entry is not None:
            byes += 1
            points += entry.points
    return points, games, played, byes, met
