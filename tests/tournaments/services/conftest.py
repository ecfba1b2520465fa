"""Every test of a service has the database."""

import pytest


@pytest.fixture(autouse=True)
def _database(db: None) -> None:
    """Also where the test asks for no row of a fixture."""
