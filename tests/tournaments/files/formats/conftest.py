"""Files are read and written here, which asks no database."""

import pytest


@pytest.fixture(autouse=True)
def _database() -> None:
    """None: a test that asks one fails."""


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    """Nothing is kept."""
