"""Scoring: computes exact points per seat from a result (docs/rules.md)."""

from matches.scoring.anr import MOST_TOTAL
from matches.scoring.codes import (
    ResultCode,
    all_codes_of,
    asked_after,
    codes_of,
    marks_of,
    result_of,
    usual_codes,
)
from matches.scoring.contradictions import (
    AGENDA_POINTS_TO_WIN,
    MOST_AGENDA_POINTS,
    Contradiction,
    contradictions,
)
from matches.scoring.definitions import SCORING_RULES, rules_of, scoring_rule
from matches.scoring.factions import FACTIONS, Faction, faction_clashes
from matches.scoring.free_radicals import MOST_VICTORY_POINTS, ranks
from matches.scoring.games import GameEnd, GameResult, LoserRule, Role, corp_in
from matches.scoring.losses import (
    Loss,
    apart_from_losses,
    decided_games,
    decides,
    lost_games,
    with_losses,
    with_reported_games,
)
from matches.scoring.reporting import (
    Missing,
    out_of_range,
    total_missing,
    victory_points_missing,
    winner_missing,
)
from matches.scoring.results import Flag, MatchResult, Points, Share, added, exact
from matches.scoring.rows import GameRow, from_rows, to_rows
from matches.scoring.rules import (
    AgendaRule,
    RankRule,
    ScoringRule,
    UnknownScoringRule,
    WinDrawLossRule,
)
