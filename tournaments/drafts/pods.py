"""A round in pods: two to five at a table (tournaments.pairing.pods)."""

from collections.abc import Sequence
from dataclasses import asdict

from tournaments import field
from tournaments.drafts.records import Drafted, Kept, KeptBye, NewBye, NewTable, Wanted
from tournaments.pairing import LockedBye, LockedPod
from tournaments.pairing.pods import PodRound, seat_pods


def make(wanted: Wanted) -> Drafted:
    """Seat everybody. Raise a PairingRefused for a field that cannot be seated."""
    seated = seat_pods(
        wanted.entrants,
        round_number=wanted.number,
        seed=wanted.seed,
        locked=_locked(wanted.kept),
        point_unit=field.point_unit(wanted.stage.tournament),
    )
    return _drafted(seated)


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
