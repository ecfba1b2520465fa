"""Points and tie-breakers after the round as integer sums over the endings of tables.

Every ending of every open table is a column that is 1 if the table ends that way. Rounds and
opponents do not depend on the endings, so points and strengths of schedule are sums over columns.
Each figure is scaled to whole numbers, so nothing is rounded.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import lcm

import numpy as np
from scipy.sparse import csr_array

from engine.clinch.last_round import LastRound, TableEnding, TableEndings
from engine.standings.records import (
    SeatResult,
    StandingsField,
    StandingsRecord,
    table_entries,
)
from engine.standings.tie_breakers import MATCH_DRAW, MATCH_WIN, MATCH_WIN_FLOOR, match_wins

# Unknown before a table has ended, even if its points are known.
UNFORESEEABLE = ("lot", "agenda_point_difference", "victory_points")

_EXACT_LIMIT = 2**61


@dataclass(frozen=True)
class FigureForm:
    """A figure of all players: a constant and a value per column, all in the same scale."""

    constants: np.ndarray
    columns: csr_array

    @property
    def largest(self) -> int:
        parts = [self.constants, self.columns.data]
        return max((int(np.abs(part).max()) for part in parts if len(part)), default=0)

    def row(self, player: int) -> np.ndarray:
        row = np.zeros(self.columns.shape[1], dtype=np.int64)
        cells = slice(*self.columns.indptr[player : player + 2])
        row[self.columns.indices[cells]] = self.columns.data[cells]
        return row


class RoundFigures:
    """The field after the round, and its columns.

    Players are numbered as in `players`, open tables as in the round. `table_of` is the table of
    each column, `starts` the first column of each table. `last` is the round with its points in
    parts, `unit` to a point.
    """

    def __init__(self, round_: LastRound) -> None:
        # The fewest parts per point that make all points whole.
        gained = (
            seat.points for table in round_.tables for ending in table.endings for seat in ending
        )
        closed = (entry.points for record in round_.records for entry in record.rounds if entry)
        self.unit = lcm(*{points.denominator for points in chain(gained, closed)})
        self.last = last = _in_parts(round_, self.unit)
        self.players = [record.id for record in last.records]
        self.number = {player: number for number, player in enumerate(self.players)}
        self.before = StandingsField(last.records, last.seed)
        firsts = {table.number: table.endings[0] for table in last.tables}
        self.after = StandingsField(records_after(last, firsts), last.seed)
        sizes = [len(table.endings) for table in last.tables]
        self.table_of = np.repeat(np.arange(len(sizes)), sizes)
        self.starts = np.cumsum([0, *sizes])[:-1].astype(np.int64)
        self.seats = [[self.number[player] for player in table.players] for table in last.tables]
        self.table = {seat: place for place, seats in enumerate(self.seats) for seat in seats}

    @property
    def endings(self) -> Iterator[tuple[int, int, TableEnding]]:
        column = 0
        for place, table in enumerate(self.last.tables):
            for ending in table.endings:
                yield column, place, ending
                column += 1

    @cached_property
    def tie_breakers(self) -> tuple[str, ...]:
        """Tie-breakers decided by results: those before the first in UNFORESEEABLE."""
        known = self.last.tie_breakers
        end = next((place for place, id_ in enumerate(known) if id_ in UNFORESEEABLE), len(known))
        return known[:end]

    @property
    def is_whole(self) -> bool:
        return len(self.forms) == len(self.tie_breakers)

    @property
    def decided_by(self) -> str:
        """The tie-breaker that decides if all forms are equal; empty if players share a rank."""
        return next(iter(self.last.tie_breakers[len(self.tie_breakers) :]), "")

    @cached_property
    def points(self) -> FigureForm:
        base = [int(self.before.points[player]) for player in self.players]
        return self._of_seats(base, lambda seat: int(seat.points))

    @cached_property
    def forms(self) -> list[FigureForm]:
        """The points and each tie-breaker in order, up to the first that is not such a sum."""
        forms: list[FigureForm] = []
        for id_ in self.tie_breakers:
            form = self._form(id_)
            if form is None:
                break
            forms.append(form)
        return forms

    def _form(self, id_: str) -> FigureForm | None:
        """Return a tie-breaker as a sum over the columns; None if it is no sum or too large."""
        makers: dict[str, Callable[[], FigureForm | None]] = {
            "match_points": lambda: self.points,
            "manual_seed": self._seeds,
            "games_won": lambda: self._of_seats(
                [self.before.games[player] for player in self.players], lambda seat: seat.games_won
            ),
            "strength_of_schedule": lambda: self.strengths,
            "extended_strength_of_schedule": lambda: _weighted_sums(self._means, self.strengths),
            "opponents_match_wins": lambda: _weighted_sums(self._means, self._match_wins()),
            "buchholz": lambda: _weighted_sums(self._met, self.points),
        }
        maker = makers.get(id_)
        return maker() if maker else None

    @cached_property
    def strengths(self) -> FigureForm | None:
        shares = _shares([self.after.counted[player] or 1 for player in self.players])
        return _weighted_sums(self._means, _weighted_sums(shares, self.points))

    @cached_property
    def _met(self) -> csr_array:
        met = [
            (number, self.number[opponent])
            for number, player in enumerate(self.players)
            for opponent in self.after.opponents[player]
        ]
        rows, columns = zip(*met, strict=True) if met else ((), ())
        size = len(self.players)
        ones = np.ones(len(rows), dtype=np.int64)
        return csr_array((ones, (rows, columns)), shape=(size, size))

    @cached_property
    def _means(self) -> csr_array | None:
        """`_met` with all rows scaled to the same sum; None if too large."""
        shares = _shares([len(self.after.opponents[player]) or 1 for player in self.players])
        return None if shares is None else shares @ self._met

    def _seeds(self) -> FigureForm:
        """Lower seeds are better; a missing seed is the worst."""
        seeds = [record.manual_seed for record in self.last.records]
        worst = max((seed for seed in seeds if seed is not None), default=0) + 1
        base = [-(worst if seed is None else seed) for seed in seeds]
        return FigureForm(np.array(base, dtype=np.int64), self._sparse(()))

    def _of_seats(self, base: Sequence[int], worth: Callable[[SeatResult], int]) -> FigureForm:
        cells = [
            (seat, column, worth(result))
            for column, place, ending in self.endings
            for seat, result in zip(self.seats[place], ending, strict=True)
        ]
        return FigureForm(np.array(base, dtype=np.int64), self._sparse(cells))

    def _match_wins(self) -> FigureForm | None:
        """Return a rate that a table's ending decides completely; None if it is not exact."""
        wins = {player: match_wins(self.before, player)[0] for player in self.players}
        below = {player: MATCH_WIN * (self.after.counted[player] or 1) for player in self.players}
        scale = lcm(MATCH_WIN_FLOOR.denominator, *below.values())
        if scale >= _EXACT_LIMIT:
            return None

        def rate(player: int, more: int) -> int:
            name = self.players[player]
            return int(scale * max(MATCH_WIN_FLOOR, Fraction(wins[name] + more, below[name])))

        base = [0 if seat in self.table else rate(seat, 0) for seat in range(len(self.players))]
        cells = []
        for column, place, ending in self.endings:
            for at_table, seat in enumerate(self.seats[place]):
                own = ending[at_table].points
                best = max(taken.points for rival, taken in enumerate(ending) if rival != at_table)
                won = MATCH_WIN * (own > best) + MATCH_DRAW * (own == best)
                cells.append((seat, column, rate(seat, won)))
        return FigureForm(np.array(base, dtype=np.int64), self._sparse(cells))

    def _sparse(self, cells: Iterable[tuple[int, int, int]]) -> csr_array:
        listed = list(cells)
        rows, columns, values = zip(*listed, strict=True) if listed else ((), (), ())
        shape = (len(self.players), len(self.table_of))
        return csr_array((np.array(values, dtype=np.int64), (rows, columns)), shape=shape)


