"""Verdicts and needed results for every player in the last round.

Players are judged by the points they can take from their own table. By points alone, each table can
be judged on its own, so most answers are a sum. If players may be tied and the tie-breakers depend
on other tables, an integer program searches for results. All answers assume that nobody drops.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import TypeAlias

import numpy as np

from engine.clinch import scenario_search
from engine.clinch.figures import RoundFigures, records_after
from engine.clinch.last_round import (
    ClinchNeed,
    ClinchVerdict,
    LastRound,
    ScenarioExample,
    TableEndings,
)
from engine.clinch.scenario_search import ABOVE, BELOW, RivalCounting, RivalQuestion
from engine.standings.ranking import standings
from engine.standings.records import Exact, PlayerId
from matches.scoring.results import exact

# The number of rivals ahead of a player, and the rivals tied on everything results decide.
RivalsAhead: TypeAlias = tuple[int, tuple[PlayerId, ...]]


@dataclass(frozen=True)
class OwnResult:
    """A result of the player's own table: points gained, final total in parts, columns."""

    points: Exact | None
    total: int
    columns: np.ndarray


@dataclass(frozen=True)
class ScenarioProof:
    """Proof that a question can be answered with yes."""

    # A column for each table, if known.
    columns: np.ndarray | None = None
    # No tie-breaker was needed.
    by_points: bool = False


def find_needs(last: LastRound) -> list[ClinchNeed]:
    """Return the needs of all players except dropped players, in the order of the records.

    Raise StandingsRefused if the records are inconsistent.
    """
    if not last.tables:
        return _decided_needs(last)
    finder = _NeedFinder(last)
    needs = [
        finder.need(number)
        for number, player in enumerate(finder.figures.players)
        if player not in last.dropped
    ]
    if all(len(table.ordinary) in (0, len(table.endings)) for table in last.tables):
        return [
            replace(need, ordinary_from=need.possible_from) if need.safe_from is None else need
            for need in needs
        ]
    tables = (
        replace(table, endings=table.ordinary) if table.ordinary else table for table in last.tables
    )
    ordinary = _NeedFinder(replace(last, tables=tuple(tables)), every_ending=finder)
    return [
        ordinary.prefer_ordinary(need) if need.verdict is ClinchVerdict.OPEN else need
        for need in needs
    ]


def _decided_needs(last: LastRound) -> list[ClinchNeed]:
    table = standings(last.records, last.tie_breakers, seed=last.seed)
    needs: dict[PlayerId, ClinchNeed] = {}
    for line in table:
        if line.id not in last.dropped:
            ahead = sum(rival.rank < line.rank for rival in table if rival.id not in last.dropped)
            verdict = ClinchVerdict.IN if ahead < last.places else ClinchVerdict.OUT
            # The rank in the standings is off if a dropped player is ahead.
            needs[line.id] = ClinchNeed(
                line.id, verdict, line.rank if line.rank == ahead + 1 else None
            )
    return [needs[record.id] for record in last.records if record.id in needs]


