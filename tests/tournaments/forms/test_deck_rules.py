"""Deck rules as an organiser chooses them, and in words on the page of the event."""

from datetime import UTC, date, datetime

import pytest
from django.test import Client

from tests.factories.library import load_cards
from tests.factories.tournaments import fresh, make_event, make_user, owner_of
from tournaments.forms.events import CreateForm, SettingsForm
from tournaments.models import Tournament
from tournaments.services import events
from tournaments.sheets.deck_rules import deck_rules_in_words
from tournaments.views.behind import in_zone

pytestmark = pytest.mark.django_db

NEW = {"name": "Spring Run", "starts_on": "2025-09-17"}


def create(**told: str) -> Tournament:
    form = CreateForm({**NEW, **told})
    assert form.is_valid(), form.errors
    return events.create(make_user(), **form.settings)


def test_a_format_is_chosen_with_the_game():
    load_cards("anr")

    event = create(game="anr", format_id="standard", decks_required="on")

    assert event.deck_rules == {"format_id": "standard"}
    assert event.decks_required
    form = SettingsForm(instance=event)
    assert form["format_id"].value() == "standard"
    assert "ban_list" not in form.fields
    names = [name for name, _ in form.fields["format_id"].choices]  # type: ignore[attr-defined]
    assert names[0] == ""
    assert {"standard", "startup", "eternal"} <= set(names)


def test_without_a_format_the_basic_rules_hold():
    event = create(game="anr")

    assert event.deck_rules == {"format_id": ""}
    assert "no ban list holds" in deck_rules_in_words(event).all


def test_the_older_game_has_no_format():
    load_cards("anr")

    form = CreateForm({**NEW, "game": "onr", "format_id": "standard"})

    assert not form.is_valid()
    assert "has no formats" in form.errors["format_id"][0]
    assert set(create(game="onr").deck_rules) == {
        "runner_minimum",
        "corp_minimum",
        "exact_ratio",
        "ban_list",
    }


def test_a_format_nobody_knows_is_refused():
    assert not CreateForm({**NEW, "game": "anr", "format_id": "nonsense"}).is_valid()


def test_an_event_keeps_a_format_the_card_data_lost():
    event = make_event(players=0, game="anr", deck_rules={"format_id": "gone"})

    form = SettingsForm(instance=event)

    assert ("gone", "gone (not among the card data of this site)") in form.fields[
        "format_id"
    ].choices  # type: ignore[attr-defined]
    assert 'The format "gone" is not among' in deck_rules_in_words(event).all


def test_the_board_game_asks_for_nothing_about_decks():
    event = create(game="free_radicals", decks_required="on", decks_close_at="2025-09-17T09:00")

    assert (event.decks_required, event.decks_close_at, event.deck_rules) == (False, None, {})
    fields = SettingsForm(instance=event).fields
    assert not {"format_id", "ban_list", "decks_required", "decks_close_at"} & fields.keys()


@pytest.mark.check(39)
def test_the_deadline_is_told_in_the_zone_of_the_event():
    with in_zone("Europe/Berlin"):
        event = create(time_zone="Europe/Berlin", decks_close_at="2025-09-17T09:00")

    assert event.decks_close_at == datetime(2025, 9, 17, 7, 0, tzinfo=UTC)


@pytest.mark.check(39)
@pytest.mark.parametrize("typed", ["2026-03-29T02:30", "2026-10-25T02:30"])
def test_an_hour_that_is_not_or_is_twice_is_no_deadline(typed: str):
    with in_zone("Europe/Berlin"):
        form = CreateForm({**NEW, "time_zone": "Europe/Berlin", "decks_close_at": typed})

        assert not form.is_valid()
    assert "Europe/Berlin" in form.errors["decks_close_at"][0]


def test_a_year_typed_by_half_is_no_deadline():
    form = CreateForm({**NEW, "decks_close_at": "0025-09-17T09:00"})

    assert not form.is_valid()
    assert "The year must be" in form.errors["decks_close_at"][0]


def test_the_page_of_the_event_names_pool_and_ban_list_of_its_day(client: Client):
    load_cards("anr")
    event = make_event(
        players=0, game="anr", deck_rules={"format_id": "standard"}, starts_on=date(2025, 10, 10)
    )

    before = client.get(event.get_absolute_url()).text
    events.change_settings(event, owner_of(event), starts_on=date(2025, 9, 17))
    after = client.get(event.get_absolute_url()).text

    assert "Format Standard on 10 October 2025" in before
    assert "Standard Ban List 25.10, in force since 3 October 2025" in before
    assert "Standard Ban List 25.10" not in after
    assert "Format Standard on 17 September 2025" in after


def test_a_day_before_the_format_began_is_told():
    load_cards("anr")
    event = make_event(
        players=0, game="anr", deck_rules={"format_id": "standard"}, starts_on=date(1996, 4, 1)
    )

    assert "has no card pool yet on 1 April 1996" in deck_rules_in_words(event).all


def test_the_words_of_the_older_game_follow_its_settings():
    event = make_event(players=0)
    rules = {"runner_minimum": 40, "corp_minimum": 50, "exact_ratio": True, "ban_list": True}
    events.change_settings(event, owner_of(event), deck_rules=rules)

    words = deck_rules_in_words(fresh(event))

    assert words.runner == "Runner: at least 40 cards."
    assert "at least 50 cards" in words.corp
    assert "to the card" in words.corp
    assert "Top Runners' Conference" in words.all
