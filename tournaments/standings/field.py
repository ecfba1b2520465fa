"""The figures of a whole field, each computed once, in time linear in players x rounds.

All averages of a field share one denominator, the least common multiple of the round counts and
of the opponent counts, so that the sums are sums of integers; a Fraction is made once per answer.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from math import lcm

from tournaments.standings.lots import PlayerId, lots
from tournaments.standings.records import DuplicatePlayer, Record, UnknownOpponent


class Field:
    """All players of a tournament with their closed rounds, and the seed of the lot."""

    def __init__(self, records: Iterable[Record], seed: int) -> None:
        """Raise DuplicatePlayer or UnknownOpponent when the records contradict each other."""
        self.records: dict[PlayerId, Record] = {}
        self.seed = seed
        for record in records:
            if record.id in self.records:
                raise DuplicatePlayer(f"Player {record.id} has two records.")
            self.records[record.id] = record
        self.opponents = {player: self._opponents(record) for player, record in self._items()}

    def _items(self) -> Iterable[tuple[PlayerId, Record]]:
        return self.records.items()

    def _opponents(self, record: Record) -> tuple[PlayerId, ...]:
        met = tuple(opponent for _, opponent in record.meetings())
        for opponent in met:
            if opponent not in self.records:
                raise UnknownOpponent(f"Player {record.id} met {opponent}, who has no record.")
        return met

    @cached_property
    def match_points(self) -> Mapping[PlayerId, int]:
        """Match points of each player."""
        return {player: record.match_points for player, record in self._items()}

    @cached_property
    def games_won(self) -> Mapping[PlayerId, int]:
        """Games won by each player."""
        return {player: record.games_won for player, record in self._items()}

    @cached_property
    def counted(self) -> Mapping[PlayerId, int]:
        """Rounds in which each player had a table or a bye."""
        return {player: record.played + record.byes for player, record in self._items()}

    @cached_property
    def lots(self) -> Mapping[PlayerId, int]:
        """Each player's place in the draw, 1 first."""
        return lots(self.records, self.seed)

    @cached_property
    def strength_of_schedule(self) -> Mapping[PlayerId, Fraction]:
        """The mean of the opponents' averages; 0 without an opponent."""
        scale = self._rounds_scale * self._opponents_scale
        return {player: Fraction(sum_, scale) for player, sum_ in self._scaled_strength.items()}

    @cached_property
    def extended_strength_of_schedule(self) -> Mapping[PlayerId, Fraction]:
        """The mean of the opponents' strength of schedule; 0 without an opponent."""
        scale = self._rounds_scale * self._opponents_scale**2
        extended = self._scaled_means(self._scaled_strength)
        return {player: Fraction(sum_, scale) for player, sum_ in extended.items()}

    @cached_property
    def _rounds_scale(self) -> int:
        return lcm(*(count for count in self.counted.values() if count))

    @cached_property
    def _opponents_scale(self) -> int:
        return lcm(*(len(met) for met in self.opponents.values() if met))

    @cached_property
    def _scaled_averages(self) -> Mapping[PlayerId, int]:
        """Match points per round counted (tables and byes), times the rounds' scale."""
        return {
            player: points * (self._rounds_scale // (self.counted[player] or 1))
            for player, points in self.match_points.items()
        }

    @cached_property
    def _scaled_strength(self) -> Mapping[PlayerId, int]:
        return self._scaled_means(self._scaled_averages)

    def _scaled_means(self, values: Mapping[PlayerId, int]) -> dict[PlayerId, int]:
        """The mean of each player's opponents, times the opponents' scale; 0 without any."""
        return {
            player: sum(values[opponent] for opponent in met)
            * (self._opponents_scale // (len(met) or 1))
            for player, met in self.opponents.items()
        }
