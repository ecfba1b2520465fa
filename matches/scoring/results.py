"""The result of a match, and the points of its seats."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

from matches.scoring.games import GameResult

# Exact points: an int if whole. Only a shared place can give a Fraction.
Points: TypeAlias = int | Fraction


class Flag(StrEnum):
    """A fact about a match."""

    INTENTIONAL_DRAW = "intentional_draw"
    TWO_FOR_ONE = "two_for_one"
    TIMED = "timed"
    CONCEDED = "conceded"

    @property
    def label(self) -> str:
        return _LABELS[self]

    @property
    def hint(self) -> str:
        """Explanation of the flag, in a sentence."""
        return _HINTS[self]


_LABELS = {
    Flag.INTENTIONAL_DRAW: "Intentional draw",
    Flag.TWO_FOR_ONE: "Two for one",
    Flag.TIMED: "Timed",
    Flag.CONCEDED: "Conceded",
}


_HINTS = {
    Flag.INTENTIONAL_DRAW: "The players agreed to draw, and no game was won.",
    Flag.TWO_FOR_ONE: "Game 1 counts twice, and there is no game 2.",
    Flag.TIMED: "The time was up before the match was over.",
    Flag.CONCEDED: "Somebody gave up before the end.",
}


@dataclass(frozen=True)
class MatchResult:
    """The result of a match, as reported, decided and stored.

    `games` are the entered games by number. `totals` are match points by seat, if only these are
    known. `victory_points` and `factions` are also ordered by seat; an unknown faction is "".
    """

    games: tuple[GameResult, ...] = ()
    flags: frozenset[Flag] = field(default_factory=frozenset)
    totals: tuple[int, ...] = ()
    victory_points: tuple[int, ...] = ()
    factions: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """True if anything but factions is recorded."""
        return bool(self.games or self.flags or self.totals or self.victory_points)

    @property
    def is_intentional_draw(self) -> bool:
        return Flag.INTENTIONAL_DRAW in self.flags

    @property
    def is_two_for_one(self) -> bool:
        return Flag.TWO_FOR_ONE in self.flags

    def games_won(self, position: int) -> int:
        """Number of games won by the seat; with two for one, game 1 counts twice."""
        won = 0
        for game in self.games:
            if game.winner is not None and game.position(game.winner) == position:
                won += 1
        return won * 2 if self.is_two_for_one else won

    def agenda_points(self, position: int) -> int | None:
        """Agenda points of the seat, over the games in which both sides' are known."""
        points = None
        for game in self.games:
            corp, runner = game.corp_agenda_points, game.runner_agenda_points
            if corp is not None and runner is not None:
                points = (points or 0) + (corp if game.corp == position else runner)
        return points


@dataclass(frozen=True)
class Share:
    """A part of the points of a seat from a match, with a short reason.

    `game` is the number of its game, None for the match as a whole.
    """

    points: Points
    reason: str
    game: int | None = None


def exact(value: Points) -> Points:
    """Return the same number, as an int if whole."""
    fraction = Fraction(value)
    return fraction.numerator if fraction.denominator == 1 else fraction


def added(shares: Iterable[Share]) -> Points:
    """Return the exact sum of the points."""
    return exact(sum((share.points for share in shares), Fraction(0)))
