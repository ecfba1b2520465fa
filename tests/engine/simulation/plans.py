"""Plans of simulated events, drawn from a seed."""

import random
from dataclasses import asdict

from engine.documents.events import DocumentPlayer
from engine.pairing.round_robin import rounds_needed
from engine.simulation.events import (
    NO_INCIDENTS,
    RULES_BY_SYSTEM,
    SOME_INCIDENTS,
    IncidentRates,
    SimulatedCut,
    SimulationPlan,
)
from engine.simulation.tables import draw_player_names, draw_weighted
from engine.systems import SYSTEMS
from matches.scoring.rules import scoring_rule

# Ranges of players, with their percentage of events.
FIELD_SIZES = {(2, 5): 20, (6, 10): 50, (11, 16): 25, (17, 40): 5}

SYSTEM_WEIGHTS = {
    "double": 34,
    "single": 32,
    "pods": 14,
    "round_robin": 10,
    "double_elimination": 5,
    "single_elimination": 5,
}
CUT_SIZES = (2, 3, 4, 4, 5, 6, 8, 8, 16)
GROUPS = ("north", "south", "x")
MAX_RANDOM_ROUNDS = 7
# With this many parts per point, every shared place among two to five players is whole.
SHARED_PLACE_UNIT = scoring_rule("free_radicals").point_unit

MANY_INCIDENTS = IncidentRates(
    **{name: 3 * often for name, often in asdict(SOME_INCIDENTS).items()}
)


def random_plan(seed: int, system: str | None = None) -> SimulationPlan:
    """Draw a plan from the seed; most fields are small."""
    chance = random.Random(f"plan {seed}")
    any_system = draw_weighted(SYSTEM_WEIGHTS, chance)
    system = system or any_system
    players = chance.randint(*draw_weighted(FIELD_SIZES, chance))
    rounds = chance.randint(1, MAX_RANDOM_ROUNDS)
    if system == "round_robin":
        rounds = min(rounds, rounds_needed(players))
    return SimulationPlan(
        system=system,
        seed=seed,
        players=players,
        rounds=rounds,
        scoring_rule=chance.choice(RULES_BY_SYSTEM[system]),
        # Most events have some of every incident, some have many, and some have none.
        incidents=chance.choice(
            (NO_INCIDENTS, SOME_INCIDENTS, SOME_INCIDENTS, SOME_INCIDENTS, MANY_INCIDENTS)
        ),
        cut=_random_cut(system, chance),
        point_unit=SHARED_PLACE_UNIT if system == "pods" and chance.randrange(2) else 1,
        entries=_random_entries(players, chance),
    )


def _random_entries(players: int, chance: random.Random) -> tuple[DocumentPlayer, ...]:
    """Draw players with seeds, with groups, or with names as ids; () for plain numbers."""
    seeded, grouped, has_names = (chance.randrange(odds) == 0 for odds in (4, 6, 5))
    if not (seeded or grouped or has_names):
        return ()
    names = draw_player_names(players, chance)
    return tuple(
        DocumentPlayer(
            id=name if has_names else number,
            first_round_bye=chance.randrange(20) == 0,
            seed=number if seeded else None,
            group=chance.choice(GROUPS) if grouped else None,
        )
        for number, name in enumerate(names, start=1)
    )


def _random_cut(system: str, chance: random.Random) -> SimulatedCut | None:
    fixed = chance.randrange(3) == 0
    size = chance.choice(CUT_SIZES)
    kind = chance.choice(("double_elimination", "single_elimination"))
    if SYSTEMS[system].is_elimination:
        return SimulatedCut(system, size, fixed)
    return SimulatedCut(kind, size, fixed) if chance.randrange(3) == 0 else None
