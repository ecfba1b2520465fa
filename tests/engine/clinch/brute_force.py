"""Every possible last round, ranked by the formulas of the checker."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from engine.clinch.last_round import (
    ClinchNeed,
    ClinchVerdict,
    LastRound,
    TableEndings,
    UndecidedTable,
    endings_of,
)
from engine.standings.records import Bye, PlayerId, StandingsRecord, table_entries
from matches.scoring.rules import scoring_rule
from tests.checker import ranking
from tests.checker import standings as naive

RULES = ("onr_runner_only", "onr_either_side", "anr_double", "anr_single", "free_radicals")
FREE = ("lot", "agenda_point_difference", "victory_points")
ORDERS = (
    ("match_points", "manual_seed", "strength_of_schedule", "extended_strength_of_schedule", "lot"),
    ("match_points", "strength_of_schedule", "extended_strength_of_schedule", "lot"),
    ("match_points", "games_won", "strength_of_schedule", "lot"),
    ("match_points", "head_to_head", "strength_of_schedule", "lot"),
    ("match_points", "buchholz", "extended_strength_of_schedule"),
    ("match_points", "opponents_match_wins", "buchholz", "lot"),
    ("match_points", "median_buchholz", "strength_of_schedule", "lot"),
    ("match_points", "strength_of_schedule", "agenda_point_difference", "lot"),
    ("match_points", "victory_points", "strength_of_schedule", "lot"),
)
MAX_SCENARIOS = 40
# Number of rivals ahead, and the tied rivals.
Against = tuple[int, tuple[PlayerId, ...]]


def small_round(seed: int) -> LastRound:
    """A last round of a few players with few enough possible results."""
    chance = random.Random(f"clinch {seed}")
    rule = scoring_rule(chance.choice(RULES))
    seats = chance.choice((2, 3, 3, 4)) if rule.max_seats > 2 else 2
    players = list(range(1, chance.randint(max(3, seats), 9) + 1))
    closed = chance.randint(0, 4)
    rounds = [_entries(players, seats, rule, chance) for _ in range(closed)]
    tables: tuple[UndecidedTable, ...] = ()
    while not tables:
        entries = _entries(players, seats, rule, chance)
        tables = _open_tables(entries, rule, chance)
    rounds.append(entries)
    unfinished = {player for table in tables for player in table.players}
    seeded = chance.random() < 0.2
    records = tuple(
        StandingsRecord(
            player,
            (
                *(round_.get(player) for round_ in rounds[:-1]),
                None if player in unfinished else rounds[-1].get(player),
            ),
            chance.randint(1, 9) if seeded and chance.random() < 0.7 else None,
        )
        for player in players
    )
    dropped = frozenset(player for player in players if chance.random() < 0.05)
    records = tuple(replace(record, has_dropped=record.id in dropped) for record in records)
    return LastRound(
        records, tables, chance.choice(ORDERS), chance.randint(1, len(players) - 1), seed, dropped
    )


def _entries(players: list[int], seats: int, rule: Any, chance: random.Random) -> dict[int, Any]:
    present = [player for player in players if chance.random() > 0.05]
    chance.shuffle(present)
    entries: dict[int, Any] = {}
    while len(present) >= seats:
        table, present = present[:seats], present[seats:]
        ending = chance.choice(endings_of(rule, seats))
        entries |= table_entries(dict(zip(table, ending, strict=True)))
    return entries | {player: Bye(rule.bye_points) for player in present}


def _open_tables(
    entries: dict[int, Any], rule: Any, chance: random.Random
) -> tuple[UndecidedTable, ...]:
    """Some of the round's tables, each with a few of its possible results."""
    tables = {
        tuple(sorted((player, *entry.opponents)))
        for player, entry in entries.items()
        if not isinstance(entry, Bye)
    }
    open_tables, scenarios = [], 1
    for number, table in enumerate(sorted(tables), start=1):
        endings = endings_of(rule, len(table))
        chosen_endings = chance.sample(endings, min(len(endings), chance.choice((2, 3, 4, 5))))
        if scenarios * len(chosen_endings) <= MAX_SCENARIOS and chance.random() < 0.85:
            open_tables.append(UndecidedTable(number, table, tuple(chosen_endings)))
            scenarios *= len(chosen_endings)
    return tuple(open_tables)


