"""The numbers of the tables in the room: ranges, fixed tables and feature tables of the event."""

from dataclasses import replace

from engine import table_plan
from engine.pairing import Reason
from engine.table_plan import Clash, Wish
from tournaments.models import Registration
from tournaments.rounds.drafts.records import Drafted, NewTable, Wanted

FIXED_TABLE_TAKEN = "fixed_table_taken"


def numbered(wanted: Wanted, drafted: Drafted) -> Drafted:
    """The same round with the numbers this room has; tables that stay keep theirs.

    A fixed table somebody could not have is told beside the rules that gave way.
    """
    tournament = wanted.stage.tournament
    entries = {entry.number: entry for entry in wanted.registrations}
    numbers, clashes = table_plan.seated(
        [_wish(table, entries) for table in drafted.tables],
        room=table_plan.numbers_of(tournament.table_numbers),
        feature=table_plan.numbers_of(tournament.feature_tables),
    )
    tables = [
        replace(table, number=number) for table, number in zip(drafted.tables, numbers, strict=True)
    ]
    told = [_told(drafted.tables[clash.place], clash, entries) for clash in clashes]
    return replace(
        drafted,
        tables=tuple(sorted(tables, key=lambda table: table.number)),
        relaxations=(*drafted.relaxations, *told),
    )


def _wish(table: NewTable, entries: dict[int, Registration]) -> Wish:
    players = [entries[int(player)] for player in table.players]
    return Wish(
        fixed=tuple(entry.fixed_table for entry in players if entry.fixed_table is not None),
        avoids_stream=any(entry.avoids_stream for entry in players),
        kept=table.number if table.locked else None,
    )


def _told(table: NewTable, clash: Clash, entries: dict[int, Registration]) -> Reason:
    wants_it = [
        player for player in table.players if entries[int(player)].fixed_table == clash.number
    ]
    text = f"{{0}} has table {clash.number} as a fixed table, but somebody else needs it too."
    return Reason(FIXED_TABLE_TAKEN, tuple(wants_it[:1]), text)
