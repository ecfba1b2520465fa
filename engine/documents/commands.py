"""The engine's commands: a document in, a document and an exit status out."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import zip_longest
from math import gcd
from typing import TypeAlias

from core.numbers import wilson_interval
from engine.bracket.games import (
    BracketRefused,
    GameWon,
    bracket_for,
    play_bracket,
)
from engine.clinch.last_round import (
    ClinchNeed,
    LastRound,
    ScenarioExample,
    UndecidedTable,
    endings_of,
    ordinary_endings_of,
)
from engine.documents import events
from engine.documents.events import (
    MAX_POINTS,
    DocumentBye,
    DocumentTable,
    Event,
    check_version,
    first_open_place,
    read_event,
    read_players,
    read_seed,
    read_system,
    unknown_player,
)
from engine.documents.json_text import (
    DocumentNode,
    DocumentRefused,
    Json,
    child_path,
    parse_json,
    write_json,
)
from engine.forecast import FORECAST_KINDS, Course, forecast, runs_for
from engine.pairing.costs import swiss_profile
from engine.pairing.pods import Pod, PodRound, seat_pods
from engine.pairing.reason_texts import document_sentence
from engine.pairing.records import (
    ENGINE_VERSION,
    REPLAYABLE_VERSIONS,
    VERSION_2,
    LockedBye,
    LockedPod,
    LockedTable,
    LockRefused,
    NotEnoughEntrants,
    PairedBye,
    PairedRound,
    PairedTable,
    PairingReason,
    PairingRefused,
)
from engine.pairing.round_robin import NotInTheOrder, cycles_in, round_robin_round, rounds_needed
from engine.pairing.swiss import pair_round
from engine.standings.ranking import StandingsRow, standings
from engine.standings.records import Exact, PlayerId, as_decimal, draw_places
from engine.standings.tie_breakers import FIXED_TIE_BREAKERS, TIE_BREAKERS
from engine.systems import System, SystemKind, first_stage_systems
from matches.scoring.results import Role
from matches.scoring.rules import SCORING_RULES, ScoringRule, scoring_rule

AnswerFunction: TypeAlias = Callable[[Json], Json]

# Exit statuses: a replay with a different answer, and an invalid document.
DIFFERENT_STATUS, REFUSED_STATUS = 1, 2


@dataclass(frozen=True)
class CommandOutput:
    text: bytes
    status: int = 0


def run_command(answering: AnswerFunction, data: bytes, indent: int | None = None) -> CommandOutput:
    """Answer the document in `data`; an invalid document gives {"error", "path"}."""
    try:
        answer = answering(parse_json(data))
    except DocumentRefused as refusal:
        wrong = {"error": str(refusal), "path": refusal.path}
        return CommandOutput(write_json(wrong, indent), REFUSED_STATUS)
    status = DIFFERENT_STATUS if answer.get("ok") is False else 0
    return CommandOutput(write_json(answer, indent), status)


# engine pair


NOT_PAIRED: Mapping[SystemKind, str] = {
    SystemKind.ELIMINATION: (
        "An elimination is not paired round by round. Give its seeds and results to "
        '"engine bracket", which says what can be played next.'
    ),
    SystemKind.MANUAL: "Rounds of this system are made by hand. Name another system to pair one.",
}


def pair(document: Json, engine_version: str = ENGINE_VERSION) -> Json:
    """Return {"round", "pairings", "cost", "relaxations", "notes", "certificate"}.

    With an older `engine_version` the answer is the same as in that version. Raise DocumentRefused.
    """
    node = DocumentNode(document)
    event = read_event(node)
    if event.system.kind in NOT_PAIRED:
        raise node.under("system").refusal(NOT_PAIRED[event.system.kind])
    missing = first_open_place(node.under("rounds"), event.rounds)
    if missing is not None and not event.force:
        raise missing.refusal(
            "Points are missing. Enter all results of the round first; to pair without them, add "
            '"force": true, and the table counts as met, for no points.'
        )
    try:
        make = ROUND_MAKERS[event.system.kind]
        return {"round": event.next_round, **make(node, event, engine_version)}
    except (NotEnoughEntrants, NotInTheOrder) as refusal:
        raise DocumentRefused(str(refusal), "$.players") from refusal
    except LockRefused as refusal:
        raise DocumentRefused(str(refusal), "$.locked") from refusal
    except PairingRefused as refusal:
        raise DocumentRefused(str(refusal), "$.rounds") from refusal


def _swiss_round(node: DocumentNode, event: Event, engine_version: str) -> Json:
    # Version 2 had no setting for second meetings.
    avoids = event.avoids_second_meetings and engine_version != VERSION_2
    paired = pair_round(
        events.pairing_entrants(event),
        round_number=event.next_round,
        seed=event.seed,
        profile=swiss_profile(event.system.id, avoids_second_meetings=avoids),
        planned_rounds=event.planned_rounds,
        locked=list(_read_locks(node.under("locked"), event)),
        engine_version=engine_version,
    )
    return _round_answer(paired, map(_table_json, paired.pairings), paired.notes)


def _read_locks(node: DocumentNode, event: Event) -> Iterator[LockedTable | LockedBye]:
    for place, entry in enumerate(event.locked):
        if isinstance(entry, DocumentBye):
            yield LockedBye(entry.player)
            continue
        players = {seat.role: seat.id for seat in entry.seats}
        if None in players:
            seats = DocumentNode(node.value[place], node, place).under("seats")
            raise seats.refusal("A locked table needs roles. Set the role of each seat.")
        yield LockedTable(entry.number, players[Role.CORP], players[Role.RUNNER])


def _pods_round(_node: DocumentNode, event: Event, engine_version: str) -> Json:
    seated = seat_pods(
        events.pairing_entrants(event),
        round_number=event.next_round,
        seed=event.seed,
        point_unit=event.point_unit,
        locked=[
            LockedBye(entry.player)
            if isinstance(entry, DocumentBye)
            else LockedPod(entry.number, entry.players)
            for entry in event.locked
        ],
        engine_version=engine_version,
    )
    tables = (
        {
            "table": pod.number,
            "seats": [{"id": player, "role": None} for player in pod.seats],
            **_account_json(pod),
        }
        for pod in seated.pods
    )
    return _round_answer(seated, tables)


def _round_robin(node: DocumentNode, event: Event, _engine_version: str) -> Json:
    if event.locked:
        raise node.under("locked").refusal(
            "The table of a round robin is fixed, so nothing can be locked. Remove the locks."
        )
    order = round_robin_order(event)
    # If more rounds are planned than a single cycle takes, there are more cycles.
    paired = round_robin_round(
        order,
        event.next_round,
        active={player.id for player in event.active},
        cycles=cycles_in(event.planned_rounds or 0, len(order)),
    )
    cycle = rounds_needed(len(order))
    relaxations = (*paired.relaxations, *_outside_rematches(event, paired, cycle))
    return _round_answer(
        replace(paired, relaxations=relaxations), map(_table_json, paired.pairings)
    )


def round_robin_order(event: Event) -> list[PlayerId]:
    """Return the players of round 1, seeds first and then by draw: the same in every round."""
    began = {player.id for player in event.active}
    if event.rounds:
        began = {player for entry in event.rounds[0] for player in entry.players}
    seeds = {player.id: player.seed for player in event.players if player.id in began}
    drawn = draw_places(seeds, event.seed)
    by_lot = sorted(seeds, key=drawn.__getitem__)
    return sorted(by_lot, key=lambda player: seeds[player] or MAX_POINTS + 1)


def _outside_rematches(event: Event, paired: PairedRound, cycle: int) -> Iterator[PairingReason]:
    """Yield rematches caused by rounds made by hand or by another order."""
    past = {entrant.id: entrant for entrant in events.pairing_entrants(event)}
    meant = (event.next_round - 1) // cycle
    for table in paired.pairings:
        if len(past[table.corp].roles_against.get(table.runner, ())) > meant:
            yield PairingReason("rematch", (table.corp, table.runner), "met_outside_schedule")


ROUND_MAKERS: Mapping[SystemKind, Callable[[DocumentNode, Event, str], Json]] = {
    SystemKind.SWISS: _swiss_round,
    SystemKind.PODS: _pods_round,
    SystemKind.ROUND_ROBIN: _round_robin,
}


def _round_answer(
    round_: PairedRound | PodRound, tables: Iterable[Json], notes: Iterable[PairingReason] = ()
) -> Json:
    return {
        "pairings": [*tables, *({"bye": bye.player, **_account_json(bye)} for bye in round_.byes)],
        "cost": dict(round_.cost),
        "relaxations": _reasons_json(round_.relaxations),
        "notes": _reasons_json(notes),
        "certificate": asdict(round_.certificate),
    }


def _table_json(entry: PairedTable) -> Json:
    seats = [
        {"id": entry.corp, "role": Role.CORP.value},
        {"id": entry.runner, "role": Role.RUNNER.value},
    ]
    return {"table": entry.number, "seats": seats, **_account_json(entry)}


def _account_json(entry: PairedTable | PairedBye | Pod) -> Json:
    return {
        "cost": dict(entry.cost),
        "reasons": _reasons_json(entry.reasons),
        "locked": entry.locked,
    }


def _reasons_json(reasons: Iterable[PairingReason]) -> list[Json]:
    return [
        {"kind": reason.kind, "players": list(reason.players), "text": document_sentence(reason)}
        for reason in reasons
    ]


# engine standings


MEAN_DIGITS = 9


def rank(document: Json) -> Json:
    """Return {"round", "tie_breakers", "standings"}. Raise DocumentRefused."""
    node = DocumentNode(document)
    event = read_event(node)
    if event.system.is_elimination:
        raise node.under("system").refusal(
            'An elimination has no standings. "engine bracket" answers its placings.'
        )
    rounds = event.closed_rounds
    if event.as_of_round is not None:
        rounds = rounds[: event.as_of_round]
    active = {player.id: player.active for player in event.players}
    table = standings(events.standings_records(event, rounds), event.tie_breakers, seed=event.seed)
    return {
        "round": len(rounds),
        "tie_breakers": list(event.tie_breakers),
        "standings": [dict(_standing_json(standing, active[standing.id])) for standing in table],
    }


def _standing_json(standing: StandingsRow, active: bool) -> Iterator[tuple[str, Json]]:
    yield "rank", standing.rank
    yield "id", standing.id
    yield "match_points", standing.match_points
    yield from _figure_json("strength_of_schedule", standing.strength_of_schedule)
    yield from _figure_json("extended_strength_of_schedule", standing.extended_strength_of_schedule)
    for id_, value in standing.values.items():
        yield from _figure_json(id_, value)
    yield "played", standing.played
    yield "byes", standing.byes
    yield "active", active


def _figure_json(id_: str, value: Fraction | int | None) -> Iterator[tuple[str, Json]]:
    # A mean has nine digits, and its exact fraction "n/d" beside it.
    if value is None or not TIE_BREAKERS[id_].is_mean:
        is_share = isinstance(value, Fraction) and value.denominator != 1
        yield id_, str(value) if is_share else value
        return
    exact = Fraction(value)
    yield id_, Decimal(as_decimal(exact, MEAN_DIGITS))
    yield f"{id_}_exact", f"{exact.numerator}/{exact.denominator}"


# engine bracket


MAX_SEEDS = 1024
MAX_GAMES = 2 * MAX_SEEDS
# "games" and "placings" are answers: they may stay in the document and are ignored.
BRACKET_KEYS = (
    "datafort",
    "name",
    "system",
    "seed",
    "seeds",
    "results",
    "fixed",
    "players",
    "games",
    "placings",
)
BRACKET_RESULT_KEYS = ("game", "winner", "corp")


def bracket(document: Json) -> Json:
    """Return {"games", "placings"}. Raise DocumentRefused."""
    node = DocumentNode(document)
    check_version(node, needed=False)
    node.object_of(BRACKET_KEYS, needed=("system", "seeds"))
    system = read_system(node)
    if not system.is_elimination:
        raise node.under("system").refusal(
            f'"{system.id}" has no bracket. Name "double_elimination" or "single_elimination"; '
            'rounds are paired by "engine pair".'
        )
    seeds = _read_seeds(node)
    try:
        games = bracket_for(system.id, len(seeds), fixed=node.under("fixed").flag())
        results = list(_read_results(node.under("results")))
        state = play_bracket(games, seeds, results, seed=read_seed(node))
    except BracketRefused as refusal:
        raise DocumentRefused(str(refusal), f"$.{refusal.details['path']}") from refusal
    return {
        "games": [
            {
                "game": game.number,
                "seats": [
                    {"id": seat.id, "role": seat.role and seat.role.value} for seat in game.seats
                ],
                "chooses_role": game.chooser,
            }
            for game in state.games
        ],
        "placings": [{"rank": place.rank, "id": place.id} for place in state.placings],
    }


def _read_seeds(node: DocumentNode) -> list[PlayerId]:
    """Return the players, best first. If "players" is given, it must list them."""
    players = node.under("players")
    known = {player.id for player in read_players(players)} if players.is_set() else None
    seeds = []
    for inner in node.under("seeds").items(least=2, most=MAX_SEEDS):
        player = inner.player_id()
        if known is not None and player not in known:
            raise unknown_player(inner)
        seeds.append(player)
    return seeds


def _read_results(node: DocumentNode) -> Iterator[GameWon]:
    for inner in node.items(most=MAX_GAMES) if node.is_set() else ():
        inner.object_of(BRACKET_RESULT_KEYS, needed=("game", "winner"))
        corp = inner.under("corp")
        yield GameWon(
            game=inner.under("game").integer(1, MAX_GAMES),
            winner=inner.under("winner").player_id(),
            corp=corp.player_id() if corp.is_set() else None,
        )


# engine clinch


CLINCH_KEYS = ("scoring_rule", "places", "runs")
MAX_CLINCH_PLAYERS, MAX_CLINCH_RUNS = 1000, 10_000
CHANCE_QUANTUM = Decimal("0.0001")


def clinch(document: Json) -> Json:
    """Return {"round", "places", "needs"} in the last round; before it "runs" and "players".

    The last round has the number "planned_rounds"; without that key any open round is the last.
    Raise DocumentRefused.
    """
    node = DocumentNode(document)
    event = read_event(node, CLINCH_KEYS)
    if event.system.is_elimination:
        raise node.under("system").refusal(
            'An elimination has no standings. "engine bracket" answers what can be played.'
        )
    list(node.under("players").items(most=MAX_CLINCH_PLAYERS))
    rule = _read_rule(node, event.system)
    places = node.under("places").optional_integer(1, MAX_CLINCH_PLAYERS) or 1
    runs = node.under("runs").optional_integer(1, MAX_CLINCH_RUNS)
    if event.planned_rounds is None or len(event.rounds) >= event.planned_rounds:
        return _last_round_answer(node, event, rule, places)
    return _forecast_answer(node, event, rule, places, runs)


def _read_rule(node: DocumentNode, system: System) -> ScoringRule:
    inner = node.under("scoring_rule")
    if not inner.is_set():
        raise inner.refusal(
            "The scoring rule is missing: it says how a table can end. Write one of: "
            f"{', '.join(SCORING_RULES)}."
        )
    rule = scoring_rule(inner.one_of(SCORING_RULES))
    if system not in first_stage_systems(rule):
        fitting = [id_ for id_ in SCORING_RULES if system in first_stage_systems(scoring_rule(id_))]
        raise inner.refusal(
            f'"{rule.id}" does not score matches of the system "{system.id}". Write one of: '
            f"{', '.join(fitting)}."
        )
    return rule


def clinch_round(event: Event, rule: ScoringRule, places: int) -> LastRound:
    """Return the event's last round. Tables without points can end in every way of the rule."""
    newest = event.rounds[-1] if event.rounds else ()
    open_tables = [entry for entry in newest if isinstance(entry, DocumentTable) and entry.is_open]
    unfinished = {player for table in open_tables for player in table.players}
    return LastRound(
        records=tuple(
            replace(record, rounds=(*record.rounds[:-1], None))
            if record.id in unfinished
            else record
            for record in events.standings_records(event, event.rounds)
        ),
        tables=tuple(
            UndecidedTable(
                table.number,
                table.players,
                endings_of(rule, len(table.players), unit=event.point_unit),
                ordinary_endings_of(rule, len(table.players), unit=event.point_unit),
            )
            for table in open_tables
        ),
        tie_breakers=event.tie_breakers,
        places=places,
        seed=event.seed,
        dropped=frozenset(
            player.id for player in event.players if not player.active and places > 1
        ),
    )


