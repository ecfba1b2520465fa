"""The game, the scoring and the system of a new event go together."""

import re

import pytest
from django.core.exceptions import ValidationError

from tests.factories.tournaments import make_event, make_user
from tournaments.forms.events import CreateForm, SettingsForm
from tournaments.forms.scoring import SYSTEM_CHOICES, choices_of, fitting_system
from tournaments.models import Tournament
from tournaments.services import events
from tournaments.systems import SYSTEMS

pytestmark = pytest.mark.django_db


def create(**told: str) -> Tournament:
    form = CreateForm({"name": "Spring Run", "starts_on": "2026-05-02", **told})
    assert form.is_valid(), form.errors
    return events.create(make_user(), **form.settings)


def errors(**told: str) -> dict[str, list[str]]:
    form = CreateForm({"name": "Spring Run", "starts_on": "2026-05-02", **told})
    assert not form.is_valid()
    return {name: [str(one) for one in told] for name, told in form.errors.items()}


@pytest.mark.parametrize(
    ("game", "rule", "system", "bye", "decks"),
    [
        ("", "onr_runner_only", "double", 20, False),
        ("onr", "onr_runner_only", "double", 20, False),
        ("anr", "anr_double", "double", 6, False),
        ("free_radicals", "free_radicals", "pods", 5, False),
    ],
)
def test_the_game_alone_is_enough(game: str, rule: str, system: str, bye: int, decks: bool):
    event = create(game=game)

    assert (event.scoring_rule, event.bye_points) == (rule, bye)
    assert event.stages.get().system == system
    assert event.stages.get().scoring_rule == rule
    assert event.decks_required is decks


@pytest.mark.parametrize(("game", "bye"), [("onr", 20), ("anr", 6), ("free_radicals", 5)])
def test_a_form_sent_as_it_is_shown_has_the_bye_of_its_game(game: str, bye: int):
    shown = CreateForm()["bye_points"].value()

    assert create(game=game, bye_points="" if shown is None else str(shown)).bye_points == bye


def test_single_sided_is_a_scoring_of_its_own():
    event = create(game="anr", scoring_rule="anr_single")

    assert (event.stages.get().system, event.bye_points) == ("single", 3)


def test_scoring_of_another_game_is_refused_with_what_would_fit():
    assert (
        "does not score Android: Netrunner"
        in errors(game="anr", scoring_rule="free_radicals")["scoring_rule"][0]
    )


def test_points_by_place_are_a_choice():
    event = create(game="free_radicals", rank_points="10, 6, 3, 1, 0")

    assert (event.scoring_rule, event.bye_points) == ("free_radicals:10-6-3-1-0", 10)
    form = SettingsForm(instance=event)
    assert form["scoring_rule"].value() == "free_radicals"
    assert form["rank_points"].value() == "10, 6, 3, 1, 0"


def test_the_usual_points_by_place_need_no_id_of_their_own():
    assert create(game="free_radicals", rank_points="5 3 2 1 0").scoring_rule == "free_radicals"


@pytest.mark.parametrize("typed", ["1,2,3,4,5", "5,3", "5,3,2,1,many"])
def test_points_by_place_that_cannot_be_are_refused(typed: str):
    assert "rank_points" in errors(game="free_radicals", rank_points=typed)


def test_only_places_have_points_by_place():
    assert "no points by place" in errors(game="anr", rank_points="5,3,2,1,0")["rank_points"][0]


def test_the_service_knows_what_is_usual_for_a_game():
    event = make_event(players=0, game="free_radicals")

    assert (event.scoring_rule, event.decks_required) == ("free_radicals", False)
    assert all(make_event(players=0, game=game).decks_required for game in ("onr", "anr"))


def test_the_settings_of_an_event_are_those_of_its_game():
    form = SettingsForm(instance=make_event(players=0, game="anr"))

    offered = re.findall(r'value="(\w+)"', str(form["scoring_rule"]))
    assert offered == ["anr_double", "anr_single"]
    assert "ban_list" not in form.fields
    assert "rank_points" not in form.fields


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
