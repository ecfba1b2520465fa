"""The scoring rules a tournament can choose from, each defined once."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from core.errors import Refusal
from matches.scoring import anr, free_radicals
from matches.scoring.contradictions import (
    AGENDA_POINTS_TO_WIN,
    Contradiction,
    contradictions,
    two_games,
)
from matches.scoring.factions import FACTIONS, Faction
from matches.scoring.games import GameEnd, GameResult, LoserRule, Role
from matches.scoring.reporting import Missing, agenda_points_missing, winner_missing
from matches.scoring.results import Flag, MatchResult, Points, Share, added

AGENDA_WIN_POINTS = 10


class UnknownScoringRule(Refusal):
    """No scoring rule has this id."""


@dataclass(frozen=True, kw_only=True)
class ScoringRule(ABC):
    """How a result becomes points. The id is stored and never changes its meaning.

    `games_per_match` games are played by `fewest_seats` to `most_seats` players, in the roles of
    Corp and Runner where it `has_roles`. `ends` are the ways a game can end and `flags` what else
    may be said, most usual first. `nobody` is what is said of a game without a winner. Points are
    whole numbers of parts, of which `point_unit` are one point. The games it is for name it, it
    names none.
    """

    id: str
    name: str
    explanation: str
    games_per_match: int
    bye_points: int
    fewest_seats: int = 2
    most_seats: int = 2
    has_roles: bool = True
    takes_totals: bool = False
    point_unit: int = 1
    nobody: str = "Nobody"
    ends: tuple[GameEnd, ...] = ()
    flags: tuple[Flag, ...] = ()

    @abstractmethod
    def shares(self, result: MatchResult) -> Mapping[int, tuple[Share, ...]]:
        """The parts of what each seat takes, by position: the points and their reasons."""

    @abstractmethod
    def contradictions(
        self, result: MatchResult, seats: int = 2, factions: Mapping[str, Faction] = FACTIONS
    ) -> Iterator[Contradiction]:
        """Everything in a reported match of so many seats that cannot be true."""

    @property
    def has_one_game(self) -> bool:
        """True if a match is one game of Corp against Runner."""
        return self.has_roles and self.games_per_match == 1

    def usual_end(self, winner: Role | None) -> GameEnd:
        """How a game ended of which that is not said."""
        return GameEnd.NOT_RECORDED

    def missing(self, result: MatchResult, names: Mapping[int, str]) -> Iterator[Missing]:
        """What a report must still say; `names` are the players by position."""
        yield from ()

    def completed(self, result: MatchResult) -> MatchResult:
        """A report of which nothing is `missing`, with the numbers that go without saying."""
        return result

    def match_points(self, result: MatchResult) -> dict[int, Points]:
        """Points by seat position, exactly; whole ones are ints."""
        return {position: added(parts) for position, parts in self.shares(result).items()}

    def _foreign(self, result: MatchResult) -> Iterator[Contradiction]:
        """What belongs to other games."""
        for flag in sorted(result.flags - set(self.flags)):
            yield Contradiction("flag", f'This game has no "{flag.label}". Remove it.')
        for game in result.games:
            if self.ends and game.end not in self.ends:
                message = f'"{game.end.label}" cannot end this. Choose how it ended.'
                yield Contradiction("end", f"Game {game.number}: {message}", game.number)
        if result.totals and not self.takes_totals:
            yield Contradiction("totals", "Totals alone are not enough here. Enter each game.")
        if self.has_roles and (result.victory_points or result.factions):
            yield Contradiction(
                "victory_points", "This game has no victory points and factions. Remove them."
            )
        if result.games and not self.has_roles:
            yield Contradiction("games", "This game has no Corp and Runner. Remove the games.")


@dataclass(frozen=True, kw_only=True)
class AgendaRule(ScoringRule):
    """`onr`: 10 points for a game won, agenda points for the loser."""

    loser_rule: LoserRule

    def usual_end(self, winner: Role | None) -> GameEnd:
        """By agenda points; out of time when nobody won."""
        return GameEnd.AGENDA if winner else GameEnd.TIME

    def missing(self, result: MatchResult, names: Mapping[int, str]) -> Iterator[Missing]:
        """Every game, and the agenda points of whoever did not win it, as they may count."""
        games = {game.number: game for game in result.games}
        for number in range(1, self.games_per_match + 1):
            game = games.get(number)
            if game is None:
                yield winner_missing(number, self.nobody)
            else:
                yield from self._points_missing(game, names)

    def _points_missing(self, game: GameResult, names: Mapping[int, str]) -> Iterator[Missing]:
        if game.end is GameEnd.NO_SHOW:
            return
        for position, name in sorted(names.items()):
            role = game.role(position)
            if role is not game.winner and game.agenda_points(role) is None:
                yield agenda_points_missing(game.number, position, name)

    def completed(self, result: MatchResult) -> MatchResult:
        """A winner has 7 agenda points when it is by these, else 0; so has everybody not there."""
        return replace(result, games=tuple(map(_with_agenda_points, result.games)))

    def shares(self, result: MatchResult) -> dict[int, tuple[Share, ...]]:
        by_seat: dict[int, tuple[Share, ...]] = {1: (), 2: ()}
        for game in result.games:
            for role in Role:
                by_seat[game.position(role)] += (self._share(game, role),)
        return by_seat

    def keeps_agenda_points(self, role: Role) -> bool:
        """Whether somebody in this role has the agenda points of a game they did not win."""
        return role is Role.RUNNER or self.loser_rule is LoserRule.EITHER_SIDE

    def _share(self, game: GameResult, role: Role) -> Share:
        if role is game.winner:
            return Share(AGENDA_WIN_POINTS, f"{AGENDA_WIN_POINTS} for the game won", game.number)
        points = game.agenda_points(role) or 0
        drawn = ", no winner" if game.winner is None else ""
        noun = "agenda point" if points == 1 else "agenda points"
        if role is Role.RUNNER:
            return Share(points, f"{points} {noun} stolen as Runner{drawn}", game.number)
        if self.keeps_agenda_points(role):
            return Share(points, f"{points} {noun} scored as Corp{drawn}", game.number)
        return Share(0, f"0 as Corp without a win: {points} {noun} not kept", game.number)

    def contradictions(
        self, result: MatchResult, seats: int = 2, factions: Mapping[str, Faction] = FACTIONS
    ) -> Iterator[Contradiction]:
        yield from self._foreign(result)
        for game in result.games:
            yield from contradictions(game)
        yield from two_games(result.games)


def _with_agenda_points(game: GameResult) -> GameResult:
    corp, runner = (
        _agenda_points(game, role) if game.agenda_points(role) is None else game.agenda_points(role)
        for role in (Role.CORP, Role.RUNNER)
    )
    return replace(game, corp_agenda_points=corp, runner_agenda_points=runner)


def _agenda_points(game: GameResult, role: Role) -> int:
    """Those that go without saying."""
    won_by_them = role is game.winner and game.end is GameEnd.AGENDA
    return AGENDA_POINTS_TO_WIN if won_by_them else 0


@dataclass(frozen=True, kw_only=True)
class WinDrawLossRule(ScoringRule):
    """`anr`: 3 points for a game won, 1 for a draw."""

    nobody: str = "Draw"

    def missing(self, result: MatchResult, names: Mapping[int, str]) -> Iterator[Missing]:
        """Every game that was played, where no totals stand for them."""
        if result.totals or result.is_intentional_draw:
            return
        known = {game.number for game in result.games}
        played = 1 if result.is_two_for_one else self.games_per_match
        for number in range(1, played + 1):
            if number not in known:
                yield winner_missing(number, self.nobody)

    def shares(self, result: MatchResult) -> dict[int, tuple[Share, ...]]:
        return anr.shares(result, self.games_per_match)

    def contradictions(
        self, result: MatchResult, seats: int = 2, factions: Mapping[str, Faction] = FACTIONS
    ) -> Iterator[Contradiction]:
        yield from self._foreign(result)
        yield from anr.contradictions(result, self.games_per_match)


@dataclass(frozen=True, kw_only=True)
class RankRule(ScoringRule):
    """`free_radicals`: points by the place that victory points give."""

    rank_points: tuple[int, ...] = free_radicals.RANK_POINTS

    def shares(self, result: MatchResult) -> dict[int, tuple[Share, ...]]:
        return free_radicals.shares(result, self.rank_points)

    def contradictions(
        self, result: MatchResult, seats: int = 2, factions: Mapping[str, Faction] = FACTIONS
    ) -> Iterator[Contradiction]:
        yield from self._foreign(result)
        yield from free_radicals.contradictions(result, seats, factions)

    def with_rank_points(self, rank_points: tuple[int, ...]) -> "RankRule":
        """The same rule with other points; raises UnknownScoringRule when they cannot be."""
        most = free_radicals.MOST_RANK_POINTS
        ordered = sorted(rank_points, reverse=True) == list(rank_points)
        if len(rank_points) != self.most_seats or not ordered:
            raise UnknownScoringRule(
                f"Points by place are {self.most_seats} numbers, the first place's first and none "
                f"larger than the one before; given {list(rank_points)}."
            )
        if not all(0 <= number <= most for number in rank_points):
            raise UnknownScoringRule(f"Points of a place are from 0 to {most}.")
        points = "-".join(map(str, rank_points))
        return replace(
            self,
            id=f"{self.id}:{points}",
            name=free_radicals.name_of(rank_points),
            explanation=free_radicals.explanation_of(rank_points),
            rank_points=rank_points,
            bye_points=rank_points[0],
        )