@dataclass
class Outlook:
    """Outcomes of a player over all scenarios, by points from the own table."""

    ahead: dict[Any, list[Against]] = field(default_factory=dict)

    def safe(self, points: Any, max_place: int) -> bool:
        return all(ahead + len(level) < max_place for ahead, level in self.ahead[points])

    def possible(self, points: Any, max_place: int) -> bool:
        return any(ahead < max_place for ahead, _ in self.ahead[points])

    def need(self, player: PlayerId, max_place: int) -> ClinchNeed:
        """The same need without examples."""
        own_results = sorted(self.ahead, key=lambda points: -1 if points is None else points)
        unsafe = [
            index for index, points in enumerate(own_results) if not self.safe(points, max_place)
        ]
        possible = [points for points in own_results if self.possible(points, max_place)]
        if not unsafe or not possible:
            verdict = ClinchVerdict.OUT if unsafe else ClinchVerdict.IN
            return ClinchNeed(player, verdict, self.place())
        safe = own_results[unsafe[-1] + 1] if unsafe[-1] + 1 < len(own_results) else None
        return ClinchNeed(player, ClinchVerdict.OPEN, None, safe, possible[0])

    def place(self) -> int | None:
        all_results = {result for results in self.ahead.values() for result in results}
        ahead, level = next(iter(all_results))
        return ahead + 1 if len(all_results) == 1 and not level else None


def by_brute_force(last: LastRound) -> list[ClinchNeed]:
    """Count every scenario without using the code under test."""
    outlooks = {record.id: Outlook() for record in last.records if record.id not in last.dropped}
    for results in scenarios(last):
        places_by_player = against(last, results)
        for player, outlook in outlooks.items():
            points = own_points(last, results, player)
            outlook.ahead.setdefault(points, []).append(places_by_player[player])
    needs = [outlook.need(player, last.places) for player, outlook in outlooks.items()]
    # The place in the standings, which have the others too.
    return [replace(need, place=None) for need in needs] if last.dropped else needs


def scenarios(last: LastRound) -> Iterator[TableEndings]:
    for endings in product(*(table.endings for table in last.tables)):
        yield {table.number: ending for table, ending in zip(last.tables, endings, strict=True)}


def own_points(last: LastRound, results: TableEndings, player: Any) -> Any:
    for table in last.tables:
        if player in table.players:
            return results[table.number][table.players.index(player)].points
    return None


def against(last: LastRound, results: TableEndings) -> dict[Any, Against]:
    """Rivals ahead and tied rivals before the random draw, without dropped players."""
    rounds = document_rounds(last, results)
    groups = [[record.id for record in last.records]]
    formulas = {name: cache(formula) for name, formula in ranking.formulas_of(rounds).items()}
    seeds = {record.id: record.manual_seed for record in last.records}
    dropped = {record.id for record in last.records if record.has_dropped}
    for name in last.tie_breakers:
        if name in FREE:
            break
        finer = []
        for group in groups:
            keys = _keys(name, group, rounds, formulas, seeds, dropped)
            for key in sorted(set(keys.values())):
                finer.append([player for player in group if keys[player] == key])
        groups = finer
    rivals_by_player, ahead = {}, 0
    for group in groups:
        rivals = [player for player in group if player not in last.dropped]
        for player in group:
            rivals_by_player[player] = ahead, tuple(rival for rival in rivals if rival != player)
        ahead += len(rivals)
    return rivals_by_player


def _keys(
    name: str, group: Any, rounds: Any, formulas: Any, seeds: Any, dropped: set[Any]
) -> dict[Any, Any]:
    if name == "manual_seed":
        return {player: (seeds[player] is None, seeds[player] or 0) for player in group}
    if name == "head_to_head":
        blocks = naive.direct_encounter(rounds, group, dropped)
        return {player: index for index, (block, _) in enumerate(blocks) for player in block}
    return {player: -Fraction(formulas[name](player)) for player in group}


def document_rounds(last: LastRound, results: TableEndings) -> list[list[dict[str, Any]]]:
    """The rounds in the format of the checker, with these results in the last round."""
    rounds: list[list[dict[str, Any]]] = []
    for number in range(len(last.records[0].rounds)):
        entries: dict[Any, dict[str, Any]] = {}
        for record in last.records:
            entry = record.rounds[number]
            if isinstance(entry, Bye):
                entries[record.id] = {"bye": record.id, "points": entry.points}
            elif entry is not None:
                key = tuple(sorted((record.id, *entry.opponents)))
                seat = {"id": record.id, "points": entry.points, "games_won": entry.games_won}
                entries.setdefault(key, {"seats": []})["seats"].append(seat)
        rounds.append(list(entries.values()))
    for table in last.tables:
        seats = [
            {"id": player, "points": seat_points.points, "games_won": seat_points.games_won}
            for player, seat_points in zip(table.players, results[table.number], strict=True)
        ]
        rounds[-1].append({"seats": seats})
    return rounds


def bare(need: ClinchNeed) -> ClinchNeed:
    return replace(need, missing=None, making=None, ordinary_from=None)
