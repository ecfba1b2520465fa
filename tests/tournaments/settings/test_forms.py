import re
from datetime import UTC, date, datetime, time
from fractions import Fraction
from typing import Any

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.test import Client
from rest_framework.exceptions import ValidationError as ApiValidationError

from engine.round_plan import suggest_rounds
from engine.standings.tie_breakers import DEFAULT_TIE_BREAKERS, FIXED_TIE_BREAKERS, TIE_BREAKERS
from engine.systems import ELIMINATION_SYSTEMS, SYSTEMS
from tests.factories.library import load_cards
from tests.factories.pods import make_pods
from tests.factories.tournaments import fresh, make_event, make_user, owner_of
from tournaments.decklists.pages import deck_rules_in_words
from tournaments.models import Tournament
from tournaments.results.forms import CutForm
from tournaments.settings import services
from tournaments.settings.api import settings_from_body
from tournaments.settings.forms import FIRST_FIELDS, CreateEventForm, SettingsForm
from tournaments.settings.pages import round_plan_steps, usual_settings
from tournaments.settings.scoring_fields import (
    SELECT_LABELS,
    TieBreakersField,
    clean_system,
    rank_points_field,
    scoring_rule_with_points,
    system_choices_of,
)
from tournaments.web.staff_pages import use_time_zone

FORM_DATA = {"name": "Spring Run", "starts_on": "2025-09-17"}


@pytest.mark.parametrize(
    ("typed", "minutes"),
    [
        ({"game": "onr"}, 65),
        ({"game": "anr"}, 65),
        ({"game": "anr", "scoring_rule": "anr_single"}, 40),
        ({"game": "free_radicals"}, 90),
        ({"game": "free_radicals", "round_minutes": "75"}, 75),
    ],
)
def test_round_minutes_follow_the_game(typed: dict[str, str], minutes: int):
    assert create(**typed).round_minutes == minutes


def test_new_event_lists_the_default_minutes(desk: Client):
    page = desk.get("/events/new/").text
    field = re.search(r'<input[^>]*name="round_minutes"[^>]*>', page)

    assert field is not None
    assert "value=" not in field[0]
    assert "Android: Netrunner 65 (40 with one game a match)" in page
    assert "Free Radicals 90" in page


def test_new_event_after_the_card_data_warns(desk: Client):
    load_cards("anr")
    typed = {"name": "Spring Run", "game": "anr", "format_id": "standard"}

    later = desk.post("/events/new/", typed | {"starts_on": "2026-05-02"}, follow=True)
    then = desk.post("/events/new/", typed | {"starts_on": "2025-09-17"}, follow=True)

    assert "The card data of this site is from 17 September 2025" in later.text
    assert "The newest ban list known is" in later.text
    assert "The card data of this site" not in then.text


@pytest.mark.parametrize(
    ("typed", "warns"),
    [
        ({"game": "anr"}, True),
        ({"game": "anr", "format_id": "standard"}, False),
        ({"game": "onr"}, False),
        ({"game": "free_radicals"}, False),
    ],
)
def test_new_event_without_a_format_warns_that_every_card_is_legal(
    desk: Client, typed: dict[str, str], warns: bool
):
    load_cards("anr")
    new = {"name": "Spring Run", "starts_on": "2025-09-17", **typed}

    page = desk.post("/events/new/", new, follow=True)

    assert ("No format is chosen, so every card is legal." in page.text) is warns


def create(**typed: str) -> Tournament:
    form = CreateEventForm({**FORM_DATA, **typed})
    assert form.is_valid(), form.errors
    return services.create_event(make_user(), **form.settings)


def errors(**typed: str) -> dict[str, list[str]]:
    form = CreateEventForm({**FORM_DATA, **typed})
    assert not form.is_valid()
    return {name: [str(error) for error in errors] for name, errors in form.errors.items()}


