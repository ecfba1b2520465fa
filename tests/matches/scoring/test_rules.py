"""The table of scoring rules."""

import pytest

from matches.scoring import SCORING_RULES, rules_of, scoring_rule


@pytest.mark.parametrize(
    ("id_", "games", "bye", "seats"),
    [
        ("onr_runner_only", 2, 20, (2, 2)),
        ("onr_either_side", 2, 20, (2, 2)),
        ("anr_double", 2, 6, (2, 2)),
        ("anr_single", 1, 3, (2, 2)),
        ("free_radicals", 1, 5, (2, 5)),
    ],
)
def test_each_rule_says_games_byes_and_seats(
    id_: str, games: int, bye: int, seats: tuple[int, int]
) -> None:
    rule = scoring_rule(id_)

    assert (rule.games_per_match, rule.bye_points) == (games, bye)
    assert (rule.fewest_seats, rule.most_seats) == seats


def test_the_rules_are_known_by_their_ids() -> None:
    assert all(id_ == rule.id and rule.explanation for id_, rule in SCORING_RULES.items())


def test_each_game_has_its_rules_the_usual_one_first() -> None:
    assert [rule.id for rule in rules_of("onr")] == ["onr_runner_only", "onr_either_side"]
    assert [rule.id for rule in rules_of("anr")] == ["anr_double", "anr_single"]
    assert [rule.id for rule in rules_of("free_radicals")] == ["free_radicals"]
