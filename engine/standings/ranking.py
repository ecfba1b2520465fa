"""Ranking of the players (docs/reference/rules.md), and the explanation of a player's place."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat
from typing import NamedTuple, TypeAlias

from engine.standings.records import (
    STRENGTH_OF_SCHEDULE,
    Exact,
    PlayerFigures,
    PlayerId,
    StandingsField,
    StandingsRecord,
    StoredField,
    StoredFigures,
    TieBreakWorking,
    TiedPlayers,
    id_order,
)
from engine.standings.tie_breakers import DEFAULT_TIE_BREAKERS, TIE_BREAKERS, TieBreaker

# The sort key of a single comparison, lower is better.
SortColumn: TypeAlias = list[Exact]


class StandingsRow(NamedTuple):
    rank: int
    id: PlayerId
    match_points: Exact
    games_won: int
    # Rounds with a table.
    played: int
    # Rounds with a bye.
    byes: int
    # All players' figures for each tie-breaker in order.
    figures: Mapping[str, PlayerFigures]
    # All players' strength of schedule and extended strength of schedule.
    strengths: tuple[PlayerFigures, PlayerFigures]

    @property
    def values(self) -> dict[str, Exact | None]:
        """The player's figure for each tie-breaker in order, None if unset."""
        return {id_: figures.exact.get(self.id) for id_, figures in self.figures.items()}

    @property
    def strength_of_schedule(self) -> Exact:
        return self.strengths[0].exact[self.id]

    @property
    def extended_strength_of_schedule(self) -> Exact:
        return self.strengths[1].exact[self.id]


@dataclass(frozen=True)
class TieBreakStep:
    tie_breaker: TieBreaker
    # The tied players before it, if it needs them.
    equals: TiedPlayers
    figures: PlayerFigures


def standings(
    records: Iterable[StandingsRecord],
    tie_breakers: Sequence[str] = DEFAULT_TIE_BREAKERS,
    *,
    seed: int,
) -> list[StandingsRow]:
    """Return all players, best first. Raise StandingsRefused, or KeyError for a tie-breaker."""
    field = StandingsField(records, seed)
    players = sorted(field.records, key=id_order)
    steps, columns = _apply_tie_breakers(field, players, tie_breakers)
    keys = list(zip(*columns, strict=True))
    order = sorted(range(len(players)), key=keys.__getitem__)
    ranks: list[int] = []
    for place, index in enumerate(order):
        shared = place > 0 and keys[order[place - 1]] == keys[index]
        ranks.append(ranks[-1] if shared else place + 1)
    ids = [players[index] for index in order]
    # `map` instead of a loop: a field of thousands is built in half the time.
    figures = (field.points, field.games, field.played, field.byes)
    return list(
        map(
            StandingsRow,
            ranks,
            ids,
            *(map(figure.__getitem__, ids) for figure in figures),
            repeat({step.tie_breaker.id: step.figures for step in steps}),
            repeat((field.strength_of_schedule, field.extended_strength_of_schedule)),
        )
    )


def can_explain_stored(tie_breakers: Sequence[str]) -> bool:
    """Check that `explain_stored` has the data for these tie-breakers."""
    chosen = set(tie_breakers)
    # These two need more of the opponents than stored figures.
    if chosen & {"head_to_head", "opponents_match_wins"}:
        return False
    # The extended strength needs the opponents' strength of schedule.
    return STRENGTH_OF_SCHEDULE in chosen or "extended_strength_of_schedule" not in chosen


def explain_stored(
    record: StandingsRecord, rows: Mapping[PlayerId, StoredFigures], tie_breakers: Sequence[str]
) -> tuple[TieBreakWorking, ...]:
    """Only for tie-breakers that pass `can_explain_stored`. Raise UnknownOpponent."""
    field = StoredField(record, rows)
    values = rows[record.id].values
    workings = []
    for id_ in tie_breakers:
        value = values.get(id_)
        figures = PlayerFigures({} if value is None else {record.id: value})
        workings.append(_working(TieBreakStep(TIE_BREAKERS[id_], {}, figures), field, record))
    return tuple(workings)


def explain_all_players(
    records: Iterable[StandingsRecord],
    tie_breakers: Sequence[str] = DEFAULT_TIE_BREAKERS,
    *,
    seed: int,
) -> dict[PlayerId, tuple[TieBreakWorking, ...]]:
    field = StandingsField(records, seed)
    steps, _ = _apply_tie_breakers(field, list(field.records), tie_breakers)
    return {
        player: tuple(_working(step, field, record) for step in steps)
        for player, record in field.records.items()
    }


def _apply_tie_breakers(
    field: StandingsField, players: Sequence[PlayerId], tie_breakers: Sequence[str]
) -> tuple[list[TieBreakStep], list[SortColumn]]:
    """Apply the tie-breakers in order; the columns are in the order of `players`."""
    steps: list[TieBreakStep] = []
    columns: list[SortColumn] = []
    for id_ in tie_breakers:
        breaker = TIE_BREAKERS[id_]
        equals: TiedPlayers = {}
        if breaker.among_equals:
            groups: defaultdict[tuple[Exact, ...], list[PlayerId]] = defaultdict(list)
            keys = list(zip(*columns, strict=True)) or [()] * len(players)
            for player, key in zip(players, keys, strict=True):
                groups[key].append(player)
            equals = {player: groups[key] for player, key in zip(players, keys, strict=True)}
        figures = breaker.values(field, equals)
        steps.append(TieBreakStep(breaker, equals, figures))
        columns += _columns(players, figures, breaker)
    return steps, columns


def _columns(
    players: Sequence[PlayerId], figures: PlayerFigures, breaker: TieBreaker
) -> list[SortColumn]:
    if figures.places is not None:
        return [[figures.places[player] for player in players]]
    numerators = figures.numerators
    sign = 1 if breaker.lower_is_better else -1
    if len(numerators) == len(players):
        return [[sign * numerators[player] for player in players]]
    # Players without a figure come after all players with a figure.
    return [
        [int(player not in numerators) for player in players],
        [sign * numerators.get(player, 0) for player in players],
    ]


def _working(step: TieBreakStep, field: StandingsField, record: StandingsRecord) -> TieBreakWorking:
    breaker = step.tie_breaker
    terms = tuple(breaker.terms(field, record, step.equals))
    value = step.figures.exact.get(record.id)
    return TieBreakWorking(
        tie_breaker=breaker.id,
        heading=breaker.heading,
        name=breaker.name,
        result=None if value is None else Fraction(value),
        terms=terms,
        divisor=len(terms) if breaker.is_mean and terms else None,
    )
