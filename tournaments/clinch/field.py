"""Engine input for clinch scenarios and forecasts, and the stored form of the answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from engine.clinch import (
    Example,
    LastRound,
    Need,
    OpenTable,
    endings_of,
    ordinary_endings_of,
)
from engine.forecast import Course
from engine.standings.records import Exact
from matches.scoring import scoring_rule
from tournaments.event import field, queries
from tournaments.event.queries.standings import ClosedTable
from tournaments.event.snapshots import tie_breakers_of
from tournaments.models import Round, Tournament

# Number of places that count without a cut.
WINNER = 1


@dataclass(frozen=True)
class Question:
    """The last round, and a digest of all data it depends on."""

    last: LastRound
    digest: str


def question_of(tournament: Tournament, round_: Round) -> Question:
    """Build the engine's input for this round; a constant number of queries.

    Reported but unconfirmed results count as open.
    """
    entries = list(tournament.registrations.order_by("number"))
    numbers = {entry.player_id: entry.number for entry in entries}
    rounds = queries.rounds(tournament).filter(number__lte=round_.number)
    played = queries.tables_of(queries.swiss_pairings(rounds), numbers)
    past = field.history_of(played)
    rule, places = scoring_rule(round_.stage.scoring_rule), tournament.planned_cut or WINNER
    open_tables = [
        one
        for one in played
        if isinstance(one, ClosedTable) and one.round == round_.number and not one.is_settled
    ]
    if round_.is_closed:
        open_tables = []
    last = LastRound(
        records=tuple(field.records_among(entries, past, round_.number)),
        tables=tuple(
            OpenTable(
                place,
                tuple(one.points),
                endings_of(rule, len(one.points)),
                ordinary_endings_of(rule, len(one.points)),
            )
            for place, one in enumerate(open_tables, start=1)
        ),
        tie_breakers=tie_breakers_of(tournament),
        places=places,
        seed=tournament.seed,
        gone=frozenset(
            entry.number for entry in entries if not entry.is_active and places > WINNER
        ),
    )
    return Question(last, _digest(last, rule.id))


def course_of(tournament: Tournament, round_: Round) -> Course:
    """Build the forecast input: the event after this closed round; a constant number of queries."""
    entries = list(tournament.registrations.order_by("number"))
    past, unit = field.history(tournament, round_), field.point_unit(tournament)
    order = [entry.number for entry in queries.fixed_order(round_.stage)]
    last = queries.round_target(tournament)
    return Course(
        system=round_.stage.way,
        rule=scoring_rule(round_.stage.scoring_rule),
        records=tuple(field.records_among(entries, past, last)),
        entrants=tuple(
            past.entrant(entry, unit)
            for entry in entries
            if entry.is_active and (not order or entry.number in order)
        ),
        next_round=round_.number + 1,
        last_round=last,
        tie_breakers=tie_breakers_of(tournament),
        places=tournament.planned_cut or WINNER,
        bye_points=tournament.bye_points,
        parts=unit,
        order=tuple(order),
        cycles=queries.cycles(round_.stage, len(order)) if order else 1,
        avoids_second_meetings=field.stage_avoids_second_meetings(
            round_.stage, past, [entry.number for entry in entries if entry.is_active]
        ),
    )


def _digest(last: LastRound, rule: str) -> str:
    seats = [table.players for table in last.tables]
    known = last.records, seats, last.tie_breakers, last.places, last.seed, sorted(last.gone), rule
    return sha256(repr(known).encode()).hexdigest()


def kept(last: LastRound, needs: Sequence[Need]) -> dict[str, Any]:
    """Return the JSON to store, by player number.

    Points are texts; the results of an example are pairs of player and points.
    """
    tables = {table.number: table for table in last.tables}
    return {str(need.player): _kept(need, tables) for need in needs}


def _kept(need: Need, tables: dict[int, OpenTable]) -> dict[str, Any]:
    return {
        "verdict": need.verdict.value,
        "place": need.place,
        "safe": _text(need.safe_from),
        "possible": _text(need.possible_from),
        "ordinary": _text(need.ordinary_from),
        "missing": _example(need.missing, tables),
        "making": _example(need.making, tables),
        "proven": need.is_proven,
    }


def _example(example: Example | None, tables: dict[int, OpenTable]) -> dict[str, Any] | None:
    if example is None:
        return None
    return {
        "place": example.place,
        "whole": example.is_whole,
        "ordinary": example.is_ordinary,
        "level": list(example.level),
        "by": example.decided_by,
        "tables": [
            [
                [player, _text(taken.points)]
                for player, taken in zip(tables[number].players, ending, strict=True)
            ]
            for number, ending in example.results.items()
        ],
    }


def _text(points: Exact | None) -> str | None:
    return None if points is None else str(points)
