"""What kind of event is simulated: its size, its rules, and how much goes wrong."""

import random
from dataclasses import dataclass

FIELDS = {(2, 5): 20, (6, 10): 50, (11, 16): 25, (17, 40): 5}
"""How many players, and how many of a hundred events have so many."""


@dataclass(frozen=True)
class Incidents:
    """How often something out of the ordinary happens, in a thousand chances for it.

    The first group happens to a table, the second to a player between two rounds, the third to a
    round, and a first-round bye to a player at the start.
    """

    intentional_draw: int = 0
    two_for_one: int = 0
    double_loss: int = 0
    no_show: int = 0
    wrong_result: int = 0

    drop: int = 0
    return_: int = 0
    late_entry: int = 0

    swap_by_hand: int = 0
    tables_locked: int = 0
    without_roles: int = 0

    first_round_bye: int = 0


NOTHING = Incidents()


@dataclass(frozen=True)
class Plan:
    """An event to be simulated; the same plan gives the same event.

    `seeded` events have a seed for each player, `grouped` ones keep groups apart in pairing.
    """

    system: str
    seed: int
    players: int
    rounds: int
    scoring_rule: str = "onr_runner_only"
    incidents: Incidents = NOTHING
    seeded: bool = False
    grouped: bool = False
    named: bool = False


def random_plan(seed: int, system: str | None = None) -> Plan:
    """A plan drawn from the seed; most fields are small."""
    chance = random.Random(f"plan {seed}")  # noqa: S311 - a story to be told again
    least, most = chance.choices(list(FIELDS), list(FIELDS.values()))[0]
    return Plan(
        system=system or "double",
        seed=seed,
        players=chance.randint(least, most),
        rounds=chance.randint(1, 7),
        incidents=_incidents(chance),
        seeded=chance.random() < 0.25,
        grouped=chance.random() < 0.15,
        named=chance.random() < 0.2,
    )


def _incidents(chance: random.Random) -> Incidents:
    """Most events see some of everything, some see much of it, and some nothing at all."""
    much = chance.choice((0, 1, 1, 1, 4))
    return Incidents(
        intentional_draw=25 * much,
        two_for_one=25 * much,
        double_loss=15 * much,
        no_show=15 * much,
        wrong_result=20 * much,
        drop=25 * much,
        return_=100 * much,
        late_entry=30 * much,
        swap_by_hand=80 * much,
        tables_locked=80 * much,
        without_roles=40 * much,
        first_round_bye=40 * much,
    )
