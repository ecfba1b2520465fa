"""Round trips between the representations of a result."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from matches import records as matches_records
from matches.models import Match, MatchState
from matches.scoring.results import (
    FACTIONS,
    Flag,
    GameEnd,
    GameResult,
    GameRow,
    MatchResult,
    Role,
    corp_seat,
    result_from_rows,
    result_to_rows,
)
from matches.scoring.rules import SCORING_RULES, AgendaRule, ScoringRule
from matches.services import MatchRequest, create_matches, prefetch_result_rows, settle_match
from players.services import create_player
from tests.matches.builders import game_of
from tournaments.files.conversion import games_document, result_of_match
from tournaments.results.forms import ResultEntryForm
from tournaments.results.result_bodies import DecisionBody, TableContext
from tournaments.web.serializers import result_to_body

FEW_EXAMPLES = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
SEATS = {rule.id: rule.max_seats for rule in SCORING_RULES.values()}


@st.composite
def games(draw: st.DrawFn, rule: ScoringRule) -> tuple[GameResult, ...]:
    """Games of a match with any end; roles are swapped after the first."""
    first = draw(st.sampled_from((1, 2)))
    points = st.integers(0, 99) if isinstance(rule, AgendaRule) else st.none()
    return tuple(
        GameResult(
            number,
            corp_seat(number, first),
            draw(st.sampled_from((*Role, None))),
            draw(st.sampled_from(rule.ends)),
            draw(points),
            draw(points),
        )
        for number in range(1, rule.games_per_match + 1)
    )


@st.composite
def results(draw: st.DrawFn, rule: ScoringRule) -> MatchResult:
    """A result with all values that the rule requires, possibly contradictory."""
    flags = draw(st.frozensets(st.sampled_from(rule.flags))) if rule.flags else frozenset()
    if not rule.has_roles:
        seats = SEATS[rule.id]
        factions = draw(st.lists(st.sampled_from(["", *FACTIONS]), min_size=seats, max_size=seats))
        points = draw(st.lists(st.integers(0, 999), min_size=seats, max_size=seats))
        return MatchResult((), flags, (), tuple(points), tuple(factions) if any(factions) else ())
    if rule.takes_totals and draw(st.booleans()):
        return MatchResult((), flags, draw(st.tuples(st.integers(0, 99), st.integers(0, 99))))
    played = draw(games(rule))
    if Flag.INTENTIONAL_DRAW in flags:
        return MatchResult(played[: draw(st.integers(0, len(played)))], flags)
    return MatchResult(played[:1] if Flag.TWO_FOR_ONE in flags else played, flags)


def make_match(rule: ScoringRule) -> Match:
    """A match without reports, with its related rows."""
    players = tuple(create_player(f"Player {place}").pk for place in range(SEATS[rule.id]))
    return prefetch_result_rows(
        create_matches([MatchRequest(players, rule.id, game_of(rule.id))])[0]
    )


@pytest.fixture(params=SCORING_RULES.values(), ids=list(SCORING_RULES))
def table(request: pytest.FixtureRequest) -> Match:
    return make_match(request.param)


def game_won(end: GameEnd, winner: Role | None, *points: int) -> MatchResult:
    return MatchResult(tuple(GameResult(number, number, winner, end, *points) for number in (1, 2)))


ENDINGS = {
    "agenda points": ("onr_runner_only", game_won(GameEnd.AGENDA, Role.CORP, 7, 3)),
    "flatline": ("onr_either_side", game_won(GameEnd.FLATLINE, Role.CORP, 0, 5)),
    "decked": ("onr_runner_only", game_won(GameEnd.DECKED, Role.RUNNER, 4, 0)),
    "timed out": ("onr_either_side", game_won(GameEnd.TIME, None, 4, 6)),
    "not come": ("onr_runner_only", game_won(GameEnd.NO_SHOW, Role.CORP, 0, 0)),
    "draw": ("anr_double", game_won(GameEnd.NOT_RECORDED, None)),
    "both lost": ("anr_double", game_won(GameEnd.DOUBLE_LOSS, None)),
    "agreed": ("anr_double", MatchResult(flags=frozenset({Flag.INTENTIONAL_DRAW}))),
    "second game not played": (
        "anr_double",
        MatchResult(
            game_won(GameEnd.NOT_RECORDED, Role.RUNNER).games[:1], frozenset({Flag.TWO_FOR_ONE})
        ),
    ),
    "totals": ("anr_single", MatchResult(totals=(3, 0))),
    "tie of a pod": ("free_radicals", MatchResult(victory_points=(9, 9, 9, 4, 4))),
    "factions": (
        "free_radicals",
        MatchResult(victory_points=(9, 8, 4, 4, 0), factions=(*list(FACTIONS)[:2], "", "", "")),
    ),
}


def fields(form_initial: Mapping[str, Any]) -> dict[str, str]:
    """Return the data that a browser sends for a form with this result."""
    ticked = {name: "on" if value is True else value for name, value in form_initial.items()}
    return {
        name: str(value)
        for name, value in ticked.items()
        if value is not None and value is not False
    }


def by_form(match: Match, result: MatchResult) -> MatchResult:
    shown = ResultEntryForm(match=match, initial_result=result).initial
    form = ResultEntryForm({**fields(shown), "forced": "on"}, match=match)
    assert form.is_valid(), form.errors
    return form.result


def by_body(match: Match, result: MatchResult) -> MatchResult:
    numbers = {seat.position: 10 + seat.position for seat in match.seats.all()}
    body = json.loads(json.dumps(result_to_body(result, numbers)))
    serializer = DecisionBody(
        data={"result": body, "version": 1, "force": True},
        context={"table": TableContext(match, numbers, by_staff=True)},
    )
    assert serializer.is_valid(), serializer.errors
    result_of_body: MatchResult = serializer.validated_data["result"]
    return result_of_body


def by_report(match: Match, result: MatchResult) -> MatchResult:
    return matches_records.result_from_document(
        json.loads(json.dumps(matches_records.result_to_document(result)))
    )


def by_rows(match: Match, result: MatchResult) -> MatchResult:
    match = make_match(match.rule)
    settle_match(match, result, MatchState.DECIDED)
    return matches_records.settled_result(Match.objects.get(pk=match.pk))


def by_tournament_file(match: Match, result: MatchResult) -> MatchResult:
    ids = {seat.position: 20 + seat.position for seat in match.seats.all()}
    typed = result.totals or [None] * len(ids)
    document = {
        "seats": [
            {"id": id_, "typed": total} for id_, total in zip(ids.values(), typed, strict=True)
        ],
        "games": games_document(result_to_rows(result, matches_records.game_rows(match)), ids, {}),
        "flags": sorted(result.flags),
    }
    return result_of_match(json.loads(json.dumps(document)), has_roles=match.rule.has_roles)


SHAPES = [by_form, by_body, by_report, by_rows, by_tournament_file]


@pytest.mark.parametrize("shape", SHAPES)
@FEW_EXAMPLES
@given(st.data())
def test_every_shape_returns_the_same_result(table: Match, shape: Any, data: st.DataObject):
    result = data.draw(results(table.rule))
    if not result:
        return

    assert shape(table, result) == result


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("ending", ENDINGS)
def test_every_ending_survives_in_every_shape(shape: Any, ending: str):
    rule, result = ENDINGS[ending]

    assert shape(make_match(SCORING_RULES[rule]), result) == result


def test_unreported_game_keeps_its_roles():
    rows = [
        GameRow(2, "", None, 2, "corp", "", None, None),
        GameRow(2, "", None, 1, "runner", "", None, None),
    ]
    reported = MatchResult(game_won(GameEnd.NOT_RECORDED, Role.CORP).games[:1])

    assert result_to_rows(reported, rows) == rows
    assert not result_from_rows(rows, has_roles=True, flags=(), totals=(None, None))
