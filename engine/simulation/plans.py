"""What kind of event is simulated: its size, its rules, and how much goes wrong."""

import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from engine.documents.records import Player
from engine.pairing.round_robin import rounds_needed
from engine.simulation.tables import drawn
from engine.systems import SYSTEMS, System
from matches.scoring import scoring_rule

FIELDS = {(2, 5): 20, (6, 10): 50, (11, 16): 25, (17, 40): 5}
"""How many players, and how many of a hundred events have so many."""

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
SHARED_PLACES = scoring_rule("free_radicals").point_unit
"""Any share of a place among two to five players is so many parts of a point, and whole."""

SCORING_RULES: Mapping[str, tuple[str, ...]] = {
    "double": ("onr_runner_only", "onr_either_side", "anr_double"),
    "single": ("anr_single",),
    "pods": ("free_radicals",),
    "round_robin": ("onr_runner_only", "anr_double", "anr_single"),
    "double_elimination": ("anr_single",),
    "single_elimination": ("anr_single",),
}
"""The rules that each system is simulated with, the usual one first."""


@dataclass(frozen=True)
class Incidents:
    """How often something out of the ordinary happens, in a thousand chances for it.

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
"""As an event with some trouble may go."""


MUCH = Incidents(**{name: 3 * often for name, often in asdict(SOME).items()})


@dataclass(frozen=True)
class Cut:
    """What follows after the rounds, for the best players who want to."""

    system: str
    size: int
    fixed: bool = False


@dataclass(frozen=True)
class Plan:
    """An event to be simulated; the same plan gives the same event.

    `point_unit` of the points in the document are one point, so that shared places are whole.
    `entries` names the players; else there are `players` of them, numbered or, where `named`, with
    names for ids; `seeded` ones have a seed each, `grouped` ones a group to be kept apart from.
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
        """The system with what is known of it."""
        return SYSTEMS[self.system]


def random_plan(seed: int, system: str | None = None) -> Plan:
    """A plan drawn from the seed; most fields are small."""
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
        # Most see some of everything, some see much of it, and some nothing at all.
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
