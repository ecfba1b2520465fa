"""One module for each kind of system: how its rounds are made."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from core.errors import Refusal
from tournaments.drafts import cut, manual, pods, round_robin, swiss
from tournaments.drafts.records import Drafted, Wanted
from tournaments.systems import SystemKind

Way: TypeAlias = Callable[[Wanted], Drafted]


class NotPairedHere(Refusal):
    """No module makes rounds of this system."""

    code = "not_paired_here"


WAYS: Mapping[SystemKind, Way] = {
    SystemKind.SWISS: swiss.make,
    SystemKind.PODS: pods.make,
    SystemKind.ROUND_ROBIN: round_robin.make,
    SystemKind.ELIMINATION: cut.make,
    SystemKind.MANUAL: manual.make,
}


def make(wanted: Wanted) -> Drafted:
    """The round, made as its stage wants it. Raise NotPairedHere, or what the system refuses."""
    way = wanted.stage.way
    if way.kind not in WAYS:
        raise NotPairedHere(f"Rounds of the system {way.name} cannot be made here yet.")
    return WAYS[way.kind](wanted)
