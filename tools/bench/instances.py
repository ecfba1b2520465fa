"""Fields after some rounds, played by the engine itself."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from engine.pairing.costs import DOUBLE_PROFILE, SINGLE_PROFILE, PairingProfile, corp_and_runner
from engine.pairing.large_fields import match_field
from engine.pairing.records import Entrant
from engine.standings.records import PlayerId
from tests.engine.pairing.documents import History

Points = Callable[[random.Random], tuple[int, int]]
"""Points of Corp and Runner."""


def _two_games(chance: random.Random) -> tuple[int, int]:
    return chance.choice(((6, 0), (3, 3), (3, 3), (0, 6)))


def _one_game(chance: random.Random) -> tuple[int, int]:
    return (1, 1) if chance.random() < 0.02 else chance.choice(((3, 0), (0, 3)))


def _two_games_with_agendas(chance: random.Random) -> tuple[int, int]:
    corp_wins = [chance.random() < 0.5 for _ in range(2)]
    points = [10 * has_won + (0 if has_won else chance.randint(0, 6)) for has_won in corp_wins]
    runner_points = [
        10 * (not has_won) + (chance.randint(0, 6) if has_won else 0) for has_won in corp_wins
    ]
    return points[0] + runner_points[1], runner_points[0] + points[1]


@dataclass(frozen=True)
class Family:
    """A kind of event: its pairing, scoring, absences and drops.

    `absent` and `leaves` are probabilities for each player, the latter once, after the last round.
    """

    id: str
    words: str
    profile: PairingProfile
    points: Points
    absent: float = 0.0
    leaves: float = 0.0


DS = Family("ds", "two games a match", DOUBLE_PROFILE, _two_games)
SS = Family("ss", "one game a match", SINGLE_PROFILE, _one_game)
MX = Family(
    "mx", "one game a match, 10 % missing each round", SINGLE_PROFILE, _one_game, absent=0.1
)
ONR = Family("onr", "two games with agenda points", DOUBLE_PROFILE, _two_games_with_agendas)

FAMILIES = (DS, SS, MX, ONR)

ODD_ONES = (
    *FAMILIES,
    Family("ds-left", "two games, 15 % left", DOUBLE_PROFILE, _two_games, leaves=0.15),
    Family(
        "onr-mx", "agenda points, 10 % missing", DOUBLE_PROFILE, _two_games_with_agendas, absent=0.1
    ),
    Family("ss-left", "one game, 15 % left", SINGLE_PROFILE, _one_game, leaves=0.15),
    Family("ss-mx", "one game, 20 % missing", SINGLE_PROFILE, _one_game, absent=0.2),
)
"""Families with drops, absences and byes."""


def field_after(family: Family, players: int, rounds: int, seed: int) -> list[Entrant]:
    """The field before the next round in random order, without players who left."""
    chance = random.Random(f"{family.id}/{players}/{rounds}/{seed}")
    history = History(list(range(1, players + 1)))
    for _ in range(rounds):
        _play(family, history, chance)
    field = [entrant for entrant in history.entrants() if chance.random() >= family.leaves]
    chance.shuffle(field)
    # The cache is filled when the engine checks its input.
    for entrant in field:
        entrant.roles_against  # noqa: B018
    return field


def _play(family: Family, history: History, chance: random.Random) -> None:
    field = [entrant for entrant in history.entrants() if chance.random() >= family.absent]
    chance.shuffle(field)
    matching = match_field(field, family.profile.levels(field))
    for couple in matching.couples:
        corp, runner, _ = corp_and_runner(
            couple.first, couple.second, family.profile.side_count, chance
        )
        history.play(corp.id, runner.id, *family.points(chance))
    if matching.sitting_out is not None:
        history.sit_out(matching.sitting_out.entrant.id, _bye_points(family))


def _bye_points(family: Family) -> int:
    rng = random.Random(0)
    return max(max(family.points(rng)) for _ in range(50))


def ids(field: list[Entrant]) -> set[PlayerId]:
    return {entrant.id for entrant in field}
