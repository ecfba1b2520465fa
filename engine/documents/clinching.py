"""Answer `engine clinch`: needs in the last round, or chances before it."""

from dataclasses import replace
from decimal import Decimal
from math import gcd

from core.intervals import wilson
from engine.clinch import (
    Example,
    LastRound,
    Need,
    OpenTable,
    endings_of,
    ordinary_endings_of,
)
from engine.documents import field
from engine.documents.events import read_event
from engine.documents.json_text import DocumentRefused, Json
from engine.documents.nodes import Node
from engine.documents.pairing import order_of
from engine.documents.records import Bye, Event, Table
from engine.forecast import KINDS, Course, forecast, runs_for
from engine.pairing import PairingRefused, avoids_second_meetings
from engine.pairing.round_robin import cycles_in
from engine.standings import FIXED_TIE_BREAKERS, PlayerId
from engine.standings.records import Exact
from engine.systems import System, first_stage
from matches.scoring import SCORING_RULES, ScoringRule, scoring_rule

KEYS = ("scoring_rule", "places", "runs")
MOST_PLAYERS, MOST_RUNS = 1000, 10_000
DIGITS = Decimal("0.0001")


def clinch(document: Json) -> Json:
    """Return {"round", "places", "needs"} in the last round; before it "runs" and "players".

    The last round has the number "planned_rounds"; without that key any open round is the last.
    Raise DocumentRefused for an invalid document, a system without standings, and earlier rounds
    that cannot be forecast.
    """
    node = Node(document)
    event = read_event(node, KEYS)
    if event.system.is_elimination:
        raise node.under("system").refusal(
            'An elimination has no standings. "engine bracket" answers what can be played.'
        )
    list(node.under("players").items(most=MOST_PLAYERS))
    rule = _rule(node, event.system)
    places = node.under("places").optional_integer(1, MOST_PLAYERS) or 1
    runs = node.under("runs").optional_integer(1, MOST_RUNS)
    if event.planned_rounds is None or len(event.rounds) >= event.planned_rounds:
        return _last_round(node, event, rule, places)
    return _forecast(node, event, rule, places, runs)


def _rule(node: Node, system: System) -> ScoringRule:
    inner = node.under("scoring_rule")
    if not inner.is_set():
        raise inner.refusal(
            "The scoring rule is missing: it says how a table can end. Write one of: "
            f"{', '.join(SCORING_RULES)}."
        )
    rule = scoring_rule(inner.one_of(SCORING_RULES))
    if system not in first_stage(rule):
        fitting = [id_ for id_ in SCORING_RULES if system in first_stage(scoring_rule(id_))]
        raise inner.refusal(
            f'"{rule.id}" does not score matches of the system "{system.id}". Write one of: '
            f"{', '.join(fitting)}."
        )
    return rule


