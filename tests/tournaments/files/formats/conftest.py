"""Reading and writing files uses neither the database nor caches."""

import pytest


@pytest.fixture(autouse=True)
def _database() -> None:
    """Without a database: a query fails the test."""


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    """Without caches."""
