"""Settings of an event: game, scoring and system go together, deck rules, tie-breakers."""

import re
from datetime import UTC, date, datetime

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.test import Client
from rest_framework.exceptions import ValidationError as ApiValidationError

from engine.standings.tie_breakers import DEFAULT_TIE_BREAKERS, FIXED_TIE_BREAKERS, TIE_BREAKERS
from engine.systems import SYSTEMS
from tests.factories.library import load_cards
from tests.factories.pods import make_pods
from tests.factories.tournaments import fresh, make_event, make_user, owner_of
from tournaments.decklists.pages import deck_rules_in_words
from tournaments.models import Tournament
from tournaments.settings import services
from tournaments.settings.api import settings_from_body
from tournaments.settings.forms import CreateEventForm, SettingsForm
from tournaments.settings.scoring_fields import (
    ORDINALS,
    SYSTEM_CHOICES,
    TieBreakersField,
    clean_system,
    rank_points_field,
    scoring_rule_with_points,
    system_choices_of,
)
from tournaments.web.staff_pages import use_time_zone

NEW = {"name": "Spring Run", "starts_on": "2025-09-17"}


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
def test_the_minutes_of_a_round_follow_the_game(typed: dict[str, str], minutes: int):
    assert create(**typed).round_minutes == minutes


def test_a_new_event_asks_for_no_minutes_and_says_the_usual_ones(desk: Client):
    page = desk.get("/events/new/").text
    field = re.search(r'<input[^>]*name="round_minutes"[^>]*>', page)

    assert field is not None
    assert "value=" not in field[0]
    assert "Android: Netrunner 65 (40 with one game a match)" in page
    assert "Free Radicals 90" in page


def test_who_makes_an_event_after_the_card_data_is_told(desk: Client):
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
    form = CreateEventForm({**NEW, **typed})
    assert form.is_valid(), form.errors
    return services.create_event(make_user(), **form.settings)


def errors(**typed: str) -> dict[str, list[str]]:
    form = CreateEventForm({**NEW, **typed})
    assert not form.is_valid()
    return {name: [str(one) for one in typed] for name, typed in form.errors.items()}


@pytest.mark.parametrize(
    ("game", "rule", "system", "bye"),
    [
        ("", "onr_runner_only", "double", 20),
        ("onr", "onr_runner_only", "double", 20),
        ("anr", "anr_double", "double", 6),
        ("free_radicals", "free_radicals", "pods", 5),
    ],
)
def test_the_game_alone_is_enough(game: str, rule: str, system: str, bye: int):
    event = create(game=game)

    assert (event.scoring_rule, event.bye_points) == (rule, bye)
    assert event.stages.get().system == system
    assert event.stages.get().scoring_rule == rule
    assert not event.decks_required


@pytest.mark.parametrize(("game", "bye"), [("onr", 20), ("anr", 6), ("free_radicals", 5)])
def test_a_form_sent_as_it_is_shown_has_the_bye_of_its_game(game: str, bye: int):
    shown = CreateEventForm()["bye_points"].value()

    assert create(game=game, bye_points="" if shown is None else str(shown)).bye_points == bye


def test_single_sided_is_a_scoring_of_its_own():
    event = create(game="anr", scoring_rule="anr_single")

    assert (event.stages.get().system, event.bye_points) == ("single", 3)


@pytest.mark.parametrize(
    ("changed", "field", "words"),
    [
        ({"game": "anr", "scoring_rule": "free_radicals"}, "scoring_rule", "does not score"),
        ({"game": "anr", "rank_points": "5,3,2,1,0"}, "rank_points", "no points by place"),
        ({"game": "free_radicals", "rank_points": "1,2,3,4,5"}, "rank_points", "none larger"),
        ({"game": "free_radicals", "rank_points": "5,3"}, "rank_points", "are 5 numbers"),
        ({"game": "free_radicals", "rank_points": "5,3,2,1,many"}, "rank_points", "whole numbers"),
        ({"game": "anr", "format_id": "nonsense"}, "format_id", "Select a valid choice"),
        ({"decks_close_at": "0025-09-17T09:00"}, "decks_close_at", "The year must be"),
    ],
)
def test_what_does_not_fit_the_game_or_the_age_is_refused_by_its_field(
    changed: dict[str, str], field: str, words: str
):
    assert words in errors(**changed)[field][0]


def test_points_by_place_are_a_choice():
    event = create(game="free_radicals", rank_points="10, 6, 3, 1, 0")

    assert (event.scoring_rule, event.bye_points) == ("free_radicals:10-6-3-1-0", 10)
    form = SettingsForm(instance=event)
    assert form["scoring_rule"].value() == "free_radicals"
    assert form["rank_points"].value() == "10, 6, 3, 1, 0"


