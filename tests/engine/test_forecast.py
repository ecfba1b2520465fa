"""Simulations of the remaining rounds: real rounds and ranks, repeatable by seed."""

from dataclasses import replace

import pytest

from core.numbers import wilson_interval
from engine.clinch.last_round import LastRound, UndecidedTable
from engine.documents.commands import clinch, forecast_course
from engine.documents.events import read_event
from engine.documents.json_text import DocumentNode, DocumentRefused
from engine.forecast import MIN_RUNS, Course, forecast, runs_for
from engine.simulation.events import SimulationPlan, simulate_event
from engine.standings.records import SeatResult
from matches.scoring.rules import scoring_rule
from tests.engine.clinch import brute_force

SYSTEMS = (
    ("double", "onr_runner_only"),
    ("single", "anr_single"),
    ("pods", "free_radicals"),
    ("round_robin", "anr_single"),
)


def after(system: str, rule: str, *, players: int = 9, closed: int = 2, planned: int = 3):
    """The document of an event between two rounds."""
    unit = scoring_rule(rule).point_unit
    plan = SimulationPlan(system, 5, players, planned, rule, point_unit=unit)
    document = simulate_event(plan).document
    rounds = document["rounds"][:closed]
    request = {"planned_rounds": planned, "scoring_rule": rule, "places": 3}
    return {**document, **request, "rounds": rounds}


def course(document) -> Course:
    event = read_event(DocumentNode(document), ("scoring_rule", "places", "runs"))
    return forecast_course(event, scoring_rule(document["scoring_rule"]), document["places"])


@pytest.mark.parametrize(("system", "rule"), SYSTEMS)
def test_every_run_fills_the_places_and_is_repeatable_by_seed(system: str, rule: str):
    request = {**after(system, rule), "runs": 6}

    answer = clinch(request)

    assert sum(row["times_in"] for row in answer["players"]) == 6 * 3
    assert (answer["round"], answer["rounds_left"], answer["runs"]) == (2, 1, 6)
    assert clinch(request) == answer
    assert clinch({**request, "seed": 99}) != answer


def test_certain_players_make_every_run_and_eliminated_players_none():
    document = after("single", "anr_single", players=4, closed=1, planned=2)
    for table in document["rounds"][0]:
        for seat in table["seats"]:
            seat["points"] = 90 - 30 * seat["id"]

    answer = clinch({**document, "places": 2, "runs": 10})

    # Tables of this event end with 60-30 or 0 and -30 at best, so 1 and 2 stay ahead of 4.
    times = {row["id"]: row["times_in"] for row in answer["players"]}
    assert times[1] > times[4] == 0


def test_shares_match_the_enumerated_last_round():
    # With one round left, four players have only one pairing, and both sides win equally often.
    document = after("double", "anr_double", players=4, closed=2)
    for table in (table for round_ in document["rounds"] for table in round_):
        first, second = table["seats"]
        first |= {"points": 6, "games_won": 2}
        second |= {"points": 0, "games_won": 0}
    next_round = replace(course(document), places=2)
    win_, loss_ = SeatResult(6, 2), SeatResult(0)
    tables = _tables_left(document, ((win_, loss_), (loss_, win_)))
    records = tuple(replace(record, rounds=(*record.rounds, None)) for record in next_round.records)
    last = LastRound(records, tables, next_round.tie_breakers, places=2)
    standings_ = [brute_force.against(last, results) for results in brute_force.scenarios(last)]

    counted = forecast(next_round, runs=200, seed=3)

    for player, hits in counted.items():
        low, high = wilson_interval(hits, 200)
        places_ = [against[player] for against in standings_]
        # A random draw decides among tied players.
        surely = sum(ahead + len(level) < 2 for ahead, level in places_) / len(standings_)
        perhaps = sum(ahead < 2 for ahead, _ in places_) / len(standings_)
        assert low <= perhaps
        assert high >= surely


def _tables_left(document, endings) -> tuple[UndecidedTable, ...]:
    """Pairs of four players who have not met."""
    pairs_met = {
        frozenset(seat["id"] for seat in table["seats"]) for r in document["rounds"] for table in r
    }
    first = next(pair for pair in ((1, 2), (1, 3), (1, 4)) if frozenset(pair) not in pairs_met)
    second_pair = tuple(sorted({1, 2, 3, 4} - set(first)))
    return UndecidedTable(1, first, endings), UndecidedTable(2, second_pair, endings)


def test_dropped_player_is_in_no_cut():
    document = after("double", "anr_double")
    document["players"][0]["active"] = False

    answer = clinch({**document, "runs": 5})

    assert document["players"][0]["id"] not in {row["id"] for row in answer["players"]}
    assert sum(row["times_in"] for row in answer["players"]) == 5 * 3


def test_dropped_leader_out_of_reach_keeps_first_place():
    document = after("single", "anr_single", players=4, closed=2, planned=3)
    seats = [seat for round_ in document["rounds"] for table in round_ for seat in table["seats"]]
    for seat in seats:
        # A round is worth 90 points at most, and nobody else has any points yet.
        seat["points"] = 90 if seat["id"] == 1 else 0
    next(player for player in document["players"] if player["id"] == 1)["active"] = False

    answer = clinch({**document, "places": 1, "runs": 5})

    assert {row["id"]: row["times_in"] for row in answer["players"]}[1] == 5


