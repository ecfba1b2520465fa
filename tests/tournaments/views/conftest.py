"""Browsers of people without an account."""

from collections.abc import Callable

import pytest
from django.test import Client

from players.queries import SESSION_KEY
from tournaments.models import Registration


@pytest.fixture
def phone_of() -> Callable[[Registration], Client]:
    """The browser of a guest who has opened their personal link."""

    def make(registration: Registration) -> Client:
        client = Client()
        session = client.session
        player = registration.player
        session[SESSION_KEY] = [player.pk, player.claim_generation]
        session.save()
        return client

    return make