def test_the_usual_points_by_place_need_no_id_of_their_own():
    assert create(game="free_radicals", rank_points="5 3 2 1 0").scoring_rule == "free_radicals"


def test_the_service_knows_what_is_usual_for_a_game():
    event = make_pods(players=0)

    assert (event.scoring_rule, event.decks_required) == ("free_radicals", False)
    assert all(make_event(players=0, game=game).decks_required for game in ("onr", "anr"))


def test_the_settings_of_an_event_are_those_of_its_game():
    form = SettingsForm(instance=make_event(players=0, game="anr"))

    offered = re.findall(r'value="(\w+)"', str(form["scoring_rule"]))
    assert offered == ["anr_double", "anr_single"]
    assert "ban_list" not in form.fields
    assert "rank_points" not in form.fields


@pytest.mark.parametrize("system", ["double", "round_robin", "manual"])
def test_matches_of_two_games_can_be_paired_so(system: str):
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
def test_what_does_not_fit_is_refused_with_what_does(system: str, scoring_rule: str, named: str):
    with pytest.raises(ValidationError, match=named):
        clean_system(system, scoring_rule)


def test_every_choice_is_explained_and_none_is_a_cut():
    assert all(SYSTEMS[id_].explanation in label for id_, label in SYSTEM_CHOICES)
    assert not [id_ for id_, _ in SYSTEM_CHOICES if SYSTEMS[id_].is_elimination]


def test_a_game_offers_the_systems_of_its_scoring_rules_alone():
    offered = {
        game: [id_ for id_, _ in system_choices_of(game)] for game in ("onr", "free_radicals")
    }

    assert offered == {
        "onr": ["double", "round_robin", "manual"],
        "free_radicals": ["pods", "manual"],
    }


def test_a_format_is_chosen_with_the_game():
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


def test_without_a_format_the_basic_rules_hold():
    event = create(game="anr")

    assert event.deck_rules == {"format_id": "", "identities_only": False}
    assert "no ban list" in deck_rules_in_words(event).all


def test_the_older_game_has_no_format():
    load_cards("anr")

    assert "has no formats" in errors(game="onr", format_id="standard")["format_id"][0]
    assert set(create(game="onr").deck_rules) == {
        "runner_minimum",
        "corp_minimum",
        "exact_ratio",
        "ban_list",
    }


def test_an_event_keeps_a_format_the_card_data_lost():
    event = make_event(players=0, game="anr", deck_rules={"format_id": "gone"})

    form = SettingsForm(instance=event)

    assert ("gone", "gone (not among the card data of this site)") in form.fields[
        "format_id"
    ].choices  # type: ignore[attr-defined]
    assert 'The format "gone" is not in the card data' in deck_rules_in_words(event).all


def test_the_board_game_asks_for_nothing_about_decks():
    event = create(game="free_radicals", decks_required="on", decks_close_at="2025-09-17T09:00")

    assert (event.decks_required, event.decks_close_at, event.deck_rules) == (False, None, {})
    fields = SettingsForm(instance=event).fields
    assert not {"format_id", "ban_list", "decks_required", "decks_close_at"} & fields.keys()


@pytest.mark.check(39)
def test_the_deadline_is_shown_in_the_zone_of_the_event():
    with use_time_zone("Europe/Berlin"):
        event = create(time_zone="Europe/Berlin", decks_close_at="2025-09-17T09:00")

    assert event.decks_close_at == datetime(2025, 9, 17, 7, 0, tzinfo=UTC)


@pytest.mark.check(39)
@pytest.mark.parametrize("typed", ["2026-03-29T02:30", "2026-10-25T02:30"])
def test_an_hour_that_is_not_or_is_twice_is_no_deadline(typed: str):
    with use_time_zone("Europe/Berlin"):
        found = errors(time_zone="Europe/Berlin", decks_close_at=typed)

    assert "Europe/Berlin" in found["decks_close_at"][0]


def test_the_page_of_the_event_names_pool_and_ban_list_of_its_day(client: Client):
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


def test_a_day_before_the_format_began_is_reported():
    load_cards("anr")
    event = make_event(
        players=0, game="anr", deck_rules={"format_id": "standard"}, starts_on=date(1996, 4, 1)
    )

    assert "has no card pool yet on 1 April 1996" in deck_rules_in_words(event).all


def test_the_words_of_the_older_game_follow_its_settings():
    event = make_event(players=0)
    rules = {"runner_minimum": 40, "corp_minimum": 50, "exact_ratio": True, "ban_list": True}
    services.change_settings(event, owner_of(event), deck_rules=rules)

    words = deck_rules_in_words(fresh(event))

    assert words.runner == "Runner: at least 40 cards."
    assert "at least 50 cards" in words.corp
    assert "to the card" in words.corp
    assert "Top Runners' Conference" in words.all


