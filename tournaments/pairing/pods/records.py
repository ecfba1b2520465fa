"""What seating in pods answers: tables of two to five in seat order, with their reasons."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from tournaments.pairing.records import Certificate, Cost, LockedBye, LockedPod, PairedBye, Reason
from tournaments.standings import PlayerId


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
