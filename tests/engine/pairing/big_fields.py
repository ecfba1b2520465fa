"""Large fields with a past, and the same matching by comparing every pair."""

import random

from engine.pairing.costs import DOUBLE_PROFILE, CostLevel, LevelCosts, Matching, PairingProfile
from engine.pairing.records import Entrant
from engine.standings.records import PlayerId
from matches.scoring.results import Role
from tests.engine.pairing.documents import History


def make_field(players: int, rounds: int, seed: int, absent: float = 0.1) -> list[Entrant]:
    """A field in random order, after rounds paired by score; some players miss a round."""
    chance = random.Random(seed)
    history = History(list(range(players)))
    for _ in range(rounds):
        present: list[PlayerId] = [player for player in history.points if chance.random() >= absent]
        chance.shuffle(present)
        present.sort(key=lambda player: -history.points[player])
        if len(present) % 2:
            history.sit_out(present.pop(), points=6)
        for corp, runner in zip(present[::2], present[1::2], strict=True):
            history.play(corp, runner, *chance.choice(((6, 0), (3, 3), (0, 6))))
    field = history.entrants()
    chance.shuffle(field)
    return field


def cost(matching: Matching) -> LevelCosts:
    """The sum over all couples and the bye, level by level."""
    parts = [couple.parts for couple in matching.couples]
    if matching.sitting_out is not None:
        parts.append(matching.sitting_out.parts)
    return tuple(map(sum, zip(*parts, strict=True)))


def placed_players(matching: Matching) -> list[PlayerId]:
    """All players with a seat or the bye."""
    ids = [entrant.id for couple in matching.couples for entrant in (couple.first, couple.second)]
    return ids if matching.sitting_out is None else [*ids, matching.sitting_out.entrant.id]


def balance(entrant: Entrant) -> int:
    """Corp games minus Runner games."""
    roles = [meeting.role for meeting in entrant.opponents]
    return roles.count(Role.CORP) - roles.count(Role.RUNNER)


def _one_side_too_often(first: Entrant, second: Entrant) -> int:
    return int(balance(first) * balance(second) > 0)


EVEN_ROLES = PairingProfile(
    id="even_roles",
    rules=(
        *DOUBLE_PROFILE.rules,
        CostLevel("roles", "players on one side too often", _one_side_too_often, by_roles=True),
    ),
    aim=DOUBLE_PROFILE.aim,
)
"""Two players who are owed the same side should not meet."""
