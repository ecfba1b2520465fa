"""Records of a bracket: games, sources, states and refusals."""

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
    """The player of a seed; seed 1 is the best."""

    seed: int


@dataclass(frozen=True)
class WinnerOf:
    game: int


@dataclass(frozen=True)
class LoserOf:
    game: int


@dataclass(frozen=True)
class StillIn:
    """The player in this place, by seed, among those still in after a round; 1 is the best."""

    after_round: int
    place: int


Source: TypeAlias = Seeded | WinnerOf | LoserOf | StillIn


class Half(StrEnum):
    """The part of the bracket a game belongs to; single elimination has only the upper part."""

    UPPER = "upper"
    LOWER = "lower"
    FINAL = "final"
    RESET = "reset"


class RolesBy(StrEnum):
    """The rule that decides who is Corp in a game."""

    CHOICE = "choice"
    COUNT = "count"
    LOT = "lot"
    FINAL = "final"


@dataclass(frozen=True)
class Game:
    """A game of a bracket. Rounds count from 1 within each half, without gaps.

    The first player of the final comes from the upper half. The reset is played only if that player
    loses the final.
    """

    number: int
    half: Half
    round: int
    sources: tuple[Source, Source]


@dataclass(frozen=True)
class Bracket:
    """All games in order. The players of a game come from games with lower numbers."""

    system: str
    size: int
    games: tuple[Game, ...]
    is_reseeded: bool = False

    @cached_property
    def by_number(self) -> Mapping[int, Game]:
        return {game.number: game for game in self.games}

    @property
    def final(self) -> Game:
        """The deciding game, unless a reset follows."""
        return next(game for game in reversed(self.games) if game.half is not Half.RESET)

    @property
    def reset(self) -> Game | None:
        """The second final of a double elimination."""
        return self.games[-1] if self.games[-1].half is Half.RESET else None


@dataclass(frozen=True)
class GameWon:
    """The result of a game. `corp` is the Corp player (of game 1 if there are two), or None."""

    game: int
    winner: PlayerId
    corp: PlayerId | None = None


@dataclass(frozen=True)
class BracketSeat:
    """A player of a game. `role` is None while the higher seed still has to choose."""

    id: PlayerId
    role: Role | None


@dataclass(frozen=True)
class NextGame:
    """A game that can be played now, best seed first. `chooser` may choose the roles."""

    number: int
    seats: tuple[BracketSeat, BracketSeat]
    roles_by: RolesBy
    chooser: PlayerId | None


@dataclass(frozen=True)
class GameState:
    """The known facts of a game.

    `players` follow the order of the sources, with None for an open place. `roles_by` is None until
    both players are known. `is_needed` is False for a reset that is not played and None while that
    is undecided.
    """

    number: int
    players: tuple[PlayerId | None, PlayerId | None]
    corp: PlayerId | None = None
    roles_by: RolesBy | None = None
    winner: PlayerId | None = None
    is_needed: bool | None = True

    @property
    def loser(self) -> PlayerId | None:
        if self.winner is None:
            return None
        return self.players[1] if self.winner == self.players[0] else self.players[0]

    @property
    def is_over(self) -> bool:
        return self.winner is not None or self.is_needed is False

    @property
    def is_playable(self) -> bool:
        return None not in self.players and not self.is_over and self.is_needed is True


@dataclass(frozen=True)
class Placing:
    """A place of the final order. `id` is None while the place is open."""

    rank: int
    id: PlayerId | None


@dataclass(frozen=True)
class BracketState:
    """A bracket after some results.

    `games` can be played next, in order of their numbers. `states` has every game by number.
    """

    games: tuple[NextGame, ...]
    placings: tuple[Placing, ...]
    states: Mapping[int, GameState]

    @property
    def is_over(self) -> bool:
        return self.placings[0].id is not None


class BracketRefused(Refusal):
    def __init__(self, message: str, path: str) -> None:
        super().__init__(message, path=path)


class UnknownSystem(BracketRefused):
    pass


class SeedsRefused(BracketRefused):
    """Too few, too many or repeated players."""


class ResultRefused(BracketRefused):
    pass
