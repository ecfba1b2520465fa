"""The order of the players (DESIGN 4.3), and the explanation of one player's place."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from tournaments.standings.field import Field
from tournaments.standings.lots import PlayerId, id_order
from tournaments.standings.records import Record
from tournaments.standings.tie_breakers import (
    DEFAULT_TIE_BREAKERS,
    TIE_BREAKERS,
    TieBreaker,
    Values,
)
from tournaments.standings.workings import Working

SortKey: TypeAlias = tuple[tuple[bool, Fraction | int], ...]


@dataclass(frozen=True)
class Standing:
    """One line of the table. `values` holds each tie-breaker in order, None where unset.

    `played` counts rounds with a table, `byes` rounds with a bye.
    """

    rank: int
    id: PlayerId
    match_points: int
    strength_of_schedule: Fraction
    extended_strength_of_schedule: Fraction
    games_won: int
    played: int
    byes: int
    values: Mapping[str, Fraction | int | None]


def standings(
    records: Iterable[Record],
    tie_breakers: Sequence[str] = DEFAULT_TIE_BREAKERS,
    *,
    seed: int,
) -> list[Standing]:
    """All players, best first, whatever the order of the records.

    Players equal on every tie-breaker share a rank; with `lot` among them nobody does.
    Raise StandingsRefused when the records contradict each other, KeyError for a tie-breaker
    that is not in TIE_BREAKERS.
    """
    field = Field(records, seed)
    chosen = {id_: TIE_BREAKERS[id_].values(field) for id_ in tie_breakers}
    keys = {player: _sort_key(player, chosen) for player in field.records}
    table: list[Standing] = []
    for place, player in enumerate(
        sorted(keys, key=lambda player: (keys[player], id_order(player))), start=1
    ):
        shared = bool(table) and keys[table[-1].id] == keys[player]
        table.append(_standing(field, player, table[-1].rank if shared else place, chosen))
    return table


def explain(
    records: Iterable[Record],
    player: PlayerId,
    tie_breakers: Sequence[str] = DEFAULT_TIE_BREAKERS,
    *,
    seed: int,
) -> tuple[Working, ...]:
    """Every tie-breaker of one player as arithmetic, in order.

    Raise KeyError for a player without a record, otherwise as `standings` does.
    """
    field = Field(records, seed)
    return tuple(_working(TIE_BREAKERS[id_], field, player) for id_ in tie_breakers)


def _sort_key(player: PlayerId, chosen: Mapping[str, Values]) -> SortKey:
    key: list[tuple[bool, Fraction | int]] = []
    for id_, values in chosen.items():
        value = values.get(player)
        if value is None:
            key.append((True, 0))
        else:
            key.append((False, value if TIE_BREAKERS[id_].lower_is_better else -value))
    return tuple(key)


def _standing(field: Field, player: PlayerId, rank: int, chosen: Mapping[str, Values]) -> Standing:
    record = field.records[player]
    return Standing(
        rank=rank,
        id=player,
        match_points=field.match_points[player],
        strength_of_schedule=field.strength_of_schedule[player],
        extended_strength_of_schedule=field.extended_strength_of_schedule[player],
        games_won=field.games_won[player],
        played=record.played,
        byes=record.byes,
        values={id_: values.get(player) for id_, values in chosen.items()},
    )


def _working(breaker: TieBreaker, field: Field, player: PlayerId) -> Working:
    record = field.records[player]
    terms = tuple(breaker.terms(field, record))
    value = breaker.values(field).get(player)
    return Working(
        tie_breaker=breaker.id,
        heading=breaker.heading,
        name=breaker.name,
        result=None if value is None else Fraction(value),
        terms=terms,
        divisor=len(terms) if breaker.is_mean and terms else None,
    )
