"""Points of a game and of a match by the rulebooks (docs/reference/rules.md)."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from tests.checker.faults import Fault
from tests.checker.reading import Document, is_bye

# Free Radicals: points by rank, unless the document has its own.
PLACES = (5, 3, 2, 1, 0)


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
    """Return the points of seats 1 and 2; a game states the seat of its Corp."""
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


def seat_points(result: dict[str, Any], rule: str) -> list[Fraction]:
    """Return the points by seat for a match under the rule with this id.

    `result` has "games", "flags", "totals" and "victory_points", if reported.
    """
    if rule == "free_radicals":
        return shared_places(result["victory_points"])
    if result.get("totals"):
        return [Fraction(total) for total in result["totals"]]
    if rule.startswith("onr_"):
        game_points = match_points(result["games"], rule.removeprefix("onr_"))
        return [Fraction(game_points[1]), Fraction(game_points[2])]
    return _three_one_nothing(result, rule)


def _three_one_nothing(result: dict[str, Any], rule: str) -> list[Fraction]:
    flags = result.get("flags", [])
    if "intentional_draw" in flags:
        return [Fraction(2 if rule == "anr_double" else 1)] * 2
    seats = {1: 0, 2: 0}
    for number, game in enumerate(result["games"], start=1):
        times = 2 if number == 1 and "two_for_one" in flags else 1
        corp, runner = game["corp"], 3 - game["corp"]
        if game["winner"] is None and not game.get("double_loss"):
            seats[1] += times
            seats[2] += times
        elif game["winner"] is not None:
            seats[corp if game["winner"] == "corp" else runner] += 3 * times
    return [Fraction(seats[1]), Fraction(seats[2])]


def shared_places(victory_points: list[int], places: tuple[int, ...] = PLACES) -> list[Fraction]:
    """Return points by rank; tied players share the sum of their places."""
    order = sorted(victory_points, reverse=True)
    return [
        Fraction(
            sum(places[index] for index, value in enumerate(order) if value == player_points),
            order.count(player_points),
        )
        for player_points in victory_points
    ]


def faults(document: Document) -> Iterator[Fault]:
    """Return tables whose points do not follow from the stated result."""
    rule, unit = document.get("x_scoring"), document.get("point_unit") or 1
    for number, round_ in enumerate(document["rounds"]):
        for index, entry in enumerate(round_):
            if rule is None or is_bye(entry) or "x_result" not in entry:
                continue
            expected = [points * unit for points in seat_points(entry["x_result"], rule)]
            stated = [seat["points"] for seat in entry["seats"]]
            if stated != expected:
                path = f"$.rounds[{number}][{index}]"
                yield Fault("points_rule", path, f"{stated} are stated, {expected} are expected.")
