"""A round paired by hand: it begins with the tables that are kept, and nobody else seated."""

from tournaments.drafts.records import Drafted, KeptTable, NewBye, NewTable, Wanted


def make(wanted: Wanted) -> Drafted:
    """What is kept, as it is."""
    tables = [one for one in wanted.kept if isinstance(one, KeptTable)]
    byes = [one for one in wanted.kept if not isinstance(one, KeptTable)]
    return Drafted(
        tables=tuple(NewTable(table.number, table.players, locked=True) for table in tables),
        byes=tuple(NewBye(bye.player, locked=True) for bye in byes),
    )
