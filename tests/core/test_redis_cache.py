"""Without Redis the site is slower, but works."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import BaseCache, CacheHandler, caches
from django.test import Client

from config.settings.base import REDIS_CACHE
from core.rate_limits import increment_counter
from core.redis_cache import SharedRedisCache, breaker
from tests.factories.tournaments import make_user
from tests.faults.servers import HangingServer, hanging_server
from tests.live_site import free_port

pytestmark = [pytest.mark.check(35), pytest.mark.goal("G12")]


@pytest.fixture
def cache_at(settings: Any) -> Iterator[Any]:
    """Return the default cache with the Redis at this address."""

    def use(url: str) -> BaseCache:
        settings.CACHES = {**settings.CACHES, "default": {**REDIS_CACHE, "LOCATION": url}}
        return caches["default"]

    breaker.close()
    yield use
    breaker.close()


@pytest.fixture
def cache_without_server(cache_at: Any) -> BaseCache:
    """A cache whose server does not exist."""
    cache: BaseCache = cache_at(f"redis://127.0.0.1:{free_port()}/0")
    return cache


@pytest.fixture
def hanging() -> Iterator[HangingServer]:
    with hanging_server() as server:
        yield server


def test_cache_without_redis_stores_nothing_and_never_blocks(cache_without_server: BaseCache):
    cache_without_server.set("page", "<p>", 60)

    assert cache_without_server.get("page") is None
    assert [cache_without_server.add("lock", 1) for _ in range(2)] == [True, True]
    assert [increment_counter("tries", 60) for _ in range(3)] == [1, 1, 1]


@pytest.mark.django_db
@pytest.mark.usefixtures("cache_without_server")
def test_people_log_in_without_redis(client: Client):
    make_user("ada")

    answer = client.post("/account/login/", {"login": "ada", "password": "a long password"})

    assert answer.status_code == 302


def test_one_of_many_requests_waits_for_a_hanging_redis(cache_at: Any, hanging: HangingServer):
    cache = cache_at(f"redis://127.0.0.1:{hanging.port}/0")

    assert [cache.get(f"page {number}") for number in range(20)] == [None] * 20

    assert hanging.taken == 1


def test_clearing_pages_keeps_counters_and_other_sites(settings: Any):
    if not settings.REDIS_URL:
        pytest.skip("needs a Redis (REDIS_URL)")
    for name in ("pages", "default"):
        caches[name].set("kept", name)

    caches["pages"].clear()

    assert (caches["pages"].get("kept"), caches["default"].get("kept")) == (None, "default")


def test_public_rows_are_not_stored_in_redis(settings: Any):
    if not settings.REDIS_URL:
        pytest.skip("needs a Redis (REDIS_URL)")

    assert not isinstance(caches["public_rows"], SharedRedisCache)


def test_clearing_affects_all_processes(settings: Any):
    if not settings.REDIS_URL:
        pytest.skip("needs a Redis (REDIS_URL)")

    for name in settings.CACHES.keys() - {"public_rows"}:
        first_process, second_process = (CacheHandler()[name] for _ in range(2))
        first_process.set("page", "<p>")
        assert first_process.get("page") == "<p>"

        second_process.delete("page")

        assert first_process.get("page") is None
