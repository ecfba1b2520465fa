"""Pair one round of Swiss (DESIGN 4.2 and 4.4)."""

import random
from collections.abc import Sequence

from tournaments.pairing import seating
from tournaments.pairing.certificates import certificate
from tournaments.pairing.choosing import choose
from tournaments.pairing.profiles import DOUBLE, Profile
from tournaments.pairing.reasons import Situation
from tournaments.pairing.records import Entrant, Locked, PairedRound, Reason
from tournaments.pairing.refusals import check
from tournaments.standings.lots import id_order


def pair_round(
    entrants: Sequence[Entrant],
    *,
    round_number: int,
    seed: int,
    profile: Profile = DOUBLE,
    planned_rounds: int | None = None,
    locked: Sequence[Locked] = (),
) -> PairedRound:
    """Pair everybody at the least cost, and say why.

    `entrants` are all active players, those at locked tables among them. The same entrants in any
    order and the same seed give the same round. Raise a PairingRefused for fewer than two
    entrants, an id twice, pasts that disagree, locks that do not fit, or points too large.
    `planned_rounds` is how many rounds the stage is to have, counted as `round_number` is.
    """
    check(entrants, locked)
    chance = random.Random(seed)  # noqa: S311 - a draw to be repeated, not a secret
    field = shuffled(entrants, chance)
    settled = seating.settled(field, locked, round_number, profile.levels(field))
    free = [entrant for entrant in field if entrant.id not in settled.players]
    choice = choose(free, round_number, profile)
    situation = Situation(free, round_number, choice.folded, profile.side_count)
    made = seating.made(choice, situation, settled, chance)
    return PairedRound(
        pairings=tuple(sorted(settled.tables + made.tables, key=lambda table: table.number)),
        byes=settled.byes + made.byes,
        cost=choice.cost,
        relaxations=_relaxations(made, profile),
        certificate=certificate(
            entrants,
            locked,
            round_number,
            planned_rounds=planned_rounds,
            profile=profile.id,
            seed=seed,
            cost=choice.cost,
        ),
    )


def shuffled(entrants: Sequence[Entrant], chance: random.Random) -> list[Entrant]:
    """The players in the order of a lot, which decides among matchings of equal cost."""
    # Sorted first, so that the order in which they came is nothing.
    field = sorted(entrants, key=lambda entrant: id_order(entrant.id))
    chance.shuffle(field)
    return field


def _relaxations(made: seating.Seating, profile: Profile) -> tuple[Reason, ...]:
    """The reasons that tell of a broken rule, the weightiest rule first."""
    weight = {rule.id: place for place, rule in enumerate(profile.rules)}
    told = [reason for bye in made.byes for reason in bye.reasons]
    told += [reason for table in made.tables for reason in table.reasons]
    broken = [reason for reason in told if reason.kind in weight]
    return tuple(sorted(broken, key=lambda reason: weight[reason.kind]))
