"""Which system goes with which scoring."""

import pytest
from django.core.exceptions import ValidationError

from tournaments.forms.scoring import SYSTEM_CHOICES, choices_of, fitting_system
from tournaments.systems import SYSTEMS


def test_no_choice_is_the_usual_one():
    assert fitting_system("", "anr_single") == "single"


@pytest.mark.parametrize("system", ["double", "round_robin", "manual"])
def test_matches_of_two_games_can_be_paired_so(system: str):
    assert fitting_system(system, "onr_runner_only") == system


@pytest.mark.parametrize(
    ("system", "scoring_rule", "named"),
    [
        ("single", "onr_runner_only", "Swiss, two games a match"),
        ("double", "anr_single", "Swiss, one game a match"),
        ("double", "free_radicals", "Pods of two to five"),
        ("pods", "anr_double", "Round robin"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_does(system: str, scoring_rule: str, named: str):
    with pytest.raises(ValidationError, match=named):
        fitting_system(system, scoring_rule)


def test_every_choice_is_explained_and_none_is_a_cut():
    assert all(SYSTEMS[id_].explanation in label for id_, label in SYSTEM_CHOICES)
    assert not [id_ for id_, _ in SYSTEM_CHOICES if SYSTEMS[id_].is_elimination]


def test_a_game_offers_the_systems_of_its_scoring_rules_alone():
    offered = {game: [id_ for id_, _ in choices_of(game)] for game in ("onr", "free_radicals")}

    assert offered == {
        "onr": ["double", "round_robin", "manual"],
        "free_radicals": ["pods", "manual"],
    }