@pytest.mark.parametrize(
    ("typed", "rule", "system", "bye"),
    [
        ({"game": ""}, "onr_runner_only", "double", 20),
        ({"game": "onr"}, "onr_runner_only", "double", 20),
        ({"game": "anr"}, "anr_double", "double", 6),
        ({"game": "anr", "scoring_rule": "anr_single"}, "anr_single", "single", 3),
        ({"game": "anr", "system": "single"}, "anr_single", "single", 3),
        ({"game": "anr", "system": "round_robin"}, "anr_double", "round_robin", 6),
        ({"game": "onr", "system": "manual"}, "onr_runner_only", "manual", 20),
        ({"game": "free_radicals"}, "free_radicals", "pods", 5),
        ({"game": "free_radicals", "rank_points": "5 3 2 1 0"}, "free_radicals", "pods", 5),
    ],
)
def test_game_determines_the_defaults(typed: dict[str, str], rule: str, system: str, bye: int):
    event = create(**typed)

    assert (event.scoring_rule, event.bye_points) == (rule, bye)
    assert event.stages.get().system == system
    assert event.stages.get().scoring_rule == rule
    assert not event.decks_required


@pytest.mark.parametrize(("game", "bye"), [("onr", 20), ("anr", 6), ("free_radicals", 5)])
def test_unchanged_form_has_the_bye_of_its_game(game: str, bye: int):
    shown = CreateEventForm()["bye_points"].value()

    assert create(game=game, bye_points="" if shown is None else str(shown)).bye_points == bye


@pytest.mark.parametrize(
    ("changed", "field", "words"),
    [
        ({"game": "anr", "scoring_rule": "free_radicals"}, "scoring_rule", "does not score"),
        ({"game": "anr", "rank_points": "5,3,2,1,0"}, "rank_points", "no points by place"),
        ({"game": "free_radicals", "rank_points": "1,2,3,4,5"}, "rank_points", "none larger"),
        ({"game": "free_radicals", "rank_points": "5,3"}, "rank_points", "are 5 numbers"),
        ({"game": "free_radicals", "rank_points": "5,3,2,1,many"}, "rank_points", "whole numbers"),
        ({"game": "anr", "format_id": "nonsense"}, "format_id", "Select a valid choice"),
        ({"decks_close_at": "0025-09-17T09:00"}, "decks_close_at", "Enter a year from"),
    ],
)
def test_invalid_input_is_refused(changed: dict[str, str], field: str, words: str):
    assert words in errors(**changed)[field][0]


def test_points_by_place_are_saved():
    event = create(game="free_radicals", rank_points="10, 6, 3, 1, 0")

    assert (event.scoring_rule, event.bye_points) == ("free_radicals:10-6-3-1-0", 10)
    form = SettingsForm(instance=event)
    assert form["scoring_rule"].value() == "free_radicals"
    assert form["rank_points"].value() == "10, 6, 3, 1, 0"


def test_service_defaults_follow_the_game():
    event = make_pods(players=0)

    assert (event.scoring_rule, event.decks_required) == ("free_radicals", False)
    assert all(make_event(players=0, game=game).decks_required for game in ("onr", "anr"))


def test_form_offers_the_settings_of_the_game():
    form = SettingsForm(instance=make_event(players=0, game="anr"))

    offered = re.findall(r'value="(\w+)"', str(form["scoring_rule"]))
    assert offered == ["anr_double", "anr_single"]
    assert "ban_list" not in form.fields
    assert "rank_points" not in form.fields


@pytest.mark.parametrize("system", ["double", "round_robin", "manual"])
def test_system_supports_the_scoring(system: str):
    assert clean_system(system, "onr_runner_only") == system


@pytest.mark.parametrize(
    ("system", "scoring_rule", "named"),
    [
        ("single", "onr_runner_only", "Swiss, two games a match"),
        ("double", "anr_single", "Swiss, one game a match"),
        ("double", "free_radicals", "Pods of two to five"),
        ("pods", "anr_double", "Round robin"),
    ],
)
def test_unsupported_system_is_refused_with_alternatives(
    system: str, scoring_rule: str, named: str
):
    with pytest.raises(ValidationError, match=named):
        clean_system(system, scoring_rule)


def test_system_choices_are_explained_and_exclude_cuts():
    options = [option.data for option in CreateEventForm()["system"]]

    assert all(option["explanation"] == SYSTEMS[option["value"]].explanation for option in options)
    assert not [option for option in options if SYSTEMS[option["value"]].is_elimination]


def test_game_offers_its_systems():
    for game, systems in (
        ("onr", ["double", "round_robin", "manual"]),
        ("free_radicals", ["pods", "manual"]),
    ):
        assert [id_ for id_, _ in system_choices_of(game)] == systems


