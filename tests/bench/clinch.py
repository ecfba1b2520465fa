"""P9: what everybody needs in the last round, the whole field at once."""

from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter

from engine.clinch import Ending, LastRound, OpenTable, endings_of
from engine.documents import field
from engine.documents.events import read_event
from engine.documents.nodes import Node
from engine.documents.records import Table
from engine.simulation import Plan, simulate_event
from engine.standings import Record
from matches.scoring import scoring_rule
from tests.bench.clock import shown
from tests.bench.figures import Figure

GOALS = {96: 1.0, 300: 3.0}
"""Seconds, by players."""

RULES = (
    ("double", "onr_runner_only"),
    ("double", "anr_double"),
    ("single", "anr_single"),
    ("pods", "free_radicals"),
)
EVENTS = 5


def figures(events: int = EVENTS) -> Iterator[Figure]:
    """The slowest of some simulated events of each game, at the start of the last round."""
    from engine.clinch.answering import needs

    needs(last_round("double", "anr_double", 8, 0))
    for players, goal in GOALS.items():
        for system, rule in RULES:
            slowest = 0.0
            for seed in range(events):
                last = last_round(system, rule, players, seed)
                began = perf_counter()
                needs(last)
                slowest = max(slowest, perf_counter() - began)
            yield Figure(
                "P9",
                f"what {players} players need in the last round, {rule}",
                shown(slowest),
                f"<= {goal:.0f} s",
                slowest <= goal,
            )


def last_round(system: str, rule: str, players: int, seed: int, cut: int = 8) -> LastRound:
    """A simulated event as its last round begins."""
    rounds = max(3, (players - 1).bit_length())
    unit = scoring_rule(rule).point_unit
    plan = Plan(system, seed, players, rounds, rule, point_unit=unit)
    document = simulate_event(plan).document
    event = read_event(Node(document))
    open_tables = [entry for entry in event.rounds[-1] if isinstance(entry, Table)]
    tables = tuple(
        OpenTable(table.number, table.players, _endings(rule, len(table.players), unit))
        for table in open_tables
    )
    unfinished = {player for table in tables for player in table.players}
    records = tuple(
        _unfinished(record) if record.id in unfinished else record
        for record in field.records(event, event.rounds)
    )
    return LastRound(records, tables, event.tie_breakers, min(cut, players // 2), event.seed)


def _endings(rule: str, seats: int, unit: int) -> tuple[Ending, ...]:
    return tuple(
        tuple(taken._replace(points=taken.points * unit) for taken in ending)
        for ending in endings_of(scoring_rule(rule), seats)
    )


def _unfinished(record: Record) -> Record:
    return replace(record, rounds=(*record.rounds[:-1], None))
