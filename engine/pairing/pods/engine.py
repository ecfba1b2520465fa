"""Seating of a pod round (docs/rules.md).

Locked pods, locked byes and byes promised for round 1 are placed first.
"""

import random
from collections.abc import Sequence
from dataclasses import asdict
from itertools import count

from engine.pairing.engine import shuffled
from engine.pairing.pods import costs, reasons
from engine.pairing.pods.costs import (
    LARGEST_POD,
    RULES,
    RULES_OF_VERSION_2,
    SMALLEST_POD,
    Kept,
    Pod,
    PodCertificate,
    PodLevel,
    PodRound,
    Search,
    pod_cost,
    pod_sizes,
    times_short,
)
from engine.pairing.pods.search import MOST_PLAYERS, cheapest_pods, good_pods
from engine.pairing.records import (
    ENGINE_VERSION,
    VERSION_2,
    Cost,
    Entrant,
    LockedPod,
    LockRefused,
    PairedBye,
    Reason,
    broken_rules,
    certificate,
    check,
    kept_byes,
)


def check_sizes(tables: Sequence[LockedPod]) -> None:
    """Raise LockRefused for a locked pod of a wrong size."""
    for lock in tables:
        if not SMALLEST_POD <= len(lock.seats) <= LARGEST_POD:
            raise LockRefused(
                f"Table {lock.number} is locked with {len(lock.seats)} players; "
                f"a pod has {SMALLEST_POD} to {LARGEST_POD}."
            )


def kept_pods(
    tables: Sequence[LockedPod],
    field: Sequence[Entrant],
    *,
    largest: int,
    rules: Sequence[PodLevel],
) -> tuple[Pod, ...]:
    by_id = {entrant.id: entrant for entrant in field}
    names = {
        size: ", ".join(f"{{{place}}}" for place in range(size)) for size in range(LARGEST_POD + 1)
    }
    return tuple(
        Pod(
            number=lock.number,
            seats=lock.seats,
            cost=pod_cost(
                [by_id[one] for one in lock.seats], short=len(lock.seats) < largest, rules=rules
            ),
            reasons=(Reason("locked", lock.seats, f"{names[len(lock.seats)]} keep their table."),),
            locked=True,
        )
        for lock in tables
    )


def seat_pods(
    entrants: Sequence[Entrant],
    *,
    round_number: int,
    seed: int,
    locked: Sequence[Kept] = (),
    point_unit: int = 1,
    searches: int | None = None,
    engine_version: str = ENGINE_VERSION,
) -> PodRound:
    """Seat all entrants in pods of two to five at the lowest cost, with reasons.

    `entrants` are all active players, including those with locks. The same entrants in any order
    and the same seed give the same round. A player only has a bye by a lock, by a promise for round
    1, or if these leave a single player.

    Match points are in parts: a point in the reasons has `point_unit` parts. `searches` is the
    number of searches of a large field, by default as many as time allows. An older
    `engine_version` seats by its own rules.

    Raise a PairingRefused for fewer than two entrants, repeated ids, pasts that disagree, or locks
    that do not fit.
    """
    tables = [lock for lock in locked if isinstance(lock, LockedPod)]
    check(entrants, locked)
    check_sizes(tables)
    chance = random.Random(seed)  # noqa: S311 - a draw to be repeated, not a secret
    field = shuffled(entrants, chance)
    byes = tuple(
        PairedBye(entrant.id, {}, (why,), is_locked)
        for entrant, why, is_locked in kept_byes(field, locked, round_number)
    )
    free = _free(field, tables, byes)
    if len(free) == 1:
        byes, free = (*byes, PairedBye(free[0].id, {}, (reasons.left_alone(free[0]),))), []
    sizes = pod_sizes(len(free))
    largest = max([*sizes, *(len(lock.seats) for lock in tables)], default=0)
    search = Search.EXHAUSTIVE if len(free) <= MOST_PLAYERS else Search.LOCAL
    # The order of the rules only matters if there is a choice of players for the short tables.
    is_open_who_sits_short = len({size < largest for size in sizes}) > 1
    is_new = engine_version != VERSION_2 and is_open_who_sits_short and any(map(times_short, free))
    rules = RULES if is_new else RULES_OF_VERSION_2
    chosen = _numbered(_chosen(free, sizes, largest, chance, searches, rules), tables)
    made = tuple(_pod(*pod, largest, round_number, search, point_unit, rules) for pod in chosen)
    kept = kept_pods(tables, field, largest=largest, rules=rules)
    cost = costs.total((pod.cost for pod in made), rules)
    return PodRound(
        pods=tuple(sorted((*kept, *made), key=lambda pod: pod.number)),
        byes=byes,
        cost=cost,
        relaxations=broken_rules((*byes, *made), ("left_alone", *(rule.id for rule in rules))),
        certificate=_certificate(
            entrants,
            locked,
            round_number,
            seed=seed,
            cost=cost,
            search=search,
            engine_version=ENGINE_VERSION if is_new else VERSION_2,
        ),
    )


def _free(
    field: Sequence[Entrant], tables: Sequence[LockedPod], byes: Sequence[PairedBye]
) -> list[Entrant]:
    bound = {player for lock in tables for player in lock.seats} | {bye.player for bye in byes}
    return [entrant for entrant in field if entrant.id not in bound]


def _chosen(
    field: Sequence[Entrant],
    sizes: Sequence[int],
    largest: int,
    chance: random.Random,
    searches: int | None,
    rules: Sequence[PodLevel],
) -> list[tuple[Entrant, ...]]:
    """Return the pods in seat order, best score first."""
    packed = costs.PackedCosts(field, rules)
    if len(field) <= MOST_PLAYERS:
        found = cheapest_pods(packed, sizes, largest=largest)
    else:
        by_score = sorted(range(len(field)), key=lambda one: -field[one].match_points)
        found = good_pods(
            packed, by_score, sizes, largest=largest, chance=chance, searches=searches
        )
    pods = [costs.seated([field[one] for one in sorted(pod)]) for pod in found]
    return sorted(pods, key=_best_first)


def _best_first(pod: Sequence[Entrant]) -> list[int]:
    return sorted(-entrant.match_points for entrant in pod)


def _numbered(
    pods: Sequence[tuple[Entrant, ...]], tables: Sequence[LockedPod]
) -> list[tuple[int, tuple[Entrant, ...]]]:
    """Assign the lowest numbers that no locked pod has."""
    taken = {lock.number for lock in tables}
    return list(zip((number for number in count(1) if number not in taken), pods, strict=False))


def _pod(
    number: int,
    pod: tuple[Entrant, ...],
    largest: int,
    round_number: int,
    search: Search,
    point_unit: int,
    rules: Sequence[PodLevel],
) -> Pod:
    why = reasons.pod_reasons(
        pod,
        largest=largest,
        round_number=round_number,
        search=search,
        point_unit=point_unit,
        rules=rules,
    )
    return Pod(
        number=number,
        seats=tuple(entrant.id for entrant in pod),
        cost=costs.pod_cost(pod, short=len(pod) < largest, rules=rules),
        reasons=tuple(why),
    )


def _certificate(
    entrants: Sequence[Entrant],
    locked: Sequence[Kept],
    round_number: int,
    *,
    seed: int,
    cost: Cost,
    search: Search,
    engine_version: str,
) -> PodCertificate:
    proof = certificate(
        entrants,
        locked,
        round_number,
        profile="pods",
        seed=seed,
        cost=cost,
        engine_version=engine_version,
    )
    return PodCertificate(**asdict(proof), search=search)
