"""Points of a game, straight from the rulebooks."""

from typing import Any


def points(game: dict[str, Any], rule: str) -> dict[str, int]:
    """`game` has winner ("corp", "runner" or None), corp_agenda and runner_agenda."""
    corp = 0 if rule == "runner_only" else game["corp_agenda"]
    runner = game["runner_agenda"]
    if game["winner"] == "corp":
        corp = 10
    if game["winner"] == "runner":
        runner = 10
    return {"corp": corp, "runner": runner}


def match_points(games: list[dict[str, Any]], rule: str) -> dict[int, int]:
    """Points of seat 1 and seat 2; a game names the seat of its Corp."""
    seats = {1: 0, 2: 0}
    for game in games:
        earned = points(game, rule)
        if game["corp"] == 1:
            seats[1] += earned["corp"]
            seats[2] += earned["runner"]
        else:
            seats[2] += earned["corp"]
            seats[1] += earned["runner"]
    return seats