def test_exception_after_a_run_stops_the_forecast():
    heard: list[int] = []

    def enough(runs_done: int) -> None:
        heard.append(runs_done)
        if runs_done == 2:
            raise KeyError

    with pytest.raises(KeyError):
        forecast(course(after("double", "anr_double")), runs=50, seed=1, after_run=enough)

    assert heard == [1, 2]


def test_runs_are_bounded_and_zero_for_a_large_field():
    small = course(after("double", "anr_double"))
    sizes = (9, 40, 300, 1000, 20_000)
    runs = [runs_for(replace(small, entrants=small.entrants[:1] * size)) for size in sizes]

    assert runs == sorted(runs, reverse=True)
    assert runs[0] > runs[2] >= MIN_RUNS
    assert runs[-1] == 0


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"scoring_rule": None}, "$.scoring_rule"),
        ({"scoring_rule": "chess"}, "$.scoring_rule"),
        ({"system": "manual"}, "$.system"),
        ({"rounds": []}, "$.rounds"),
        ({"places": 0}, "$.places"),
    ],
)
def test_invalid_document_is_refused_with_its_path(change, path: str):
    with pytest.raises(DocumentRefused) as refusal:
        clinch({**after("double", "anr_double"), **change})

    assert refusal.value.path == path


def test_last_round_has_exact_needs():
    document = after("double", "anr_double", closed=3)
    for entry in document["rounds"][-1]:
        for seat in entry.get("seats", ()):
            del seat["points"]

    answer = clinch(document)

    assert (answer["round"], answer["open_tables"], len(answer["needs"])) == (3, 4, 9)
    assert {need["verdict"] for need in answer["needs"]} <= {"in", "out", "open"}
    reachable = [need for need in answer["needs"] if need["missing"]]
    assert all(need["missing"]["tables"] for need in reachable)
    assert reachable


@pytest.mark.parametrize("closed", [2, 3], ids=["forecast", "last round"])
@pytest.mark.parametrize(
    ("system", "own_rule", "other_rule"),
    [
        ("pods", "free_radicals", "anr_single"),
        ("single", "anr_single", "anr_double"),
        ("double", "anr_double", "anr_single"),
        ("round_robin", "anr_single", "free_radicals"),
    ],
)
def test_scoring_rule_of_another_system_is_refused(
    system: str, own_rule: str, other_rule: str, closed: int
):
    document = after(system, own_rule, closed=closed)

    with pytest.raises(DocumentRefused) as refusal:
        clinch({**document, "scoring_rule": other_rule})

    assert refusal.value.path == "$.scoring_rule"
    assert own_rule in str(refusal.value)


def test_table_with_too_many_seats_for_the_rule_is_refused():
    document = after("double", "anr_double", closed=3)
    document["system"] = "manual"
    table = next(entry for entry in document["rounds"][-1] if "seats" in entry)
    bye = next(entry for entry in document["rounds"][-1] if "bye" in entry)
    document["rounds"][-1].remove(bye)
    table["seats"] = [{"id": seat["id"]} for seat in table["seats"]] + [{"id": bye["bye"]}]

    with pytest.raises(DocumentRefused) as refusal:
        clinch(document)

    assert refusal.value.path.endswith(".seats")


@pytest.mark.parametrize("closed", [2, 3], ids=["forecast", "last round"])
@pytest.mark.parametrize("runs", [0, 10_001, "many"])
def test_runs_out_of_range_are_refused(closed: int, runs: object):
    with pytest.raises(DocumentRefused) as refusal:
        clinch({**after("double", "anr_double", closed=closed), "runs": runs})

    assert refusal.value.path == "$.runs"


@pytest.mark.parametrize("unit", [1, 4, 60])
def test_shared_places_are_whole_in_forecast_parts(unit: int):
    document = after("pods", "free_radicals", players=5)
    for entry in (entry for round_ in document["rounds"] for entry in round_):
        for points, seat in enumerate(entry["seats"]):
            seat["points"] = points * unit

    next_round = course({**document, "point_unit": unit})

    shares = {
        result_.points * next_round.parts
        for ending in next_round.endings_with(4)
        for result_ in ending
    }
    assert {share.denominator for share in shares} == {1}
    assert {entrant.match_points / next_round.parts for entrant in next_round.entrants} == {
        int(record.match_points) for record in next_round.records
    }


def test_open_tables_require_match_points_first():
    document = {**after("double", "anr_double", closed=3), "tie_breakers": ["games_won"]}
    assert clinch(document)["open_tables"] == 0

    for entry in document["rounds"][-1]:
        for seat in entry.get("seats", ()):
            del seat["points"]
    with pytest.raises(DocumentRefused) as refusal:
        clinch(document)

    assert refusal.value.path == "$.tie_breakers"
