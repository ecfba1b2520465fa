"""Tie-breakers by their formulas, computed from the rounds every time.

A document is a list of rounds; a round is a list of tables {"seats": [{"id", "points"}, ...]} and
byes {"bye": id, "points": n}.
"""

from fractions import Fraction
from typing import Any

Round = list[dict[str, Any]]


def match_points(rounds: list[Round], player: Any) -> int:
    return sum(points for _, points in _entries(rounds, player))


def opponents(rounds: list[Round], player: Any) -> list[Any]:
    return [
        opponent for table_opponents, _ in _entries(rounds, player) for opponent in table_opponents
    ]


def games_won(rounds: list[Round], player: Any) -> int:
    """Return games won at tables; byes do not count."""
    seats = [seat for round_ in rounds for entry in round_ for seat in entry.get("seats", [])]
    return sum(seat.get("games_won", 0) for seat in seats if seat["id"] == player)


def victory_points(rounds: list[Round], player: Any) -> int:
    """Return victory points of all tables; byes do not count."""
    seats = [seat for round_ in rounds for entry in round_ for seat in entry.get("seats", [])]
    return sum(seat.get("victory_points", 0) for seat in seats if seat["id"] == player)


def played(rounds: list[Round], player: Any) -> int:
    return sum(bool(table_opponents) for table_opponents, _ in _entries(rounds, player))


def byes(rounds: list[Round], player: Any) -> int:
    return sum(not table_opponents for table_opponents, _ in _entries(rounds, player))


def average(rounds: list[Round], player: Any) -> Fraction:
    return Fraction(match_points(rounds, player), len(_entries(rounds, player)))


def strength_of_schedule(rounds: list[Round], player: Any) -> Fraction:
    all_opponents = opponents(rounds, player)
    if not all_opponents:
        return Fraction(0)
    return sum((average(rounds, opponent) for opponent in all_opponents), Fraction(0)) / len(
        all_opponents
    )


def extended_strength_of_schedule(rounds: list[Round], player: Any) -> Fraction:
    all_opponents = opponents(rounds, player)
    if not all_opponents:
        return Fraction(0)
    return sum(
        (strength_of_schedule(rounds, opponent) for opponent in all_opponents), Fraction(0)
    ) / len(all_opponents)


def buchholz(rounds: list[Round], player: Any) -> int:
    return sum(match_points(rounds, opponent) for opponent in opponents(rounds, player))


def median_buchholz(rounds: list[Round], player: Any) -> int:
    """Return Buchholz without the best and the worst opponent."""
    return sum(
        sorted(match_points(rounds, opponent) for opponent in opponents(rounds, player))[1:-1]
    )


def opponents_match_wins(rounds: list[Round], player: Any) -> Fraction:
    """Return the mean of the opponents' match-win rates, each at least a third."""
    all_opponents = opponents(rounds, player)
    if not all_opponents:
        return Fraction(0)
    rates = [max(Fraction(1, 3), _match_win_rate(rounds, opponent)) for opponent in all_opponents]
    return sum(rates, Fraction(0)) / len(rates)


def _match_win_rate(rounds: list[Round], player: Any) -> Fraction:
    """Return 3 for a win or a bye and 1 for a draw, divided by 3 for each round."""
    earned = [3 for round_ in rounds for entry in round_ if entry.get("bye") == player]
    for seats in _tables_of(rounds, player):
        own_points = next(seat["points"] for seat in seats if seat["id"] == player)
        best_points = max(seat["points"] for seat in seats)
        winners = [seat for seat in seats if seat["points"] == best_points]
        earned.append(0 if own_points < best_points else 3 if len(winners) == 1 else 1)
    return Fraction(sum(earned), 3 * len(earned))


def agenda_point_difference(rounds: list[Round], player: Any) -> int:
    """Return own agenda points minus those of opponents, if all of a table are known."""
    difference = 0
    for seats in _tables_of(rounds, player):
        if all(seat.get("agenda_points") is not None for seat in seats):
            for seat in seats:
                sign = 1 if seat["id"] == player else -1
                difference += sign * seat["agenda_points"]
    return difference


def separate_standings(rounds: list[Round], group: list[Any]) -> dict[Any, Fraction]:
    """Return points among these players; several meetings of two players count as a mean (6.1)."""
    return {
        player: sum(
            (mean_against(rounds, player, rival) for rival in group if rival != player),
            Fraction(0),
        )
        for player in group
    }


