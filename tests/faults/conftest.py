"""An organiser whose two older events are ready, made in the process of the test."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.test import Client

from config.settings.base import REDIS_CACHE
from core.redis_cache import breaker
from tests.factories import tournaments as factory
from tests.faults.browsers import InProcess
from tests.faults.organiser import Desk, Evening, Organiser
from tests.faults.servers import HangingServer, OwnRedis, hanging_server, own_redis
from tournaments.models import Tournament


@pytest.fixture
def night(transactional_db: None) -> Evening:
    """As `tests.faults.organiser.evening` makes it, but for the clicks."""
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
    return Evening(organiser, *(_desk(organiser, event) for event in (drafted, playing, played)))


def _desk(organiser: Organiser, event: Tournament) -> Desk:
    return Desk(organiser, f"/events/{event.slug}/")


@pytest.fixture
def hanging() -> Iterator[HangingServer]:
    """A server that never answers."""
    with hanging_server() as server:
        yield server


@pytest.fixture
def own_redis_server(tmp_path: Path) -> Iterator[OwnRedis]:
    """A Redis of this test alone, running; without the program the test is left out."""
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed")
    with own_redis(tmp_path) as server:
        yield server


@pytest.fixture
def cached_at(settings) -> Iterator[Callable[[str], None]]:
    """Have the caches of this process at another Redis, with the options of the site."""

    def use(url: str) -> None:
        settings.CACHES = {
            name: {**REDIS_CACHE, "LOCATION": url, "KEY_PREFIX": f"faults:{name}"}
            for name in settings.CACHES
        }

    breaker.close()
    yield use
    breaker.close()