def _last_round_answer(node: DocumentNode, event: Event, rule: ScoringRule, places: int) -> Json:
    from engine.clinch.needs import find_needs

    _check_open_round(node.under("rounds"), event, rule)
    last = clinch_round(event, rule, places)
    if last.tables and last.tie_breakers[0] != FIXED_TIE_BREAKERS[0]:
        raise node.under("tie_breakers").refusal(
            f"What open tables must bring is answered in points. Put {FIXED_TIE_BREAKERS[0]} first."
        )
    return {
        "round": len(event.rounds),
        "places": places,
        "open_tables": len(last.tables),
        "needs": [_need_json(need, last) for need in find_needs(last)],
    }


def _check_open_round(node: DocumentNode, event: Event, rule: ScoringRule) -> None:
    """Refuse a bye without points, and tables whose number of seats the rule does not score."""
    if not event.rounds:
        return
    inner = list(node.items())[-1]
    for place, entry in zip(inner.items(), event.rounds[-1], strict=True):
        if isinstance(entry, DocumentBye) and entry.is_open:
            raise place.under("points").refusal("The points of a bye are missing. Add them.")
        seats = len(entry.players)
        if isinstance(entry, DocumentTable) and not rule.min_seats <= seats <= rule.max_seats:
            raise place.under("seats").refusal(
                f'"{rule.id}" scores tables of {rule.min_seats} to {rule.max_seats}, and here '
                f"are {seats} players. Name the scoring rule of this event."
            )


