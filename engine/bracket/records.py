"""What a bracket is made of, what is read from one, and what it refuses."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias

from core.errors import Refusal
from engine.standings import PlayerId
from matches.scoring import Role


@dataclass(frozen=True)
class Seeded:
    """The player of a seed, 1 best."""

    seed: int


@dataclass(frozen=True)
class WinnerOf:
    """Who wins that game."""

    game: int


@dataclass(frozen=True)
class LoserOf:
    """Who loses that game."""

    game: int


@dataclass(frozen=True)
class StillIn:
    """The player in that place, by seed, among those not out after a round: 1 best."""

    after_round: int
    place: int


Source: TypeAlias = Seeded | WinnerOf | LoserOf | StillIn
"""Where a player of a game comes from."""


class Half(StrEnum):
    """The part of the bracket a game belongs to; single elimination has the upper one only."""

    UPPER = "upper"
    LOWER = "lower"
    FINAL = "final"
    RESET = "reset"


class RolesBy(StrEnum):
    """What says who is Corp in a game."""

    CHOICE = "choice"
    COUNT = "count"
    LOT = "lot"
    FINAL = "final"


@dataclass(frozen=True)
class Game:
    """One game of a bracket. Rounds are counted from 1 within each half, without gaps.

    The final's first player comes from the upper half. The reset is played only when the other
    one wins the final.
    """

    number: int
    half: Half
    round: int
    sources: tuple[Source, Source]


@dataclass(frozen=True)
class Bracket:
    """All games in order; every player of a game comes from games with lower numbers."""

    system: str
    size: int
    games: tuple[Game, ...]
    is_reseeded: bool = False

    @cached_property
    def by_number(self) -> Mapping[int, Game]:
        """Each game under its number."""
        return {game.number: game for game in self.games}

    @property
    def final(self) -> Game:
        """The game that decides, unless a reset follows."""
        return next(game for game in reversed(self.games) if game.half is not Half.RESET)

    @property
    def reset(self) -> Game | None:
        """The second final of a double elimination."""
        return self.games[-1] if self.games[-1].half is Half.RESET else None


@dataclass(frozen=True)
class GameWon:
    """The result of a game. `corp` is who was Corp in it (of two games: in the first), if known."""

    game: int
    winner: PlayerId
    corp: PlayerId | None = None


@dataclass(frozen=True)
class BracketSeat:
    """A player of a game; no role where the higher seed still has to choose."""

    id: PlayerId
    role: Role | None


@dataclass(frozen=True)
class NextGame:
    """A game that can be played now, the best seed first. `chooser` says who may choose roles."""

    number: int
    seats: tuple[BracketSeat, BracketSeat]
    roles_by: RolesBy
    chooser: PlayerId | None


@dataclass(frozen=True)
class GameState:
    """What is known of a game; `players` in the order of its sources, None while open.

    `roles_by` is None until the players are known. `is_needed` is False for a reset that is not
    played, None while nobody knows.
    """

    number: int
    players: tuple[PlayerId | None, PlayerId | None]
    corp: PlayerId | None = None
    roles_by: RolesBy | None = None
    winner: PlayerId | None = None
    is_needed: bool | None = True

    @property
    def loser(self) -> PlayerId | None:
        """Who lost, once that is known."""
        if self.winner is None:
            return None
        return self.players[1] if self.winner == self.players[0] else self.players[0]

    @property
    def is_over(self) -> bool:
        """Nobody waits for this game any more."""
        return self.winner is not None or self.is_needed is False

    @property
    def is_playable(self) -> bool:
        """Both players are known and the result is not."""
        return None not in self.players and not self.is_over and self.is_needed is True


@dataclass(frozen=True)
class Placing:
    """A place of the final order; the id is None while it is open."""

    rank: int
    id: PlayerId | None


@dataclass(frozen=True)
class BracketState:
    """A bracket after some results.

    `games` can be played next, in order of their numbers; `states` tells of every game by number.
    """

    games: tuple[NextGame, ...]
    placings: tuple[Placing, ...]
    states: Mapping[int, GameState]

    @property
    def is_over(self) -> bool:
        """Whether the winner is known."""
        return self.placings[0].id is not None


class BracketRefused(Refusal):
    """The seeds or results do not fit the bracket."""

    def __init__(self, message: str, path: str) -> None:
        super().__init__(message, path=path)


class UnknownSystem(BracketRefused):
    """Not a kind of elimination."""


class SeedsRefused(BracketRefused):
    """Too few, too many or repeated players."""


class ResultRefused(BracketRefused):
    """A result of a game that cannot have it."""
