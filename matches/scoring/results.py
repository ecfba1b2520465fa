"""What is recorded of a whole match, and what each seat takes from it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

from matches.scoring.games import GameResult

Points: TypeAlias = int | Fraction
"""Exact points: whole ones are an int. Only a shared place can bring a Fraction."""


class Flag(StrEnum):
    """What else is true about a match."""

    INTENTIONAL_DRAW = "intentional_draw"
    TWO_FOR_ONE = "two_for_one"
    TIMED = "timed"
    CONCEDED = "conceded"

    @property
    def label(self) -> str:
        """The flag as it stands on a page."""
        return _LABELS[self]

    @property
    def hint(self) -> str:
        """What the flag means, in a sentence."""
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
    """One result as it is reported, decided and stored.

    `games` are those that were entered, by number. `totals` are match points by seat, first seat
    first, typed where the games are not known. `victory_points` and `factions` go by seat too;
    a faction that is not known is empty.
    """

    games: tuple[GameResult, ...] = ()
    flags: frozenset[Flag] = field(default_factory=frozenset)
    totals: tuple[int, ...] = ()
    victory_points: tuple[int, ...] = ()
    factions: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is recorded of what happened."""
        return bool(self.games or self.flags or self.totals or self.victory_points)

    @property
    def is_intentional_draw(self) -> bool:
        return Flag.INTENTIONAL_DRAW in self.flags

    @property
    def is_two_for_one(self) -> bool:
        return Flag.TWO_FOR_ONE in self.flags

    def games_won(self, position: int) -> int:
        """How many games the seat won; with two for one, game 1 counts as both."""
        won = 0
        for game in self.games:
            if game.winner is not None and game.position(game.winner) == position:
                won += 1
        return won * 2 if self.is_two_for_one else won

    def agenda_points(self, position: int) -> int | None:
        """The seat's own agenda points, over the games where those of both sides are known."""
        points = None
        for game in self.games:
            corp, runner = game.corp_agenda_points, game.runner_agenda_points
            if corp is not None and runner is not None:
                points = (points or 0) + (corp if game.corp == position else runner)
        return points


@dataclass(frozen=True)
class Share:
    """A part of what a seat takes from a match, and why in a few words.

    `game` is the number of the game it comes from, None for the match as a whole.
    """

    points: Points
    reason: str
    game: int | None = None


def exact(value: Points) -> Points:
    """The same number, as an int when it is whole."""
    fraction = Fraction(value)
    return fraction.numerator if fraction.denominator == 1 else fraction


def added(shares: Iterable[Share]) -> Points:
    """The sum of some shares, exactly."""
    return exact(sum((share.points for share in shares), Fraction(0)))
