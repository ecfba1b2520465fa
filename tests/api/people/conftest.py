"""Clients of the API by who asks."""

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from tests.factories import tournaments as make
from tests.factories.sessions import claim
from tournaments.models import Registration, Tournament

AsStaff = Callable[..., APIClient]


@pytest.fixture
def event(db: None) -> Tournament:
    """Four players, nobody here yet."""
    return make.make_event(players=4, checked_in=False)


@pytest.fixture
def owner(event: Tournament) -> APIClient:
    """The client of who made the event."""
    client = APIClient()
    client.force_login(event.staff.get(role="owner").user)
    return client


@pytest.fixture
def staff(event: Tournament) -> AsStaff:
    """The client of somebody with a role."""

    def of(role: str) -> APIClient:
        client = APIClient()
        client.force_login(make.add_staff(event, role))
        return client

    return of


@pytest.fixture
def guest(event: Tournament) -> APIClient:
    """The client of player 1."""
    return guest_of(make.player_number(event, 1))


def guest_of(place: Registration) -> APIClient:
    """The client of a guest, by the session."""
    return claim(APIClient(), place.player)
