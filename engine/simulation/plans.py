"""Plans of simulated events: size, rules and incidents."""

import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from engine.documents.records import Player
from engine.pairing.round_robin import rounds_needed
from engine.simulation.tables import drawn
from engine.systems import SYSTEMS, System
from matches.scoring import scoring_rule

# Ranges of players, with their percentage of events.
FIELDS = {(2, 5): 20, (6, 10): 50, (11, 16): 25, (17, 40): 5}

SYSTEMS_DRAWN = {
    "double": 34,
    "single": 32,
    "pods": 14,
    "round_robin": 10,
    "double_elimination": 5,
    "single_elimination": 5,
}
CUT_SIZES = (2, 3, 4, 4, 5, 6, 8, 8, 16)
MOST_ROUNDS = 7
# With this many parts per point, every shared place among two to five players is whole.
SHARED_PLACES = scoring_rule("free_radicals").point_unit

# The scoring rules simulated for each system, the usual rule first.
SCORING_RULES: Mapping[str, tuple[str, ...]] = {
    "double": ("onr_runner_only", "onr_either_side", "anr_double"),
    "single": ("anr_single",),
    "pods": ("free_radicals",),
    "round_robin": ("onr_runner_only", "anr_double", "anr_single"),
    "double_elimination": ("anr_single",),
    "single_elimination": ("anr_single",),
}


@dataclass(frozen=True)
class Incidents:
    """The frequency of each incident, per thousand chances.

    The first group happens to a table, the second to a player, the third to a round.
    """

    intentional_draw: int = 0
    two_for_one: int = 0
    double_loss: int = 0
    no_show: int = 0
    wrong_result: int = 0

    first_round_bye: int = 0
    drop: int = 0
    return_: int = 0
    late_entry: int = 0
    decline: int = 0

    swap_by_hand: int = 0
    tables_locked: int = 0
    without_roles: int = 0
    paired_early: int = 0


NOTHING = Incidents()


# An event with some trouble.
SOME = Incidents(
    intentional_draw=25,
    two_for_one=25,
    double_loss=15,
    no_show=15,
    wrong_result=20,
    first_round_bye=40,
    drop=25,
    return_=100,
    late_entry=200,
    decline=60,
    swap_by_hand=80,
    tables_locked=80,
    without_roles=80,
    paired_early=60,
)


MUCH = Incidents(**{name: 3 * often for name, often in asdict(SOME).items()})


@dataclass(frozen=True)
class Cut:
    """A cut for the best players who do not decline."""

    system: str
    size: int
    fixed: bool = False


@dataclass(frozen=True)
class Plan:
    """A simulated event; the same plan gives the same event.

    A point has `point_unit` parts in the document, so that shared places are whole. `entries` lists
    the players. Without it there are `players` of them, with numbers or, if `named`, names as ids.
    If `seeded` each has a seed, if `grouped` a group to be kept apart from.
    """

    system: str
    seed: int
    players: int
    rounds: int
    scoring_rule: str
    incidents: Incidents = NOTHING
    cut: Cut | None = None
    point_unit: int = 1
    entries: tuple[Player, ...] = ()
    seeded: bool = False
    grouped: bool = False
    named: bool = False

    @property
    def plays_by(self) -> System:
        return SYSTEMS[self.system]


def random_plan(seed: int, system: str | None = None) -> Plan:
    """Draw a plan from the seed; most fields are small."""
    chance = random.Random(f"plan {seed}")  # noqa: S311 - a draw to be repeated, not a secret
    any_system = drawn(SYSTEMS_DRAWN, chance)
    system = system or any_system
    players = chance.randint(*drawn(FIELDS, chance))
    rounds = chance.randint(1, MOST_ROUNDS)
    if system == "round_robin":
        rounds = min(rounds, rounds_needed(players))
    return Plan(
        system=system,
        seed=seed,
        players=players,
        rounds=rounds,
        scoring_rule=chance.choice(SCORING_RULES[system]),
        # Most events have some of every incident, some have many, and some have none.
        incidents=chance.choice((NOTHING, SOME, SOME, SOME, MUCH)),
        cut=_cut(system, chance),
        point_unit=SHARED_PLACES if system == "pods" and chance.randrange(2) else 1,
        seeded=chance.randrange(4) == 0,
        grouped=chance.randrange(6) == 0,
        named=chance.randrange(5) == 0,
    )


def _cut(system: str, chance: random.Random) -> Cut | None:
    fixed = chance.randrange(3) == 0
    size = chance.choice(CUT_SIZES)
    kind = chance.choice(("double_elimination", "single_elimination"))
    if SYSTEMS[system].is_elimination:
        return Cut(system, size, fixed)
    return Cut(kind, size, fixed) if chance.randrange(3) == 0 else None
