"""The scoring rules of tournaments, each defined once."""

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
    pass


@dataclass(frozen=True, kw_only=True)
class ScoringRule(ABC):
    """A rule that converts a result to points. The id is stored and its meaning never changes.

    A match has `games_per_match` games of `fewest_seats` to `most_seats` players. With `has_roles`
    they play as Corp and Runner. `ends` are the possible ends of a game and `flags` the possible
    flags, the usual first. `nobody` is the label for no winner. Points are multiples of
    1 / `point_unit`. The rule does not name its games; the games name their rules.
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
        """Return the points of each seat in parts with reasons, by position."""

    @abstractmethod
    def contradictions(
        self, result: MatchResult, seats: int = 2, factions: Mapping[str, Faction] = FACTIONS
    ) -> Iterator[Contradiction]:
        """Yield contradictions in a reported match of `seats` players."""

    @property
    def has_one_game(self) -> bool:
        """True if a match is one game of Corp against Runner."""
        return self.has_roles and self.games_per_match == 1

    def usual_end(self, winner: Role | None) -> GameEnd:
        """Return the assumed end of a game without a recorded end."""
        return GameEnd.NOT_RECORDED

    def missing(self, result: MatchResult, names: Mapping[int, str]) -> Iterator[Missing]:
        """Yield what a report lacks; `names` are the players by position."""
        yield from ()

    def completed(self, result: MatchResult) -> MatchResult:
        """Fill in the values implied by the rule, in a report without `missing` input."""
        return result

    def match_points(self, result: MatchResult) -> dict[int, Points]:
        """Return exact points by position; whole numbers are ints."""
        return {position: added(parts) for position, parts in self.shares(result).items()}

    def _foreign(self, result: MatchResult) -> Iterator[Contradiction]:
        """Yield contradictions for parts of the result that this rule does not have."""
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
    """`onr`: 10 points for a win, agenda points for the loser."""

    loser_rule: LoserRule

    def usual_end(self, winner: Role | None) -> GameEnd:
        """Return AGENDA if there is a winner, else TIME."""
        return GameEnd.AGENDA if winner else GameEnd.TIME

    def missing(self, result: MatchResult, names: Mapping[int, str]) -> Iterator[Missing]:
        """Yield missing games, and missing agenda points of players who did not win."""
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
        """Default agenda points: 7 for a win by agendas, otherwise 0."""
        return replace(result, games=tuple(map(_with_agenda_points, result.games)))

    def shares(self, result: MatchResult) -> dict[int, tuple[Share, ...]]:
        by_seat: dict[int, tuple[Share, ...]] = {1: (), 2: ()}
        for game in result.games:
            for role in Role:
                by_seat[game.position(role)] += (self._share(game, role),)
        return by_seat

    def keeps_agenda_points(self, role: Role) -> bool:
        """Return whether a player in this role scores agenda points of a game not won."""
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
    """Implied agenda points."""
    won_by_them = role is game.winner and game.end is GameEnd.AGENDA
    return AGENDA_POINTS_TO_WIN if won_by_them else 0


@dataclass(frozen=True, kw_only=True)
class WinDrawLossRule(ScoringRule):
    """`anr`: 3 points for a win, 1 for a draw."""

    nobody: str = "Draw"

    def missing(self, result: MatchResult, names: Mapping[int, str]) -> Iterator[Missing]:
        """Yield missing games, unless totals replace them."""
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
    """`free_radicals`: points by place, and places by victory points."""

    rank_points: tuple[int, ...] = free_radicals.RANK_POINTS

    def shares(self, result: MatchResult) -> dict[int, tuple[Share, ...]]:
        return free_radicals.shares(result, self.rank_points)

    def contradictions(
        self, result: MatchResult, seats: int = 2, factions: Mapping[str, Faction] = FACTIONS
    ) -> Iterator[Contradiction]:
        yield from self._foreign(result)
        yield from free_radicals.contradictions(result, seats, factions)

    def with_rank_points(self, rank_points: tuple[int, ...]) -> "RankRule":
        """Return this rule with other points. Raises UnknownScoringRule if they are invalid."""
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
