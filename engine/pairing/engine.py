"""Pair one round of Swiss (DESIGN 4.2 and 4.4)."""

import random
from collections.abc import Sequence

from engine.pairing import seating
from engine.pairing.certificates import certificate
from engine.pairing.choosing import choose
from engine.pairing.plans import Plan
from engine.pairing.profiles import DOUBLE, Profile
from engine.pairing.records import Entrant, Locked, PairedRound, Reason
from engine.pairing.refusals import check
from engine.pairing.schedules import EXACT
from engine.pairing.situations import Situation, notes
from engine.standings.lots import id_order


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
    plan = _plan(field, settled, profile, round_number, planned_rounds)
    choice = choose(free, round_number, profile, plan)
    situation = Situation(free, round_number, choice, profile, plan.rounds if plan else 0)
    made = seating.made(situation, settled, chance)
    return PairedRound(
        pairings=tuple(sorted(settled.tables + made.tables, key=lambda table: table.number)),
        byes=settled.byes + made.byes,
        cost=choice.cost,
        relaxations=_relaxations(made, profile),
        notes=tuple(notes(situation)),
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


def _plan(
    field: Sequence[Entrant],
    settled: seating.Seating,
    profile: Profile,
    round_number: int,
    planned_rounds: int | None,
) -> Plan | None:
    """The rounds to be kept free of rematches; in a large field they are so by themselves."""
    if planned_rounds is None or planned_rounds <= round_number:
        return None
    if len(field) > max(EXACT, 2 * planned_rounds):
        return None
    return Plan(
        field,
        [
            *((one.corp, one.runner) for one in settled.tables),
            *((one.player,) for one in settled.byes),
        ],
        rounds=planned_rounds - round_number,
        meetings=profile.meetings,
        weighty=1 + profile.rules.index(profile.last_before_plan),
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
