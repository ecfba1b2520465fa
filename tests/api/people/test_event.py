"""The settings of an event over the API."""

from datetime import UTC, datetime

import pytest
from rest_framework.test import APIClient

from tests.api.clients import client_of
from tests.factories import tournaments as make
from tests.factories.library import load_cards
from tournaments.models import Tournament

EVENTS = "/api/v1/events/"
EVENT = f"{EVENTS}spring-run/"
SETTINGS = f"{EVENT}settings/"


def test_event_is_created_with_all_its_settings():
    answer = client_of(make.make_user("ann")).post(
        EVENTS,
        {
            "name": "Autumn Run",
            "starts_on": "2026-10-03",
            "time_zone": "Europe/Berlin",
            "registration_closes_at": "2026-10-02T20:00:00+02:00",
            "registration_is_open": False,
            "planned_rounds": 5,
            "tie_breakers": ["strength_of_schedule"],
            "deck_rules": {"ban_list": True},
            "table_numbers": "1-20",
            "has_waiting_list": True,
        },
        "json",
    )

    event = Tournament.objects.get(slug="autumn-run")
    assert answer.status_code == 201
    assert answer.headers["Location"] == "http://testserver/api/v1/events/autumn-run/"
    assert event.staff.get().user.username == "ann"
    assert event.registration_closes_at == datetime(2026, 10, 2, 18, tzinfo=UTC)
    assert event.tie_breakers == ["match_points", "strength_of_schedule", "lot"]
    assert (event.table_numbers, event.has_waiting_list) == ("1-20", True)
    assert not event.registration_is_open
    assert answer.data["deck_rules"] == {
        "runner_minimum": 45,
        "corp_minimum": 45,
        "exact_ratio": False,
        "ban_list": True,
    }
    assert answer.data["join_code"] == event.join_code


def test_system_of_a_new_event_sets_its_scoring():
    body = {"name": "A", "starts_on": "2025-09-17", "game": "anr", "system": "single"}

    created = client_of(make.make_user("ann")).post(EVENTS, body, "json").json()

    assert (created["system"], created["scoring_rule"]) == ("single", "anr_single")


def test_new_event_without_a_format_has_a_notice():
    load_cards("anr")
    api = client_of(make.make_user("ann"))
    created = api.post(
        EVENTS, {"name": "A", "starts_on": "2025-09-17", "game": "anr"}, "json"
    ).json()
    settings = f"{EVENTS}{created['slug']}/settings/"
    changed = api.patch(settings, {"deck_rules": {"format": "standard"}}, "json").json()

    assert [notice["code"] for notice in created["notices"]] == ["no_format"]
    assert "every card is legal" in created["notices"][0]["detail"]
    assert changed["notices"] == []


def test_patch_changes_the_named_settings_only(event: Tournament, owner: APIClient):
    before = owner.get(SETTINGS).data

    answer = owner.patch(SETTINGS, {"location": "Berlin", "round_minutes": 60}, "json")

    assert answer.data == {**before, "location": "Berlin", "round_minutes": 60}
    assert event.log.get(action="settings changed").after == {
        "location": "Berlin",
        "round_minutes": 60,
    }
    assert answer.data == owner.get(SETTINGS).data


@pytest.mark.parametrize("language", ["fr", ""])
def test_language_of_an_event_is_a_setting(event: Tournament, owner: APIClient, language: str):
    Tournament.objects.update(language="de")

    answer = owner.patch(SETTINGS, {"language": language}, "json")

    assert answer.data["language"] == language
    assert owner.get(EVENT).data["language"] == language


@pytest.mark.parametrize(
    ("invalid", "field"),
    [
        ({"time_zone": "Europe/Netrunner"}, "time_zone"),
        ({"language": "xx"}, "language"),
        ({"table_numbers": "9-1"}, "table_numbers"),
        ({"tie_breakers": ["strength_of_schedule"] * 2}, "tie_breakers"),
        ({"tie_breakers": ["luck"]}, "tie_breakers"),
        ({"scoring_rule": "fr_rank"}, "scoring_rule"),
        ({"deck_rules": {"format": "standard"}}, "format"),
        ({"rounds": 3}, "rounds"),
        ({"max_players": "8"}, "max_players"),
        ({"registration_is_open": 1}, "registration_is_open"),
    ],
)
def test_invalid_setting_is_named(owner: APIClient, invalid: dict[str, object], field: str):
    answer = owner.patch(SETTINGS, invalid, "json")

    assert answer.status_code == 400
    assert set(answer.data["errors"]) == {field}


def test_join_code_is_for_staff(event: Tournament, owner: APIClient):
    code = owner.get(f"{EVENT}joining/").data

    assert code["join_code"] == event.join_code
    assert code["url"].endswith(f"/join/{event.join_code}/")
    assert event.join_code not in str(APIClient().get(EVENT).data)


def test_stages_show_published_rounds_only(event: Tournament, owner: APIClient):
    make.add_players(event, 2)
    make.play_round(event)
    make.draft_round(event)

    (stage,) = owner.get(f"{EVENT}stages/").data["results"]

    assert (stage["number"], stage["rounds"]) == (1, [1])
