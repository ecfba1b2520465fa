"""All scoring rules by id, for forms, help pages and the site."""

from collections.abc import Iterable
from math import lcm

from matches.scoring.free_radicals import (
    FEWEST_SEATS,
    MOST_SEATS,
    RANK_POINTS,
    explanation_of,
    name_of,
)
from matches.scoring.games import GameEnd, LoserRule
from matches.scoring.results import Flag
from matches.scoring.rules import (
    AgendaRule,
    RankRule,
    ScoringRule,
    UnknownScoringRule,
    WinDrawLossRule,
)

_ONR_ENDS = (
    GameEnd.AGENDA,
    GameEnd.FLATLINE,
    GameEnd.DECKED,
    GameEnd.BAD_PUBLICITY,
    GameEnd.CONCESSION,
    GameEnd.TIME,
    GameEnd.NO_SHOW,
    GameEnd.JUDGE,
)
_ANR_ENDS = (
    GameEnd.NOT_RECORDED,
    *(end for end in _ONR_ENDS if end is not GameEnd.BAD_PUBLICITY),
    GameEnd.DOUBLE_LOSS,
)

_RULES = (
    AgendaRule(
        id="onr_runner_only",
        games_per_match=2,
        bye_points=20,
        ends=_ONR_ENDS,
        name="10 for a win, a losing Runner keeps the agenda points",
        explanation=(
            "Each match is two games, and the players swap roles after the first. The winner of "
            "a game has 10 points. A Runner who loses has 1 point for each agenda point stolen; "
            "a Corp that loses has none. When nobody wins, nobody has the 10 points: the Runner "
            "keeps the agenda points, the Corp does not. This is the reference manual's rule."
        ),
        loser_rule=LoserRule.RUNNER_ONLY,
    ),
    AgendaRule(
        id="onr_either_side",
        games_per_match=2,
        bye_points=20,
        ends=_ONR_ENDS,
        name="10 for a win, either loser keeps the agenda points",
        explanation=(
            "Each match is two games, and the players swap roles after the first. The winner of "
            "a game has 10 points. The loser has 1 point for each agenda point, whichever role "
            "was played. When nobody wins, nobody has the 10 points and both keep their agenda "
            "points. This is the rule of the 1996 rulebook."
        ),
        loser_rule=LoserRule.EITHER_SIDE,
    ),
    WinDrawLossRule(
        id="anr_double",
        games_per_match=2,
        bye_points=6,
        takes_totals=True,
        ends=_ANR_ENDS,
        flags=(Flag.INTENTIONAL_DRAW, Flag.TWO_FOR_ONE, Flag.TIMED),
        name="3 for a win, 1 for a draw, two games a match",
        explanation=(
            "Each match is two games, and the players swap roles after the first. A game won is 3 "
            "points, a drawn game 1 point for each player, a lost game 0. An intentional draw is "
            "two drawn games. With two for one the first game counts twice and no second one is "
            "played. Where the games are not known, the totals may be typed."
        ),
    ),
    WinDrawLossRule(
        id="anr_single",
        games_per_match=1,
        bye_points=3,
        takes_totals=True,
        ends=_ANR_ENDS,
        flags=(Flag.INTENTIONAL_DRAW, Flag.TIMED),
        name="3 for a win, 1 for a draw, one game a match",
        explanation=(
            "Each match is one game. A win is 3 points, a draw 1 point for each player, a loss 0; "
            "an intentional draw is a draw. Where the game is not known, the totals may be typed."
        ),
    ),
    RankRule(
        id="free_radicals",
        games_per_match=1,
        bye_points=RANK_POINTS[0],
        fewest_seats=FEWEST_SEATS,
        most_seats=MOST_SEATS,
        has_roles=False,
        flags=(Flag.TIMED, Flag.CONCEDED),
        # A place is shared by up to five players.
        point_unit=lcm(*range(1, MOST_SEATS + 1)),
        name=name_of(RANK_POINTS),
        explanation=explanation_of(RANK_POINTS),
    ),
)

SCORING_RULES: dict[str, ScoringRule] = {rule.id: rule for rule in _RULES}


def scoring_rule(id_: str) -> ScoringRule:
    """Return the rule with this id; `free_radicals:6-4-2-1-0` has custom points by place.

    Raises UnknownScoringRule.
    """
    stem, _, points = id_.partition(":")
    rule = SCORING_RULES.get(stem)
    if rule is None or (points and not isinstance(rule, RankRule)):
        known = ", ".join(SCORING_RULES)
        raise UnknownScoringRule(f'There is no scoring rule "{id_}". Known are {known}.')
    if not points or not isinstance(rule, RankRule):
        return rule
    return rule.with_rank_points(_numbers(points))


def _numbers(points: str) -> tuple[int, ...]:
    parts = points.split("-")
    if not all(part.isascii() and part.isdecimal() for part in parts):
        raise UnknownScoringRule(f'Points by place are whole numbers, not "{points}".')
    return tuple(map(int, parts))


def rules_of(ids: Iterable[str]) -> tuple[ScoringRule, ...]:
    """Return the rules with these ids, for the choices of a game."""
    return tuple(map(scoring_rule, ids))