def last_round(event: Event, rule: ScoringRule, places: int) -> LastRound:
    """Return the event's last round. Tables without points can end in every way of the rule."""
    open_tables = [table for table in _tables(event) if table.is_open]
    unfinished = {player for table in open_tables for player in table.players}
    return LastRound(
        records=tuple(
            replace(record, rounds=(*record.rounds[:-1], None))
            if record.id in unfinished
            else record
            for record in field.records(event, event.rounds)
        ),
        tables=tuple(
            OpenTable(
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
        gone=frozenset(one.id for one in event.players if not one.active and places > 1),
    )


def _tables(event: Event) -> list[Table]:
    """Return the tables of the newest round."""
    return [entry for entry in event.rounds[-1] if isinstance(entry, Table)] if event.rounds else []


def _last_round(node: Node, event: Event, rule: ScoringRule, places: int) -> Json:
    from engine.clinch.answering import needs

    _check_open(node.under("rounds"), event, rule)
    last = last_round(event, rule, places)
    if last.tables and last.tie_breakers[0] != FIXED_TIE_BREAKERS[0]:
        raise node.under("tie_breakers").refusal(
            f"What open tables must bring is answered in points. Put {FIXED_TIE_BREAKERS[0]} first."
        )
    return {
        "round": len(event.rounds),
        "places": places,
        "open_tables": len(last.tables),
        "needs": [_need(need, last) for need in needs(last)],
    }


def _check_open(node: Node, event: Event, rule: ScoringRule) -> None:
    """Refuse a bye without points, and tables whose number of seats the rule does not score."""
    if not event.rounds:
        return
    inner = list(node.items())[-1]
    for place, entry in zip(inner.items(), event.rounds[-1], strict=True):
        if isinstance(entry, Bye) and entry.is_open:
            raise place.under("points").refusal("The points of a bye are missing. Add them.")
        seats = len(entry.players)
        if isinstance(entry, Table) and not rule.fewest_seats <= seats <= rule.most_seats:
            raise place.under("seats").refusal(
                f'"{rule.id}" scores tables of {rule.fewest_seats} to {rule.most_seats}, and here '
                f"are {seats} players. Name the scoring rule of this event."
            )


def _need(need: Need, last: LastRound) -> Json:
    return {
        "id": need.player,
        "verdict": need.verdict.value,
        "is_proven": need.is_proven,
        "place": need.place,
        "safe_from": _points(need.safe_from),
        "possible_from": _points(need.possible_from),
        "ordinary_from": _points(need.ordinary_from),
        "missing": _example(need.missing, last),
        "making": _example(need.making, last),
    }


def _example(example: Example | None, last: LastRound) -> Json:
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
                    {"id": player, "points": _points(taken.points)}
                    for player, taken in zip(
                        table.players, example.results[table.number], strict=True
                    )
                ],
            }
            for table in last.tables
            if table.number in example.results
        ],
    }


def _points(points: Exact | None) -> Json:
    """Return points as an integer, or as "n/d" if they are fractional."""
    return points if points is None or isinstance(points, int) else str(points)


def _check_foreseeable(node: Node, event: Event) -> None:
    if event.system.kind not in KINDS:
        raise node.under("system").refusal(
            "Nobody knows who meets whom before rounds of this system are made. Ask in its last "
            "round, or name another system."
        )
    if not event.closed_rounds:
        raise node.under("rounds").refusal(
            "No round has all its results, so nothing is known yet. Add a round."
        )


def _forecast(
    node: Node, event: Event, rule: ScoringRule, places: int, wanted_runs: int | None
) -> Json:
    _check_foreseeable(node, event)
    closed = replace(event, rounds=event.closed_rounds)
    course = course_of(closed, rule, places)
    runs = wanted_runs or runs_for(course)
    if not runs:
        raise node.under("runs").refusal(
            "This many rounds and players cannot be played out often enough within a minute. "
            'Set "runs", and allow more time.'
        )
    try:
        answer = forecast(course, runs=runs, seed=event.seed)
    except PairingRefused as refusal:
        raise DocumentRefused(str(refusal), "$.players") from refusal
    return {
        "round": len(closed.rounds),
        "places": places,
        "rounds_left": course.rounds_left,
        "runs": runs,
        "players": [_chance(player, hits, runs) for player, hits in answer.times_in.items()],
    }


def course_of(event: Event, rule: ScoringRule, places: int) -> Course:
    """Return the event after its closed rounds, with the plan for the remaining rounds."""
    order = order_of(event)
    # Parts in which each share of a place is a whole number.
    parts = rule.point_unit // gcd(rule.point_unit, event.point_unit)
    return Course(
        system=event.system,
        rule=rule,
        records=tuple(field.records(event, event.rounds)),
        entrants=tuple(
            replace(entrant, match_points=entrant.match_points * parts)
            for entrant in field.entrants(event)
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
        avoids_second_meetings=avoids_second_meetings(
            event.avoid_second_meetings,
            players=event.entered,
            planned_rounds=event.planned_rounds,
        ),
    )


def _chance(player: PlayerId, hits: int, runs: int) -> Json:
    """Return a player's successes with the 95 % Wilson interval of the share."""
    low, high = (Decimal(end).quantize(DIGITS) for end in wilson(hits, runs))
    return {"id": player, "times_in": hits, "low": low, "high": high}
