"""Every test of a service has the database."""

import pytest

from tests.factories.tournaments import player_number
from tournaments.models import Registration, Tournament


@pytest.fixture(autouse=True)
def _database(db: None) -> None:
    """Also where the test asks for no row of a fixture."""


@pytest.fixture
def ada(event: Tournament) -> Registration:
    """Player 1."""
    return player_number(event, 1)
