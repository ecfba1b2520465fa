"""Result slips of a round, four to a page, ordered for cutting the pages in a stack."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from decks.models import Side
from matches.scoring import scoring_rule
from tournaments.models import DeckSubmission, Round, Stage
from tournaments.rounds.pages.tables import SeatLine, TableLine, table_lines

SLIPS_ON_A_PAGE = 4
# Seats on a blank slip. A pod has at most five players.
PLAYERS, POD = 2, 5
# Hex digits of a seal, short enough to compare by eye.
SHORT_SEAL = 8

Item = TypeVar("Item")


@dataclass(frozen=True)
class SlipSeat:
    """A player on a slip; `seals` has (side, short seal) pairs, "" for a missing deck.

    `seals` is empty if the event has no submitted decks.
    """

    line: SeatLine
    seals: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Slip:
    table: TableLine
    seats: tuple[SlipSeat, ...]


def slips(round_: Round) -> list[Slip | None]:
    """Return the slips of a round in print order; None leaves a quarter of a page empty."""
    seals = _seals(round_)
    tables = [line for line in table_lines(round_) if not line.is_bye]
    return cutting_order([_slip(line, seals) for line in tables])


def blank_slips(stage: Stage) -> list[Slip]:
    """Return a page of blank slips with the seats of this stage."""
    has_roles = scoring_rule(stage.scoring_rule).has_roles
    nobody = SeatLine("", "", 0, None, None, has_won=False, is_me=False)
    seats = (nobody,) * (PLAYERS if has_roles else POD)
    table = TableLine(None, seats, is_settled=False, state="")
    return [Slip(table, ())] * SLIPS_ON_A_PAGE


def _seals(round_: Round) -> dict[tuple[int, str], str]:
    """Return the short seal of each deck at the event by (player number, side)."""
    decks = DeckSubmission.objects.filter(registration__tournament=round_.stage.tournament)
    found = decks.order_by().values_list("registration__number", "side", "version__seal")
    return {(number, side): seal[:SHORT_SEAL] for number, side, seal in found}


def _slip(table: TableLine, seals: dict[tuple[int, str], str]) -> Slip:
    seats = tuple(
        SlipSeat(
            seat,
            tuple((side.label, seals.get((seat.number, side.value), "")) for side in Side)
            if seals
            else (),
        )
        for seat in table.seats
    )
    return Slip(table, seats)


def cutting_order(items: Sequence[Item]) -> list[Item | None]:
    """Order items by page, so that the cut piles laid on each other are in sequence.

    With 10 items on 3 pages, the first page has items 1, 4, 7 and 10. Empty places at the end of
    the last page are left out.
    """
    pages = -(-len(items) // SLIPS_ON_A_PAGE)
    places = [page + pile * pages for page in range(pages) for pile in range(SLIPS_ON_A_PAGE)]
    ordered = [items[place] if place < len(items) else None for place in places]
    while ordered and ordered[-1] is None:
        ordered.pop()
    return ordered