class Order(forms.Form):
    tie_breakers = TieBreakersField()


def order(*chosen: str) -> Order:
    return Order({f"tie_breakers_{place}": id_ for place, id_ in enumerate(chosen)})


@pytest.mark.parametrize("chosen", [("head_to_head", "", "buchholz"), ("", "")])
def test_points_come_first_and_a_lot_last_whatever_is_chosen(chosen: tuple[str, ...]) -> None:
    form = order(*chosen)

    assert form.is_valid()
    ranked = [id_ for id_ in chosen if id_]
    assert form.cleaned_data["tie_breakers"] == ["match_points", *ranked, "lot"]


def test_a_list_is_the_same_as_the_choices_of_a_page() -> None:
    listed = Order({"tie_breakers": ["buchholz", "head_to_head"]})

    assert listed.is_valid()
    assert listed.cleaned_data["tie_breakers"] == [
        "match_points",
        "buchholz",
        "head_to_head",
        "lot",
    ]
    assert not Order({"tie_breakers": ["buchholz", "buchholz"]}).is_valid()
    assert Order({"tie_breakers": []}).is_valid()


@pytest.mark.parametrize("points", ["6, 4, 2, 1, 0", "6-4-2-1-0", [6, 4, 2, 1, 0]])
def test_points_by_place_are_typed_or_listed(points: str | list[int]) -> None:
    assert scoring_rule_with_points("free_radicals", rank_points_field().clean(points)) == (
        "free_radicals:6-4-2-1-0"
    )


def test_one_chosen_twice_is_refused_by_name_and_one_that_does_not_exist_too() -> None:
    form = order("buchholz", "head_to_head", "buchholz")

    assert not form.is_valid()
    assert form.errors["tie_breakers"] == ['"Buchholz" is chosen twice. Choose it in one place.']
    assert not order("luck").is_valid()


def test_the_usual_orders_come_back_as_they_are() -> None:
    widget = TieBreakersField().widget

    for ids in (DEFAULT_TIE_BREAKERS, ("match_points", "games_won", "lot")):
        assert order(*widget.decompress(list(ids))).is_valid()
        assert [id_ for id_ in widget.decompress(list(ids)) if id_] == [
            id_ for id_ in ids if id_ not in FIXED_TIE_BREAKERS
        ]


def test_free_radicals_offers_only_its_own_tie_breakers() -> None:
    event = make_pods(players=0)
    page = str(SettingsForm(instance=event)["tie_breakers"])

    assert 'value="victory_points"' in page
    assert 'value="agenda_point_difference"' not in page
    assert 'value="victory_points"' not in str(
        SettingsForm(instance=make_event(players=0))["tie_breakers"]
    )


def test_a_tie_breaker_of_another_game_is_refused_unless_the_event_has_it() -> None:
    event = make_pods(players=0)

    with pytest.raises(ApiValidationError) as refusal:
        settings_from_body(event, {"tie_breakers": ["victory_points", "buchholz"]})
    assert settings_from_body(event, {"tie_breakers": ["victory_points"]}) == {
        "tie_breakers": ["match_points", "victory_points", "lot"]
    }

    assert 'does not use "Buchholz"' in str(refusal.value.detail)
    services.change_settings(event, owner_of(event), tie_breakers=["match_points", "buchholz"])
    assert settings_from_body(fresh(event), {"name": "Other"}) == {"name": "Other"}
    assert "buchholz" in str(SettingsForm(instance=fresh(event))["tie_breakers"])


def test_a_new_event_shows_whose_each_tie_breaker_is() -> None:
    page = str(CreateEventForm()["tie_breakers"])

    assert '<optgroup label="Free Radicals">' in page
    assert all(f'value="{id_}"' in page for id_ in TIE_BREAKERS if id_ not in FIXED_TIE_BREAKERS)


def test_every_choice_has_a_name_that_is_read_out() -> None:
    page = str(Order()["tie_breakers"])

    assert all(f'aria-label="{place} tie-breaker"' in page for place in ORDINALS)
    assert all(f'value="{id_}"' in page for id_ in TIE_BREAKERS if id_ not in FIXED_TIE_BREAKERS)


@pytest.mark.parametrize(
    ("game", "left_out"),
    [
        ("onr", {"avoid_second_meetings", "format_id", "rank_points", "identities_only"}),
        ("anr", {"rank_points", "runner_minimum", "corp_minimum", "exact_ratio", "ban_list"}),
    ],
)
def test_a_new_event_first_shows_the_settings_of_its_game_alone(game: str, left_out: set[str]):
    form = CreateEventForm({"name": "Run", "game": game})

    marked = {field.name for field in form if "data-of-other-game" in str(field)}
    assert marked == left_out
