"""Preview changes of a draft by hand: broken rules and point gaps."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from engine.pairing import Entrant, Reason
from engine.pairing.warnings import round_warnings, widest_gap
from matches.scoring import scoring_rule
from tournaments.event import queries
from tournaments.models import Pairing, Registration, Round
from tournaments.rounds.pages.draft import DraftFacts, draft_facts
from tournaments.rounds.pages.reasons import sentence

# Player numbers by table, in the order of the seats.
SeatsByTable = Mapping[int, Sequence[int]]
SeatedTables = Sequence[tuple[Pairing, Sequence[Entrant]]]


@dataclass(frozen=True)
class ManualDraft:
    """The current draft: editable tables and byes, locked ones, and available players."""

    facts: DraftFacts
    locked: tuple[Pairing, ...]
    # Player numbers by table, in the order of the seats.
    tables: Mapping[int, tuple[int, ...]]
    byes: tuple[int, ...]
    # Players at no locked table, by number, sorted by name.
    free: Mapping[int, Registration]

    @property
    def seats(self) -> int:
        return scoring_rule(self.facts.stage.scoring_rule).most_seats

    @property
    def has_roles(self) -> bool:
        return self.facts.has_roles

    @property
    def points(self) -> Mapping[int, int]:
        return {int(number): one.match_points for number, one in self.facts.entrants.items()}

    @property
    def empty_tables(self) -> int:
        """Number of tables needed for players without a place, at least 1."""
        seated = {number for table in self.tables.values() for number in table} | {*self.byes}
        return max(1, ceil(len(self.free.keys() - seated) / self.seats))

    def first_free_number(self) -> int:
        """Return the table number after the highest in use."""
        taken = [*self.tables, *(pairing.table_number or 0 for pairing in self.locked)]
        return max(taken, default=0) + 1


def manual_draft(round_: Round) -> ManualDraft:
    """Fetch the data for pairing by hand; a constant number of queries."""
    pairings = list(queries.pairings_by_table(round_))
    draft = draft_facts(round_, pairings)
    locked = tuple(pairing for pairing in pairings if pairing.is_locked)
    loose = [pairing for pairing in pairings if not pairing.is_locked]
    taken = {entry.number for pairing in locked for entry in draft.seated(pairing)}
    return ManualDraft(
        facts=draft,
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


def manual_warnings(
    manual: ManualDraft, tables: SeatsByTable, byes: Sequence[int]
) -> tuple[str, ...]:
    """Return the rules that these tables and byes would break, and the players left over."""
    draft = manual.facts
    kept = [entry.number for pairing in manual.locked for entry in draft.seated(pairing)]
    seated = [*kept, *byes, *(number for table in tables.values() for number in table)]
    found = list(
        round_warnings([draft.entrants[number] for number in (*manual.free, *kept)], seated)
    )
    for number, players in tables.items():
        if len(players) == 1:
            found.append(Reason("alone", tuple(players), f"{{0}} sits alone at table {number}."))
        else:
            found += draft.warnings([draft.entrants[player] for player in players])
    for bye in byes:
        found += draft.warnings([draft.entrants[bye]])
    return tuple(sentence(reason, draft.names) for reason in found)


def manual_gaps(manual: ManualDraft, tables: SeatsByTable) -> tuple[str, ...]:
    """Return the point gap of each table that has one."""
    gaps = {
        number: widest_gap([manual.facts.entrants[player] for player in players])
        for number, players in tables.items()
    }
    return tuple(f"table {number}: {gap} apart" for number, gap in gaps.items() if gap)


@dataclass(frozen=True)
class SwapPreview:
    """Effects of a swap: rules broken and fixed, and point gaps of each table.

    `locked` are notes on locked tables of the two players.
    """

    one: Registration
    other: Registration
    broken: tuple[str, ...]
    mended: tuple[str, ...]
    gaps: tuple[str, ...]
    locked: tuple[str, ...] = ()

    @property
    def asks(self) -> bool:
        """Return True if the swap requires confirmation."""
        return bool(self.broken or self.locked)

    @property
    def key(self) -> str:
        """Identify the two players, so that a confirmation is valid for this swap only."""
        return "-".join(str(number) for number in sorted((self.one.number, self.other.number)))


def swap_preview(round_: Round, one: Registration, other: Registration) -> SwapPreview | None:
    """Compare the tables before and after the swap; None if nothing changes.

    A constant number of queries.
    """
    pairings = list(queries.pairings_by_table(round_))
    draft = draft_facts(round_, pairings)
    touched = [
        pairing
        for pairing in pairings
        if {one.number, other.number} & {entry.number for entry in draft.seated(pairing)}
    ]
    tables = [(pairing, draft.players(pairing)) for pairing in touched]
    seated = {player.id for _, players in tables for player in players}
    if one.number == other.number or not {one.number, other.number} <= seated:
        return None
    trade = {
        one.number: draft.entrants[other.number],
        other.number: draft.entrants[one.number],
    }
    swapped = [
        (pairing, [trade.get(int(player.id), player) for player in players])
        for pairing, players in tables
    ]
    before, after = _warnings(draft, tables), _warnings(draft, swapped)
    at = {int(player.id): pairing for pairing, players in tables for player in players}
    ways = [(one, at[one.number], at[other.number]), (other, at[other.number], at[one.number])]
    return SwapPreview(
        one,
        other,
        broken=(*_sentences(draft, after, but_not=before), *_fixed_tables_left(ways)),
        mended=_sentences(draft, before, but_not=after),
        gaps=tuple(_gaps(tables, swapped)),
        locked=tuple(_locks(touched)),
    )


def _warnings(draft: DraftFacts, tables: SeatedTables) -> Mapping[object, Reason]:
    """Return the warnings by subject, independent of the order of players."""
    found = [reason for _, players in tables for reason in draft.warnings(players)]
    # The order of players matters for roles, but not for a rematch.
    return {
        (
            reason.kind,
            reason.players if reason.kind == "same_roles" else frozenset(reason.players),
        ): (reason)
        for reason in found
    }


def _sentences(
    draft: DraftFacts, found: Mapping[object, Reason], *, but_not: Mapping[object, Reason]
) -> tuple[str, ...]:
    return tuple(
        sentence(reason, draft.names) for key, reason in found.items() if key not in but_not
    )


def _fixed_tables_left(
    ways: Iterable[tuple[Registration, Pairing, Pairing]],
) -> Iterator[str]:
    """Yield a note for each player whom the swap moves away from a fixed table.

    Each way is (player, old table, new table).
    """
    for entry, old, new in ways:
        has_it = entry.fixed_table is not None and entry.fixed_table == old.table_number
        if has_it and new != old:
            yield f"{entry.player} would leave table {entry.fixed_table}, their fixed table."


def _locks(pairings: Iterable[Pairing]) -> Iterator[str]:
    for pairing in pairings:
        if pairing.is_locked and pairing.bye is not None:
            yield "This bye is locked; it stays locked for the other player."
        elif pairing.is_locked:
            yield f"Table {pairing.table_number} is locked; it stays locked with the new player."


def _gaps(before: SeatedTables, after: SeatedTables) -> list[str]:
    gaps = []
    for (pairing, old), (_, new) in zip(before, after, strict=True):
        was, becomes = widest_gap(old), widest_gap(new)
        if pairing.match is not None and was != becomes:
            gaps.append(
                f"Table {pairing.table_number}: the point gap goes from {was} to {becomes}."
            )
    return gaps