def _need_json(need: ClinchNeed, last: LastRound) -> Json:
    return {
        "id": need.player,
        "verdict": need.verdict.value,
        "is_proven": need.is_proven,
        "place": need.place,
        "safe_from": _points_json(need.safe_from),
        "possible_from": _points_json(need.possible_from),
        "ordinary_from": _points_json(need.ordinary_from),
        "missing": _example_json(need.missing, last),
        "making": _example_json(need.making, last),
    }


def _example_json(example: ScenarioExample | None, last: LastRound) -> Json:
    if example is None:
        return None
    return {
        "place": example.place,
        "is_whole": example.is_whole,
        "is_ordinary": example.is_ordinary,
        "level": list(example.level),
        "decided_by": example.decided_by or None,
        "tables": [
            {
                "table": table.number,
                "seats": [
                    {"id": player, "points": _points_json(result.points)}
                    for player, result in zip(
                        table.players, example.results[table.number], strict=True
                    )
                ],
            }
            for table in last.tables
            if table.number in example.results
        ],
    }


def _points_json(points: Exact | None) -> Json:
    return points if points is None or isinstance(points, int) else str(points)


def _forecast_answer(
    node: DocumentNode, event: Event, rule: ScoringRule, places: int, requested_runs: int | None
) -> Json:
    if event.system.kind not in FORECAST_KINDS:
        raise node.under("system").refusal(
            "The pairings of this system are not known before its rounds are made. Ask in its last "
            "round, or choose another system."
        )
    if not event.closed_rounds:
        raise node.under("rounds").refusal(
            "No round has all its results, so nothing is known yet. Add a round."
        )
    closed = replace(event, rounds=event.closed_rounds)
    course = forecast_course(closed, rule, places)
    runs = requested_runs or runs_for(course)
    if not runs:
        raise node.under("runs").refusal(
            "This many rounds and players cannot be played out often enough within a minute. "
            'Set "runs", and allow more time.'
        )
    try:
        times_in = forecast(course, runs=runs, seed=event.seed)
    except PairingRefused as refusal:
        raise DocumentRefused(str(refusal), "$.players") from refusal
    return {
        "round": len(closed.rounds),
        "places": places,
        "rounds_left": course.rounds_left,
        "runs": runs,
        "players": [_chance_json(player, hits, runs) for player, hits in times_in.items()],
    }


