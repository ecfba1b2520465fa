"""A round of Swiss: one exact matching (tournaments.pairing)."""

from collections.abc import Sequence
from dataclasses import asdict

from tournaments import pairing, queries
from tournaments.drafts.records import Drafted, Kept, KeptBye, NewBye, NewTable, Wanted
from tournaments.pairing import LockedBye, LockedTable, PairedRound


def make(wanted: Wanted) -> Drafted:
    """Pair everybody. Raise a PairingRefused for a field that cannot be paired."""
    paired = pairing.pair_round(
        wanted.entrants,
        round_number=wanted.number,
        seed=wanted.seed,
        profile=pairing.PROFILES[wanted.stage.system],
        planned_rounds=max(wanted.number, queries.round_target(wanted.stage.tournament)),
        locked=_locked(wanted.kept),
    )
    return _drafted(paired)


def _locked(kept: Sequence[Kept]) -> list[LockedTable | LockedBye]:
    return [
        LockedBye(one.player) if isinstance(one, KeptBye) else LockedTable(one.number, *one.players)
        for one in kept
    ]


def _drafted(paired: PairedRound) -> Drafted:
    return Drafted(
        tables=tuple(
            NewTable(
                table.number, (table.corp, table.runner), table.cost, table.reasons, table.locked
            )
            for table in paired.pairings
        ),
        byes=tuple(NewBye(bye.player, bye.cost, bye.reasons, bye.locked) for bye in paired.byes),
        relaxations=(*paired.relaxations, *paired.notes),
        certificate=asdict(paired.certificate),
    )
