"""Points of a game for `onr` (DESIGN 4.1), each with its reason."""

from matches.scoring.games import GameResult, LoserRule, Role
from matches.scoring.results import Share

WIN_POINTS = 10


def game_shares(game: GameResult, loser_rule: LoserRule) -> dict[Role, Share]:
    """The share of each side: 10 for the winner, agenda points for whom the rule lets keep them."""
    return {role: _share(game, role, loser_rule) for role in Role}


def _share(game: GameResult, role: Role, loser_rule: LoserRule) -> Share:
    if role is game.winner:
        return Share(WIN_POINTS, f"{WIN_POINTS} for the game won", game.number)
    points = game.agenda_points(role) or 0
    drawn = ", no winner" if game.winner is None else ""
    noun = "agenda point" if points == 1 else "agenda points"
    if role is Role.RUNNER:
        return Share(points, f"{points} {noun} stolen as Runner{drawn}", game.number)
    if loser_rule is LoserRule.EITHER_SIDE:
        return Share(points, f"{points} {noun} scored as Corp{drawn}", game.number)
    return Share(0, f"0 as Corp without a win: {points} {noun} not kept", game.number)
