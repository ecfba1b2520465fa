"""The figures of a whole field, each computed once, in time linear in players x rounds.

All averages of a field share one denominator, the least common multiple of the round counts and
of the opponent counts, so that the sums are sums of integers; a Fraction is made once per answer.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import chain

from tournaments.standings.figures import Figures, means, ratios
from tournaments.standings.lots import PlayerId, lots
from tournaments.standings.records import (
    DuplicatePlayer,
    Exact,
    Played,
    Record,
    RoundRecord,
    UnknownOpponent,
)


class Field:
    """All players of a tournament with their closed rounds, and the seed of the lot.

    `opponents` names everybody whom a player met, once for each meeting.
    """

    def __init__(self, records: Iterable[Record], seed: int) -> None:
        """Raise DuplicatePlayer or UnknownOpponent when the records contradict each other."""
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
        if self.records.keys() >= set(chain.from_iterable(self.opponents.values())):
            return
        for player, met in self.opponents.items():
            for opponent in met:
                if opponent not in self.records:
                    raise UnknownOpponent(f"Player {player} met {opponent}, who has no record.")

    @property
    def match_points(self) -> Figures:
        """Match points of each player."""
        return Figures(self.points)

    @property
    def games_won(self) -> Figures:
        """Games won by each player."""
        return Figures(self.games)

    @cached_property
    def counted(self) -> Mapping[PlayerId, int]:
        """Rounds in which each player had a table or a bye."""
        return {player: count + self.byes[player] for player, count in self.played.items()}

    @cached_property
    def lots(self) -> Figures:
        """Each player's place in the draw, 1 first."""
        return Figures(lots(self.records, self.seed))

    @cached_property
    def strength_of_schedule(self) -> Figures:
        """The mean of the opponents' match points per round; 0 without an opponent."""
        return means(ratios(self.points, self.counted), self.opponents)

    @cached_property
    def extended_strength_of_schedule(self) -> Figures:
        """The mean of the opponents' strength of schedule; 0 without an opponent."""
        return means(self.strength_of_schedule, self.opponents)


def _tally(rounds: Iterable[RoundRecord]) -> tuple[Exact, int, int, int, list[PlayerId]]:
    """Points, games won, tables, byes, and everybody met."""
    # A large field has tens of thousands of entries, so each is touched once.
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
