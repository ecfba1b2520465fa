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


def victory_points(rounds: list[Round], player: Any) -> int:
    """Victory points of all tables; a bye has none."""
    seats = [seat for round_ in rounds for entry in round_ for seat in entry.get("seats", [])]
    return sum(seat.get("victory_points", 0) for seat in seats if seat["id"] == player)


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


def buchholz(rounds: list[Round], player: Any) -> int:
    """The sum of the opponents' match points."""
    return sum(match_points(rounds, other) for other in opponents(rounds, player))


def median_buchholz(rounds: list[Round], player: Any) -> int:
    """As Buchholz, without the best and the worst of the opponents."""
    return sum(sorted(match_points(rounds, other) for other in opponents(rounds, player))[1:-1])


def opponents_match_wins(rounds: list[Round], player: Any) -> Fraction:
    """The mean of the opponents' match-win rates, none below a third."""
    met = opponents(rounds, player)
    if not met:
        return Fraction(0)
    rates = [max(Fraction(1, 3), _match_win_rate(rounds, other)) for other in met]
    return sum(rates, Fraction(0)) / len(rates)


def _match_win_rate(rounds: list[Round], player: Any) -> Fraction:
    """3 for a match won or a bye and 1 for a drawn one, of 3 for each round played."""
    earned = [3 for round_ in rounds for entry in round_ if entry.get("bye") == player]
    for seats in _tables_of(rounds, player):
        own = next(seat["points"] for seat in seats if seat["id"] == player)
        best = max(seat["points"] for seat in seats)
        winners = [seat for seat in seats if seat["points"] == best]
        earned.append(0 if own < best else 3 if len(winners) == 1 else 1)
    return Fraction(sum(earned), 3 * len(earned))


def agenda_point_difference(rounds: list[Round], player: Any) -> int:
    """Own agenda points minus those of the others, at tables where all of them are known."""
    difference = 0
    for seats in _tables_of(rounds, player):
        if all(seat.get("agenda_points") is not None for seat in seats):
            for seat in seats:
                sign = 1 if seat["id"] == player else -1
                difference += sign * seat["agenda_points"]
    return difference


def head_to_head(rounds: list[Round], player: Any, group: list[Any]) -> int:
    """Points at tables with others of a group, if every two of it have met; else 0."""
    if any(set(group) - {one} - set(opponents(rounds, one)) for one in group):
        return 0
    return sum(
        seat["points"]
        for seats in _tables_of(rounds, player)
        for seat in seats
        if seat["id"] == player and sum(other["id"] in group for other in seats) > 1
    )


def _tables_of(rounds: list[Round], player: Any) -> list[list[dict[str, Any]]]:
    tables = [entry["seats"] for round_ in rounds for entry in round_ if "seats" in entry]
    return [seats for seats in tables if any(seat["id"] == player for seat in seats)]


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
