"""Clients of an event before its first round."""

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
    """Four players, not checked in."""
    return make.make_event(players=4, checked_in=False)


@pytest.fixture
def owner(event: Tournament) -> APIClient:
    """The owner's client."""
    return clients.client(event)


@pytest.fixture
def staff(event: Tournament) -> AsStaff:
    """Return a client with this role."""
    return partial(clients.client, event)


@pytest.fixture
def guest(event: Tournament) -> APIClient:
    return clients.guest(make.player_number(event, 1))
