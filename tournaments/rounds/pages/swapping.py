"""What a swap of two players would change, told before it is made."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.pairing import Entrant, Reason
from engine.pairing.warnings import widest_gap
from tournaments.event import queries
from tournaments.models import Pairing, Registration, Round
from tournaments.rounds.pages.draft import Draft, draft_of
from tournaments.rounds.pages.sentences import sentence


@dataclass(frozen=True)
class SwapPreview:
    """What would be broken, what mended, and how far apart the points of each table would be.

    `locked` tells of locks on the tables of the two.
    """

    one: Registration
    other: Registration
    broken: tuple[str, ...]
    mended: tuple[str, ...]
    gaps: tuple[str, ...]
    locked: tuple[str, ...] = ()

    @property
    def asks(self) -> bool:
        """Whether the swap wants a second yes."""
        return bool(self.broken or self.locked)

    @property
    def key(self) -> str:
        """Names these two: who confirms this preview confirms no other."""
        return "-".join(str(number) for number in sorted((self.one.number, self.other.number)))


def swap_preview(round_: Round, one: Registration, other: Registration) -> SwapPreview | None:
    """Compare the tables of the two as they are and as they would be; None when nothing changes.

    A constant number of queries.
    """
    pairings = list(queries.pairings_by_table(round_))
    draft = draft_of(round_, pairings)
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


Tables = Sequence[tuple[Pairing, Sequence[Entrant]]]


def _warnings(draft: Draft, tables: Tables) -> Mapping[object, Reason]:
    """By what they are about, whoever is named first."""
    found = [reason for _, players in tables for reason in draft.warnings(players)]
    # Roles have an order, a meeting has none.
    return {
        (
            reason.kind,
            reason.players if reason.kind == "same_roles" else frozenset(reason.players),
        ): (reason)
        for reason in found
    }


def _sentences(
    draft: Draft, found: Mapping[object, Reason], *, but_not: Mapping[object, Reason]
) -> tuple[str, ...]:
    return tuple(
        sentence(reason, draft.names) for key, reason in found.items() if key not in but_not
    )


def _fixed_tables_left(
    ways: Iterable[tuple[Registration, Pairing, Pairing]],
) -> Iterator[str]:
    """Players whom the swap takes from a table of their own; each with where from and where to."""
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


def _gaps(before: Tables, after: Tables) -> list[str]:
    told = []
    for (pairing, old), (_, new) in zip(before, after, strict=True):
        was, becomes = widest_gap(old), widest_gap(new)
        if pairing.match is not None and was != becomes:
            told.append(
                f"Table {pairing.table_number}: the point gap goes from {was} to {becomes}."
            )
    return told
