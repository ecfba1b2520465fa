"""Points of a game and of a match for `onr` (DESIGN 4.1), each with its reason."""

from collections.abc import Iterable
from dataclasses import dataclass

from matches.scoring.games import GameResult, LoserRule, Role

WIN_POINTS = 10


@dataclass(frozen=True)
class Share:
    """What one side takes from a game, and why in a few words."""

    points: int
    reason: str


def game_shares(game: GameResult, loser_rule: LoserRule) -> dict[Role, Share]:
    """The share of each side; points and arithmetic both come from here, so they agree."""
    return {role: _share(game, role, loser_rule) for role in Role}


def game_points(game: GameResult, loser_rule: LoserRule) -> dict[Role, int]:
    """Points by role: 10 for the winner, agenda points for whom the rule lets keep them."""
    return {role: share.points for role, share in game_shares(game, loser_rule).items()}


def match_points(games: Iterable[GameResult], loser_rule: LoserRule) -> dict[int, int]:
    """Points by seat position (1 and 2), summed over the games told so far."""
    points = {1: 0, 2: 0}
    for game in games:
        for role, earned in game_points(game, loser_rule).items():
            points[game.position(role)] += earned
    return points


def _share(game: GameResult, role: Role, loser_rule: LoserRule) -> Share:
    if role is game.winner:
        return Share(WIN_POINTS, f"{WIN_POINTS} for the game won")
    points = game.agenda_points(role)
    drawn = ", no winner" if game.winner is None else ""
    noun = "agenda point" if points == 1 else "agenda points"
    if role is Role.RUNNER:
        return Share(points, f"{points} {noun} stolen as Runner{drawn}")
    if loser_rule is LoserRule.EITHER_SIDE:
        return Share(points, f"{points} {noun} scored as Corp{drawn}")
    return Share(0, f"0 as Corp without a win: {points} {noun} not kept")
