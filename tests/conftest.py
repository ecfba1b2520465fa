"""Fixtures and collection rules of all tests; docs/dev/testing.md describes their layout."""

import gc
import logging
import os
from collections.abc import Iterator
from secrets import token_hex
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from config.settings.base import MEMORY_CACHE
from core import web_push
from tests.live_site import Site, running_site

pytest_plugins = ["tests.databases", "tests.reliability.plugin"]

# Tests check behaviour and never durations. In CI, a commit always gets the same verdict.
settings.register_profile(
    "datafort",
    deadline=None,
    max_examples=30,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("datafort")

LONG = ("browser", "slow")
"""Marks of tests that start first, in this order."""
SERVED = ("db", "transactional_db", "redis_url", "site", "environment", "machines")
"""Fixtures of tests whose outcome may depend on the database or a server."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Disable the garbage collector: it would scan ten thousand test items again and again."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests of plain rules, which need no database; put the slowest tests first.

    Browsers wait a lot, and long samples occupy one process, so both should run beside the other
    tests. The first process gets the first tests.
    """
    items.sort(key=lambda item: [item.get_closest_marker(mark) is None for mark in LONG])
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        marked = item.get_closest_marker("django_db") or item.get_closest_marker("browser")
        if not marked and not any(name in fixtures for name in SERVED):
            item.add_marker("plain")


@pytest.fixture
def quiet_requests() -> Iterator[None]:
    """Skip log lines and tracebacks in tests with thousands of refusals."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """An empty site with cards, rulings and push notifications."""
    with running_site(
        tmp_path_factory.mktemp("site"),
        DATAFORT_PUSH_KEY=web_push.new_private_key(),
        DATAFORT_PUSH_CONTACT="mailto:desk@example.org",
    ) as running:
        yield running


@pytest.fixture(scope="session")
def site(running: Site) -> str:
    """The address of the running site."""
    return running.address


@pytest.fixture
def own_clock(settings: Any) -> None:
    """Use empty counters in memory that follow the clock of the test, which Redis would not."""
    settings.CACHES = {**settings.CACHES, "default": {**MEMORY_CACHE, "LOCATION": token_hex()}}
