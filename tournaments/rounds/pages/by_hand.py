"""A round paired by hand: what is offered to sit where, and what it would break."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from engine.pairing import Reason
from engine.pairing.warnings import round_warnings, widest_gap
from matches.scoring import scoring_rule
from tournaments.event import queries
from tournaments.models import Pairing, Registration, Round
from tournaments.rounds.pages.draft import Draft, draft_of
from tournaments.rounds.pages.sentences import sentence


@dataclass(frozen=True)
class HandSheet:
    """The draft as it stands: tables and byes to be changed, locked ones, and who can sit."""

    draft: Draft
    locked: tuple[Pairing, ...]
    tables: Mapping[int, tuple[int, ...]]
    """The players' numbers by table, in the order of the seats."""
    byes: tuple[int, ...]
    free: Mapping[int, Registration]
    """Who is at no locked table, by number, in the order of their names."""

    @property
    def seats(self) -> int:
        """The most players of one table."""
        return scoring_rule(self.draft.stage.scoring_rule).most_seats

    @property
    def points(self) -> Mapping[int, int]:
        """Points so far, by number."""
        return {int(number): one.match_points for number, one in self.draft.entrants.items()}

    @property
    def empty_tables(self) -> int:
        """How many tables those need who have no place yet; 1 at least, to move somebody to."""
        seated = {number for table in self.tables.values() for number in table} | {*self.byes}
        return max(1, ceil(len(self.free.keys() - seated) / self.seats))

    def first_free_number(self) -> int:
        """The first table number nobody has."""
        taken = [*self.tables, *(pairing.table_number or 0 for pairing in self.locked)]
        return max(taken, default=0) + 1


def hand_sheet(round_: Round) -> HandSheet:
    """Ask for all that a page to pair by hand needs; a constant number of queries."""
    pairings = list(queries.pairings_by_table(round_))
    draft = draft_of(round_, pairings)
    locked = tuple(pairing for pairing in pairings if pairing.is_locked)
    loose = [pairing for pairing in pairings if not pairing.is_locked]
    taken = {entry.number for pairing in locked for entry in draft.seated(pairing)}
    return HandSheet(
        draft=draft,
        locked=locked,
        tables={
            pairing.table_number: tuple(entry.number for entry in draft.seated(pairing))
            for pairing in loose
            if pairing.table_number is not None
        },
        byes=tuple(pairing.bye.number for pairing in loose if pairing.bye is not None),
        free={
            entry.number: entry
            for entry in draft.registrations.values()
            if entry.is_active and entry.number not in taken
        },
    )


Tables = Mapping[int, Sequence[int]]
"""The players' numbers by table, in the order of the seats."""


def hand_warnings(sheet: HandSheet, tables: Tables, byes: Sequence[int]) -> tuple[str, ...]:
    """What these tables and byes would break, and who would be left over."""
    draft = sheet.draft
    kept = [entry.number for pairing in sheet.locked for entry in draft.seated(pairing)]
    seated = [*kept, *byes, *(number for table in tables.values() for number in table)]
    found = list(
        round_warnings([draft.entrants[number] for number in (*sheet.free, *kept)], seated)
    )
    for number, players in tables.items():
        if len(players) == 1:
            found.append(Reason("alone", tuple(players), f"{{0}} sits alone at table {number}."))
        else:
            found += draft.warnings([draft.entrants[player] for player in players])
    for bye in byes:
        found += draft.warnings([draft.entrants[bye]])
    return tuple(sentence(reason, draft.names) for reason in found)


def hand_gaps(sheet: HandSheet, tables: Tables) -> tuple[str, ...]:
    """How far apart the points of each table are, where they are not equal."""
    gaps = {
        number: widest_gap([sheet.draft.entrants[player] for player in players])
        for number, players in tables.items()
    }
    return tuple(f"table {number}: {gap} apart" for number, gap in gaps.items() if gap)
