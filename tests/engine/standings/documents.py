"""Rounds as documents for the checker, and as records for the engine."""

from typing import Any

from hypothesis import strategies as st

from engine.standings.records import Bye, PlayedTable, PlayerId, StandingsRecord
from engine.standings.tie_breakers import DEFAULT_TIE_BREAKERS
from tests.checker.standings import Round

WITH_GAMES_WON = ("match_points", "games_won", *DEFAULT_TIE_BREAKERS[1:])


def table(
    first: PlayerId, first_points: int, second: PlayerId, second_points: int
) -> dict[str, Any]:
    return {
        "seats": [{"id": first, "points": first_points}, {"id": second, "points": second_points}]
    }


def bye(player: PlayerId, points: int = 20) -> dict[str, Any]:
    return {"bye": player, "points": points}


def records_of(rounds: list[Round], players: list[PlayerId]) -> list[StandingsRecord]:
    """The records of these players; players missing from a round were not paired."""
    return [
        StandingsRecord(player, tuple(_entry_of(round_, player) for round_ in rounds))
        for player in players
    ]


@st.composite
def events(draw: st.DrawFn, max_players: int = 9) -> tuple[list[PlayerId], list[Round]]:
    """Random players and rounds: rematches, byes, late entries, drops, odd points."""
    players: list[PlayerId] = list(range(1, draw(st.integers(1, max_players)) + 1))
    rounds: list[Round] = []
    for _ in range(draw(st.integers(0, 5))):
        order = draw(st.permutations(players))
        order = order[: draw(st.integers(0, len(order)))]
        points = st.integers(-2, 20)
        round_ = [
            table(first, draw(points), second, draw(points))
            for first, second in zip(order[::2], order[1::2], strict=False)
        ]
        rounds.append(round_ + ([bye(order[-1], draw(points))] if len(order) % 2 else []))
    return players, rounds


def _entry_of(round_: Round, player: PlayerId) -> PlayedTable | Bye | None:
    for entry in round_:
        if "bye" in entry:
            if entry["bye"] == player:
                return Bye(entry["points"])
            continue
        seats = {seat["id"]: seat["points"] for seat in entry["seats"]}
        if player in seats:
            opponents = tuple(opponent for opponent in seats if opponent != player)
            return PlayedTable(opponents, seats[player], games_won=seats[player] // 10)
    return None
