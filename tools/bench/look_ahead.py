"""Rematches in small events: the engine relative to a greedy engine.

Each event has 4 to 10 players and as many rounds as can be played without a rematch. The greedy
engine takes the cheapest round each time and ignores the remaining rounds.
"""

import random
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from engine.pairing.costs import DOUBLE_PROFILE, PairingProfile
from engine.pairing.swiss import pair_round
from tests.engine.pairing.documents import History, play_round
from tools.bench.figures import Figure

CELLS = [
    (players, rounds)
    for players in range(4, 11)
    for rounds in range(1, min(9, players - 1 + players % 2) + 1)
]
"""All field sizes and numbers of rounds that are feasible."""

WALLS = ("second_bye", "third_meeting", "rematch")


@dataclass(frozen=True)
class Tally:
    """Number of events, events with an avoidable rematch, and events in which the engine was
    unsure.
    """

    events: int
    dead_ends: int
    unsure: int


def played_through(
    players: int,
    rounds: int,
    events: int,
    *,
    ahead: bool = True,
    profile: PairingProfile = DOUBLE_PROFILE,
    walls: Collection[str] = WALLS,
) -> Tally:
    """Simulate events with random results; the same call gives the same events."""
    kinds_by_event = [
        _kinds_of(players, rounds, event, ahead=ahead, profile=profile) for event in range(events)
    ]
    return Tally(
        events,
        dead_ends=sum(any(kind in walls for kind in kinds) for kinds in kinds_by_event),
        unsure=sum(
            any(kind.startswith("look_ahead") for kind in kinds) for kinds in kinds_by_event
        ),
    )


def _kinds_of(
    players: int, rounds: int, event: int, *, ahead: bool, profile: PairingProfile
) -> set[str]:
    history = History(list(range(1, players + 1)))
    chance = random.Random(f"{players}/{rounds}/{event}")
    kinds: set[str] = set()
    for number in range(1, rounds + 1):
        paired = pair_round(
            history.entrants(),
            round_number=number,
            seed=event,
            profile=profile,
            planned_rounds=rounds if ahead else None,
        )
        kinds |= {reason.kind for reason in (*paired.relaxations, *paired.notes)}
        play_round(history, paired, chance)
    return kinds


def figures(events: int) -> Iterator[Figure]:
    """Dead ends in all cells: the engine and the greedy engine."""
    engine, greedy = (
        sum(played_through(*cell, events, ahead=ahead).dead_ends for cell in CELLS)
        for ahead in (True, False)
    )
    yield Figure(
        "",
        f"rematch or second bye in {len(CELLS) * events} events of 4 to 10 players",
        f"in {engine}, and in {greedy} where the cheapest round is always taken",
    )
