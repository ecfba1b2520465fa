"""Pages and limits go on while Redis does not answer."""

import socket

import pytest

from config.settings.base import REDIS_OPTIONS
from core.cache import StandInRedisCache


@pytest.fixture
def cache() -> StandInRedisCache:
    """A cache whose server is not there."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    return StandInRedisCache(f"redis://127.0.0.1:{port}/0", {"OPTIONS": REDIS_OPTIONS})


@pytest.fixture
def redis_url(settings) -> str:
    if not settings.REDIS_URL:
        pytest.skip("needs a Redis (REDIS_URL)")
    return str(settings.REDIS_URL)


@pytest.mark.check(35)
def test_what_was_kept_is_found_again_without_redis(cache):
    cache.set("page", "<p>", 60)

    assert cache.get("page") == "<p>"
    assert cache.get_many(["page", "other"]) == {"page": "<p>"}
    assert "page" in cache


@pytest.mark.check(35)
def test_limits_still_count_without_redis(cache):
    assert cache.add("tries", 1, 60)
    assert not cache.add("tries", 1, 60)
    assert cache.incr("tries") == 2


@pytest.mark.check(35)
def test_what_is_deleted_is_gone_without_redis(cache):
    cache.set_many({"one": 1, "two": 2})
    cache.delete("one")
    cache.delete_many(["two"])

    assert cache.get("one") is None
    assert not cache.touch("two")
    cache.clear()


def test_forgetting_all_leaves_the_names_of_another_site(redis_url):
    here, there = (
        StandInRedisCache(redis_url, {"KEY_PREFIX": name, "OPTIONS": REDIS_OPTIONS})
        for name in ("test-clear-here", "test-clear-there")
    )
    here.set("page", "<p>", 60)
    there.set("page", "<p>", 60)

    here.clear()

    assert here.get("page") is None
    assert there.get("page") == "<p>"
