"""Every test of a page has the database, an event of the owner, and browsers of people."""

from collections.abc import Callable

import pytest
from django.test import Client

from players.models import User
from tests.factories.sessions import claim, logged_in
from tests.factories.tournaments import draft_round, make_event, make_user
from tournaments.models import Registration, Round, Tournament


@pytest.fixture(autouse=True)
def _database(db: None) -> None:
    """Also where the test asks for no row of a fixture."""


@pytest.fixture
def owner(db: None) -> User:
    return make_user("olga")


@pytest.fixture
def desk(owner: User) -> Client:
    """The browser of the owner."""
    return logged_in(owner)


@pytest.fixture
def event(owner: User) -> Tournament:
    """Four players, here; modules with another event in mind say so."""
    return make_event(players=4, owner=owner)


@pytest.fixture
def draft(event: Tournament) -> Round:
    """The draft of the next round."""
    return draft_round(event)


@pytest.fixture
def phone_of() -> Callable[[Registration], Client]:
    """The browser of a guest who has opened their personal link."""
    return lambda registration: claim(Client(), registration.player)