def mean_against(rounds: list[Round], player: Any, rival: Any) -> Fraction:
    """Return the mean points of a player at tables with a rival; 0 if they have not met."""
    points_taken = [
        seat["points"]
        for seats in _tables_of(rounds, player)
        for seat in seats
        if seat["id"] == player and any(other_seat["id"] == rival for other_seat in seats)
    ]
    return Fraction(sum(points_taken)) / len(points_taken) if points_taken else Fraction(0)


def direct_encounter(
    rounds: list[Round], group: list[Any], dropped: set[Any]
) -> list[tuple[set[Any], dict[Any, Fraction]]]:
    """Return the tied players in order by FIDE Handbook C.07, article 6, in sets that stay tied.

    Each set has the separate standings that placed it, or an empty dict.
    """
    if len(group) < 2:
        return [(set(group), {})] if group else []
    table = separate_standings(rounds, group)
    pairs = [
        {player, rival}
        for rank_, player in enumerate(group)
        for rival in group[rank_ + 1 :]
        if rival not in opponents(rounds, player)
    ]
    if not pairs:
        return _all_met(rounds, group, dropped, table)
    first = _first(rounds, group, dropped, table, pairs)
    if first is None:
        return [(set(group), {})]
    ranked, remaining = [first], [player for player in group if player != first]
    while not any(pair & dropped for pair in pairs):
        following = _first(rounds, remaining, dropped, table, pairs)
        if following is None:
            break
        ranked.append(following)
        remaining.remove(following)
    return [({player}, table) for player in ranked] + direct_encounter(rounds, remaining, dropped)


def _all_met(
    rounds: list[Round], group: list[Any], dropped: set[Any], table: dict[Any, Fraction]
) -> list[tuple[set[Any], dict[Any, Fraction]]]:
    """Apply the separate standings; players still tied are compared again (6.2)."""
    blocks = []
    for score in sorted(set(table.values()), reverse=True):
        tied = [player for player in group if table[player] == score]
        if len(tied) == len(group):
            return [(set(group), table)]
        blocks += [(block, table) for block, _ in direct_encounter(rounds, tied, dropped)]
    return blocks


def _first(
    rounds: list[Round],
    group: list[Any],
    dropped: set[Any],
    table: dict[Any, Fraction],
    pairs: list[set[Any]],
) -> Any:
    """Return the player who is first whatever the missing matches would bring (6.3)."""
    points_taken = [points for round_ in rounds for points in _points_of(round_)]
    high, low = max(points_taken, default=0), min([0, *points_taken])
    open_pairs = [pair for pair in pairs if not pair & dropped]

    def beats(player: Any, rival: Any) -> bool:
        """Assume that every missing match goes against the player and for the rival."""
        missing_matches = sum(player in pair for pair in open_pairs)
        rival_matches = sum(rival in pair for pair in open_pairs)
        return table[player] + missing_matches * low > table[rival] + rival_matches * high

    for player in group:
        if all(beats(player, rival) for rival in group if rival != player):
            return player
    return None


def _points_of(round_: Round) -> list[int]:
    seats = [seat for entry in round_ for seat in entry.get("seats", [])]
    return [seat["points"] for seat in seats] + [
        entry["points"] for entry in round_ if "bye" in entry
    ]


def _tables_of(rounds: list[Round], player: Any) -> list[list[dict[str, Any]]]:
    tables = [entry["seats"] for round_ in rounds for entry in round_ if "seats" in entry]
    return [seats for seats in tables if any(seat["id"] == player for seat in seats)]


def _entries(rounds: list[Round], player: Any) -> list[tuple[list[Any], int]]:
    """Return opponents and own points of every round with a table or a bye."""
    entries_: list[tuple[list[Any], int]] = []
    for round_ in rounds:
        for entry in round_:
            if "bye" in entry and entry["bye"] == player:
                entries_.append(([], entry["points"]))
            for seat in entry.get("seats", []):
                if seat["id"] == player:
                    table_opponents = [
                        other_seat["id"]
                        for other_seat in entry["seats"]
                        if other_seat["id"] != player
                    ]
                    entries_.append((table_opponents, seat["points"]))
    return entries_
