"""Simulated games and names: everything is valid, and every case occurs."""

import random

from hypothesis import given
from hypothesis import strategies as st

from core.text import comparison_key
from engine.simulation.tables import (
    draw_player_names,
    draw_reporting,
    draw_strength,
    play_table,
    play_two_games,
)
from matches.scoring.results import GameEnd, MatchResult
from matches.scoring.rules import SCORING_RULES
from players import names


@given(seed=st.integers(0, 2**63), rule=st.sampled_from(["onr_runner_only", "onr_either_side"]))
def test_no_game_contradicts_the_rules(seed: int, rule: str):
    chance = random.Random(seed)
    games = play_two_games(draw_strength(chance), draw_strength(chance), chance)

    assert list(SCORING_RULES[rule].contradictions(MatchResult(games))) == []
    assert {game.corp for game in games} == {1, 2}


@given(
    seed=st.integers(0, 2**63), rule=st.sampled_from(sorted(SCORING_RULES)), seats=st.integers(2, 5)
)
def test_results_are_possible_in_every_game(seed: int, rule: str, seats: int):
    chance, scoring = random.Random(seed), SCORING_RULES[rule]
    strengths = [draw_strength(chance) for _ in range(min(seats, scoring.max_seats))]

    result = play_table(scoring, strengths, chance)

    assert list(scoring.contradictions(result, len(strengths))) == []
    assert len(scoring.match_points(result)) == len(strengths)


def test_every_flag_occurs():
    chance, rule = random.Random(1), SCORING_RULES["anr_double"]
    played = [play_table(rule, (100, 100), chance) for _ in range(300)]

    assert {flag for result in played for flag in result.flags} == set(rule.flags)


def test_stronger_player_of_a_pod_has_more_victory_points():
    chance = random.Random(1)
    strong, weak = zip(
        *(
            play_table(SCORING_RULES["free_radicals"], (324, 9), chance).victory_points
            for _ in range(50)
        ),
        strict=True,
    )

    assert sum(strong) > sum(weak) > 0


def test_every_common_end_occurs():
    chance = random.Random(1)
    ends = {game.end for _ in range(400) for game in play_two_games(100, 100, chance)}

    assert ends == set(SCORING_RULES["onr_runner_only"].ends) - {GameEnd.NO_SHOW, GameEnd.JUDGE}


def test_stronger_player_wins_more_games():
    chance = random.Random(1)
    matches = [play_two_games(225, 36, chance) for _ in range(300)]
    winners = [game.position(game.winner) for games in matches for game in games if game.winner]

    assert winners.count(1) > 4 * winners.count(2) > 0


def test_every_reporting_style_occurs():
    chance = random.Random(1)

    assert len({draw_reporting(chance) for _ in range(300)}) == 4


@given(seed=st.integers(0, 2**63), count=st.integers(1, 1200))
def test_names_are_distinct_and_valid(seed: int, count: int):
    drawn_names = draw_player_names(count, random.Random(seed))

    assert len({comparison_key(name) for name in drawn_names}) == len(drawn_names) == count
    assert [problem for name in drawn_names for problem in names.name_problems(name)] == []
    assert drawn_names == draw_player_names(count, random.Random(seed))