def forecast_course(event: Event, rule: ScoringRule, places: int) -> Course:
    """Return the event after its closed rounds, with the plan for the remaining rounds."""
    order = round_robin_order(event)
    # Parts in which each share of a place is a whole number.
    parts = rule.point_unit // gcd(rule.point_unit, event.point_unit)
    return Course(
        system=event.system,
        rule=rule,
        records=tuple(events.standings_records(event, event.rounds)),
        entrants=tuple(
            replace(entrant, match_points=entrant.match_points * parts)
            for entrant in events.pairing_entrants(event)
        ),
        next_round=event.next_round,
        last_round=event.planned_rounds or 0,
        tie_breakers=event.tie_breakers,
        places=places,
        bye_points=rule.bye_points * event.point_unit,
        parts=parts,
        unit=event.point_unit,
        order=tuple(order),
        cycles=cycles_in(event.planned_rounds or 0, len(order)),
        avoids_second_meetings=event.avoids_second_meetings,
    )


def _chance_json(player: PlayerId, hits: int, runs: int) -> Json:
    # The 95 % Wilson interval of the share.
    low, high = (Decimal(end).quantize(CHANCE_QUANTUM) for end in wilson_interval(hits, runs))
    return {"id": player, "times_in": hits, "low": low, "high": high}


