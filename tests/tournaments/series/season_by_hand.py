"""Season table and qualification, computed a second time without code of the site.

Rows are (event, player, place, match points); each step implements one sentence of the rules.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import groupby
from typing import Any

Player = Any
"""Number or name of a player."""
Row = tuple[int, Player, int, Fraction]
MeetingRow = tuple[int, Player, Player, Fraction, Fraction]


class SeasonByHand:
    """A season: rows, meetings and rules."""

    def __init__(
        self, rows: list[Row], meetings: list[MeetingRow], events: list[int], **rules: Any
    ) -> None:
        self.rows, self.met, self.events, self.rules = rows, meetings, events, rules

    def points_of_row(self, row: Row) -> Fraction:
        _, _, place, match_points = row
        if self.rules["scoring"] == "match_points":
            return match_points
        by_place = dict(enumerate(self.rules["place_points"], start=1))
        return Fraction(by_place.get(place, self.rules["points_for_playing"]))

    def counted_points(self, player: Player) -> list[tuple[int, Fraction]]:
        """Return (event, points) of the player."""
        return [(row[0], self.points_of_row(row)) for row in self.rows if row[1] == player]

    def points(self, player: Player) -> Fraction:
        best = sorted((points for _, points in self.counted_points(player)), reverse=True)
        return sum(best[: self.rules["best_of"]], Fraction(0))

    def place_of(self, player: Player) -> int:
        """Return one more than the number of players strictly ahead."""
        return 1 + sum(
            self.is_ahead(opponent, player) for opponent in self.players() if opponent != player
        )

    def players(self) -> set[Player]:
        return {row[1] for row in self.rows}

    def is_ahead(self, player: Player, opponent: Player) -> bool:
        if self.points(player) != self.points(opponent):
            return self.points(player) > self.points(opponent)
        level = {x for x in self.players() if self.points(x) == self.points(player)}
        for tie_breaker in self.rules["tie_breakers"]:
            value = self.measure(tie_breaker, level)
            if value(player) != value(opponent):
                return bool(value(player) > value(opponent))
            level = {x for x in level if value(x) == value(player)}
        return False

    def measure(self, tie_breaker: str, level: set[Player]) -> Callable[[Player], Any]:
        def head_to_head(player: Player) -> Fraction:
            won = Fraction(0)
            for _, a, b, pa, pb in self.met:
                if a == player and b in level:
                    won += pa - pb
                if b == player and a in level:
                    won += pb - pa
            return won

        last = self.events[-1]
        return {
            "best_results": lambda x: sorted((p for _, p in self.counted_points(x)), reverse=True),
            "wins": lambda x: sum(row[1] == x and row[2] == 1 for row in self.rows),
            "events": lambda x: len(self.counted_points(x)),
            "all_results": lambda x: sum((p for _, p in self.counted_points(x)), Fraction(0)),
            "last_event": lambda x: [p for event, p in self.counted_points(x) if event == last],
            "head_to_head": head_to_head,
        }[tie_breaker]

    def qualified_players(
        self, per_evening: int, by_table: int, excluded: set[Player]
    ) -> list[Player]:
        """Return the qualified players; places of players who qualified before pass down."""
        qualified: list[Player] = []
        for event in self.events:
            order = sorted(row[2:3] + row[1:2] for row in self.rows if row[0] == event)
            new = [
                player for _, player in order if player not in qualified and player not in excluded
            ]
            qualified += new[:per_evening]
        rest = [x for x in self.players() if x not in qualified and x not in excluded]
        rest.sort(key=lambda x: (self.place_of(x), x))
        for _, sharing in groupby(rest, key=self.place_of):
            group = list(sharing)
            if len(group) > by_table:
                break
            qualified += group
            by_table -= len(group)
        return qualified
