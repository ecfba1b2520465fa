"""What every suite shares."""

import os

import pytest
from hypothesis import HealthCheck, settings

# Tests check behaviour, never seconds. In CI one commit has one verdict.
settings.register_profile(
    "datafort",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=os.environ.get("CI") == "true",
)
settings.load_profile("datafort")

SERVED = ("db", "transactional_db", "redis_url", "site")
"""Fixtures of tests that a database or a server may answer differently."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests of plain rules, which are the same on any database: once is enough."""
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        marked = item.get_closest_marker("django_db") or item.get_closest_marker("browser")
        if not marked and not any(name in fixtures for name in SERVED):
            item.add_marker("plain")
