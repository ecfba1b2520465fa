"""A round of a round robin: as the order says that was fixed at the start."""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import count

from core.errors import Refusal
from engine.pairing import PairedBye, PairedRound
from engine.pairing.round_robin import round_robin_round
from engine.standings import PlayerId
from engine.standings.lots import lots
from tournaments.event import queries
from tournaments.models import Registration, Stage, StageEntry
from tournaments.rounds.drafts.records import Drafted, NewTable, Wanted, kept_alone


class NoPlaceInTheOrder(Refusal):
    """A player is here who is not in the order of the round robin."""


def make(wanted: Wanted) -> Drafted:
    """The round that is due; whoever meets nobody has a bye.

    The first draft of the stage fixes the order: by seed where one is set, behind them by a lot
    from the seed of the event. Raise NoPlaceInTheOrder, or the PairingRefused of a round that the
    round robin does not have.
    """
    order = _order(wanted)
    kept = kept_alone(wanted)
    seated = {player for table in kept.tables for player in table.players}
    seated |= {bye.player for bye in kept.byes}
    playing = {entry.number for entry in wanted.registrations} - seated
    if len(playing) < 2:
        alone = [PairedBye(player, {}, ()) for player in playing]
        return Drafted(kept.tables, (*kept.byes, *alone))
    paired = round_robin_round(
        order,
        queries.number_in_stage(wanted.stage, wanted.number),
        active=playing,
        cycles=queries.cycles(wanted.stage, len(order)),
    )
    return _drafted(paired, kept)


def _order(wanted: Wanted) -> list[PlayerId]:
    if not queries.order_is_fixed(wanted.stage):
        _fix_order(wanted.stage, wanted.registrations)
    order: list[PlayerId] = [entry.number for entry in queries.fixed_order(wanted.stage)]
    late = [str(entry.player) for entry in wanted.registrations if entry.number not in order]
    if late:
        raise NoPlaceInTheOrder(
            f"{', '.join(late)} came after the order of this round robin was fixed with its first "
            "round. Drop them, then pair the round again."
        )
    return order


def _fix_order(stage: Stage, registrations: Sequence[Registration]) -> None:
    drawn = lots((entry.number for entry in registrations), stage.tournament.seed)
    ordered = sorted(
        registrations,
        key=lambda entry: (entry.seed is None, entry.seed or 0, drawn[entry.number]),
    )
    stage.entries.all().delete()
    StageEntry.objects.bulk_create(
        StageEntry(stage=stage, registration=entry, seed=place)
        for place, entry in enumerate(ordered, start=1)
    )


def _drafted(paired: PairedRound, kept: Drafted) -> Drafted:
    taken = {table.number for table in kept.tables}
    free = (number for number in count(1) if number not in taken)
    tables = [
        NewTable(next(free), (table.corp, table.runner), table.cost, table.reasons)
        for table in paired.pairings
    ]
    return Drafted(
        tables=tuple(sorted((*kept.tables, *tables), key=lambda table: table.number)),
        byes=(*kept.byes, *paired.byes),
        certificate=asdict(paired.certificate),
    )
