"""Simulated events: a plan, incidents, and an event played through the engine's documents."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from engine.documents.commands import COMMANDS, bracket
from engine.documents.events import (
    DocumentPlayer,
    check_version,
    read_players,
    read_seed,
    read_system,
)
from engine.documents.json_text import DocumentNode, Json, copy_json
from engine.pairing.round_robin import rounds_needed
from engine.round_plan import suggested_rounds
from engine.simulation.tables import draw_strength, play_two_games
from engine.standings.records import PlayerId
from engine.systems import ELIMINATION_SYSTEMS, SYSTEMS, System, SystemKind
from matches.scoring.results import Flag, MatchResult
from matches.scoring.rules import RankRule, ScoringRule, scoring_rule

# The scoring rules simulated for each system, the usual rule first.
RULES_BY_SYSTEM: Mapping[str, tuple[str, ...]] = {
    "double": ("onr_runner_only", "onr_either_side", "anr_double"),
    "single": ("anr_single",),
    "pods": ("free_radicals",),
    "round_robin": ("onr_runner_only", "anr_double", "anr_single"),
    "double_elimination": ("anr_single",),
    "single_elimination": ("anr_single",),
}


@dataclass(frozen=True)
class IncidentRates:
    # Per thousand tables.
    intentional_draw: int = 0
    two_for_one: int = 0
    double_loss: int = 0
    no_show: int = 0
    wrong_result: int = 0

    # Per thousand players.
    first_round_bye: int = 0
    drop: int = 0
    return_: int = 0
    late_entry: int = 0
    decline: int = 0

    # Per thousand rounds.
    swap_by_hand: int = 0
    tables_locked: int = 0
    without_roles: int = 0
    paired_early: int = 0


NO_INCIDENTS = IncidentRates()


# An event with some trouble.
SOME_INCIDENTS = IncidentRates(
    intentional_draw=25,
    two_for_one=25,
    double_loss=15,
    no_show=15,
    wrong_result=20,
    first_round_bye=40,
    drop=25,
    return_=100,
    late_entry=200,
    decline=60,
    swap_by_hand=80,
    tables_locked=80,
    without_roles=80,
    paired_early=60,
)


@dataclass(frozen=True)
class SimulatedCut:
    system: str
    size: int
    fixed: bool = False


@dataclass(frozen=True)
class SimulationPlan:
    """A simulated event; the same plan gives the same event."""

    system: str
    seed: int
    players: int
    rounds: int
    scoring_rule: str
    incidents: IncidentRates = NO_INCIDENTS
    cut: SimulatedCut | None = None
    # Parts of a point in the document, so that shared places are whole.
    point_unit: int = 1
    # The players; by default as many as `players`, with numbers as ids.
    entries: tuple[DocumentPlayer, ...] = ()

    @property
    def plays_by(self) -> System:
        return SYSTEMS[self.system]


# State of a simulated event: players, incidents and manual changes.


MAX_VICTORY_POINTS = 12
# No late entries after this round.
LAST_LATE_ENTRY = 3

MIN_ACTIVE = 2
# The object and the key of an id.
IdPlace = tuple[Json, str]


@dataclass(frozen=True)
class EngineAnswer:
    command: str
    document: Json
    answer: Json


@dataclass(frozen=True)
class SimulatedEvent:
    document: Json
    answers: tuple[EngineAnswer, ...]
    cut: Json = None
    # A sentence for each incident.
    notes: tuple[str, ...] = ()

    def answers_to(self, command: str) -> list[Json]:
        return [answer.answer for answer in self.answers if answer.command == command]


@dataclass
class ResultCorrection:
    # Seats with a wrong result, and the correct points.
    seats: list[Json]
    points: list[int]
    # The result is corrected before this round.
    before_round: int


@dataclass
class RunningEvent:
    plan: SimulationPlan
    chance: random.Random
    rule: ScoringRule
    document: Json
    strength: dict[PlayerId, int] = field(default_factory=dict)
    corrections: list[ResultCorrection] = field(default_factory=list)
    answers: list[EngineAnswer] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @classmethod
    def start(cls, plan: SimulationPlan) -> "RunningEvent":
        return cls(
            plan=plan,
            chance=random.Random(plan.seed),  # noqa: S311 - a draw to be repeated, not a secret
            rule=scoring_rule(plan.scoring_rule),
            document={
                "datafort": 1,
                "system": plan.system,
                "seed": plan.seed,
                "planned_rounds": plan.rounds,
                "point_unit": plan.point_unit,
                "x_scoring": plan.scoring_rule,
                "players": [],
                "rounds": [],
            },
        )

    @property
    def players(self) -> list[Json]:
        players: list[Json] = self.document["players"]
        return players

    def ask(self, command: str, **more: Json) -> Json:
        """Run a command on the current document, with these keys changed."""
        document = {**copy_json(self.document), **more}
        answer = COMMANDS[command](document)
        self.answers.append(EngineAnswer(command, document, answer))
        # A copy, because the organiser edits the draft while the recorded answer must not change.
        return copy_json(answer)

    def happens(self, incident: str) -> bool:
        often: int = getattr(self.plan.incidents, incident)
        return self.chance.randrange(1000) < often

    def note(self, sentence: str) -> None:
        self.notes.append(sentence)


@dataclass(frozen=True)
class TableOutcome:
    # By seat.
    points: list[int]
    result: MatchResult | None = None
    incident: str = ""


def simulate_table(
    rule: ScoringRule, strengths: Sequence[int], plan: SimulationPlan, chance: random.Random
) -> TableOutcome:
    incident = ""
    for name in ("double_loss", "no_show", "intentional_draw", "two_for_one"):
        if chance.randrange(1000) < getattr(plan.incidents, name):
            incident = name
            break
    if incident == "double_loss":
        return TableOutcome([0] * len(strengths), incident=incident)
    if incident == "no_show":
        points = [rule.bye_points * plan.point_unit, *[0] * (len(strengths) - 1)]
        return TableOutcome(points, incident=incident)
    if isinstance(rule, RankRule):
        return _simulate_pod(rule, len(strengths), plan.point_unit, chance)
    result = _simulate_match(rule, strengths, incident, chance)
    won = rule.match_points(result)
    return TableOutcome([int(won[1]), int(won[2])], result, incident if result.flags else "")


def result_body(result: MatchResult) -> Json:
    games = [
        {
            "corp": game.corp,
            "winner": game.winner and game.winner.value,
            "corp_agenda": game.corp_agenda_points,
            "runner_agenda": game.runner_agenda_points,
        }
        for game in result.games
    ]
    flags = sorted(flag.value for flag in result.flags)
    return {"games": games, "flags": flags, "victory_points": list(result.victory_points)}


def _simulate_match(
    rule: ScoringRule, strengths: Sequence[int], incident: str, chance: random.Random
) -> MatchResult:
    """Simulate a match; incidents that its rule does not have are ignored."""
    if incident == "intentional_draw" and Flag.INTENTIONAL_DRAW in rule.flags:
        return MatchResult(flags=frozenset({Flag.INTENTIONAL_DRAW}))
    games = play_two_games(strengths[0], strengths[1], chance)[: rule.games_per_match]
    if incident == "two_for_one" and Flag.TWO_FOR_ONE in rule.flags:
        return MatchResult(games=games[:1], flags=frozenset({Flag.TWO_FOR_ONE}))
    return MatchResult(games=games)


def _simulate_pod(rule: RankRule, seats: int, unit: int, chance: random.Random) -> TableOutcome:
    """Simulate points by rank; repeat if a share is not whole in this unit."""
    while True:
        victory = tuple(chance.randint(0, MAX_VICTORY_POINTS) for _ in range(seats))
        result = MatchResult(victory_points=victory)
        won = rule.match_points(result).values()
        if all((points * unit).denominator == 1 for points in won):
            return TableOutcome([int(points * unit) for points in won], result)


def change_players(running: RunningEvent, round_number: int) -> None:
    """Let players return, drop and join before a round; at least two stay."""
    # A round robin schedule only has the players of round 1.
    fixed = running.plan.plays_by.kind is SystemKind.ROUND_ROBIN
    players = running.players
    if fixed:
        round_1 = running.document["rounds"][0]
        seated = {seat[key] for entry in round_1 for seat, key in _id_places(entry)}
        players = [player for player in players if player["id"] in seated]
    for player in players:
        active = sum(entry["active"] for entry in running.players)
        if not player["active"] and running.happens("return_"):
            player["active"] = True
            running.note(f"Round {round_number}: player {player['id']} returns.")
        elif player["active"] and active > MIN_ACTIVE and running.happens("drop"):
            player["active"] = False
            running.note(f"Round {round_number}: player {player['id']} has dropped.")
    if round_number <= LAST_LATE_ENTRY and not fixed and running.happens("late_entry"):
        # A number that is not yet an id.
        taken = {player["id"] for player in running.players}
        number = next(number for number in count(len(taken) + 1) if number not in taken)
        _enter_player(running, _new_player(running, number))
        running.note(f"Round {round_number}: player {number} joins.")


def _new_player(running: RunningEvent, number: int) -> DocumentPlayer:
    return DocumentPlayer(number, first_round_bye=running.happens("first_round_bye"))


def _enter_player(running: RunningEvent, player: DocumentPlayer) -> None:
    running.strength[player.id] = draw_strength(running.chance)
    entry: Json = {
        "id": player.id,
        "active": player.active,
        "first_round_bye": player.first_round_bye,
        "seed": player.seed,
        "group": player.group,
    }
    running.players.append(entry)


def change_by_hand(running: RunningEvent, pairings: list[Json]) -> list[Json]:
    if running.plan.plays_by.kind is SystemKind.ROUND_ROBIN:
        return pairings
    if running.happens("tables_locked"):
        pairings = _pair_again(running, pairings)
    if running.happens("swap_by_hand"):
        _swap_players(running, pairings)
    if running.happens("without_roles"):
        tables = [entry for entry in pairings if "seats" in entry]
        for entry in running.chance.sample(tables, min(2, len(tables))):
            for seat in entry["seats"]:
                seat["role"] = None
            running.note(f"Made by hand without roles: table {entry['table']}.")
    return pairings


def _pair_again(running: RunningEvent, pairings: list[Json]) -> list[Json]:
    locked = []
    for entry in pairings:
        if running.chance.randrange(3) == 0:
            if "bye" in entry:
                locked.append({"bye": entry["bye"]})
            else:
                seats = [dict(seat) for seat in entry["seats"]]
                locked.append({"table": entry["table"], "seats": seats})
    running.note(f"{len(locked)} of {len(pairings)} entries are locked, the rest is paired again.")
    answer = running.ask("pair", locked=locked, seed=running.chance.randrange(10**6))
    paired: list[Json] = answer["pairings"]
    return paired


def _swap_players(running: RunningEvent, pairings: list[Json]) -> None:
    if len(pairings) < 2:
        return
    (first, first_key), (second, second_key) = (
        running.chance.choice(list(_id_places(entry)))
        for entry in running.chance.sample(pairings, 2)
    )
    first[first_key], second[second_key] = second[second_key], first[first_key]
    running.note(f"Swapped by hand: {first[first_key]} and {second[second_key]}.")


def _id_places(entry: Json) -> Iterator[IdPlace]:
    if "bye" in entry:
        yield entry, "bye"
    for seat in entry.get("seats", ()):
        yield seat, "id"


# The course of an event, like that of an organiser who only has the engine


MIN_SEEDS = 2


def simulate_event(plan: SimulationPlan) -> SimulatedEvent:
    running = RunningEvent.start(plan)
    numbers = range(1, plan.players + 1)
    for player in plan.entries or [_new_player(running, number) for number in numbers]:
        _enter_player(running, player)
    document, cut = running.document, None
    if plan.plays_by.is_elimination:
        assert plan.cut is not None
        # The players are seeded in order of entry.
        seeds = [player["id"] for player in running.players if player["active"]]
        document = cut = play_cut(running, plan.cut, seeds)
    else:
        for number in range(1, plan.rounds + 1):
            _play_round(running, number)
        _correct_results(running, plan.rounds + 2)
        running.ask("standings", as_of_round=running.chance.randint(0, plan.rounds))
        rows = running.ask("standings")["standings"]
        if plan.cut is not None:
            seeds = _accepting_players(running, [row["id"] for row in rows if row["active"]])
            seeds = seeds[: plan.cut.size]
            cut = play_cut(running, plan.cut, seeds) if len(seeds) >= MIN_SEEDS else None
    return SimulatedEvent(document, tuple(running.answers), cut, tuple(running.notes))


def _accepting_players(running: RunningEvent, ranked: list[PlayerId]) -> list[PlayerId]:
    """Leave out players who decline the cut, so that the next players replace them."""
    accepted = []
    for player in ranked:
        if running.happens("decline"):
            running.note(f"Player {player} declines the cut.")
        else:
            accepted.append(player)
    return accepted


def play_cut(running: RunningEvent, cut: SimulatedCut, seeds: list[PlayerId]) -> Json:
    document: Json = {
        "datafort": 1,
        "system": cut.system,
        "seed": running.plan.seed,
        "fixed": cut.fixed,
        "seeds": seeds,
        "results": [],
    }
    while True:
        question = copy_json(document)
        answer = bracket(question)
        running.answers.append(EngineAnswer("bracket", question, answer))
        games = answer["games"]
        if not games:
            return document
        # Games are reported as they end: in any order, several at a time.
        for game in running.chance.sample(games, running.chance.randint(1, len(games))):
            document["results"].append(_draw_game_result(running, game))


def _draw_game_result(running: RunningEvent, game: Json) -> Json:
    """Return a winner, and a Corp player as assigned, chosen or left out."""
    ids = [seat["id"] for seat in game["seats"]]
    first, second = (running.strength[player] for player in ids)
    winner = ids[0] if running.chance.randrange(first + second) < first else ids[1]
    assigned = [seat["id"] for seat in game["seats"] if seat["role"] == "corp"]
    corp = assigned[0] if assigned else running.chance.choice((*ids, None))
    return {"game": game["game"], "winner": winner, "corp": corp}


def _play_round(running: RunningEvent, number: int) -> None:
    if number > 1:
        _correct_results(running, number)
        change_players(running, number)
    pairings = change_by_hand(running, _draft_round(running))
    running.document["rounds"].append(
        [_play_table_entry(running, entry, number) for entry in pairings]
    )
    running.ask("standings")


def _draft_round(running: RunningEvent) -> list[Json]:
    """Draft a round, sometimes before a table of the last round has its result."""
    late = []
    if running.document["rounds"] and running.happens("paired_early"):
        late = running.chance.choice(running.document["rounds"][-1]).get("seats", [])
    points = [seat["points"] for seat in late]
    for seat in late:
        seat["points"] = None
    pairings: list[Json] = running.ask("pair", **({"force": True} if late else {}))["pairings"]
    for seat, late_points in zip(late, points, strict=True):
        seat["points"] = late_points
    return pairings


def _play_table_entry(running: RunningEvent, entry: Json, number: int) -> Json:
    if "bye" in entry:
        return {"bye": entry["bye"], "points": running.rule.bye_points * running.plan.point_unit}
    strengths = [running.strength[seat["id"]] for seat in entry["seats"]]
    outcome = simulate_table(running.rule, strengths, running.plan, running.chance)
    if outcome.incident:
        running.note(f"Round {number}, table {entry['table']}: {outcome.incident}.")
    points = zip(entry["seats"], outcome.points, strict=True)
    seats = [{**seat, "points": won} for seat, won in points]
    if running.happens("wrong_result"):
        for seat, wrong in zip(seats, outcome.points[::-1], strict=True):
            seat["points"] = wrong
        # The next round is paired with the wrong points.
        running.corrections.append(ResultCorrection(seats, outcome.points, number + 2))
    body = {"x_result": result_body(outcome.result)} if outcome.result else {}
    return {"table": entry["table"], "seats": seats, **body}


def _correct_results(running: RunningEvent, number: int) -> None:
    for correction in [item for item in running.corrections if item.before_round <= number]:
        for seat, points in zip(correction.seats, correction.points, strict=True):
            seat["points"] = points
        running.corrections.remove(correction)
        players = " and ".join(str(seat["id"]) for seat in correction.seats)
        running.note(f"Before round {number} a result of {players} is corrected.")


# The command `engine simulate`


MAX_SIMULATED_PLAYERS = 1000
MAX_PLANNED_ROUNDS = 100
SIMULATION_KEYS = (
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
    """Return an event document with all rounds, "standings" and, if requested, "cut"."""
    plan = _read_plan(DocumentNode(document))
    event = simulate_event(plan)
    if plan.plays_by.is_elimination:
        return _with_bracket_answer(event.cut)
    answer = {**event.document, "standings": event.answers_to("standings")[-1]["standings"]}
    return answer if plan.cut is None else {**answer, "cut": _with_bracket_answer(event.cut)}


def _with_bracket_answer(document: Json) -> Json:
    return None if document is None else {**document, **bracket(document)}


def _read_plan(node: DocumentNode) -> SimulationPlan:
    check_version(node, needed=False)
    node.object_of(SIMULATION_KEYS, needed=("system", "players"))
    system = _read_simulated_system(node)
    entries = _read_entries(node.under("players"))
    players = len(entries) or node.under("players").integer(2, MAX_SIMULATED_PLAYERS)
    active = sum(player.active for player in entries) or players
    rule, rules = node.under("scoring_rule"), RULES_BY_SYSTEM[system.id]
    return SimulationPlan(
        system=system.id,
        seed=read_seed(node),
        players=players,
        rounds=_read_planned_rounds(node.under("planned_rounds"), system, active),
        scoring_rule=rule.one_of(rules) if rule.is_set() else rules[0],
        incidents=SOME_INCIDENTS if node.under("incidents").flag() else NO_INCIDENTS,
        cut=_read_cut(node.under("cut"), system, players),
        entries=entries,
    )


def _read_simulated_system(node: DocumentNode) -> System:
    system = read_system(node)
    if system.id not in RULES_BY_SYSTEM:
        raise node.under("system").refusal(
            f"Rounds made by hand cannot be simulated. Name one of: {', '.join(RULES_BY_SYSTEM)}."
        )
    return system


def _read_entries(node: DocumentNode) -> tuple[DocumentPlayer, ...]:
    """Return the listed players, or () if only a number is given."""
    if not isinstance(node.value, list):
        return ()
    node.items(least=2, most=MAX_SIMULATED_PLAYERS)
    players = read_players(node)
    if sum(player.active for player in players) < 2:
        raise node.refusal("An event needs at least 2 active players. Add one.")
    return players


def _read_planned_rounds(node: DocumentNode, system: System, players: int) -> int:
    if node.is_set():
        return node.integer(1, MAX_PLANNED_ROUNDS)
    if system.kind is SystemKind.ROUND_ROBIN:
        return rounds_needed(players)
    return suggested_rounds(players)


def _read_cut(node: DocumentNode, system: System, players: int) -> SimulatedCut | None:
    """Return the cut after the rounds. An elimination is a cut of all players."""
    if system.is_elimination:
        if node.is_set():
            raise node.refusal("An elimination has no rounds before a cut. Remove the cut.")
        return SimulatedCut(system.id, players)
    if not node.is_set():
        return None
    node.object_of(CUT_KEYS, needed=("system", "size"))
    return SimulatedCut(
        system=node.under("system").one_of(ELIMINATION_SYSTEMS),
        size=node.under("size").integer(2, players),
        fixed=node.under("fixed").flag(),
    )
