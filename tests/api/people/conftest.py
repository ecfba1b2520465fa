"""Clients of the API by who asks."""

from collections.abc import Callable
from functools import partial

import pytest
from rest_framework.test import APIClient

from tests.api import clients
from tests.factories import tournaments as make
from tournaments.models import Tournament

AsStaff = Callable[..., APIClient]


@pytest.fixture
def event(db: None) -> Tournament:
    """Four players, nobody here yet."""
    return make.make_event(players=4, checked_in=False)


@pytest.fixture
def owner(event: Tournament) -> APIClient:
    """The client of who made the event."""
    return clients.client(event)


@pytest.fixture
def staff(event: Tournament) -> AsStaff:
    """The client of somebody with a role."""
    return partial(clients.client, event)


@pytest.fixture
def guest(event: Tournament) -> APIClient:
    """The client of player 1."""
    return clients.guest(make.player_number(event, 1))
