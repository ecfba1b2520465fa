"""Series over the API."""

import pytest
from rest_framework.test import APIClient

from players.models import Player
from tests.factories.series import evening, make_players, make_series, owner_of_series, places
from tests.factories.tournaments import make_event
from tournaments.models import Series
from tournaments.series import services as series_services

pytestmark = pytest.mark.django_db
SERIES = "/api/v1/series/"
MINE = f"{SERIES}spring-series/"


@pytest.fixture
def four_players() -> list[Player]:
    return make_players("Ada", "Bo", "Cy", "Di")


@pytest.fixture
def series() -> Series:
    return make_series(place_points=[10, 6, 4], points_for_playing=1)


def test_series_shows_its_scoring_rules(series: Series):
    series_data = APIClient().get(MINE).data

    assert series_data == APIClient().get(SERIES).data["results"][0]
    assert series_data["place_points"] == [10, 6, 4]
    assert (series_data["points_for_playing"], series_data["best_of"], series_data["target"]) == (
        1,
        None,
        None,
    )


def test_events_of_a_series_are_listed(series: Series):
    owner = owner_of_series(series)
    event = make_event(0, owner=owner.user, name="Mine")
    series_services.add_event(series, event, owner)

    assert [event["slug"] for event in APIClient().get(f"{MINE}events/").data["results"]] == [
        "mine"
    ]


def test_qualified_players_are_listed_with_the_reason(series: Series, four_players: list[Player]):
    event = evening(series, four_players)
    owner = owner_of_series(series)
    final = make_event(0, owner=owner.user, name="Final")
    series_services.change_series(series, owner, target=final, qualify_per_event=1)

    (qualified,) = APIClient().get(f"{MINE}qualified/").data["results"]

    assert qualified["how"] == f"1st at {event.name}"


def test_table_has_every_event_of_a_player(series: Series, four_players: list[Player]):
    first = evening(series, four_players, number=1)
    evening(series, four_players, number=2)
    rows = APIClient().get(f"{MINE}table/").data["results"]

    assert rows[0]["player"] == places(first)[0]
    assert rows[0]["points"] == 20
    assert rows[0]["events"][0] == {
        "event": first.slug,
        "place": 1,
        "points": 10,
        "counts": True,
    }
