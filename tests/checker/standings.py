"""Tie-breakers by their formulas, recomputed from the rounds for every question.

A document is a list of rounds; a round is a list of tables {"seats": [{"id", "points"}, ...]} and
byes {"bye": id, "points": n}.
"""

from fractions import Fraction
from typing import Any

Round = list[dict[str, Any]]


def match_points(rounds: list[Round], player: Any) -> int:
    return sum(points for _, points in _entries(rounds, player))


def opponents(rounds: list[Round], player: Any) -> list[Any]:
    return [other for others, _ in _entries(rounds, player) for other in others]


def games_won(rounds: list[Round], player: Any) -> int:
    """Games won at tables; a bye is no game."""
    seats = [seat for round_ in rounds for entry in round_ for seat in entry.get("seats", [])]
    return sum(seat.get("games_won", 0) for seat in seats if seat["id"] == player)


def played(rounds: list[Round], player: Any) -> int:
    """Rounds with a table."""
    return sum(bool(others) for others, _ in _entries(rounds, player))


def byes(rounds: list[Round], player: Any) -> int:
    """Rounds without an opponent."""
    return sum(not others for others, _ in _entries(rounds, player))


def average(rounds: list[Round], player: Any) -> Fraction:
    return Fraction(match_points(rounds, player), len(_entries(rounds, player)))


def strength_of_schedule(rounds: list[Round], player: Any) -> Fraction:
    met = opponents(rounds, player)
    if not met:
        return Fraction(0)
    return sum((average(rounds, other) for other in met), Fraction(0)) / len(met)


def extended_strength_of_schedule(rounds: list[Round], player: Any) -> Fraction:
    met = opponents(rounds, player)
    if not met:
        return Fraction(0)
    return sum((strength_of_schedule(rounds, other) for other in met), Fraction(0)) / len(met)


def _entries(rounds: list[Round], player: Any) -> list[tuple[list[Any], int]]:
    """The others and the own points of every round with a table or a bye."""
    found: list[tuple[list[Any], int]] = []
    for round_ in rounds:
        for entry in round_:
            if "bye" in entry and entry["bye"] == player:
                found.append(([], entry["points"]))
            for seat in entry.get("seats", []):
                if seat["id"] == player:
                    others = [other["id"] for other in entry["seats"] if other["id"] != player]
                    found.append((others, seat["points"]))
    return found
