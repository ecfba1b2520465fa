"""Who sits behind the desk in these tests."""

from collections.abc import Callable

import pytest
from django.test import Client

from players.models import User
from tests.factories.tournaments import draft_round, make_event, make_user
from tournaments.models import Round, Tournament

LogIn = Callable[[User], Client]

HTMX = {"HX-Request": "true"}
"""What htmx says of itself; without it a page answers whole."""


@pytest.fixture
def log_in() -> LogIn:
    """A browser in which this account is logged in."""

    def as_user(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return as_user


@pytest.fixture
def owner(db: None) -> User:
    return make_user("olga")


@pytest.fixture
def desk(owner: User, log_in: LogIn) -> Client:
    """The browser of the owner."""
    return log_in(owner)


@pytest.fixture
def event(owner: User) -> Tournament:
    """Four players, here; modules with another event in mind say so."""
    return make_event(players=4, owner=owner)


@pytest.fixture
def draft(event: Tournament) -> Round:
    """The draft of the next round."""
    return draft_round(event)


def path(event: Tournament, rest: str = "desk/") -> str:
    """An address below the event."""
    return f"/events/{event.slug}/{rest}"
