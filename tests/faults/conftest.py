"""An organiser with three prepared events, made in the test process."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.test import Client

from config.settings.base import REDIS_CACHE
from core.redis_cache import breaker
from tests.factories import tournaments as factory
from tests.faults.browsers import InProcess
from tests.faults.organiser import Desk, FaultEvents, Organiser
from tests.faults.servers import HangingServer, OwnRedis, hanging_server, own_redis
from tournaments.models import Tournament


@pytest.fixture
def events(transactional_db: None) -> FaultEvents:
    """The same events as `tests.faults.organiser.prepare_events`, made without clicks."""
    owner = factory.make_user()
    drafted, playing, played = (
        factory.make_event(8, owner=owner, name=name) for name in ("Drafted", "Playing", "Played")
    )
    factory.draft_round(drafted)
    factory.play_round(playing, tables=range(1, 5))
    factory.play_round(played)
    client = Client()
    client.force_login(owner)
    organiser = Organiser(InProcess(client))
    return FaultEvents(
        organiser, *(_desk(organiser, event) for event in (drafted, playing, played))
    )


def _desk(organiser: Organiser, event: Tournament) -> Desk:
    return Desk(organiser, f"/events/{event.slug}/")


@pytest.fixture
def hanging() -> Iterator[HangingServer]:
    """A server that never responds."""
    with hanging_server() as server:
        yield server


@pytest.fixture
def own_redis_server(tmp_path: Path) -> Iterator[OwnRedis]:
    """A running Redis for this test; the test is skipped if Redis is not installed."""
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed")
    with own_redis(tmp_path) as server:
        yield server


@pytest.fixture
def cached_at(settings) -> Iterator[Callable[[str], None]]:
    """A function that moves the caches to another Redis, with the options of the site."""

    def use(url: str) -> None:
        settings.CACHES = {
            name: {**REDIS_CACHE, "LOCATION": url, "KEY_PREFIX": f"faults:{name}"}
            for name in settings.CACHES
        }

    breaker.close()
    yield use
    breaker.close()