# engine verify


VERIFY_KEYS = ("datafort", "document", "answer")
# The command that answers with such a key.
REPLAYS: Mapping[str, AnswerFunction] = {
    "certificate": pair,
    "pairings": pair,
    "standings": rank,
    "games": bracket,
    "placings": bracket,
}

AnswerDifference = tuple[str, Json, Json]


def verify(document: Json) -> Json:
    """Return {"ok": true}, or {"ok": false, "difference": {"path", "expected", "found"}}.

    `document` is {"document", "answer"}: an engine's input and its claimed answer. Top-level keys
    missing from the answer are not compared. A round is paired with the engine version of its
    certificate. Raise DocumentRefused if there is nothing to replay. Faults in the inner document
    have a path under "$.document".
    """
    node = DocumentNode(document)
    check_version(node, needed=False)
    node.object_of(VERIFY_KEYS, needed=("document", "answer"))
    replay = _replay_for(node.under("answer"))
    try:
        expected = replay(document["document"])
    except DocumentRefused as refusal:
        path = refusal.path.replace("$", "$.document", 1)
        raise DocumentRefused(str(refusal), path) from refusal
    found = document["answer"]
    # Check the certificate first: another input or engine explains all other differences.
    keys = sorted(found.keys() | expected.keys(), key=lambda key: (key != "certificate", key))
    for key in keys:
        if key not in found:
            continue
        path = child_path("$.answer", key)
        difference = next(_differences(path, expected.get(key), found[key]), None)
        if difference is not None:
            return {
                "ok": False,
                "difference": dict(zip(("path", "expected", "found"), difference, strict=True)),
            }
    return {"ok": True}


