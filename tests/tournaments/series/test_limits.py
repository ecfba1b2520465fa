"""What counts a whole season for everybody who asks is limited, as searches are."""

from datetime import UTC, datetime

import pytest
from django.test import Client

from tests.factories.series import make_series
from tournaments.models import Series

NOON = datetime(2026, 5, 2, 12, tzinfo=UTC)


@pytest.fixture
def spring(settings, time_machine) -> Series:
    time_machine.move_to(NOON, tick=False)
    settings.API_LIMITS = {**settings.API_LIMITS, "search": 1}
    return make_series()


@pytest.mark.parametrize(
    ("address", "asked_from"),
    [
        ("/series/{}/", "198.51.100.7"),
        ("/api/v1/series/{}/table/", "198.51.100.8"),
        ("/api/v1/series/{}/qualified/", "198.51.100.9"),
    ],
)
def test_a_stranger_does_not_count_a_season_without_end(
    spring: Series, address: str, asked_from: str
):
    stranger = Client(REMOTE_ADDR=asked_from)
    asked = [stranger.get(address.format(spring.slug)).status_code for _ in range(2)]

    assert asked == [200, 429]