def test_format_is_chosen_with_the_game():
    basic = create(game="anr")
    assert basic.deck_rules == {"format_id": "", "identities_only": False}
    assert "no ban list" in deck_rules_in_words(basic).all
    load_cards("anr")

    event = create(game="anr", format_id="standard", decks_required="on")

    assert event.deck_rules == {"format_id": "standard", "identities_only": False}
    assert event.decks_required
    form = SettingsForm(instance=event)
    assert form["format_id"].value() == "standard"
    assert "ban_list" not in form.fields
    names = [name for name, _ in form.fields["format_id"].choices]  # type: ignore[attr-defined]
    assert names[0] == ""
    assert {"standard", "startup", "eternal"} <= set(names)


def test_original_game_has_no_format():
    load_cards("anr")

    assert "has no formats" in errors(game="onr", format_id="standard")["format_id"][0]
    rules = {"runner_minimum", "corp_minimum", "exact_ratio", "ban_list"}
    assert set(create(game="onr").deck_rules) == rules


def test_format_missing_from_the_card_data_remains():
    event = make_event(players=0, game="anr", deck_rules={"format_id": "gone"})

    form = SettingsForm(instance=event)

    assert ("gone", "gone (not among the card data of this site)") in form.fields[
        "format_id"
    ].choices  # type: ignore[attr-defined]
    assert 'The format "gone" is not in the card data' in deck_rules_in_words(event).all


def test_board_game_has_no_deck_settings():
    event = create(game="free_radicals", decks_required="on", decks_close_at="2025-09-17T09:00")

    assert (event.decks_required, event.decks_close_at, event.deck_rules) == (False, None, {})
    fields = SettingsForm(instance=event).fields
    assert not {"format_id", "ban_list", "decks_required", "decks_close_at"} & fields.keys()


@pytest.mark.check(39)
def test_deadline_is_in_the_zone_of_the_event():
    with use_time_zone("Europe/Berlin"):
        event = create(time_zone="Europe/Berlin", decks_close_at="2025-09-17T09:00")

    assert event.decks_close_at == datetime(2025, 9, 17, 7, 0, tzinfo=UTC)


@pytest.mark.check(39)
@pytest.mark.parametrize("typed", ["2026-03-29T02:30", "2026-10-25T02:30"])
def test_skipped_or_repeated_hour_is_refused(typed: str):
    with use_time_zone("Europe/Berlin"):
        problems = errors(time_zone="Europe/Berlin", decks_close_at=typed)

    assert "Europe/Berlin" in problems["decks_close_at"][0]


def test_event_page_names_pool_and_ban_list_of_its_date(client: Client):
    load_cards("anr")
    event = make_event(
        players=0, game="anr", deck_rules={"format_id": "standard"}, starts_on=date(2025, 10, 10)
    )

    before = client.get(event.get_absolute_url()).text
    services.change_settings(event, owner_of(event), starts_on=date(2025, 9, 17))
    after = client.get(event.get_absolute_url()).text

    assert "Format Standard on 10 October 2025" in before
    assert "Standard Ban List 25.10, in force since 3 October 2025" in before
    assert "Standard Ban List 25.10" not in after
    assert "Format Standard on 17 September 2025" in after


def test_date_before_the_format_is_reported():
    load_cards("anr")
    event = make_event(
        players=0, game="anr", deck_rules={"format_id": "standard"}, starts_on=date(1996, 4, 1)
    )

    assert "no card pool exists yet on 1 April 1996" in deck_rules_in_words(event).all


def test_deck_rules_of_the_original_game_are_described():
    event = make_event(players=0)
    rules = {"runner_minimum": 40, "corp_minimum": 50, "exact_ratio": True, "ban_list": True}
    services.change_settings(event, owner_of(event), deck_rules=rules)

    words = deck_rules_in_words(fresh(event))

    assert words.runner == "Runner: at least 40 cards."
    assert "at least 50 cards" in words.corp
    assert "exactly 2 agenda points" in words.corp
    assert "Top Runners' Conference" in words.all


class Order(forms.Form):
    tie_breakers = TieBreakersField(TIE_BREAKERS, fixed=FIXED_TIE_BREAKERS)


