"""The database, the event most tests play with, and browsers of people."""

from collections.abc import Callable

import pytest
from django.core.cache import caches
from django.test import Client

from players.models import User
from tests.factories.sessions import claim, logged_in
from tests.factories.tournaments import (
    draft_round,
    make_event,
    make_user,
    player_number,
    start_round,
    table,
)
from tournaments.models import Pairing, Registration, Round, Tournament


@pytest.fixture(autouse=True)
def _database(db: None) -> None:
    """Also where the test asks for no row of a fixture."""


@pytest.fixture(autouse=True)
def _empty_cache():
    """Finished pages are kept by the address of their event, and many tests name theirs alike."""
    for name in caches.settings:
        caches[name].clear()


@pytest.fixture
def owner(db: None) -> User:
    return make_user("olga")


@pytest.fixture
def desk(owner: User) -> Client:
    """The browser of the owner."""
    return logged_in(owner)


@pytest.fixture
def event(owner: User) -> Tournament:
    """Four players, here; modules with another evening in mind make their own."""
    return make_event(players=4, owner=owner)


@pytest.fixture
def round_(event: Tournament) -> Round:
    """Round 1, running."""
    return start_round(event)


@pytest.fixture
def pairing(round_: Round) -> Pairing:
    """Table 1 of round 1."""
    return table(round_, 1)


@pytest.fixture
def ada(event: Tournament) -> Registration:
    """Player 1."""
    return player_number(event, 1)


@pytest.fixture
def draft(event: Tournament) -> Round:
    """The draft of the next round."""
    return draft_round(event)


@pytest.fixture
def phone_of() -> Callable[[Registration], Client]:
    """The browser of a guest who has opened their personal link."""
    return lambda registration: claim(Client(), registration.player)
