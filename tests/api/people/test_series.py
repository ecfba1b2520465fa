"""Series over the API: their settings, table, evenings and invitations, and an event run again."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from players.models import Player
from tests.api.clients import client_of, make_token, with_token
from tests.factories.series import (
    evening,
    make_players,
    make_series,
    open_evening,
    owner_of_series,
    places,
)
from tests.factories.tournaments import make_event, make_user, owner_of
from tournaments.models import Series, Tournament

pytestmark = pytest.mark.django_db
SERIES = "/api/v1/series/"
MINE = f"{SERIES}spring-series/"


@pytest.fixture
def four() -> list[Player]:
    return make_players("Ada", "Bo", "Cy", "Di")


@pytest.fixture
def series() -> Series:
    return make_series(place_points=[10, 6, 4], points_for_playing=1)


@pytest.fixture
def api(series: Series) -> APIClient:
    """Who owns the series."""
    return client_of(owner_of_series(series).user)


def test_an_account_makes_a_series_with_the_usual_settings_and_its_own():
    user = make_user()
    answer = client_of(user).post(SERIES, {"name": "League", "best_of": 4}, "json")

    assert answer.status_code == 201
    assert answer.headers["Location"] == "http://testserver/api/v1/series/league/"
    assert answer.data["place_points"] == [10, 8, 6, 5, 4, 3, 2]
    assert (answer.data["best_of"], answer.data["target"]) == (4, None)
    assert Series.objects.get().staff.get().user == user


def test_only_what_is_named_of_a_series_is_changed(series: Series, api: APIClient):
    before = api.get(MINE).data
    answer = api.patch(MINE, {"tie_breakers": ["wins"], "best_of": 3}, "json")

    assert answer.data == {**before, "tie_breakers": ["wins"], "best_of": 3}
    assert series.log.get(action="series changed").after == {
        "best_of": 3,
        "tie_breakers": ["wins"],
    }


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"tie_breakers": ["wins", "wins"]}, "tie_1"),
        ({"best_of": 5, "planned_events": 2}, "best_of"),
        ({"target": "nowhere"}, "target"),
        ({"place_points": [5_000]}, "place_points"),
        ({"prize": "a mug"}, "prize"),
    ],
)
def test_a_setting_of_a_series_that_cannot_be_is_a_400(
    sent: dict[str, Any], field: str, series: Series, api: APIClient
):
    answer = api.patch(MINE, sent, "json")

    assert answer.status_code == 400
    assert field in answer.data["errors"]


def test_the_table_has_every_event_of_a_player(series: Series, four: list[Player]):
    first = evening(series, four, number=1)
    evening(series, four, number=2)
    rows = APIClient().get(f"{MINE}table/").data["results"]

    assert rows[0]["player"] == places(first)[0]
    assert rows[0]["points"] == 20
    assert rows[0]["events"][0] == {
        "event": first.slug,
        "place": 1,
        "points": 10,
        "counts": True,
    }


def test_an_event_that_one_runs_is_added_and_taken_out(
    series: Series, api: APIClient, four: list[Player]
):
    theirs = open_evening(None, four, name="Theirs")
    mine = make_event(0, owner=owner_of_series(series).user, name="Mine")
    assert api.post(f"{MINE}events/", {"event": theirs.slug}, "json").status_code == 400
    assert api.post(f"{MINE}events/", {"event": mine.slug}, "json").status_code == 201

    assert [one["slug"] for one in api.get(f"{MINE}events/").data["results"]] == ["mine"]
    assert api.delete(f"{MINE}events/mine/").status_code == 204
    assert not series.events.exists()


def test_who_qualified_is_invited_and_declines(series: Series, api: APIClient, four: list[Player]):
    event = evening(series, four)
    final = make_event(0, owner=owner_of_series(series).user, name="Final")
    api.patch(MINE, {"target": "final", "qualify_per_event": 1}, "json")
    (qualified,) = api.get(f"{MINE}qualified/").data["results"]
    assert qualified["how"] == f"1st at {event.name}"
    assert api.post(f"{MINE}qualified/", {}, "json").data == {"invited": 1}
    (invited,) = api.get("/api/v1/events/final/invited/").data["results"]
    address = f"/api/v1/events/final/invited/{invited['id']}/"
    assert api.patch(address, {"declined": True}, "json").data["declined_at"]

    (now,) = api.get(f"{MINE}qualified/").data["results"]
    assert now["how"] == f"2nd at {event.name}, place 1 declined"
    assert api.delete(address).status_code == 204
    assert not final.invited.exists()


def test_evenings_are_planned_changed_skipped_and_stopped(
    series: Series, api: APIClient, four: list[Player]
):
    event = open_evening(series, four, owner=owner_of_series(series).user)
    first = timezone.localdate() + timedelta(days=30)
    body = {
        "template": event.slug,
        "first_on": first.isoformat(),
        "rhythm": "weekly",
        "starts_at": "19:00",
        "time_zone": "Europe/Berlin",
        "days_before": 5,
        "opens_at": "12:00",
    }
    made = api.post(f"{MINE}evenings/", body, "json")
    assert made.status_code == 201, made.data
    address = f"{MINE}evenings/{made.data['id']}/"
    changed = api.put(address, {**body, "rhythm": "fortnightly", "days_before": 2}, "json")
    assert (changed.status_code, changed.data["rhythm"]) == (200, "fortnightly")
    skipped = api.patch(address, {"day": first.isoformat(), "skipped": True}, "json")

    assert skipped.data["upcoming"][0]["is_skipped"]
    assert api.delete(address).status_code == 204
    assert api.get(f"{MINE}evenings/").data["results"][0]["stopped_at"]


def test_an_event_is_run_again_by_a_token_for_more_than_one_event(four: list[Player]):
    event = open_evening(None, four)
    user = owner_of(event).user
    address = f"/api/v1/events/{event.slug}/again/"
    body = {"name": "Evening 2", "starts_on": "2026-06-01", "with_roster": True}
    bound, free = (with_token(make_token(user, tournament=one)) for one in (event, None))
    assert bound.post(address, body, "json").status_code == 403
    answer = free.post(address, body, "json")

    copy = Tournament.objects.get(slug=answer.data["slug"])
    assert (answer.status_code, copy.registrations.count()) == (201, 4)
    assert copy.name == "Evening 2"
