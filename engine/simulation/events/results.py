"""What a table of a simulated event brings: points per seat, by the scoring rules of the site."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from engine.documents import Json
from engine.simulation.events.plans import Incidents, Plan
from engine.simulation.tables import play_match
from matches.scoring import Flag, MatchResult, RankRule, ScoringRule

MOST_VICTORY_POINTS = 12


@dataclass(frozen=True)
class Played:
    """What happened at a table: points by seat, the match if there was one, what was unusual."""

    points: list[int]
    result: MatchResult | None = None
    happened: str = ""


def played(
    rule: ScoringRule, strengths: Sequence[int], plan: Plan, chance: random.Random
) -> Played:
    """A table of players this strong; the first seat is Corp in game 1."""
    happened = _incident(plan.incidents, chance)
    if happened == "double_loss":
        return Played([0] * len(strengths), happened=happened)
    if happened == "no_show":
        points = [rule.bye_points * plan.point_unit, *[0] * (len(strengths) - 1)]
        return Played(points, happened=happened)
    if isinstance(rule, RankRule):
        return _pod(rule, len(strengths), plan.point_unit, chance)
    result = _match(rule, strengths, happened, chance)
    won = rule.match_points(result)
    return Played([int(won[1]), int(won[2])], result, happened if result.flags else "")


def told(result: MatchResult) -> Json:
    """A match as its table in a document tells it under "x_result"."""
    games = [
        {
            "corp": game.corp,
            "winner": game.winner and game.winner.value,
            "corp_agenda": game.corp_agenda_points,
            "runner_agenda": game.runner_agenda_points,
        }
        for game in result.games
    ]
    flags = sorted(flag.value for flag in result.flags)
    return {"games": games, "flags": flags, "victory_points": list(result.victory_points)}


def _incident(incidents: Incidents, chance: random.Random) -> str:
    for word in ("double_loss", "no_show", "intentional_draw", "two_for_one"):
        if chance.randrange(1000) < getattr(incidents, word):
            return word
    return ""


def _match(
    rule: ScoringRule, strengths: Sequence[int], happened: str, chance: random.Random
) -> MatchResult:
    """A match as it was played; what does not exist in this game does not happen."""
    if happened == "intentional_draw" and Flag.INTENTIONAL_DRAW in rule.flags:
        return MatchResult(flags=frozenset({Flag.INTENTIONAL_DRAW}))
    games = play_match(strengths[0], strengths[1], chance)[: rule.games_per_match]
    if happened == "two_for_one" and Flag.TWO_FOR_ONE in rule.flags:
        return MatchResult(games=games[:1], flags=frozenset({Flag.TWO_FOR_ONE}))
    return MatchResult(games=games)


def _pod(rule: RankRule, seats: int, unit: int, chance: random.Random) -> Played:
    """Points by rank; where a share is not whole in this unit, they play again."""
    while True:
        victory = tuple(chance.randint(0, MOST_VICTORY_POINTS) for _ in range(seats))
        result = MatchResult(victory_points=victory)
        won = rule.match_points(result).values()
        if all((points * unit).denominator == 1 for points in won):
            return Played([int(points * unit) for points in won], result)
