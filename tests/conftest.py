"""What every suite shares; docs/dev/testing.md says how it is laid out."""

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

# Tests check behaviour, never seconds. In CI one commit has one verdict.
settings.register_profile(
    "datafort",
    deadline=None,
    max_examples=30,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("datafort")

LONG = ("browser", "slow")
"""Marks of tests that begin first, in this order."""
SERVED = ("db", "transactional_db", "redis_url", "site", "environment", "machines")
"""Fixtures of tests that a database or a server may answer differently."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Ten thousand tests are no garbage: nobody looks through them for some again and again."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark plain rules, which need no database; put first what lasts longest.

    Browsers are waited for, and long samples keep one process busy: begun first, they run beside
    everything else. The first process gets the first stretch.
    """
    items.sort(key=lambda item: [item.get_closest_marker(one) is None for one in LONG])
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        marked = item.get_closest_marker("django_db") or item.get_closest_marker("browser")
        if not marked and not any(name in fixtures for name in SERVED):
            item.add_marker("plain")


@pytest.fixture
def quiet_requests() -> Iterator[None]:
    """Thousands of refusals are asked for: of none a line, or its trace, is laid out."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """An empty site with cards and rulings, that may notify phones."""
    with running_site(
        tmp_path_factory.mktemp("site"),
        DATAFORT_PUSH_KEY=web_push.new_private_key(),
        DATAFORT_PUSH_CONTACT="mailto:desk@example.org",
    ) as running:
        yield running


@pytest.fixture(scope="session")
def site(running: Site) -> str:
    """The address of that site."""
    return running.address


@pytest.fixture
def own_clock(settings: Any) -> None:
    """Nothing is counted yet, and counts end by the clock of the test, which no Redis knows."""
    settings.CACHES = {**settings.CACHES, "default": {**MEMORY_CACHE, "LOCATION": token_hex()}}
