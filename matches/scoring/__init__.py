"""Scoring: games in, points per seat out, all exact integers (DESIGN 4.1)."""

from matches.scoring.contradictions import (
    AGENDA_POINTS_TO_WIN,
    MOST_AGENDA_POINTS,
    Contradiction,
    contradictions,
    match_contradictions,
)
from matches.scoring.games import GameEnd, GameResult, LoserRule, Role
from matches.scoring.points import game_points, match_points
from matches.scoring.rules import SCORING_RULES, ScoringRule, arithmetic

__all__ = [
    "AGENDA_POINTS_TO_WIN",
    "MOST_AGENDA_POINTS",
    "SCORING_RULES",
    "Contradiction",
    "GameEnd",
    "GameResult",
    "LoserRule",
    "Role",
    "ScoringRule",
    "arithmetic",
    "contradictions",
    "game_points",
    "match_contradictions",
    "match_points",
]
