"""What stands before anybody is seated: locked pods, locked byes, byes promised for round 1."""

from collections.abc import Sequence

from engine.pairing.pods.costs import pod_cost
from engine.pairing.pods.records import LARGEST_POD, SMALLEST_POD, Kept, Pod
from engine.pairing.records import Entrant, LockedBye, LockedPod, PairedBye, Reason
from engine.pairing.refusals import LockRefused
from engine.pairing.refusals import check_locks as check_players
from engine.standings import PlayerId
from engine.standings.lots import id_order


def check_locks(entrants: Sequence[Entrant], locked: Sequence[Kept]) -> None:
    """Raise LockRefused for pods of a wrong size and for locks that do not fit the field."""
    tables = [lock for lock in locked if isinstance(lock, LockedPod)]
    for lock in tables:
        if not SMALLEST_POD <= len(lock.seats) <= LARGEST_POD:
            raise LockRefused(
                f"Table {lock.number} is locked with {len(lock.seats)} players; "
                f"a pod has {SMALLEST_POD} to {LARGEST_POD}."
            )
    players = [player for lock in tables for player in lock.seats]
    players += _locked_byes(locked)
    numbers = [lock.number for lock in tables]
    check_players({entrant.id for entrant in entrants}, players, numbers)


def kept_pods(
    tables: Sequence[LockedPod], field: Sequence[Entrant], *, largest: int
) -> tuple[Pod, ...]:
    """The locked pods with what they cost."""
    by_id = {entrant.id: entrant for entrant in field}
    names = {
        size: ", ".join(f"{{{place}}}" for place in range(size)) for size in range(LARGEST_POD + 1)
    }
    return tuple(
        Pod(
            number=lock.number,
            seats=lock.seats,
            cost=pod_cost([by_id[one] for one in lock.seats], short=len(lock.seats) < largest),
            reasons=(Reason("locked", lock.seats, f"{names[len(lock.seats)]} keep their table."),),
            locked=True,
        )
        for lock in tables
    )


def kept_byes(
    field: Sequence[Entrant], locked: Sequence[Kept], round_number: int
) -> tuple[PairedBye, ...]:
    """The locked byes and, in round 1, the promised ones, by id; a lock weighs more."""
    given = {
        player: PairedBye(player, {}, (Reason("locked", (player,), "{0} keeps the bye."),), True)
        for player in _locked_byes(locked)
    }
    bound = {player for lock in locked if isinstance(lock, LockedPod) for player in lock.seats}
    for entrant in field:
        if round_number == 1 and entrant.first_round_bye and entrant.id not in {*bound, *given}:
            why = Reason("first_round_bye", (entrant.id,), "{0} was given a bye for round 1.")
            given[entrant.id] = PairedBye(entrant.id, {}, (why,))
    return tuple(sorted(given.values(), key=lambda bye: id_order(bye.player)))


def _locked_byes(locked: Sequence[Kept]) -> list[PlayerId]:
    return [lock.player for lock in locked if isinstance(lock, LockedBye)]
