"""A round in pods: two to five at a table (tournaments.pairing.pods)."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from math import lcm

from tournaments.drafts.records import Drafted, Kept, KeptBye, NewBye, NewTable, Wanted
from tournaments.pairing import Entrant, LockedBye, LockedPod
from tournaments.pairing.pods import PodRound, seat_pods


def make(wanted: Wanted) -> Drafted:
    """Seat everybody. Raise a PairingRefused for a field that cannot be seated."""
    field, unit = _in_whole_units(wanted.entrants)
    seated = seat_pods(
        field,
        round_number=wanted.number,
        seed=wanted.seed,
        locked=_locked(wanted.kept),
        point_unit=unit,
    )
    return _drafted(seated)


def _in_whole_units(entrants: Sequence[Entrant]) -> tuple[list[Entrant], int]:
    """The field with integer points, and how many of these make one: shares can be fractions."""
    points = [Fraction(entrant.match_points) for entrant in entrants]
    units = lcm(*(one.denominator for one in points))
    return [
        replace(entrant, match_points=int(own * units))
        for entrant, own in zip(entrants, points, strict=True)
    ], units


def _locked(kept: Sequence[Kept]) -> list[LockedPod | LockedBye]:
    return [
        LockedBye(one.player) if isinstance(one, KeptBye) else LockedPod(one.number, one.players)
        for one in kept
    ]


def _drafted(seated: PodRound) -> Drafted:
    return Drafted(
        tables=tuple(
            NewTable(pod.number, pod.seats, pod.cost, pod.reasons, pod.locked)
            for pod in seated.pods
        ),
        byes=tuple(NewBye(bye.player, bye.cost, bye.reasons, bye.locked) for bye in seated.byes),
        relaxations=seated.relaxations,
        certificate=asdict(seated.certificate),
    )