def order(*chosen: str) -> Order:
    return Order({f"tie_breakers_{place}": id_ for place, id_ in enumerate(chosen)})


@pytest.mark.parametrize("chosen", [("head_to_head", "", "buchholz"), ("", "")])
def test_match_points_come_first_and_a_draw_last(chosen: tuple[str, ...]):
    form = order(*chosen)

    assert form.is_valid()
    ranked = [id_ for id_ in chosen if id_]
    assert form.cleaned_data["tie_breakers"] == ["match_points", *ranked, "lot"]


def test_tie_breakers_as_a_list():
    listed = Order({"tie_breakers": ["buchholz", "head_to_head"]})

    assert listed.is_valid()
    chosen = listed.cleaned_data["tie_breakers"]
    assert chosen == ["match_points", "buchholz", "head_to_head", "lot"]
    assert not Order({"tie_breakers": ["buchholz", "buchholz"]}).is_valid()
    assert Order({"tie_breakers": []}).is_valid()


@pytest.mark.parametrize("points", ["6, 4, 2, 1, 0", "6-4-2-1-0", [6, 4, 2, 1, 0]])
def test_points_by_place_as_text_or_list(points: str | list[int]):
    assert scoring_rule_with_points("free_radicals", rank_points_field().clean(points)) == (
        "free_radicals:6-4-2-1-0"
    )


def test_repeated_or_unknown_tie_breaker_is_refused():
    form = order("buchholz", "head_to_head", "buchholz")

    assert not form.is_valid()
    assert form.errors["tie_breakers"] == ['"Buchholz" is chosen twice. Choose it in one place.']
    assert not order("luck").is_valid()


def test_default_orders_are_expanded():
    widget = Order().fields["tie_breakers"].widget

    for ids in (DEFAULT_TIE_BREAKERS, ("match_points", "games_won", "lot")):
        assert order(*widget.decompress(list(ids))).is_valid()
        assert [id_ for id_ in widget.decompress(list(ids)) if id_] == [
            id_ for id_ in ids if id_ not in FIXED_TIE_BREAKERS
        ]


def test_free_radicals_offers_only_its_own_tie_breakers():
    event = make_pods(players=0)
    page = str(SettingsForm(instance=event)["tie_breakers"])

    assert 'value="victory_points"' in page
    assert 'value="agenda_point_difference"' not in page
    assert 'value="victory_points"' not in str(
        SettingsForm(instance=make_event(players=0))["tie_breakers"]
    )


def test_foreign_tie_breaker_is_refused_unless_stored():
    event = make_pods(players=0)

    with pytest.raises(ApiValidationError) as refusal:
        settings_from_body(
            event, {"tie_breakers": ["victory_points", "buchholz", "median_buchholz"]}
        )
    assert settings_from_body(event, {"tie_breakers": ["victory_points"]}) == {
        "tie_breakers": ["match_points", "victory_points", "lot"]
    }

    assert 'does not use "Buchholz" and "' in str(refusal.value.detail)
    services.change_settings(event, owner_of(event), tie_breakers=["match_points", "buchholz"])
    assert settings_from_body(fresh(event), {"name": "Other"}) == {"name": "Other"}
    assert "buchholz" in str(SettingsForm(instance=fresh(event))["tie_breakers"])


def test_new_event_groups_tie_breakers_by_game():
    page = str(CreateEventForm()["tie_breakers"])

    assert '<optgroup label="Free Radicals">' in page
    assert all(f'value="{id_}"' in page for id_ in TIE_BREAKERS if id_ not in FIXED_TIE_BREAKERS)


def test_every_select_has_an_accessible_name():
    page = str(Order()["tie_breakers"])

    assert all(f'aria-label="{label}"' in page for label in SELECT_LABELS)
    assert all(f'value="{id_}"' in page for id_ in TIE_BREAKERS if id_ not in FIXED_TIE_BREAKERS)


SIZES = {"runner_minimum", "corp_minimum", "exact_ratio", "ban_list"}
DECKS = {"decks_required", "decks_close_at"}
FORMATS = {"format_id", "identities_only"}


