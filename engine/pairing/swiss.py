"""Swiss pairing: from players to tables with roles and reasons (docs/reference/rules.md)."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from engine.pairing import reasons
from engine.pairing.choice import (
    PairingSituation,
    choose_matching,
    costs_by_level,
    look_ahead_notes,
    look_ahead_reasons,
)
from engine.pairing.costs import (
    DOUBLE_PROFILE,
    SINGLE_ONCE_PROFILE,
    CostLevel,
    MatchedCouple,
    PairingProfile,
    bye_parts,
    corp_and_runner,
    seated_parts,
)
from engine.pairing.look_ahead import LARGEST_EXACT_FIELD, LookAheadPlan
from engine.pairing.records import (
    ENGINE_VERSION,
    VERSION_2,
    Entrant,
    Locked,
    LockedTable,
    PairedBye,
    PairedRound,
    PairedTable,
    PairingReason,
    broken_rules,
    check_input,
    make_certificate,
    settled_byes,
)
from engine.standings.records import PlayerId, id_order

# Look-ahead is off in larger fields: the search would take too long.
MAX_PLAYERS_AHEAD = 400


@dataclass(frozen=True)
class RoundSeating:
    tables: tuple[PairedTable, ...]
    byes: tuple[PairedBye, ...]

    @property
    def players(self) -> set[PlayerId]:
        seated = {player for table in self.tables for player in (table.corp, table.runner)}
        return seated | {bye.player for bye in self.byes}


def pair_round(
    entrants: Sequence[Entrant],
    *,
    round_number: int,
    seed: int,
    profile: PairingProfile = DOUBLE_PROFILE,
    planned_rounds: int | None = None,
    locked: Sequence[Locked] = (),
    engine_version: str = ENGINE_VERSION,
) -> PairedRound:
    """Pair all entrants at the lowest cost, with reasons.

    `entrants` are all active players, including those at locked tables. The same entrants in any
    order and the same seed give the same round. `planned_rounds` is the planned number of rounds in
    the stage, on the same count as `round_number`. An older `engine_version` pairs by its own
    rules.

    Raise a PairingRefused for fewer than two entrants, repeated ids, pasts that disagree, locks
    that do not fit, or points too large.
    """
    check_input(entrants, locked)
    chance = random.Random(seed)  # noqa: S311 - a draw to be repeated, not a secret
    field = shuffled_field(entrants, chance)
    settled = seat_settled(field, locked, round_number, profile.levels(field))
    free = [entrant for entrant in field if entrant.id not in settled.players]
    plan = _look_ahead_plan(field, settled, profile, round_number, planned_rounds)
    choice = choose_matching(
        free, round_number, profile, plan, keeps_part=engine_version != VERSION_2
    )
    situation = PairingSituation(free, round_number, choice, profile, plan.rounds if plan else 0)
    is_new = profile is SINGLE_ONCE_PROFILE or situation.keeps_part
    chosen = seat_choice(situation, settled, chance)
    return PairedRound(
        pairings=tuple(sorted(settled.tables + chosen.tables, key=lambda table: table.number)),
        byes=settled.byes + chosen.byes,
        cost=choice.cost,
        relaxations=broken_rules(
            (*chosen.byes, *chosen.tables), [rule.id for rule in profile.rules]
        ),
        notes=tuple(look_ahead_notes(situation)),
        certificate=make_certificate(
            entrants,
            locked,
            round_number,
            planned_rounds=planned_rounds,
            profile=profile.id,
            seed=seed,
            cost=choice.cost,
            engine_version=ENGINE_VERSION if is_new else VERSION_2,
        ),
    )


def _look_ahead_plan(
    field: Sequence[Entrant],
    settled: RoundSeating,
    profile: PairingProfile,
    round_number: int,
    planned_rounds: int | None,
) -> LookAheadPlan | None:
    """Return the plan for later rounds without rematches; a large field needs none."""
    if planned_rounds is None or planned_rounds <= round_number:
        return None
    if len(field) > min(max(LARGEST_EXACT_FIELD, 2 * planned_rounds), MAX_PLAYERS_AHEAD):
        return None
    return LookAheadPlan(
        field,
        [
            *((table.corp, table.runner) for table in settled.tables),
            *((bye.player,) for bye in settled.byes),
        ],
        rounds=planned_rounds - round_number,
        meetings=profile.meetings,
        weighty=1 + profile.rules.index(profile.last_before_plan),
    )


def shuffled_field(entrants: Sequence[Entrant], chance: random.Random) -> list[Entrant]:
    """Return the players in the random order that breaks ties of equal cost."""
    # Sort first so that input order does not matter.
    field = sorted(entrants, key=lambda entrant: id_order(entrant.id))
    chance.shuffle(field)
    return field


def seat_settled(
    field: Sequence[Entrant],
    locked: Sequence[Locked],
    round_number: int,
    levels: Sequence[CostLevel],
) -> RoundSeating:
    by_id = {entrant.id: entrant for entrant in field}
    tables = []
    for lock in locked:
        if isinstance(lock, LockedTable):
            corp, runner = by_id[lock.corp], by_id[lock.runner]
            reason = PairingReason("locked", (corp.id, runner.id), "locked_table")
            tables.append(
                PairedTable(
                    number=lock.number,
                    corp=corp.id,
                    runner=runner.id,
                    cost=costs_by_level(levels, seated_parts(levels, corp, runner)),
                    reasons=(reason,),
                    locked=True,
                )
            )
    byes = [
        _paired_bye(entrant, levels, why, locked=is_locked)
        for entrant, why, is_locked in settled_byes(field, locked, round_number)
    ]
    return RoundSeating(tuple(tables), tuple(byes))


def seat_choice(
    situation: PairingSituation, settled: RoundSeating, chance: random.Random
) -> RoundSeating:
    """Seat a matching: the best scores get the lowest free table numbers."""
    taken = {table.number for table in settled.tables}
    numbers = (number for number in count(1) if number not in taken)

    def score_order(couple: MatchedCouple) -> tuple[int, int]:
        scores = (couple.first.match_points, couple.second.match_points)
        return -max(scores), -min(scores)

    # Ties keep the (random) order of the couples.
    couples = sorted(situation.choice.matching.couples, key=score_order)
    tables = [
        _paired_table(situation, couple, number, chance)
        for couple, number in zip(couples, numbers, strict=False)
    ]
    bye, choice = situation.choice.matching.sitting_out, situation.choice
    if bye is None:
        return RoundSeating(tuple(tables), ())
    paired_bye = _paired_bye(
        bye.entrant,
        choice.levels,
        reasons.bye_reason(situation, bye.entrant),
        *reasons.higher_bye_reasons(situation, bye.entrant),
        *reasons.broken_by_bye(bye, choice.rules),
        *look_ahead_reasons(situation, bye.entrant.id),
    )
    return RoundSeating(tuple(tables), (paired_bye,))


def _paired_table(
    situation: PairingSituation, couple: MatchedCouple, number: int, chance: random.Random
) -> PairedTable:
    first, second, choice = couple.first, couple.second, situation.choice
    corp, runner, roles = corp_and_runner(first, second, situation.profile.side_count, chance)
    return PairedTable(
        number=number,
        corp=corp.id,
        runner=runner.id,
        cost=costs_by_level(choice.levels, couple.parts),
        reasons=(
            *reasons.pairing_reasons(situation, first, second),
            *reasons.broken_by_couple(couple, choice.rules),
            *look_ahead_reasons(situation, first.id, second.id),
            roles,
        ),
    )


def _paired_bye(
    entrant: Entrant, levels: Sequence[CostLevel], *why: PairingReason, locked: bool = False
) -> PairedBye:
    return PairedBye(entrant.id, costs_by_level(levels, bye_parts(levels, entrant)), why, locked)
