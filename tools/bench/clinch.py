"""P9: clinch scenarios of the whole field in the last round."""

from collections.abc import Iterator
from time import perf_counter

from engine.clinch.last_round import LastRound
from engine.documents import commands
from engine.documents.events import read_event
from engine.documents.json_text import DocumentNode
from engine.simulation.events import SimulationPlan, simulate_event
from matches.scoring.rules import scoring_rule
from tools.bench.clock import shown
from tools.bench.figures import Figure

GOALS = {96: 1.0, 300: 3.0}
"""Seconds, by number of players."""

RULES = (
    ("double", "onr_runner_only"),
    ("double", "anr_double"),
    ("single", "anr_single"),
    ("pods", "free_radicals"),
)
EVENTS = 5


def figures(events: int = EVENTS) -> Iterator[Figure]:
    """The slowest of some simulated events of each game, at the start of the last round."""
    from engine.clinch.needs import find_needs

    find_needs(last_round("double", "anr_double", 8, 0))
    for players, goal in GOALS.items():
        for system, rule in RULES:
            slowest = 0.0
            for seed in range(events):
                last = last_round(system, rule, players, seed)
                began = perf_counter()
                find_needs(last)
                slowest = max(slowest, perf_counter() - began)
            yield Figure(
                "P9",
                f"what {players} players need in the last round, {rule}",
                shown(slowest),
                f"<= {goal:.0f} s",
                slowest <= goal,
            )


def last_round(system: str, rule: str, players: int, seed: int, cut: int = 8) -> LastRound:
    """A simulated event at the start of its last round."""
    rounds = max(3, (players - 1).bit_length())
    unit = scoring_rule(rule).point_unit
    plan = SimulationPlan(system, seed, players, rounds, rule, point_unit=unit)
    document = simulate_event(plan).document
    for entry in document["rounds"][-1]:
        for seat in entry.get("seats", ()):
            seat["points"] = None
    event = read_event(DocumentNode(document))
    return commands.clinch_round(event, scoring_rule(rule), min(cut, players // 2))