def _replay_for(node: DocumentNode) -> AnswerFunction:
    if isinstance(node.value, dict):
        for key, command in REPLAYS.items():
            if key not in node.value:
                continue
            # An unknown engine version shows up as a difference.
            certificate = node.value.get("certificate")
            version = certificate.get("engine_version") if isinstance(certificate, dict) else None
            if command is pair and version in REPLAYABLE_VERSIONS:
                return partial(pair, engine_version=version)
            return command
    raise node.refusal(f"An answer to be replayed has one of: {', '.join(REPLAYS)}.")


def _differences(path: str, expected: Json, found: Json) -> Iterator[AnswerDifference]:
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key in dict.fromkeys((*expected, *found)):
            yield from _differences(child_path(path, key), expected.get(key), found.get(key))
    elif isinstance(expected, list) and isinstance(found, list):
        for place, pair_ in enumerate(zip_longest(expected, found)):
            yield from _differences(child_path(path, place), *pair_)
        # A missing element compared with null is only a difference in length.
        if len(expected) != len(found):
            yield path, expected, found
    elif _is_number(expected) and _is_number(found):
        if Decimal(expected) != Decimal(found):
            yield path, expected, found
    # True must not equal 1.
    elif isinstance(expected, bool) is not isinstance(found, bool) or expected != found:
        yield path, expected, found


def _is_number(value: Json) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


COMMANDS: Mapping[str, AnswerFunction] = {
    "pair": pair,
    "standings": rank,
    "bracket": bracket,
    "verify": verify,
    "clinch": clinch,
}