def _shares(counts: Sequence[int]) -> csr_array | None:
    """Return the reciprocal of each count in the same scale, or None if too large to be exact."""
    scale = lcm(*counts)
    if scale >= _EXACT_LIMIT:
        return None
    places = np.arange(len(counts))
    shares = np.array([scale // count for count in counts], dtype=np.int64)
    return csr_array((shares, (places, places)))


def _in_parts(last: LastRound, unit: int) -> LastRound:
    """Scale the points of a round. The order is unchanged, because all figures grow alike."""
    return replace(
        last,
        records=tuple(
            replace(
                record,
                rounds=tuple(
                    entry and replace(entry, points=int(entry.points * unit))
                    for entry in record.rounds
                ),
            )
            for record in last.records
        ),
        tables=tuple(
            replace(
                table,
                endings=tuple(
                    tuple(seat._replace(points=int(seat.points * unit)) for seat in ending)
                    for ending in table.endings
                ),
            )
            for table in last.tables
        ),
    )


def _weighted_sums(weights: csr_array | None, form: FigureForm | None) -> FigureForm | None:
    """Return the weighted sums of the figures, or None if they could be too large to be exact."""
    if weights is None or form is None:
        return None
    heaviest = int(np.abs(weights).sum(axis=1).max()) if weights.nnz else 0
    if heaviest * (form.largest or 1) >= _EXACT_LIMIT:
        return None
    return FigureForm(weights @ form.constants, csr_array(weights @ form.columns))


def records_after(last: LastRound, results: TableEndings) -> list[StandingsRecord]:
    entries = {
        player: entry
        for table in last.tables
        for player, entry in table_entries(
            dict(zip(table.players, results[table.number], strict=True))
        ).items()
    }
    return [
        replace(record, rounds=(*record.rounds[:-1], entries[record.id]))
        if record.id in entries
        else record
        for record in last.records
    ]
