"""Every test of a page has the database; browsers of people without an account."""

from collections.abc import Callable

import pytest
from django.test import Client

from tests.factories.sessions import claim
from tournaments.models import Registration


@pytest.fixture(autouse=True)
def _database(db: None) -> None:
    """Also where the test asks for no row of a fixture."""


@pytest.fixture
def phone_of() -> Callable[[Registration], Client]:
    """The browser of a guest who has opened their personal link."""
    return lambda registration: claim(Client(), registration.player)
