"""What every suite shares."""

import logging
import os
from collections.abc import Iterator
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

from core import web_push
from tests.live_site import Site, running_site

pytest_plugins = ["tests.reliability.plugin"]

# Tests check behaviour, never seconds. In CI one commit has one verdict.
IN_CI = os.environ.get("CI") == "true"
settings.register_profile(
    "datafort",
    deadline=None,
    max_examples=30 if IN_CI else 100,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=IN_CI,
)
settings.load_profile("datafort")

SERVED = ("db", "transactional_db", "redis_url", "site", "environment", "machines")
"""Fixtures of tests that a database or a server may answer differently."""
PAGES = ("tests/tournaments/views/", "tests/tournaments/forms/")
QUERYING = ("test_route_matrix.py", "test_query_counts.py", "test_once.py", "test_streams.py")
"""Here every page and every query of a page is asked; the rest tells wording."""
ASKED_OF_BOTH = (
    *("tests/api/test_matrix.py", "tests/api/test_writing.py", "tests/core/"),
    *("tests/tournaments/races/", "tests/tournaments/due/", "tests/rulings/test_search"),
    *("tests/rulings/test_writing_at_once.py", "tests/upgrades/test_upgrade.py"),
    *("tests/tournaments/test_simulation.py::test_every_database", "tests/tournaments/backups/"),
    *("tests/tournaments/erasing/test_canary_person.py::test_nothing_tells",),
    *("tests/faults/test_database.py", "tests/crashes/test_before_or_after.py::test_killed"),
)
ON_SERVERS = ("tests/api/live/", "tests/scale/", "tests/crashes/test_worker")
"""In CI these are for PostgreSQL, Redis and a worker alone."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what is the same on any database, plain rules and the wording of pages: once will do.

    In CI, where both databases are tried in half an hour, each test that either may answer goes to
    one of them, by its name; what is ASKED_OF_BOTH goes to both.
    """
    for item in items:
        if _tells_wording(item):
            item.add_marker("looks")
        fixtures = getattr(item, "fixturenames", ())
        marked = item.get_closest_marker("django_db") or item.get_closest_marker("browser")
        if not marked and not any(name in fixtures for name in SERVED):
            item.add_marker("plain")
    if IN_CI:
        left = {item for item in items if _is_for_the_other(item)}
        config.hook.pytest_deselected(items=[*left])
        items[:] = [item for item in items if item not in left]


def _is_for_the_other(item: pytest.Item) -> bool:
    """Whether CI tries this test on the other database."""
    is_scaled = bool(os.environ.get("DATABASE_URL"))
    if item.nodeid.startswith(ON_SERVERS):
        return not is_scaled
    if any(item.get_closest_marker(mark) for mark in ("plain", "looks", "slow")):
        return False
    if item.nodeid.startswith(ASKED_OF_BOTH):
        return False
    return (crc32(item.nodeid.encode()) % 2 == 0) is is_scaled


def _tells_wording(item: pytest.Item) -> bool:
    path = item.nodeid.partition("::")[0]
    return path.startswith(PAGES) and not path.endswith(QUERYING)


@pytest.fixture(autouse=True)
def _empty_halls() -> None:
    """What one test kept of its event is not that of another with the same key."""
    from tournaments.sheets import halls

    halls.forget()


@pytest.fixture
def quiet_requests() -> Iterator[None]:
    """Thousands of refusals are asked for: of none a line, or its trace, is laid out."""
    log = logging.getLogger("django.request")
    before = log.level
    log.setLevel(logging.ERROR)
    yield
    log.setLevel(before)


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """An empty site with cards and rulings, that may tell phones."""
    with running_site(
        tmp_path_factory.mktemp("site"),
        DATAFORT_PUSH_KEY=web_push.fresh_key(),
        DATAFORT_PUSH_CONTACT="mailto:desk@example.org",
    ) as running:
        yield running


@pytest.fixture(scope="session")
def site(running: Site) -> str:
    """The address of that site."""
    return running.address
