"""Entrants as documents for the checker, random fields, and simulated rounds."""

import random
from typing import Any

from hypothesis import strategies as st

from engine.pairing.records import Entrant, PairedRound, PastMeeting
from engine.standings.records import PlayerId
from matches.scoring.results import Role
from tests.checker.reading import Player


class History:
    """Past meetings and results of the players of an event."""

    def __init__(self, players: list[PlayerId]) -> None:
        self.points = dict.fromkeys(players, 0)
        self.byes = dict.fromkeys(players, 0)
        self.meetings: dict[PlayerId, list[PastMeeting]] = {player: [] for player in players}

    def play(self, corp: PlayerId, runner: PlayerId, corp_points: int, runner_points: int) -> None:
        """Add a table with the roles of game 1."""
        self.meetings[corp].append(PastMeeting(runner, Role.CORP))
        self.meetings[runner].append(PastMeeting(corp, Role.RUNNER))
        self.points[corp] += corp_points
        self.points[runner] += runner_points

    def sit_out(self, player: PlayerId, points: int = 20) -> None:
        self.byes[player] += 1
        self.points[player] += points

    def entrants(self, groups: dict[PlayerId, str] | None = None) -> list[Entrant]:
        """The field in the format of the engine."""
        return [
            Entrant(
                player,
                match_points=self.points[player],
                byes=self.byes[player],
                opponents=tuple(self.meetings[player]),
                avoid_group=(groups or {}).get(player),
            )
            for player in self.points
        ]


def play_round(history: History, round_: PairedRound, chance: random.Random) -> None:
    """Add a random result for every table of a paired round."""
    for table in round_.pairings:
        results = ((20, chance.randint(0, 12)), (10, 10), (14, 13), (chance.randint(0, 12), 20))
        history.play(table.corp, table.runner, *chance.choice(results))
    for bye in round_.byes:
        history.sit_out(bye.player)


@st.composite
def fields(draw: st.DrawFn, min_players: int = 2, max_players: int = 8) -> list[Entrant]:
    """Fields with a past that no engine made: rematches, uneven byes, late entries, penalties."""
    players: list[PlayerId] = list(range(1, draw(st.integers(min_players, max_players)) + 1))
    history = History(players)
    points = st.integers(-3, 20)
    for _ in range(draw(st.integers(0, 4))):
        order = draw(st.permutations(players))
        order = order[: draw(st.integers(0, len(order)))]
        for corp, runner in zip(order[::2], order[1::2], strict=False):
            history.play(corp, runner, draw(points), draw(points))
        if len(order) % 2:
            history.sit_out(order[-1], draw(points))
    members = draw(st.lists(st.sampled_from(players), unique=True))
    return history.entrants({player: draw(st.sampled_from("xy")) for player in members})


def as_documents(entrants: list[Entrant]) -> dict[Any, Player]:
    """Players in the format of the checker, by id."""
    return {
        entrant.id: {
            "id": entrant.id,
            "points": entrant.match_points,
            "byes": entrant.byes,
            "group": entrant.avoid_group,
            "meetings": [
                [meeting.opponent, meeting.role and meeting.role.value]
                for meeting in entrant.opponents
            ],
        }
        for entrant in entrants
    }


def as_document(round_: PairedRound) -> dict[str, Any]:
    """A round in the format of the checker."""
    return {
        "tables": [
            {"table": table.number, "corp": table.corp, "runner": table.runner}
            for table in round_.pairings
        ],
        "byes": [bye.player for bye in round_.byes],
    }