@pytest.mark.parametrize(
    ("game", "left_out", "systems_left_out"),
    [
        ("onr", FORMATS | {"avoid_second_meetings", "rank_points"}, {"single", "pods"}),
        ("anr", SIZES | {"rank_points"}, {"pods"}),
        (
            "free_radicals",
            SIZES | DECKS | FORMATS | {"avoid_second_meetings"},
            {"double", "single", "round_robin"},
        ),
    ],
)
def test_new_event_hides_settings_of_unselected_games(
    game: str, left_out: set[str], systems_left_out: set[str]
):
    form = CreateEventForm({"name": "Run", "game": game})

    marked = {field.name for field in form if field.field.widget.attrs["data-of-other-game"]}
    systems = {
        option.data["value"]
        for option in form["system"]
        if option.data["attrs"]["data-of-other-game"]
    }
    assert marked == left_out
    assert systems == systems_left_out


@pytest.mark.parametrize(
    ("moment", "starts"), [("2026-05-02T18:20", time(19)), ("2026-05-02T23:10", None)]
)
def test_new_event_starts_today_at_the_next_full_hour(
    time_machine: Any, moment: str, starts: time | None
):
    time_machine.move_to(f"{moment}+00:00", tick=False)
    form = CreateEventForm()

    assert form["starts_on"].value() == date(2026, 5, 2)
    assert form["start_time"].value() == starts


def test_event_that_ends_after_midnight_leads_to_the_last_day():
    night = {"starts_on": "2026-05-02", "start_time": "19:00", "end_time": "00:30"}
    form = CreateEventForm({**FORM_DATA, **night})

    assert "end_time" in form.errors
    assert form.advanced_has_errors
    assert create(**night, ends_on="2026-05-03").end_time == time(0, 30)


@pytest.mark.parametrize(("end", "copied"), [(time(23), time(23)), (time(0, 30), None)])
def test_usual_end_is_on_the_day_of_the_start(end: time, copied: time | None):
    owner = make_user()
    ends_on = None if end > time(20) else date(2026, 5, 3)
    make_event(owner=owner, start_time=time(20), end_time=end, ends_on=ends_on)

    usual = usual_settings(owner)

    assert (usual["start_time"], usual.get("end_time")) == (time(20), copied)


def test_new_event_has_no_decklists_unless_ticked():
    assert not CreateEventForm()["decks_required"].value()
    assert create(decks_required="on").decks_required


def test_every_form_of_a_cut_offers_the_same_eliminations():
    planned: Any = CreateEventForm.base_fields["planned_cut_system"]
    made: Any = CutForm.base_fields["system"]

    assert [id_ for id_, _ in planned.choices] == list(ELIMINATION_SYSTEMS)
    assert made.choices == planned.choices


def test_new_event_has_the_planned_cut():
    assert create(planned_cut="8").planned_cut == 8
    assert create().planned_cut is None
    assert create(planned_cut="8").planned_cut_system == "double_elimination"
    single = create(planned_cut="8", planned_cut_system="single_elimination")
    assert single.planned_cut_system == "single_elimination"
    assert errors(planned_cut="1") == {"planned_cut": ["Enter 2 to 256 players, not 1."]}


def test_advanced_groups_and_first_screen_have_each_setting_once():
    form = CreateEventForm()

    advanced = [field.name for group in form.groups for field in group.fields]
    assert sorted([*FIRST_FIELDS, *advanced]) == sorted(form.fields)


def test_each_scoring_rule_is_marked_with_its_games_and_systems():
    widget = CreateEventForm()["scoring_rule"].subwidgets
    marks = {
        option["value"]: (option["attrs"]["data-games"], option["attrs"]["data-systems"])
        for group in widget
        for option in [group.data]
        if option["value"]
    }

    assert marks["anr_single"] == ("anr", "single round_robin manual")
    assert marks["free_radicals"] == ("free_radicals", "pods manual")


def test_suggested_steps_are_those_of_the_round_plan():
    steps = round_plan_steps()

    for players in (3, 4, 5, 8, 9, 33, 513):
        plan = suggest_rounds(players, Fraction(1, 2))
        rounds = 1 + next(i for i, limit in enumerate(steps.limits) if players <= limit)
        pairs = [tuple(map(int, pair.split(":"))) for pair in steps.cuts]
        assert rounds == plan.rounds
        assert next((size for least, size in pairs if players >= least), 0) == plan.cut
    assert steps.systems == ("double", "single")
