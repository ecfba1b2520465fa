"""The database, the event most tests play with, and browsers of people."""

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
    """Also where the test asks for no row of a fixture."""


@pytest.fixture(autouse=True)
def _empty_cache():
    """Finished pages are kept by the address of their event, and many tests name theirs alike."""
    for name in caches.settings:
        caches[name].clear()


@pytest.fixture(scope="module")
def scene_of_module(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[Tournament]:
    """Made once for all tests of a module, by its function `make_scene` where it has one."""
    make: Callable[[], Tournament] = getattr(request.module, "make_scene", four_players)
    yield from shared_rows(django_db_blocker, make)


@pytest.fixture
def owner(db: None) -> User:
    """Who made the event, where there is one."""
    return User.objects.filter(username=OWNER).first() or make_user(OWNER)


@pytest.fixture
def desk(owner: User) -> Client:
    """The browser of the owner."""
    return logged_in(owner)


@pytest.fixture
def event(request: pytest.FixtureRequest, scene_of_module: Tournament, db: None) -> Tournament:
    """Four players, here, or what `make_scene` of the module makes."""
    mark = request.node.get_closest_marker("django_db")
    assert mark is None or not mark.kwargs.get("transaction"), (
        "It commits: make an event of its own"
    )
    return fresh(scene_of_module)


@pytest.fixture
def round_(event: Tournament) -> Round:
    """The round that is played, which is round 1 unless the scene has others."""
    played = event.rounds.filter(state="running").first()
    return get_round(event, played.number) if played else start_round(event)


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