class _NeedFinder:
    def __init__(self, last: LastRound, every_ending: "_NeedFinder | None" = None) -> None:
        self.last = last
        # The same round with all endings, if `last` has only ordinary endings.
        self.every_ending = every_ending or self
        self.figures = RoundFigures(last)
        self.counting = RivalCounting(self.figures)
        self.others = self.counting.size - 1
        self.gave_up = False

    def need(self, player: int) -> ClinchNeed:
        self.gave_up = False
        ways = list(self._ways(player))
        name = self.figures.players[player]
        unsafe = self._last_unsafe(player, ways)
        if unsafe is None:
            return ClinchNeed(name, ClinchVerdict.IN, self._place(player, ways))
        possible = self._first_possible(player, ways)
        if possible is None:
            return ClinchNeed(name, ClinchVerdict.OUT, self._place(player, ways))
        (first, chance), (place, missing) = possible, unsafe
        is_proven = not self.gave_up
        safe = ways[place + 1].points if place + 1 < len(ways) else None
        making = None
        if safe is None:
            wanted = self._behind(self.last.places)
            best = (
                chance if first == place else self.find_scenario(player, ways[place], BELOW, wanted)
            )
            making = self._example_of(player, ways[place], BELOW, best) if best else None
        return ClinchNeed(
            player=name,
            verdict=ClinchVerdict.OPEN,
            safe_from=safe,
            possible_from=ways[first].points,
            missing=self._example_of(player, ways[place], ABOVE, missing),
            making=making,
            is_proven=is_proven,
        )

    def prefer_ordinary(self, need: ClinchNeed) -> ClinchNeed:
        """Use ordinary results as examples of a proven answer, if there are any."""
        player = self.figures.number[need.player]
        ways = list(self._ways(player))
        missing, making = self._marked(need.missing), self._marked(need.making)
        # An example that is already ordinary is reused, because a search takes time.
        if missing is not None and not missing.is_ordinary:
            unsafe = self._last_unsafe(player, ways)
            if unsafe is not None:
                place, proof = unsafe
                missing = self._example_of(player, ways[place], ABOVE, proof) or missing
        ordinary_from = None
        if need.safe_from is None:
            possible = self._first_possible(player, ways)
            if possible is not None:
                ordinary_from = ways[possible[0]].points
                if making is not None and not making.is_ordinary:
                    wanted = self._behind(self.last.places)
                    best = self.find_scenario(player, ways[-1], BELOW, wanted)
                    example = self._example_of(player, ways[-1], BELOW, best) if best else None
                    making = example or making
        return replace(need, missing=missing, making=making, ordinary_from=ordinary_from)

    def _marked(self, example: ScenarioExample | None) -> ScenarioExample | None:
        """Set `is_ordinary` on an example that was found among all endings."""
        if example is None:
            return None
        tables = {table.number: table for table in self.last.tables}
        is_ordinary = all(
            tables[number].has_ordinary(ending) for number, ending in example.results.items()
        )
        return replace(example, is_ordinary=is_ordinary)

    def _ways(self, player: int) -> Iterator[OwnResult]:
        # Fewest points first.
        figures = self.figures
        base = int(figures.points.constants[player])
        if player not in figures.table:
            yield OwnResult(None, base, np.zeros(0, dtype=int))
            return
        columns = np.flatnonzero(figures.table_of == figures.table[player])
        gained = figures.points.row(player)[columns]
        for points in np.unique(gained):
            share = exact(Fraction(int(points), figures.unit))
            yield OwnResult(share, base + int(points), columns[gained == points])

    def _last_unsafe(
        self, player: int, ways: Sequence[OwnResult]
    ) -> tuple[int, ScenarioProof] | None:
        """Return the best result of the player's own table that can still miss."""
        for place in range(len(ways) - 1, -1, -1):
            proof = self._among(player, ways, place, ABOVE, self.last.places)
            if proof is not None:
                return place, proof
        return None

    def _first_possible(
        self, player: int, ways: Sequence[OwnResult]
    ) -> tuple[int, ScenarioProof] | None:
        """Return the lowest result of the player's own table that can still make it."""
        wanted = self._behind(self.last.places)
        for place in range(len(ways)):
            proof = self._among(player, ways, place, BELOW, wanted)
            if proof is not None:
                return place, proof
        return None

    def _among(
        self, player: int, ways: Sequence[OwnResult], place: int, side: int, wanted: int
    ) -> ScenarioProof | None:
        # As in `find_scenario`, but first use monotonicity of the player's own points. With fewer
        # own points, rivals who were ahead or tied are ahead by points alone. With more, rivals who
        # were behind or tied are behind. If another result on that side gives too few rivals, this
        # result does too. The opponents at the player's own table are checked separately, because
        # their points change with the result.
        way = ways[place]
        if self.counting.bounds(_question(player, way, side, wanted))[0] >= wanted:
            return ScenarioProof(by_points=True)
        worse_ways = ways[:place] if side == ABOVE else ways[place + 1 :]
        for worse_way in worse_ways:
            question = _question(player, worse_way, side, wanted)
            if self.counting.bounds(question)[0] < wanted and self._own(
                worse_way, side, with_level=False
            ) >= self._own(way, side, with_level=True):
                return None
        return self.find_scenario(player, way, side, wanted)

    def _own(self, way: OwnResult, side: int, *, with_level: bool) -> int:
        """Return the maximum number of rivals on this side at the player's own table."""
        if not len(way.columns):
            return 0
        counts = self.counting.counts(way.total, side)
        if not with_level:
            return int(counts.strict[way.columns].max())
        # `with_level` also counts the player.
        return int(counts.with_level[way.columns].max()) - 1

    def _behind(self, places: int) -> int:
        """Return the number of rivals that must not be ahead of a player within these places."""
        return self.others - places + 1

    def find_scenario(
        self, player: int, way: OwnResult, side: int, wanted: int
    ) -> ScenarioProof | None:
        """Find a scenario with enough rivals on this side or tied, or None if impossible."""
        question = _question(player, way, side, wanted)
        strict, with_level = self.counting.bounds(question)
        if strict >= wanted:
            return ScenarioProof(by_points=True)
        if with_level < wanted:
            return None
        free = self.counting.free(question)
        ties = self.counting.ties(question, free)
        if not ties.contested and not ties.won.any():
            return None

        def holds(columns: np.ndarray) -> bool:
            ahead, level = self._against(columns)[self.figures.players[player]]
            return (ahead + len(level) if side == ABOVE else self.others - ahead) >= wanted

        search = scenario_search.ScenarioProgram(self.counting, question, free, ties)
        try:
            columns = search.scenario(holds)
        except scenario_search.GaveUp:
            self.gave_up = True
            return ScenarioProof()
        return None if columns is None else ScenarioProof(columns)

    def _against(self, columns: np.ndarray) -> dict[PlayerId, RivalsAhead]:
        """Return, by the exact standings, the rivals ahead and the tied rivals of every player."""
        last, breakers = self.figures.last, self.figures.tie_breakers
        results = self._results(columns, last)
        table = standings(records_after(last, results), breakers, seed=last.seed)
        by_player: dict[PlayerId, RivalsAhead] = {}
        ahead = 0
        for _, level in groupby(table, key=lambda line: line.rank):
            players = [line.id for line in level]
            rivals = [player for player in players if player not in self.last.dropped]
            for player in players:
                by_player[player] = ahead, tuple(rival for rival in rivals if rival != player)
            ahead += len(rivals)
        return by_player

    def _results(self, columns: np.ndarray, last: LastRound) -> TableEndings:
        return {
            table.number: table.endings[int(column - start)]
            for table, column, start in zip(last.tables, columns, self.figures.starts, strict=True)
        }

    def _place(self, player: int, ways: Sequence[OwnResult]) -> int | None:
        """Return the decided place: that of any scenario, if no other place is possible."""
        # Only rivals are compared, but the standings include dropped players.
        if self.last.dropped:
            return None
        if self._most(player, ways, ABOVE) > self.others - self._most(player, ways, BELOW):
            return None
        ahead, level = self._with_first_endings[self.figures.players[player]]
        if level:
            return None
        for way in ways:
            if self.find_scenario(player, way, ABOVE, ahead + 1) is not None:
                return None
            if self.find_scenario(player, way, BELOW, self._behind(ahead)) is not None:
                return None
        return ahead + 1

    @cached_property
    def _with_first_endings(self) -> dict[PlayerId, RivalsAhead]:
        return self._against(self.figures.starts)

    def _most(self, player: int, ways: Sequence[OwnResult], side: int) -> int:
        """Return the maximum number of rivals on this side by points alone."""
        return max(self.counting.bounds(_question(player, way, side, 0))[0] for way in ways)

    def _example_of(
        self, player: int, way: OwnResult, side: int, proof: ScenarioProof
    ) -> ScenarioExample | None:
        if proof.by_points:
            return self._by_points(player, way, side)
        if proof.columns is None:
            return None
        ahead, level = self._against(proof.columns)[self.figures.players[player]]
        return ScenarioExample(
            results=self._results(proof.columns, self.last),
            place=ahead + 1,
            is_whole=True,
            level=level,
            decided_by=self.figures.decided_by if level else "",
        )

    def _by_points(self, player: int, way: OwnResult, side: int) -> ScenarioExample:
        """Return as few results as put enough rivals on this side, whatever the other tables do."""
        wanted = self.last.places if side == ABOVE else self._behind(self.last.places)
        counting, figures = self.counting, self.figures
        question = _question(player, way, side, wanted)
        counts, free = counting.counts(way.total, side), counting.free(question)
        # Tables left out may end in any way, not only in an ordinary way.
        fewest = self.every_ending.fewest_on_side(Fraction(way.total, figures.unit), side)
        strict, _ = counting.bounds(question)
        chosen: list[int] = []
        own = figures.table.get(player)
        most = np.maximum.reduceat(np.where(free, counts.strict, -1), figures.starts)
        gains = most - fewest
        sure = strict - int(gains.sum())
        if own is not None:
            sure += int(gains[own])
            chosen.append(own)
        for place in np.argsort(-gains, kind="stable"):
            if sure >= wanted or not gains[place]:
                break
            if place != own:
                sure += int(gains[place])
                chosen.append(int(place))
        results = {}
        for place in sorted(chosen):
            columns = np.flatnonzero((figures.table_of == place) & free)
            column = int(columns[np.argmax(counts.strict[columns])])
            table = self.last.tables[place]
            results[table.number] = table.endings[column - int(figures.starts[place])]
        place_then = sure + 1 if side == ABOVE else self.others - sure + 1
        return ScenarioExample(results, place_then, is_whole=False)

    def fewest_on_side(self, points: Fraction, side: int) -> np.ndarray:
        """Return, by table, the fewest of its players who end on this side of these points."""
        counts = self.counting.counts(int(points * self.figures.unit), side)
        return np.minimum.reduceat(counts.strict, self.figures.starts)


def _question(player: int, way: OwnResult, side: int, wanted: int) -> RivalQuestion:
    return RivalQuestion(player, way.total, way.columns, side, wanted)
