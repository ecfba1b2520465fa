"""Answer `engine simulate`: a whole event, played to its end."""

from engine.documents import Json, bracket
from engine.documents.events import check_version, read_players, read_seed, read_system
from engine.documents.nodes import Node
from engine.documents.records import Player
from engine.pairing.round_robin import rounds_needed
from engine.round_plan import suggested_rounds
from engine.simulation.plans import NOTHING, SCORING_RULES, SOME, Cut, Plan
from engine.simulation.playing import simulate_event
from engine.systems import ELIMINATIONS, System, SystemKind
from matches.scoring import ScoringRule, scoring_rule

MOST_PLAYERS = 1000
MOST_ROUNDS = 100
KEYS = (
    "datafort",
    "system",
    "seed",
    "players",
    "planned_rounds",
    "scoring_rule",
    "incidents",
    "cut",
)
CUT_KEYS = ("system", "size", "fixed")


def simulate(document: Json) -> Json:
    """Return an event document with all rounds, "standings" and, if requested, "cut".

    The cut is a document for `bracket` with its answer. Raise DocumentRefused for an invalid
    document.
    """
    plan = _plan(Node(document))
    event = simulate_event(plan)
    if plan.plays_by.is_elimination:
        return _with_answer(event.cut)
    answer = {**event.document, "standings": event.answers_to("standings")[-1]["standings"]}
    return answer if plan.cut is None else {**answer, "cut": _with_answer(event.cut)}


def _with_answer(document: Json) -> Json:
    return None if document is None else {**document, **bracket(document)}


def _plan(node: Node) -> Plan:
    check_version(node, needed=False)
    node.object_of(KEYS, needed=("system", "players"))
    system = _system(node)
    entries = _entries(node.under("players"))
    players = len(entries) or node.under("players").integer(2, MOST_PLAYERS)
    active = sum(player.active for player in entries) or players
    return Plan(
        system=system.id,
        seed=read_seed(node),
        players=players,
        rounds=_rounds(node.under("planned_rounds"), system, active),
        scoring_rule=_scoring_rule(node.under("scoring_rule"), system).id,
        incidents=SOME if node.under("incidents").flag() else NOTHING,
        cut=_cut(node.under("cut"), system, players),
        entries=entries,
    )


def _system(node: Node) -> System:
    system = read_system(node)
    if system.id not in SCORING_RULES:
        raise node.under("system").refusal(
            f"Rounds made by hand cannot be simulated. Name one of: {', '.join(SCORING_RULES)}."
        )
    return system


def _entries(node: Node) -> tuple[Player, ...]:
    """Return the listed players, or () if only a number is given."""
    if not isinstance(node.value, list):
        return ()
    node.items(least=2, most=MOST_PLAYERS)
    players = read_players(node)
    if sum(player.active for player in players) < 2:
        raise node.refusal("An event needs at least 2 active players. Add one.")
    return players


def _rounds(node: Node, system: System, players: int) -> int:
    """Return the planned rounds, by default as many as the system needs."""
    if node.is_set():
        return node.integer(1, MOST_ROUNDS)
    if system.kind is SystemKind.ROUND_ROBIN:
        return rounds_needed(players)
    return suggested_rounds(players)


def _scoring_rule(node: Node, system: System) -> ScoringRule:
    if not node.is_set():
        return scoring_rule(SCORING_RULES[system.id][0])
    return scoring_rule(node.one_of(SCORING_RULES[system.id]))


def _cut(node: Node, system: System, players: int) -> Cut | None:
    """Return the cut after the rounds. An elimination is a cut of all players."""
    if system.is_elimination:
        if node.is_set():
            raise node.refusal("An elimination has no rounds before a cut. Remove the cut.")
        return Cut(system.id, players)
    if not node.is_set():
        return None
    node.object_of(CUT_KEYS, needed=("system", "size"))
    return Cut(
        system=node.under("system").one_of(ELIMINATIONS),
        size=node.under("size").integer(2, players),
        fixed=node.under("fixed").flag(),
    )
