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
    ("address", "remote_address"),
    [
        ("/series/{}/", "198.51.100.7"),
        ("/api/v1/series/{}/table/", "198.51.100.8"),
        ("/api/v1/series/{}/qualified/", "198.51.100.9"),
    ],
)
def test_requests_for_a_season_are_limited(spring: Series, address: str, remote_address: str):
    stranger = Client(REMOTE_ADDR=remote_address)
    statuses = [stranger.get(address.format(spring.slug)).status_code for _ in range(2)]

    assert statuses == [200, 429]
