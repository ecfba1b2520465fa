"""What seating in pods answers: how many pods, who sits there in which order, who chooses first."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from engine.pairing.records import Certificate, Cost, LockedBye, LockedPod, PairedBye, Reason
from engine.standings import PlayerId
from engine.standings.lots import lots
from matches.scoring import Points

SMALLEST_POD, BEST_POD, LARGEST_POD = 2, 4, 5


def pod_sizes(players: int) -> tuple[int, ...]:
    """The sizes of the pods for this many players, the largest first.

    As few pods as hold everybody at tables of four, filled evenly: from six players on all sit
    at fours and threes, never differing by more than 1. Only five players sit at five, rather
    than at three and two. A three is better than a five because nobody waits for the long table,
    and players meet more others: nine in 3 + 3 + 3 play four rounds without a repeat, while in
    5 + 4 those who sat at the four are the ones to fill the five, with the same table-mates.

    No players need no pods; raise ValueError for one player.
    """
    if players == 1:
        raise ValueError("1 player cannot make a pod.")
    if players == LARGEST_POD:
        return (LARGEST_POD,)
    pods = -(-players // BEST_POD)
    if not pods:
        return ()
    size, larger = divmod(players, pods)
    return (size + 1,) * larger + (size,) * (pods - larger)


class Search(StrEnum):
    """How the pods were found: every way was weighed, or exchanges led to the best one found."""

    EXHAUSTIVE = "exhaustive"
    LOCAL = "local"


Kept: TypeAlias = LockedPod | LockedBye


@dataclass(frozen=True)
class Pod:
    """A table of two to five in seat order, with its price and reasons."""

    number: int
    seats: tuple[PlayerId, ...]
    cost: Cost
    reasons: tuple[Reason, ...]
    locked: bool = False


@dataclass(frozen=True)
class PodCertificate(Certificate):
    """As for every round. Only an exhaustive `search` proves that no seating costs less."""

    search: Search


@dataclass(frozen=True)
class PodRound:
    """A round in pods ready to be looked at.

    `byes` holds only byes that were promised or locked, and a player whom those left alone.
    `cost` sums the pods that were chosen; locked pods are not in it. `relaxations` lists the
    rules that could not be kept, the weightiest first.
    """

    pods: tuple[Pod, ...]
    byes: tuple[PairedBye, ...]
    cost: Cost
    relaxations: tuple[Reason, ...]
    certificate: PodCertificate


def draft_order(scores: Mapping[PlayerId, Points], *, seed: int) -> tuple[PlayerId, ...]:
    """The players of one pod in the order in which they choose.

    The lowest score chooses first, and the lot of `seed` decides among equals.
    """
    drawn = lots(scores, seed)
    return tuple(sorted(scores, key=lambda player: (scores[player], drawn[player])))
