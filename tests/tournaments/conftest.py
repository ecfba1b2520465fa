"""Database, caches, a default event, and the browsers of its people."""

from collections.abc import Callable, Iterator

import pytest
from django.core.cache import caches
from django.test import Client
from pytest_django import DjangoDbBlocker

from players.models import User
from tests.factories.sessions import claim, logged_in
from tests.factories.tournaments import (
    draft_round,
    fresh,
    get_round,
    make_user,
    player_number,
    start_round,
    table,
)
from tests.shared_rows import shared_rows
from tests.tournaments.cast import OWNER
from tests.tournaments.scenes import four_players
from tournaments.models import Pairing, Registration, Round, Tournament


@pytest.fixture(autouse=True)
def _database(db: None) -> None:
    """Enable the database for every test, including tests without other fixtures."""


@pytest.fixture(autouse=True)
def _empty_cache():
    """Clear cached pages: they are stored by event address, and many tests use the same slug."""
    for name in caches.settings:
        caches[name].clear()


@pytest.fixture(scope="module")
def scene_of_module(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[Tournament]:
    """Create the scene of a module once, with its `make_scene` if it has one."""
    make: Callable[[], Tournament] = getattr(request.module, "make_scene", four_players)
    yield from shared_rows(django_db_blocker, make)


@pytest.fixture
def owner(db: None) -> User:
    """Return the owner of the event, or a new account if there is no event."""
    return User.objects.filter(username=OWNER).first() or make_user(OWNER)


@pytest.fixture
def desk(owner: User) -> Client:
    return logged_in(owner)


@pytest.fixture
def event(request: pytest.FixtureRequest, scene_of_module: Tournament, db: None) -> Tournament:
    """Return the event of the module's `make_scene`, by default one with four players."""
    mark = request.node.get_closest_marker("django_db")
    assert mark is None or not mark.kwargs.get("transaction"), (
        "A committing test must create its own event"
    )
    return fresh(scene_of_module)


@pytest.fixture
def round_(event: Tournament) -> Round:
    """Return the running round; start round 1 if there is none."""
    played = event.rounds.filter(state="running").first()
    return get_round(event, played.number) if played else start_round(event)


@pytest.fixture
def pairing(round_: Round) -> Pairing:
    return table(round_, 1)


@pytest.fixture
def ada(event: Tournament) -> Registration:
    return player_number(event, 1)


@pytest.fixture
def draft(event: Tournament) -> Round:
    return draft_round(event)


@pytest.fixture
def phone_of() -> Callable[[Registration], Client]:
    """Return a function that opens a guest's personal link in a new browser."""
    return lambda registration: claim(Client(), registration.player)
