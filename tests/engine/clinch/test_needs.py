"""Needs in the last round, compared with brute force over all endings."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from engine.clinch.last_round import (
    ClinchNeed,
    ClinchVerdict,
    LastRound,
    ScenarioExample,
    UndecidedTable,
    endings_of,
    minimum_result,
    ordinary_endings_of,
)
from engine.clinch.needs import find_needs
from engine.standings.records import Bye, PlayedTable, PlayerId, SeatResult, StandingsRecord
from matches.scoring.imposed_losses import ImposedLoss
from matches.scoring.rules import SCORING_RULES, scoring_rule
from tests.engine.clinch import brute_force
from tools.bench.clinch import last_round


@pytest.mark.parametrize("block", range(4))
def test_every_answer_matches_brute_force(block: int):
    _compare(range(20 * block, 20 * (block + 1)))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_every_answer_matches_brute_force_in_ten_thousand_cases(block: int):
    _compare(range(1000 + 500 * block, 1500 + 500 * block))


def _compare(seeds: range) -> None:
    for seed in seeds:
        last = brute_force.small_round(seed)
        answers = [brute_force.bare(need) for need in find_needs(last)]
        assert answers == brute_force.by_brute_force(last), f"case {seed}"


@pytest.mark.parametrize("block", range(2))
def test_every_example_gives_the_stated_place(block: int):
    for seed in range(500 + 12 * block, 512 + 12 * block):
        last = brute_force.small_round(seed)
        for need in find_needs(last):
            if need.missing is not None:
                _holds(last, need.player, need.missing, misses=True)
            if need.making is not None:
                _holds(last, need.player, need.making, misses=False)


def _holds(last: LastRound, player: PlayerId, example: ScenarioExample, *, misses: bool) -> None:
    """Check the example for every result of the tables that it leaves open."""
    fixed = tuple(
        replace(table, endings=(example.results[table.number],))
        if table.number in example.results
        else table
        for table in last.tables
    )
    assert example.is_whole is (len(example.results) == len(last.tables)) or not example.is_whole
    for results in brute_force.scenarios(replace(last, tables=fixed)):
        ahead, level = brute_force.against(last, results)[player]
        if example.is_whole:
            assert (ahead + 1, set(level)) == (example.place, set(example.level))
        if misses:
            assert ahead + 1 >= example.place or example.is_whole
            assert ahead + len(level) >= last.places
        else:
            assert ahead + 1 <= example.place or example.is_whole
            assert ahead < last.places


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_no_simulated_round_contradicts_an_answer(block: int):
    for seed in range(20 * block, 20 * (block + 1)):
        chance = random.Random(seed)
        rules = (("double", "onr_runner_only"), ("double", "anr_double"), ("single", "anr_single"))
        system, rule = chance.choice((*rules, ("pods", "free_radicals")))
        last = last_round(system, rule, chance.randint(16, 48), seed, chance.choice((1, 4, 8)))
        answers = {need.player: need for need in find_needs(last)}
        for _ in range(30):
            results = {table.number: chance.choice(table.endings) for table in last.tables}
            for player, (ahead, level) in brute_force.against(last, results).items():
                need = answers[player]
                points = brute_force.own_points(last, results, player)
                is_safe = need.safe_from is not None and points >= need.safe_from
                if need.verdict is ClinchVerdict.IN or is_safe:
                    assert ahead + len(level) < last.places
                is_lost = need.possible_from is not None and points is not None
                if need.verdict is ClinchVerdict.OUT or (is_lost and points < need.possible_from):
                    assert ahead >= last.places
                assert need.place in (None, ahead + 1)


WIN, LOSS = SeatResult(3, 1), SeatResult(0, 0)


def _three_rounds_done() -> LastRound:
    """Ada has 6 points, Bo and Cy 3, Di none; Ada meets Bo, and Cy meets Di."""
    rows = {
        "Ada": [PlayedTable(("Cy",), 3, 1), PlayedTable(("Di",), 3, 1), None],
        "Bo": [PlayedTable(("Di",), 3, 1), PlayedTable(("Cy",), 0), None],
        "Cy": [PlayedTable(("Ada",), 0), PlayedTable(("Bo",), 3, 1), None],
        "Di": [PlayedTable(("Bo",), 0), PlayedTable(("Ada",), 0), None],
    }
    endings = endings_of(scoring_rule("anr_single"))
    return LastRound(
        tuple(StandingsRecord(name, tuple(rounds)) for name, rounds in rows.items()),
        (UndecidedTable(1, ("Ada", "Bo"), endings), UndecidedTable(2, ("Cy", "Di"), endings)),
        ("match_points", "strength_of_schedule", "lot"),
        places=2,
    )


def _need_of(last: LastRound, player: PlayerId) -> ClinchNeed:
    return next(need for need in find_needs(last) if need.player == player)


def test_leader_needs_a_draw_and_a_loss_may_depend_on_the_draw():
    ada = _need_of(_three_rounds_done(), "Ada")

    assert (ada.verdict, ada.safe_from, ada.possible_from) == (ClinchVerdict.OPEN, 1, 0)
    assert ada.missing is not None
    assert (ada.missing.results[1][0].points, ada.missing.decided_by) == (0, "lot")
    assert set(ada.missing.level) == {"Bo", "Cy"}


def test_last_player_cannot_come_first():
    last = replace(_three_rounds_done(), places=1)

    assert _need_of(last, "Di").verdict is ClinchVerdict.OUT


def test_final_standings_decide_with_the_random_draw():
    rows = (
        StandingsRecord(1, (PlayedTable((2,), 1),)),
        StandingsRecord(2, (PlayedTable((1,), 1),)),
    )

    answers = find_needs(LastRound(rows, (), ("match_points", "lot"), places=1, seed=4))

    assert {need.verdict for need in answers} == {ClinchVerdict.IN, ClinchVerdict.OUT}
    assert {need.place for need in answers} == {1, 2}


def _double_loss_only() -> LastRound:
    """Ada and Bo lead with 6 points and meet; Cy and Ed have 3 and meet; only one place counts."""
    rows: dict[str, list[PlayedTable | Bye | None]] = {
        "Ada": [PlayedTable(("Cy",), 3, 1), PlayedTable(("Di",), 3, 1), None],
        "Bo": [PlayedTable(("Di",), 3, 1), PlayedTable(("Ed",), 3, 1), None],
        "Cy": [PlayedTable(("Ada",), 0), PlayedTable(("Flo",), 3, 1), None],
        "Di": [PlayedTable(("Bo",), 0), PlayedTable(("Ada",), 0), PlayedTable(("Flo",), 3, 1)],
        "Ed": [PlayedTable(("Flo",), 3, 1), PlayedTable(("Bo",), 0), None],
        "Flo": [PlayedTable(("Ed",), 0), PlayedTable(("Cy",), 0), PlayedTable(("Di",), 0)],
    }
    rule = scoring_rule("anr_single")
    endings, ordinary = endings_of(rule), ordinary_endings_of(rule)
    return LastRound(
        tuple(StandingsRecord(name, tuple(played)) for name, played in rows.items()),
        (
            UndecidedTable(1, ("Ada", "Bo"), endings, ordinary),
            UndecidedTable(2, ("Cy", "Ed"), endings, ordinary),
        ),
        ("match_points", "lot"),
        places=1,
    )


def test_double_loss_elsewhere_is_no_ordinary_result():
    cy = _need_of(_double_loss_only(), "Cy")

    assert (cy.verdict, cy.possible_from, cy.ordinary_from) == (ClinchVerdict.OPEN, 3, None)
    assert cy.making is not None
    assert not cy.making.is_ordinary
    assert {seat.points for seat in cy.making.results[1]} == {0}


def test_leader_can_miss_the_cut_with_ordinary_results():
    ada = _need_of(_double_loss_only(), "Ada")

    assert (ada.safe_from, ada.possible_from) == (3, 0)
    assert ada.missing is not None
    assert ada.missing.is_ordinary


def _with_few_ordinary(seed: int) -> LastRound:
    """A small round in which only some results of each table are ordinary."""
    last, chance = brute_force.small_round(seed), random.Random(f"ordinary {seed}")
    tables = (
        replace(
            table,
            ordinary=tuple(chance.sample(table.endings, chance.randint(1, len(table.endings)))),
        )
        for table in last.tables
    )
    return replace(last, tables=tuple(tables))


@pytest.mark.parametrize("block", range(2))
def test_examples_prefer_ordinary_results(block: int):
    for seed in range(700 + 12 * block, 712 + 12 * block):
        last = _with_few_ordinary(seed)
        ordinary = replace(
            last,
            tables=tuple(replace(table, endings=table.ordinary) for table in last.tables),
        )
        outlooks = {need.player: need for need in brute_force.by_brute_force(ordinary)}
        answers = find_needs(last)
        assert [brute_force.bare(need) for need in answers] == brute_force.by_brute_force(last)
        for need in answers:
            outlook = outlooks[need.player]
            for example, exists, misses in (
                (need.missing, outlook.verdict is not ClinchVerdict.IN, True),
                (need.making, outlook.verdict is not ClinchVerdict.OUT, False),
            ):
                if example is None:
                    continue
                tables = {table.number: table for table in last.tables}
                used = all(
                    tables[number].has_ordinary(ending)
                    for number, ending in example.results.items()
                )
                assert example.is_ordinary is used, f"case {seed}"
                assert used or not exists, f"case {seed}"
                _holds(last, need.player, example, misses=misses)


# Below this number, the least common multiple of all numbers exceeds 63 bits.
LONGEST = 47


def _of_all_lengths() -> Iterator[StandingsRecord]:
    """Ada 1 beats Bo 1 in one round, Ada 2 beats Bo 2 in two, and so on; one table is open."""
    for meetings in range(1, LONGEST + 1):
        played = min(meetings, LONGEST - 1)
        missed = (None,) * (LONGEST - played)
        yield StandingsRecord(
            f"Ada {meetings}", (PlayedTable((f"Bo {meetings}",), 3, 1),) * played + missed
        )
        yield StandingsRecord(
            f"Bo {meetings}", (PlayedTable((f"Ada {meetings}",), 0),) * played + missed
        )


@pytest.mark.parametrize(
    "tie_breaker",
    ["strength_of_schedule", "extended_strength_of_schedule", "opponents_match_wins"],
)
def test_figures_too_large_for_floats_are_compared_exactly(tie_breaker: str):
    # If both lose, the last Ada has as many points as the previous Ada and no better figure.
    players = f"Ada {LONGEST}", f"Bo {LONGEST}"
    open_table = UndecidedTable(1, players, endings_of(scoring_rule("anr_single")))
    order = ("match_points", tie_breaker, "lot")

    last = LastRound((*_of_all_lengths(),), (open_table,), order, places=1)

    ada = _need_of(last, players[0])

    assert (ada.verdict, ada.safe_from, ada.is_proven) == (ClinchVerdict.OPEN, 1, True)


@pytest.mark.parametrize(
    ("rule", "points", "words"),
    [
        ("anr_single", 3, "win"),
        ("anr_single", 1, "draw or win"),
        ("anr_double", 6, "win both games"),
        ("anr_double", 4, "win one game and draw the other"),
        ("anr_double", 3, "win a game"),
        ("anr_double", 2, "draw both games, or win one"),
        ("onr_runner_only", 20, "win both games"),
        (
            "onr_runner_only",
            13,
            "win both games, or win as Corp and score at least 3 agenda points as Runner",
        ),
        ("onr_runner_only", 7, "win a game"),
        ("onr_either_side", 7, "win a game, or score at least 7 agenda points"),
        (
            "onr_either_side",
            11,
            "win both games, or win one and score at least 1 agenda point in the other, "
            "or at least 11 agenda points in total",
        ),
        ("free_radicals", 1, "come fourth outright or better"),
        ("free_radicals", 3, "come second outright or better"),
        ("free_radicals", 4, "come first (shared by at most 2)"),
        ("free_radicals", 5, "come first outright"),
    ],
)
def test_minimum_result_has_a_text(rule: str, points: int, words: str):
    assert str(minimum_result(scoring_rule(rule), points)) == words


def test_minimum_result_in_a_pod_may_be_a_shared_place():
    rule = scoring_rule("free_radicals")

    assert str(minimum_result(rule, 3, is_enough=False)) == "come second or better"


@pytest.mark.parametrize("rule", SCORING_RULES)
def test_endings_are_exactly_those_of_the_rule(rule: str):
    ended = {tuple(seat.points for seat in seats) for seats in endings_of(scoring_rule(rule))}

    max_points = scoring_rule(rule).bye_points
    assert (max_points, 0) in {tuple(sorted(seats, reverse=True)) for seats in ended} or rule == (
        "free_radicals"
    )
    assert {points[::-1] for points in ended} == ended


def _points_of_a_game(rule: str, corp: int) -> set[tuple[int, int]]:
    """Every score of a game that is played, by seat, from the words of the rule."""
    if rule == "anr_double":
        return {(3, 0), (0, 3), (1, 1), (0, 0)}
    kept = {
        seat: range(7) if rule == "onr_either_side" or seat != corp else range(1) for seat in (1, 2)
    }
    wins = {(10, loser) for loser in kept[2]} | {(loser, 10) for loser in kept[1]}
    return wins | set(product(kept[1], kept[2]))


@pytest.mark.parametrize("corp", [1, 2])
@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("game", [1, 2])
@pytest.mark.parametrize("rule", ["onr_runner_only", "onr_either_side", "anr_double"])
def test_endings_agree_with_a_game_lost_by_a_penalty(rule: str, game: int, seat: int, corp: int):
    win = 3 if rule == "anr_double" else 10
    lost = (0, win) if seat == 1 else (win, 0)
    corp_of_the_other = 3 - corp if game == 1 else corp
    expected = {
        (lost[0] + mine, lost[1] + theirs)
        for mine, theirs in _points_of_a_game(rule, corp_of_the_other)
    }
    if rule == "anr_double" and game == 1:
        # Two for one.
        expected.add((2 * lost[0], 2 * lost[1]))

    losses = frozenset({ImposedLoss(seat, game)})
    endings = endings_of(scoring_rule(rule), losses=losses, corp=corp)

    assert {tuple(taken.points for taken in ending) for ending in endings} == expected


def test_no_scenario_gives_a_player_a_game_lost_by_a_penalty():
    """Ada has lost game 1, so that she cannot reach the 20 points of Cy any more."""
    rule, losses = scoring_rule("onr_runner_only"), frozenset({ImposedLoss(1, 1)})
    sweep = {"Cy": PlayedTable(("Di",), 20, 2), "Di": PlayedTable(("Cy",), 0)}
    records = tuple(StandingsRecord(name, (sweep.get(name),)) for name in ("Ada", "Bo", "Cy", "Di"))

    def need(losses: frozenset[ImposedLoss]) -> ClinchNeed:
        table = UndecidedTable(
            1,
            ("Ada", "Bo"),
            endings_of(rule, losses=losses),
            ordinary_endings_of(rule, losses=losses),
        )
        return _need_of(LastRound(records, (table,), ("match_points", "lot"), places=1), "Ada")

    assert (need(frozenset()).verdict, need(frozenset()).possible_from) == (ClinchVerdict.OPEN, 20)
    assert need(losses).verdict is ClinchVerdict.OUT


def test_both_lost_a_game_by_penalties_and_the_other_has_an_ordinary_winner():
    losses = frozenset({ImposedLoss(1, 1), ImposedLoss(2, 1)})

    endings = ordinary_endings_of(scoring_rule("anr_double"), losses=losses)

    assert {tuple(taken.points for taken in ending) for ending in endings} == {(3, 0), (0, 3)}


@pytest.mark.parametrize(
    ("rule", "points", "held", "words"),
    [
        ("onr_runner_only", 10, 0, "win the other game"),
        ("onr_runner_only", 20, 10, "win the other game"),
        ("onr_runner_only", 14, 10, "win the other game, or score at least 4 agenda points in it"),
        ("anr_double", 3, 0, "win the other game"),
        ("anr_double", 4, 3, "draw or win the other game"),
    ],
)
def test_minimum_result_of_the_other_game(rule: str, points: int, held: int, words: str):
    assert str(minimum_result(scoring_rule(rule), points, held=held)) == words


def test_player_placed_last_by_a_penalty_has_no_points_in_any_ending():
    endings = endings_of(scoring_rule("free_radicals"), 3, losses=frozenset({ImposedLoss(2)}))

    assert {ending[1].points for ending in endings} == {2}
    assert {ending[0].points for ending in endings} == {3, 4, 5}
