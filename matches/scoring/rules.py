"""The scoring rules a tournament can choose from, each defined once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from matches.scoring import points
from matches.scoring.contradictions import Contradiction, contradictions, match_contradictions
from matches.scoring.games import GameResult, LoserRule, Role


@dataclass(frozen=True)
class ScoringRule:
    """How the games of a match become points. The id is stored and never changes its meaning."""

    id: str
    name: str
    explanation: str
    loser_rule: LoserRule
    games_per_match: int = 2
    win_points: int = points.WIN_POINTS
    bye_points: int = 20

    def match_points(self, games: Sequence[GameResult]) -> dict[int, int]:
        """Points by seat position (1 and 2)."""
        return points.match_points(games, self.loser_rule)

    def contradictions(self, games: Sequence[GameResult]) -> Iterator[Contradiction]:
        """Everything in a reported match that cannot be true: game by game, then the match."""
        for game in games:
            yield from contradictions(game)
        yield from match_contradictions(games)


_RULES = (
    ScoringRule(
        id="onr_runner_only",
        name="10 for a win, a losing Runner keeps the agenda points",
        explanation=(
            "Each match is two games, and the players swap roles after the first. The winner of "
            "a game has 10 points. A Runner who loses has 1 point for each agenda point stolen; "
            "a Corp that loses has none. When nobody wins, nobody has the 10 points: the Runner "
            "keeps the agenda points, the Corp does not. This is the reference manual's rule."
        ),
        loser_rule=LoserRule.RUNNER_ONLY,
    ),
    ScoringRule(
        id="onr_either_side",
        name="10 for a win, either loser keeps the agenda points",
        explanation=(
            "Each match is two games, and the players swap roles after the first. The winner of "
            "a game has 10 points. The loser has 1 point for each agenda point, whichever role "
            "was played. When nobody wins, nobody has the 10 points and both keep their agenda "
            "points. This is the rule of the 1996 rulebook."
        ),
        loser_rule=LoserRule.EITHER_SIDE,
    ),
)

SCORING_RULES: Mapping[str, ScoringRule] = {rule.id: rule for rule in _RULES}


def arithmetic(game: GameResult, rule: ScoringRule) -> dict[Role, str]:
    """One short line per role that explains its points in this game."""
    shares = points.game_shares(game, rule.loser_rule)
    return {role: share.reason for role, share in shares.items()}
